/**
 * Reads of a client's feed. Numbers are dense, so totals and pages are arithmetic: page k of what is newer than N
 * is the range N + (k−1)·size + 1 … N + k·size, wherever it lies.
 */

import type { Codificacao } from '../../fiscal/tipos.ts';
import { textOf } from '../../fiscal/xml/decode.ts';
import { byteBatches } from '../bytes/chunks.ts';
import { descomprimir, sha256De } from '../bytes/conteudo.ts';
import { readHash } from '../bytes/hash-guardado.ts';
import type { Leitor, LinhaDaNota, LinhaDeEntrada, LinhaDeEntradaComHash } from '../queries-leitura.ts';
import * as queries from '../queries-leitura.ts';
import type { Entrada, EntradaComHash } from '../tipos.ts';
import { emEntrada, emEntradaComHash } from './entrada-mostrada.ts';

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
  const entradas = await paraEntradas(db, { clienteId, linhas });
  return { total, entradas: input.comXml ? await comTextos(db, entradas) : entradas };
}

/** Entries of a range of numbers, ends included, in order and without their text. */
export async function entradasDoIntervalo(
  db: Leitor,
  input: { clienteId: number; primeiro: number; ultimo: number },
): Promise<Entrada[]> {
  const linhas = await queries.findEntradas(db, input);
  return paraEntradas(db, { clienteId: input.clienteId, linhas });
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
    const entradas = await paraEntradas(db, { clienteId, linhas });
    const pedacos = byteBatches(entradas, { maxBytes: PEDACO_BYTES, bytesOf: bytesDosTextos });
    for (const pedaco of pedacos) yield await comTextos(db, pedaco);
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
  return linha ? paraEntradaComHash(db, clienteId, linha) : null;
}

/**
 * The document (or inutilização) of a key, without its text and without what its newest entry says that happened; while only
 * events are held, the newest of these.
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
  if (!escolhida) return null;
  return paraEntradaComHash(db, input.clienteId, { ...escolhida, motivo: null });
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
  if (sha256De(bytes) !== readHash(row.sha256)) throw new Error(`version ${input.versaoId} is damaged`);
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

/** Entries out of their rows, in the same order, without their texts. */
export async function paraEntradas(
  db: Leitor,
  { clienteId, linhas }: { clienteId: number; linhas: readonly LinhaDeEntrada[] },
): Promise<Entrada[]> {
  const notas = await notasDe(db, { clienteId, linhas });
  return linhas.map((linha) => emEntrada(linha, notas.get(linha.documento_id)));
}

/** The same with their texts. @throws when one is damaged */
async function comTextos(db: Leitor, entradas: readonly Entrada[]): Promise<Entrada[]> {
  const textos = await textosDe(db, entradas.flatMap(versoesDe));
  return entradas.map((entrada) => comOsTextos(entrada, textos));
}

/** Versions whose texts an entry shows: what it shows, and its event apart; what was deleted has none. */
export function versoesDe({ versaoId, tamanho, evento }: Entrada): number[] {
  const versoes = tamanho === 0 ? [] : [versaoId];
  if (evento && evento.versaoId !== null) versoes.push(evento.versaoId);
  return versoes;
}

/** Puts an entry's texts in their places. */
export function comOsTextos<T extends Entrada>(entrada: T, textos: ReadonlyMap<number, string>): T {
  const { evento } = entrada;
  const xml = textos.get(entrada.versaoId) ?? null;
  if (!evento) return { ...entrada, xml };
  const doEvento = evento.versaoId === null ? null : (textos.get(evento.versaoId) ?? null);
  return { ...entrada, xml, evento: { ...evento, xml: doEvento } };
}

/** Of the texts that an entry shows, in bytes as they came. */
export function bytesDosTextos({ tamanho, evento }: Entrada): number {
  return tamanho + (evento?.tamanho ?? 0);
}

async function paraEntradaComHash(
  db: Leitor,
  clienteId: number,
  linha: LinhaDeEntradaComHash,
): Promise<EntradaComHash> {
  const notas = await notasDe(db, { clienteId, linhas: [linha] });
  return emEntradaComHash(linha, notas.get(linha.documento_id));
}

/** The documents that entries of events show, by the event. */
async function notasDe(
  db: Leitor,
  { clienteId, linhas }: { clienteId: number; linhas: readonly LinhaDeEntrada[] },
): Promise<ReadonlyMap<number, LinhaDaNota>> {
  const eventoIds = linhas.filter((linha) => linha.evento_codigo !== null).map((linha) => linha.documento_id);
  if (eventoIds.length === 0) return SEM_NOTAS;
  const notas = await queries.findNotas(db, { clienteId, eventoIds: [...new Set(eventoIds)] });
  return new Map(notas.map((nota) => [nota.evento_id, nota]));
}

const SEM_NOTAS: ReadonlyMap<number, LinhaDaNota> = new Map();
