import { ESPECIE } from '../src/fiscal/tipos.ts';
import { generateCenario, type ItemDoCenario } from '../src/gerador/cenario.ts';
import type { Empresa } from '../src/gerador/empresas.ts';
import { generateListaAbrasf } from '../src/gerador/nfse-abrasf.ts';
import { zipDe } from '../src/gerador/zip.ts';

/** A file that the demonstration sends. */
export interface ArquivoDeDemonstracao {
  nome: string;
  extensao: '.xml' | '.zip';
  bytes: Uint8Array;
  documentos: number;
}

export interface MaterialDeDemonstracao {
  empresas: readonly Empresa[];
  arquivos: ArquivoDeDemonstracao[];
  /** How many of each kind were generated, in order of show. */
  totais: { nome: string; quantidade: number }[];
}

const SEMENTE = 'demonstracao';
const CLIENTES = 4;
const NOTAS = 260;
const DENEGADAS = 2;
const PENDENTES = 3;
/** CT-e, CT-e OS, NFS-e and CF-e SAT. */
const OUTRAS = 40;
/** More gaps than in real life, so that there is something to show. */
const LACUNAS = 0.04;
/** So many documents go up one by one, as an ERP sends them. */
const SOLTOS = 6;
const ZIPS = 4;

/**
 * Generates and signs the documents of one month that have happened by now and puts them into files: some .xml, the municipal NFS-e in one
 * list as the city exports them, the others in zips, one of which also holds a damaged file and a note of a company
 * that is no client.
 *
 * @param mes its first day, `AAAA-MM-DD`, and the moment up to which something has happened
 */
export async function generateMaterial({
  inicio,
  ate,
}: {
  inicio: string;
  ate: Date;
}): Promise<MaterialDeDemonstracao> {
  const cenario = generateCenario({
    semente: SEMENTE,
    clientes: CLIENTES,
    documentos: NOTAS,
    inicio,
    meses: 1,
    denegadas: DENEGADAS,
    pendentes: PENDENTES,
    lacunas: LACUNAS,
    outras: OUTRAS,
  });
  const generated = [...cenario.documentos].filter(({ emissao }) => emissao <= ate);
  const isOld = ({ emissao }: ItemDoCenario) => emissao < cenario.periodo.inicio;
  // The denied notes and the coupons are old and come first; at the end they do not head every list.
  const all = [...generated.filter((item) => !isOld(item)), ...generated.filter(isOld).reverse()];
  const groups = withTheirEvents(all.filter((item) => !isMunicipal(item)));
  const single = groups.filter((group) => group.length === 1).slice(0, SOLTOS);
  const rest = groups.filter((group) => !single.includes(group));
  const arquivos = [...single.flat().map(asFile), municipalList(all.filter(isMunicipal))];
  const size = Math.ceil(rest.length / ZIPS);
  for (let i = 0; i < ZIPS; i++) {
    const entries: { nome: string; bytes: Uint8Array }[] = rest.slice(i * size, (i + 1) * size).flat();
    if (i === ZIPS - 1) entries.push(...troublesome(inicio, rest.flat()));
    arquivos.push({
      nome: `semana-${i + 1}.zip`,
      extensao: '.zip',
      bytes: await zipDe(entries),
      documentos: entries.length,
    });
  }
  return { empresas: cenario.empresas, arquivos, totais: totalsOf(generated) };
}

const NOMES: readonly [nome: string, tipos: readonly string[]][] = [
  ['NF-e', [ESPECIE.nfe]],
  ['NFC-e', [ESPECIE.nfce]],
  ['CT-e', [ESPECIE.cte]],
  ['CT-e OS', [ESPECIE.cteOs]],
  ['NFS-e, nacionais e municipais', [ESPECIE.nfse]],
  ['CF-e SAT, do arquivo', [ESPECIE.cfe]],
  ['eventos: cancelamentos, cartas de correção, manifestações', [ESPECIE.evento]],
  ['inutilizações', [ESPECIE.inutilizacao]],
];

function totalsOf(itens: readonly ItemDoCenario[]): MaterialDeDemonstracao['totais'] {
  return NOMES.map(([nome, tipos]) => ({
    nome,
    quantidade: itens.filter(({ tipo }) => tipos.includes(tipo)).length,
  }));
}

/**
 * Each document with its events, as an ERP sends them: an event that another file brings before its document names
 * its author alone, and waits.
 */
function withTheirEvents(itens: readonly ItemDoCenario[]): ItemDoCenario[][] {
  const groups = Map.groupBy(itens, ({ chave }) => chave);
  return [...groups.values()].map((group) =>
    group.sort((a, b) => Number(a.evento !== null) - Number(b.evento !== null)),
  );
}

/** Notes of cities have keys that are composed. */
function isMunicipal({ chave }: ItemDoCenario): boolean {
  return chave.startsWith('NFSE-');
}

function municipalList(notas: readonly ItemDoCenario[]): ArquivoDeDemonstracao {
  const { bytes } = generateListaAbrasf(notas.map((nota) => nota.bytes));
  return { nome: 'notas-da-prefeitura.xml', extensao: '.xml', bytes, documentos: notas.length };
}

function asFile({ nome, bytes }: ItemDoCenario): ArquivoDeDemonstracao {
  return { nome: nome.slice(nome.lastIndexOf('/') + 1), extensao: '.xml', bytes, documentos: 1 };
}

/** What a month brings besides: a download that broke off, and a note that belongs to nobody here. */
function troublesome(inicio: string, itens: readonly ItemDoCenario[]): { nome: string; bytes: Uint8Array }[] {
  const whole = itens.at(-1)?.bytes ?? new Uint8Array();
  const [foreign] = generateCenario({
    semente: `${SEMENTE}/alheia`,
    clientes: 1,
    documentos: 1,
    inicio,
    meses: 1,
    lacunas: 0,
  }).documentos;
  return [
    { nome: 'download-interrompido.xml', bytes: whole.subarray(0, Math.floor(whole.length * 0.6)) },
    ...(foreign ? [{ nome: 'empresa-nao-cadastrada.xml', bytes: foreign.bytes }] : []),
  ];
}
