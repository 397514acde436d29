/**
 * Reads of a client's feed. Numbers are dense, so totals and pages are arithmetic: page k of what is newer than N
 * is the range N + (k−1)·size + 1 … N + k·size, wherever it lies.
 */

import type { Codificacao, StatusDocumento } from '../../fiscal/tipos.ts';
import { textOf } from '../../fiscal/xml/decode.ts';
import { byteBatches } from '../bytes/chunks.ts';
import { descomprimir, sha256De } from '../bytes/conteudo.ts';
import { lerHash } from '../bytes/hash-guardado.ts';
import { PAPEL_EM_CODIGO, TIPO_EM_CODIGO } from '../lean/codigos.ts';
import { lerEmissao } from '../lean/emissao-guardada.ts';
import { lerProva } from '../lean/prova-guardada.ts';
import type { Leitor, LinhaDeEntrada, LinhaDeEntradaComHash } from '../queries-leitura.ts';
import * as queries from '../queries-leitura.ts';
import type { Entrada, EntradaComHash } from '../tipos.ts';

export interface PaginaDeEntradas {
  total: number;
  entradas: Entrada[];
}

/**
 * Entries newer than an NSU. The total is read before the rows: what arrives in between belongs to the next page
 * or the next call, never to a hole.
 */
export async function paginaDeNovos(
  db: Leitor,
  input: { clienteId: number; nsu: number; pagina: number; tamanho: number; comXml: boolean },
): Promise<PaginaDeEntradas> {
  const { clienteId, nsu, pagina, tamanho } = input;
  const ultimo = await queries.findUltimoNsu(db, clienteId);
  const total = Math.max(0, ultimo - nsu);
  const primeiro = nsu + (pagina - 1) * tamanho + 1;
  if (primeiro > ultimo || !Number.isSafeInteger(primeiro)) return { total, entradas: [] };
  const linhas = await queries.findEntradas(db, {
    clienteId,
    primeiro,
    ultimo: Math.min(ultimo, primeiro + tamanho - 1),
  });
  return { total, entradas: await paraEntradas(db, linhas, input.comXml) };
}

/** Entries of a range of numbers, ends included, in order and without their text. */
export async function entradasDoIntervalo(
  db: Leitor,
  input: { clienteId: number; primeiro: number; ultimo: number },
): Promise<Entrada[]> {
  return paraEntradas(db, await queries.findEntradas(db, input), false);
}

/** Entries that are asked for at once, and bytes of texts that are in memory at once, but for one longer document. */
const PEDACO_ENTRADAS = 16;
const PEDACO_BYTES = 1_000_000;

/**
 * Entries of a range of numbers with their text, in order, piece by piece: who reads a page slowly keeps one piece of it in
 * memory, whose size is known before its texts are read.
 */
export async function* entradasComTexto(
  db: Leitor,
  { clienteId, primeiro, ultimo }: { clienteId: number; primeiro: number; ultimo: number },
): AsyncGenerator<Entrada[]> {
  for (let de = primeiro; de <= ultimo; de += PEDACO_ENTRADAS) {
    const ate = Math.min(ultimo, de + PEDACO_ENTRADAS - 1);
    const linhas = await queries.findEntradas(db, { clienteId, primeiro: de, ultimo: ate });
    const pedacos = byteBatches(linhas, { maxBytes: PEDACO_BYTES, bytesOf: ({ tamanho }) => tamanho });
    for (const pedaco of pedacos) yield await paraEntradas(db, pedaco, true);
  }
}

/** The entry with that very number, without its text; or null. */
export async function entradaPorNsu(
  db: Leitor,
  input: { clienteId: number; nsu: number },
): Promise<EntradaComHash | null> {
  const { clienteId, nsu } = input;
  // No entry has such a number, and no column of an engine holds it.
  if (!Number.isSafeInteger(nsu)) return null;
  const [linha] = await queries.findEntradasComHash(db, { clienteId, nsus: [nsu] });
  return linha ? paraEntradaComHash(linha) : null;
}

/**
 * The document (or inutilização) of a key, without its text; while only events are held, the newest of these.
 * Of production, where a test document has the same key: nobody is to take that for a delivered one.
 */
export async function entradaPorChave(
  db: Leitor,
  input: { clienteId: number; contadorId: number; chave: string },
): Promise<EntradaComHash | null> {
  const nsus = await queries.findNsusPorChave(db, input);
  if (nsus.length === 0) return null;
  const linhas = await queries.findEntradasComHash(db, { clienteId: input.clienteId, nsus });
  const isEvento = ({ classe }: queries.LinhaDeEntradaComHash) => Number(classe === 'evento');
  const [escolhida] = linhas.toSorted(
    (a, b) => isEvento(a) - isEvento(b) || a.ambiente - b.ambiente || b.nsu - a.nsu,
  );
  return escolhida ? paraEntradaComHash(escolhida) : null;
}

export interface ConteudoOriginal {
  bytes: Buffer;
  chave: string;
  codificacao: Codificacao;
  evento: { codigo: string; sequencia: number } | null;
}

/** Whose a version is, and how many bytes it has; null when there is none. */
export async function donoDaVersao(
  db: Leitor,
  input: { versaoId: number },
): Promise<{ contadorId: number; tamanho: number } | null> {
  const row = await queries.findDonoDaVersao(db, input.versaoId);
  return row ? { contadorId: row.contador_id, tamanho: row.tamanho } : null;
}

/** The original bytes of one version, or null. @throws when they are damaged on disk */
export async function conteudoOriginal(
  db: Leitor,
  input: { versaoId: number },
): Promise<ConteudoOriginal | null> {
  const row = await queries.findVersao(db, input.versaoId);
  if (!row) return null;
  const bytes = descomprimir(row);
  if (sha256De(bytes) !== lerHash(row.sha256)) throw new Error(`version ${input.versaoId} is damaged`);
  return {
    bytes,
    chave: row.chave,
    codificacao: row.codificacao as Codificacao,
    evento: row.evento_codigo ? { codigo: row.evento_codigo, sequencia: row.evento_sequencia ?? 1 } : null,
  };
}

/** The text of documents, by version id: what `xml` shows. */
export async function textosDe(db: Leitor, versaoIds: readonly number[]): Promise<Map<number, string>> {
  const conteudos = await queries.findConteudos(db, [...new Set(versaoIds)]);
  return new Map(
    conteudos.map((row) => [row.versao_id, textOf(descomprimir(row), row.codificacao as Codificacao)]),
  );
}

/** What is stored of versions, by their ids; one whose bytes are no longer there is missing. */
export async function guardadosDe(
  db: Leitor,
  versaoIds: readonly number[],
): Promise<Map<number, queries.LinhaDeConteudo>> {
  const conteudos = await queries.findConteudos(db, versaoIds);
  return new Map(conteudos.map((row) => [row.versao_id, row]));
}

/** Entries out of their rows, in the same order; `comXml` reads the text of each too. @throws when a text is damaged */
export async function paraEntradas(
  db: Leitor,
  linhas: readonly LinhaDeEntrada[],
  comXml: boolean,
): Promise<Entrada[]> {
  const textos = comXml
    ? await textosDe(
        db,
        linhas.map((linha) => linha.versao_id),
      )
    : new Map<number, string>();
  return linhas.map((linha) => paraEntrada(linha, textos.get(linha.versao_id) ?? null));
}

function paraEntradaComHash(linha: LinhaDeEntradaComHash): EntradaComHash {
  return { ...paraEntrada(linha, null), sha256: lerHash(linha.sha256) };
}

function paraEntrada(linha: LinhaDeEntrada, xml: string | null): Entrada {
  return {
    nsu: linha.nsu,
    documentoId: linha.documento_id,
    versaoId: linha.versao_id,
    chave: linha.chave,
    modelo: linha.modelo,
    status: linha.status as StatusDocumento,
    tipo: TIPO_EM_CODIGO.ler(linha.tipo),
    papel: PAPEL_EM_CODIGO.ler(linha.papel),
    serie: linha.serie,
    numero: linha.numero,
    dataEmissao: lerEmissao(linha),
    importadoEm: linha.importado_em,
    evento: linha.evento_codigo
      ? {
          codigo: linha.evento_codigo,
          descricao: linha.evento_descricao ?? '',
          sequencia: linha.evento_sequencia ?? 1,
          prova: lerProva(linha.prova),
        }
      : null,
    prova: lerProva(linha.status_prova),
    layoutNacional: linha.layout_nacional === 1,
    municipioPrestacao: linha.municipio_prestacao,
    revisao: linha.revisao,
    tamanho: linha.tamanho,
    xml,
  };
}
