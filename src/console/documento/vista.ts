/** A document as the console shows it: what it says, what was found of it, what became of it, who has read it. */
import type { Db } from '../../banco/tabelas.ts';
import { descomprimir } from '../../documentos/bytes/conteudo.ts';
import { comHash, readHash } from '../../documentos/bytes/hash-guardado.ts';
import { adquirentes, finalidadeDe } from '../../documentos/read/finalidade.ts';
import { podeSerAfastado } from '../../documentos/review/revisar.ts';
import { podeSerEscolhida } from '../../documentos/store/decidir.ts';
import { versaoDaLinha } from '../../documentos/store/versoes.ts';
import { parseChave, splitChave } from '../../fiscal/chave.ts';
import { outrasChavesDaNfse } from '../../fiscal/nfse/mesma-nota.ts';
import { tabela } from '../../fiscal/tabela.ts';
import type { Chave, Codificacao } from '../../fiscal/tipos.ts';
import type { Alcance } from '../acesso.ts';
import { comConflito, resumoDe } from '../documentos/apresentar.ts';
import { conteudoExcluido } from '../errors-documentos.ts';
import { instanteDe } from '../tempo.ts';
import { comRemovidos } from '../usuarios/removidos.ts';
import { eventosDaNota, notaDoEvento } from './eventos-da-nota.ts';
import { DocumentoIlegivel, type LeitorDeDocumentos } from './leitor-de-documentos.ts';
import { acessosDe, linhaDoTempo } from './linha-do-tempo.ts';
import type { LinhaDaVersao, LinhaDoDocumento } from './queries-documento.ts';
import * as queries from './queries-documento.ts';
import { vereditosDe } from './vereditos.ts';

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
  db: Db;
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
  db: Db,
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
async function mesmaNota(db: Db, linha: LinhaDoDocumento, { alcance }: { alcance: Alcance }) {
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
  db: Db,
  input: { documentoId: number; versaoId: number },
): Promise<Original | null> {
  const row = await queries.findConteudo(db, input);
  return row ? { bytes: descomprimir(row), codificacao: row.codificacao as Codificacao } : null;
}

/** The same of the served version. @throws conteudo_excluido */
export async function bytesServidos(db: Db, documentoId: number): Promise<Original> {
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
  db: Db,
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
