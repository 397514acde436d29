/** A document as the console shows it: what it says, what was found of it, what became of it, who has read it. */
import { TITULAR_DO_CERTIFICADO } from '../../documentos/bytes/certificados.ts';
import { descomprimir } from '../../documentos/bytes/conteudo.ts';
import { comHash, readHash } from '../../documentos/bytes/hash-guardado.ts';
import { lerEmissao } from '../../documentos/lean/emissao-guardada.ts';
import { lerProtocolo } from '../../documentos/lean/protocolo-guardado.ts';
import { adquirentes, finalidadeDe } from '../../documentos/read/finalidade.ts';
import { podeSerAfastado } from '../../documentos/review/revisar.ts';
import { podeSerEscolhida } from '../../documentos/store/decidir.ts';
import { versaoDaLinha } from '../../documentos/store/versoes.ts';
import { parseChave, splitChave } from '../../fiscal/chave.ts';
import { outrasChavesDaNfse } from '../../fiscal/nfse/mesma-nota.ts';
import { tabela } from '../../fiscal/tabela.ts';
import type { Chave, Codificacao, Protocolo } from '../../fiscal/tipos.ts';
import type { Alcance } from '../acesso.ts';
import { comConflito, resumoDe } from '../documentos/apresentar.ts';
import type { Leitor } from '../documentos/queries-janela.ts';
import { conteudoExcluido } from '../errors-documentos.ts';
import { instanteDe } from '../tempo.ts';
import { comRemovidos, usuariosRemovidos } from '../usuarios/removidos.ts';
import { eventosDaNota, notaDoEvento } from './eventos-da-nota.ts';
import { DocumentoIlegivel, type LeitorDeDocumentos } from './leitor-de-documentos.ts';
import { nomeDaProva, type VereditoDaProva, vereditoDaProva } from './prova.ts';
import type { LinhaDaVersao, LinhaDoDocumento } from './queries-documento.ts';
import * as queries from './queries-documento.ts';

const ACESSOS = 100;
const DIA_MS = 86_400_000;
/** Dates of issue in two copies of one NFS-e differ by no more; those of another year's note with the same number do. */
const MESMA_EMISSAO_MS = 31 * DIA_MS;
/** A cancellation comes after its note, and sooner than its number may be another note's. */
const CANCELADA_EM_MS = 365 * DIA_MS;
/** Versions that are compared; more of one document have never been seen. */
const VERSOES_COMPARADAS = 5;

const TITULOS: Readonly<Record<string, string>> = tabela({
  NFe: 'Nota Fiscal Eletrônica (NF-e)',
  NFCe: 'Nota Fiscal de Consumidor Eletrônica (NFC-e)',
  NFSe: 'Nota Fiscal de Serviço Eletrônica (NFS-e)',
  CTe: 'Conhecimento de Transporte Eletrônico (CT-e)',
  CTeOS: 'Conhecimento de Transporte Eletrônico para Outros Serviços (CT-e OS)',
  GTVe: 'Guia de Transporte de Valores Eletrônica (GTV-e)',
  CFe: 'Cupom Fiscal Eletrônico SAT (CF-e)',
  NFCom: 'Nota Fiscal Fatura de Serviço de Comunicação Eletrônica (NFCom)',
  NF3e: 'Nota Fiscal de Energia Elétrica Eletrônica (NF3e)',
  NFAg: 'Nota Fiscal Eletrônica de Água e Saneamento (NFAg)',
  NFGas: 'Nota Fiscal Eletrônica do Gás (NFGas)',
  NFABI: 'Nota Fiscal Eletrônica de Alienação de Bens Imóveis (NF-e ABI)',
  Evento: 'Evento',
  Inutilizacao: 'Inutilização de numeração',
});

export const tituloDoDocumento = ({ especie }: { especie: string }) => TITULOS[especie] ?? especie;

interface VistaDeps {
  db: Leitor;
  leitor: LeitorDeDocumentos;
}

/** Everything that the page of a document shows. @param sessao.visto the clients who are looked at; null: any of the office */
export async function vistaDoDocumento(
  deps: VistaDeps,
  linha: LinhaDoDocumento,
  sessao: { alcance: Alcance; visto: Alcance },
) {
  const { db } = deps;
  const versoes = await comRemovidos(db, {
    contadorId: linha.contador_id,
    linhas: await queries.findVersoes(db, linha.id),
  });
  const servida = versoes.find((versao) => versao.servida === 1) ?? null;
  const original = servida ? await bytesDe(db, { documentoId: linha.id, versaoId: servida.id }) : null;
  const lido = original ? await ler(deps, original) : null;
  const acessos = await acessosDe(db, linha);
  const clientes = await queries.findClientesDoDocumento(db, {
    contadorId: linha.contador_id,
    documentoId: linha.id,
  });
  const adquirente = await adquirenteDe(db, { linha, alcance: sessao.visto });
  return {
    id: linha.id,
    titulo: tituloDoDocumento(linha),
    // Who is limited to some clients is not told who else of the office has the document.
    clientes: clientes
      .filter(({ id }) => sessao.alcance?.includes(id) !== false)
      .map(({ id: _id, ...cliente }) => cliente),
    ...resumoDe(linha),
    excluidoEm: instanteDe(linha.excluido_em),
    conflito: (await comConflito(db, [linha.id])).has(linha.id),
    ...(await decisoes(db, { linha, versoes })),
    mesmaNota: await mesmaNota(db, linha, sessao),
    eventos: await eventosDaNota(db, linha),
    nota: await notaDoEvento(db, linha),
    grupos: lido?.grupos ?? [],
    itens: lido?.itens ?? { total: 0, itens: [] },
    ilegivel: original !== null && lido === null,
    vereditos: servida ? vereditosDe(servida) : null,
    linhaDoTempo: await linhaDoTempo(db, { linha, versoes, acessos }),
    acessos,
    versoes: await versoesDe(deps, { linha, versoes, original }),
    finalidade: adquirente && (await finalidadeDe(db, adquirente)),
  };
}

/**
 * Whose purchase a document is, of those whom the session looks at; null where none of them acquired anything by it.
 * @param input.alcance those who are looked at; null: any of the office
 */
export async function adquirenteDe(
  db: Leitor,
  { linha, alcance }: { linha: LinhaDoDocumento; alcance: Alcance },
) {
  const { id, contador_id: contadorId } = linha;
  const [primeiro] = await adquirentes(db, { contadorId, clienteIds: alcance, documentoIds: [id] });
  return primeiro ?? null;
}

/**
 * The same NFS-e under its other key, where the office has that too: the city's copy, or the national one; or only its
 * cancellation. Shown as soon as it is likely, since who leaves the city's system for the national one numbers anew; the status
 * follows only where all else agrees too (`documentos/store/gemeas.ts`).
 */
async function mesmaNota(db: Leitor, linha: LinhaDoDocumento, { alcance }: { alcance: Alcance }) {
  const chave = linha.classe === 'documento' ? parseChave(linha.chave) : null;
  const achadas = await queries.findNasFaixas(db, {
    contadorId: linha.contador_id,
    ambiente: linha.ambiente,
    alcance,
    faixas: chave ? outrasChavesDaNfse(chave) : [],
  });
  return achadas
    .filter((achada) => (achada.classe === 'evento' ? podeCancelar(achada, linha) : podeSer(achada, linha)))
    .map(({ id, classe, chave, status, layout_nacional }) => ({
      id,
      chave,
      status,
      layoutNacional: layout_nacional === 1,
      soCancelamento: classe === 'evento',
    }));
}

type Achada = Awaited<ReturnType<typeof queries.findNasFaixas>>[number];

function podeSer(achada: Achada, linha: LinhaDoDocumento): boolean {
  const mesmoTomador =
    !achada.destinatario || !linha.destinatario || achada.destinatario === linha.destinatario;
  return mesmoTomador && Math.abs(achada.emitido_em - linha.emitido_em) <= MESMA_EMISSAO_MS;
}

/** The national key tells the month of the note. A composed key does not: then only the day of the cancellation is known. */
function podeCancelar({ chave, emitido_em }: Achada, linha: LinhaDoDocumento): boolean {
  const { anoMes } = splitChave(chave as Chave);
  const mes = Date.UTC(2000 + Number(anoMes.slice(0, 2)), Number(anoMes.slice(2)) - 1, 15);
  if (anoMes !== '') return Math.abs(mes - linha.emitido_em) <= MESMA_EMISSAO_MS;
  const depois = emitido_em - linha.emitido_em;
  return depois >= -DIA_MS && depois <= CANCELADA_EM_MS;
}

interface Original {
  bytes: Buffer;
  codificacao: Codificacao;
}

/** The original bytes of a version; null when they were deleted at the end of their term. */
export async function bytesDe(
  db: Leitor,
  input: { documentoId: number; versaoId: number },
): Promise<Original | null> {
  const row = await queries.findConteudo(db, input);
  return row ? { bytes: descomprimir(row), codificacao: row.codificacao as Codificacao } : null;
}

/** The same of the served version. @throws conteudo_excluido */
export async function bytesServidos(db: Leitor, documentoId: number): Promise<Original> {
  const [servida] = await queries.findVersoes(db, documentoId);
  const original = servida ? await bytesDe(db, { documentoId, versaoId: servida.id }) : null;
  if (!original) throw conteudoExcluido();
  return original;
}

async function ler({ leitor }: VistaDeps, { bytes, codificacao }: Original) {
  try {
    return await leitor.run<'ler'>({ kind: 'ler', bytes, codificacao });
  } catch (error) {
    if (error instanceof DocumentoIlegivel) return null;
    throw error;
  }
}

/** What a person may decide of the status that is shown. */
async function decisoes(
  db: Leitor,
  { linha, versoes }: { linha: LinhaDoDocumento; versoes: readonly LinhaDaVersao[] },
): Promise<{ podeDesconsiderar: boolean; podeReconsiderar: boolean }> {
  if (linha.classe === 'documento') {
    return {
      podeDesconsiderar: linha.status_alegado !== null,
      podeReconsiderar: versoes.some(({ afastada }) => afastada === 1),
    };
  }
  const nota = await queries.findNota(db, linha);
  const muda = linha.classe === 'inutilizacao' || (linha.evento_efeito ?? 'nenhum') !== 'nenhum';
  return {
    podeDesconsiderar: muda && linha.afastado !== 1 && podeSerAfastado(linha, nota),
    podeReconsiderar: linha.afastado === 1,
  };
}

function podeEscolher(
  linha: LinhaDoDocumento,
  { versao, versoes }: { versao: LinhaDaVersao; versoes: readonly LinhaDaVersao[] },
): boolean {
  const servida = versoes.find((uma) => uma.servida === 1);
  if (!servida || versao === servida || versao.sha256.length === 0) return false;
  const [uma, outra] = [versao, servida].map((row) => versaoDaLinha(comHash(row), linha));
  return uma !== undefined && outra !== undefined && podeSerEscolhida(uma, outra);
}

interface Veredito {
  resultado: string;
  /** In words. */
  texto: string;
  detalhe: string | null;
}

const ASSINATURA: Readonly<Record<string, string>> = {
  integra: 'A assinatura confere: o conteúdo é o que foi assinado.',
  alterada: 'A assinatura não confere: o conteúdo mudou depois de assinado.',
  sem_assinatura: 'O documento não tem assinatura.',
};
const ESQUEMA: Readonly<Record<string, string>> = {
  valido: 'O XML segue o esquema oficial.',
  invalido: 'O XML não segue o esquema oficial.',
  esquema_mais_antigo: 'O esquema instalado é mais antigo que o documento e não conhece tudo que ele traz.',
  nao_verificado: 'O XML não foi conferido com um esquema oficial.',
};
const PROTOCOLO: Readonly<Record<string, string>> = {
  confere: 'O protocolo de autorização é deste conteúdo.',
  diverge: 'O protocolo de autorização é de outro conteúdo.',
  sem_digest: 'O protocolo não diz de que conteúdo é.',
  ausente: 'O documento veio sem protocolo de autorização.',
};

const protocoloDe = (versao: LinhaDaVersao) =>
  versao.protocolo ? lerProtocolo(versao.protocolo, versao.digest) : null;

/** What was found of a version when it came in, in words. */
export function vereditosDe(versao: LinhaDaVersao): {
  prova: VereditoDaProva;
  assinatura: Veredito;
  esquema: Veredito;
  protocolo: Veredito;
  avisos: string[];
} {
  const protocolo = protocoloDe(versao);
  const doProtocolo = resultadoDoProtocolo(protocolo, versao.digest);
  const titular =
    versao.assinatura_titular === TITULAR_DO_CERTIFICADO
      ? versao.certificado_titular
      : versao.assinatura_titular;
  const esquema = versao.esquema_nome ?? versao.esquema_nome_guardado;
  return {
    prova: vereditoDaProva(versao),
    assinatura: {
      resultado: versao.assinatura,
      texto: ASSINATURA[versao.assinatura] ?? versao.assinatura,
      detalhe:
        [versao.assinatura_motivo, titular && `Certificado: ${titular}`].filter(Boolean).join(' ') || null,
    },
    esquema: {
      resultado: versao.esquema,
      texto: ESQUEMA[versao.esquema] ?? versao.esquema,
      detalhe: [versao.esquema_motivo, esquema].filter(Boolean).join(' ') || null,
    },
    protocolo: {
      resultado: doProtocolo,
      texto: PROTOCOLO[doProtocolo] ?? '',
      detalhe: protocolo
        ? [protocolo.nProt && `Protocolo ${protocolo.nProt}`, protocolo.cStat, protocolo.xMotivo]
            .filter(Boolean)
            .join(' – ')
        : null,
    },
    avisos: versao.avisos ? (JSON.parse(versao.avisos) as string[]) : [],
  };
}

function resultadoDoProtocolo(protocolo: Protocolo | null, digest: string): string {
  if (!protocolo?.nProt && !protocolo?.cStat) return 'ausente';
  if (!protocolo.digVal) return 'sem_digest';
  return protocolo.digVal === digest ? 'confere' : 'diverge';
}

interface Acesso {
  em: string;
  ato: string;
  autor: string;
  nome: string | null;
}

/** The last accesses, those by pages of the feed among them, the newest first. */
async function acessosDe(db: Leitor, linha: LinhaDoDocumento): Promise<Acesso[]> {
  const um = await queries.findAcessos(db, { documentoId: linha.id, limite: ACESSOS });
  const lotes = await queries.findLeiturasEmLote(db, {
    clienteId: linha.cliente_id,
    nsu: linha.nsu,
    limite: ACESSOS,
  });
  const todos = [...um, ...lotes.map((lote) => ({ ...lote, ato: 'feed' }))]
    .sort((a, b) => b.em - a.em)
    .slice(0, ACESSOS);
  const nomes = await nomesDosAutores(db, {
    contadorId: linha.contador_id,
    autores: todos.map(({ autor }) => autor),
  });
  return todos.map(({ em, ato, autor }) => ({
    em: instanteDe(em),
    ato,
    autor,
    nome: nomes.get(autor) ?? null,
  }));
}

/** Names of `token:3` and `usuario:2`, of users that are gone too. */
async function nomesDosAutores(
  db: Leitor,
  { contadorId, autores }: { contadorId: number; autores: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const idsDe = (prefix: string) =>
    autores.flatMap((autor) => (autor.startsWith(prefix) ? [Number(autor.slice(prefix.length))] : []));
  const usuarios = idsDe('usuario:');
  const nomes = await queries.findNomesDeAutores(db, { contadorId, tokens: idsDe('token:'), usuarios });
  if (usuarios.every((id) => nomes.has(`usuario:${id}`))) return nomes;
  const removidos = await usuariosRemovidos(db, contadorId);
  return new Map([
    ...[...removidos.values()].map(({ id, nome }): [string, string] => [`usuario:${id}`, nome]),
    ...nomes,
  ]);
}

interface Passo {
  em: string;
  tipo: 'emissao' | 'autorizacao' | 'evento' | 'importacao' | 'acesso';
  titulo: string;
  detalhe: string | null;
  /** Document to open, of an event. */
  documentoId: number | null;
}

const ATOS: Readonly<Record<string, string>> = {
  leitura: 'Aberto',
  xml: 'XML baixado',
  pdf: 'PDF baixado',
  exportacao: 'Exportado',
  endereco: 'XML baixado pelo endereço assinado',
  feed: 'Lido pela integração',
};

/** Who gave a document its number or protocol. Events have no layout of their own: the key of a municipal note tells it. */
export function tituloDoRegistro(
  linha: Pick<LinhaDoDocumento, 'modelo' | 'classe' | 'layout_nacional' | 'chave'>,
): string {
  if (linha.modelo !== 'NFSe') return 'Registro na SEFAZ';
  const nacional = linha.classe === 'evento' ? !linha.chave.startsWith('NFSE-') : linha.layout_nacional === 1;
  return nacional ? 'Registro no Sistema Nacional NFS-e' : 'Registro na prefeitura';
}

/** From issue to the last access, in order of time. */
async function linhaDoTempo(
  db: Leitor,
  input: { linha: LinhaDoDocumento; versoes: readonly LinhaDaVersao[]; acessos: readonly Acesso[] },
): Promise<Passo[]> {
  const { linha, versoes } = input;
  const eventos = await queries.findEventos(db, {
    contadorId: linha.contador_id,
    chave: linha.chave,
    ambiente: linha.ambiente,
    documentoId: linha.id,
  });
  const servida = versoes.find((versao) => versao.servida === 1);
  const protocolo = servida ? protocoloDe(servida) : null;
  const passos: Passo[] = [
    { em: lerEmissao(linha), tipo: 'emissao', titulo: 'Emissão', detalhe: null, documentoId: null },
    ...(protocolo?.dhRecbto
      ? [
          {
            em: protocolo.dhRecbto,
            tipo: 'autorizacao' as const,
            titulo: protocolo.xMotivo ?? tituloDoRegistro(linha),
            detalhe: protocolo.nProt ? `Protocolo ${protocolo.nProt}` : null,
            documentoId: null,
          },
        ]
      : []),
    ...eventos.map((evento) => ({
      em: lerEmissao(evento),
      tipo: 'evento' as const,
      titulo: evento.evento_descricao ?? 'Evento',
      detalhe: [
        `${evento.evento_codigo}, sequência ${evento.evento_sequencia ?? 1}`,
        evento.nprot && `protocolo ${evento.nprot}`,
        nomeDaProva(evento.prova),
        evento.afastado === 1 && 'desconsiderado',
      ]
        .filter(Boolean)
        .join(', '),
      documentoId: evento.id,
    })),
    ...versoes
      .filter(({ importado_em }) => importado_em > 0)
      .map((versao, index) => ({
        em: instanteDe(versao.importado_em),
        tipo: 'importacao' as const,
        titulo: index === 0 ? 'Importação' : 'Importação de outra versão',
        detalhe: procedenciaDe(versao),
        documentoId: null,
      })),
    ...input.acessos.map((acesso) => ({
      em: acesso.em,
      tipo: 'acesso' as const,
      titulo: ATOS[acesso.ato] ?? acesso.ato,
      detalhe: acesso.nome ?? null,
      documentoId: null,
    })),
  ];
  return passos.sort((a, b) => Date.parse(a.em) - Date.parse(b.em));
}

const BUSCADO_DE: Readonly<Record<string, string>> = {
  sefaz: 'Buscado na SEFAZ',
  adn: 'Buscado no ambiente nacional da NFS-e (ADN)',
  sae: 'Buscado no SAE-NFC-e de São Paulo',
  email: 'Por e-mail',
  pasta: 'De uma pasta',
};

function procedenciaDe(versao: LinhaDaVersao): string {
  const buscado = BUSCADO_DE[versao.origem ?? ''];
  if (buscado) return buscado;
  if (versao.origem === 'console') return `Pelo console${versao.usuario ? `, por ${versao.usuario}` : ''}`;
  return versao.token ? `Pela integração, token ${versao.token}` : 'Pela integração';
}

/** Every version, each with what it says differently from the served one. */
async function versoesDe(
  { db, leitor }: VistaDeps,
  input: { linha: LinhaDoDocumento; versoes: readonly LinhaDaVersao[]; original: Original | null },
) {
  const { linha, versoes, original } = input;
  const found = [];
  for (const [index, versao] of versoes.entries()) {
    const outra =
      versao.servida === 1 || index > VERSOES_COMPARADAS
        ? null
        : await bytesDe(db, { documentoId: linha.id, versaoId: versao.id });
    const diferencas =
      original && outra
        ? await leitor
            .run<'comparar'>({ kind: 'comparar', bytes: original.bytes, outra: outra.bytes })
            .catch(() => [])
        : [];
    found.push({
      id: versao.id,
      servida: versao.servida === 1,
      sha256: readHash(versao.sha256),
      tamanho: versao.tamanho,
      importadaEm: instanteDe(versao.importado_em),
      arquivoId: versao.arquivo_id,
      origem: versao.origem ?? 'sistema',
      vereditos: vereditosDe(versao),
      escolhida: versao.escolhida === 1,
      podeEscolher: podeEscolher(linha, { versao, versoes }),
      diferencas,
    });
  }
  return found;
}
