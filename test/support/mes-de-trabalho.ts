/** A month of an office as it lies on somebody's disk: what came well, what came broken, and the right files for that. */
import { ESPECIE } from '../../src/fiscal/tipos.ts';
import { generateCenario, type ItemDoCenario } from '../../src/gerador/cenario.ts';
import { type Empresa, generateEmpresa } from '../../src/gerador/empresas.ts';
import type { Esperado } from '../../src/gerador/esperado.ts';
import { generateNfe, type NfeGerada } from '../../src/gerador/nfe.ts';
import { zipDe } from '../../src/gerador/zip.ts';

export interface Tamanho {
  notas: number;
  clientes: number;
  falhas: number;
}

export interface Entrada {
  nome: string;
  bytes: Uint8Array;
}

export interface MesDeTrabalho {
  empresas: readonly Empresa[];
  /** NF-e and NFC-e whose good files are among `bons`. */
  notas: readonly ItemDoCenario[];
  /** What became of each note. */
  esperado: Esperado;
  /** Notes with their events, in zips. */
  bons: readonly Buffer[];
  /** What failed of the month, of several causes. */
  quebrados: Buffer;
  /** The right files of what can be had again. */
  corrigidos: Buffer;
  /** The notes in `corrigidos`. */
  corrigidas: readonly ItemDoCenario[];
  /** How many failures of each cause `quebrados` brings. */
  causas: Readonly<Record<Causa, number>>;
  /** A note of the company that nothing else has said anything of. */
  notaNova(emitente: Empresa, numero: number): NfeGerada;
}

const CAUSAS = ['cortado', 'protocolo', 'rejeitada', 'pagina', 'conflito'] as const;
export type Causa = (typeof CAUSAS)[number];
const SEMENTE = 'mes-de-trabalho';
const POR_ZIP = 500;

/** @param inicio the month's first day, `AAAA-MM-DD` */
export async function generateMes(tamanho: Tamanho, inicio: string): Promise<MesDeTrabalho> {
  const cenario = generateCenario({
    semente: SEMENTE,
    clientes: tamanho.clientes,
    documentos: tamanho.notas,
    inicio,
    meses: 1,
  });
  const itens = [...cenario.documentos];
  const escolhidas = quebraveis(itens, tamanho.falhas);
  const falhas = escolhidas.map((item, at) => ({ item, causa: CAUSAS[at % CAUSAS.length] as Causa }));
  // Of a conflict the good version came first.
  const faltam = new Set(falhas.filter(({ causa }) => causa !== 'conflito').map(({ item }) => item));
  const bons = itens.filter((item) => !faltam.has(item));
  const corrigidas = falhas
    .filter(({ causa }) => causa !== 'conflito' && causa !== 'pagina')
    .map(({ item }) => item);
  return {
    empresas: cenario.empresas,
    notas: bons.filter(ehNota),
    esperado: cenario.esperado,
    bons: await emZips(bons),
    quebrados: await zipDe(falhas.map(({ item, causa }) => quebrar(item, causa, itens))),
    corrigidos: await zipDe(corrigidas),
    corrigidas,
    causas: Object.fromEntries(
      CAUSAS.map((causa) => [causa, falhas.filter((falha) => falha.causa === causa).length]),
    ) as Record<Causa, number>,
    notaNova: (emitente, numero) => notaNova(emitente, numero, inicio),
  };
}

const ehNota = ({ tipo }: ItemDoCenario) => tipo === ESPECIE.nfe || tipo === ESPECIE.nfce;

/** NF-e without events, all over the month. */
function quebraveis(itens: readonly ItemDoCenario[], quantas: number): ItemDoCenario[] {
  const comEvento = new Set(itens.filter(({ evento }) => evento !== null).map(({ chave }) => chave));
  const found = itens.filter((item) => item.tipo === ESPECIE.nfe && !comEvento.has(item.chave));
  const step = Math.floor(found.length / quantas);
  if (step === 0) throw new RangeError(`${quantas} failures of ${found.length} notes`);
  return Array.from({ length: quantas }, (_, at) => found[at * step] as ItemDoCenario);
}

/** Files of one note lie in one zip, the note before its events. */
async function emZips(itens: readonly ItemDoCenario[]): Promise<Buffer[]> {
  const groups = [...Map.groupBy(itens, ({ chave }) => chave).values()];
  const zips: Buffer[] = [];
  for (let at = 0; at < groups.length; at += POR_ZIP)
    zips.push(await zipDe(groups.slice(at, at + POR_ZIP).flat()));
  return zips;
}

/** As such a file comes to an office. */
function quebrar(item: ItemDoCenario, causa: Causa, itens: readonly ItemDoCenario[]): Entrada {
  const text = Buffer.from(item.bytes).toString();
  const nome = `${causa}/${item.chave}.xml`;
  const outra = itens.find(({ chave }) => chave !== item.chave)?.chave ?? '';
  const como: Record<Causa, () => string> = {
    cortado: () => text.slice(0, Math.floor(text.length * 0.6)),
    protocolo: () => text.replace(`<chNFe>${item.chave}</chNFe>`, `<chNFe>${outra}</chNFe>`),
    rejeitada: () => text.replace(/<cStat>1\d0<\/cStat>/, '<cStat>539</cStat>'),
    pagina: () => '<!DOCTYPE html><html><body>Sua sessão expirou.</body></html>',
    conflito: () =>
      text
        .replace(/<natOp>[^<]*</, '<natOp>Natureza trocada<')
        .replace(/<DigestValue>[^<]*</, `<DigestValue>${Buffer.alloc(20, 7).toString('base64')}<`),
  };
  return { nome, bytes: Buffer.from(como[causa]()) };
}

function notaNova(emitente: Empresa, numero: number, inicio: string): NfeGerada {
  return generateNfe({
    semente: `${SEMENTE}/nova/${numero}`,
    emitente,
    destinatario: generateEmpresa(`${SEMENTE}/nova`, { perfil: 'comercio', uf: 'SP' }),
    modelo: '55',
    serie: emitente.id.length === 11 ? 925 : 77,
    numero,
    emissao: new Date(`${inicio}T15:00:00Z`),
    itens: 1,
  });
}
