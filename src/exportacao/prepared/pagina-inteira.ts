/**
 * A page with texts, made at one go: records and texts are written one behind the other, as `JSON.stringify` of the whole
 * would write them, and compressed as one stream. That is half the work of texts that are compressed each by itself, and
 * half as large; but no other page can be made of it. It is for documents that nobody asked for before: most are read
 * once; and for all who take no compressed answer, for whom nothing is joined.
 */
import { isUtf8 } from 'node:buffer';
import type { Kysely } from 'kysely';
import type { Tabelas } from '../../banco/tabelas.ts';
import { descomprimir } from '../../documentos/bytes/conteudo.ts';
import type { LinhaDeConteudo } from '../../documentos/queries-leitura.ts';
import { bytesDosTextos, entradasDoIntervalo, guardadosDe, versoesDe } from '../../documentos/read/feed.ts';
import type { Entrada } from '../../documentos/tipos.ts';
import type { Codificacao } from '../../fiscal/tipos.ts';
import { textOf } from '../../fiscal/xml/decode.ts';
import { hasControls } from '../../platform/bytes/control-bytes.ts';
import { GrowingBytes } from '../../platform/bytes/growing-bytes.ts';
import { membroInteiro } from '../../platform/gzip/inteiro.ts';
import { type Paginacao, toPagina } from '../paginas.ts';
import type { RegistroDeDocumento } from '../present.ts';
import type { CodificacaoPronta } from './codificacao.ts';
import {
  EMPTY_TEXT_CHARACTERS,
  type PedidoDeTrechos,
  placesOfTexts,
  presenterOf,
} from './preparar-trechos.ts';

/** Texts of one page; with more it is made of parts, or sent slice by slice. */
const TEXTOS_BYTES = 6 * 1024 * 1024;
/** A page of a hundred takes about one. */
const KEPT_BYTES = 2 * 1024 * 1024;
/** Larger documents are given memory of their own. */
const DOCUMENT_BYTES = 64 * 1024;

export interface PedidoDePaginaInteira
  extends Pick<PedidoDeTrechos, 'clienteId' | 'variante' | 'assinatura'> {
  paginacao: Paginacao;
  codificacao: CodificacaoPronta;
  /** First and last NSU; the feed has them. */
  de: number;
  ate: number;
}

export interface PaginaInteira {
  /** One gzip member, or the text; memory of its own. */
  bytes: Uint8Array;
  /** Key of its signed addresses. */
  kid: string;
  expiresAtSeconds: number;
}

/** One for each thread: the page that is being written, and the document. */
let written: GrowingBytes | null = null;
let scratch: Buffer | null = null;

/**
 * @returns null when it is too large, or a document is no longer there
 * @throws when a document is damaged
 */
export async function preparePagina(
  db: Kysely<Tabelas>,
  pedido: PedidoDePaginaInteira,
): Promise<PaginaInteira | null> {
  const { clienteId, de, ate } = pedido;
  const entradas = await entradasDoIntervalo(db, { clienteId, primeiro: de, ultimo: ate });
  const tamanho = entradas.reduce((sum, entrada) => sum + bytesDosTextos(entrada), 0);
  if (entradas.length !== ate - de + 1 || tamanho > TEXTOS_BYTES) return null;
  const comTexto = [...new Set(entradas.flatMap(versoesDe))];
  const guardados = await guardadosDe(db, comTexto);
  if (comTexto.some((versaoId) => !guardados.has(versaoId))) return null;
  const { kid, expiresAtSeconds } = pedido.assinatura;
  const present = await presenterOf(db, pedido, entradas);
  const text = textDe(pedido, { entradas, guardados, present });
  const bytes = pedido.codificacao === 'gzip' ? membroInteiro(text) : new Uint8Array(text);
  return { bytes, kid, expiresAtSeconds };
}

/** @returns a view that the next page is written over */
function textDe(
  pedido: PedidoDePaginaInteira,
  input: {
    entradas: readonly Entrada[];
    guardados: ReadonlyMap<number, LinhaDeConteudo>;
    present: (entrada: Entrada) => RegistroDeDocumento;
  },
): Buffer {
  const { entradas, guardados, present } = input;
  written ??= new GrowingBytes(KEPT_BYTES);
  scratch ??= Buffer.allocUnsafeSlow(DOCUMENT_BYTES);
  written.clear();
  const [begin, end] = around(pedido.paginacao);
  written.write(begin);
  for (const [at, entrada] of entradas.entries()) {
    if (at > 0) written.write(',');
    const record = JSON.stringify(present(entrada));
    let from = 0;
    for (const { lugar, versaoId } of placesOfTexts(record, entrada)) {
      const guardado = guardados.get(versaoId);
      if (!guardado) continue;
      written.write(record.slice(from, lugar));
      writeXml(written, descomprimir(guardado, scratch), guardado.codificacao as Codificacao);
      from = lugar + EMPTY_TEXT_CHARACTERS;
    }
    written.write(record.slice(from));
  }
  written.write(end);
  return written.written;
}

/** The parts of the page object before its records and behind them. */
function around(paginacao: Paginacao): [string, string] {
  const empty = JSON.stringify(toPagina(paginacao, []));
  const end = empty.length - ']}'.length;
  return [empty.slice(0, end), empty.slice(end)];
}

const LESS_THAN = 0x3c;
const QUOTES = /"/g;

/**
 * Writes the text of a document as JSON. All that JSON changes is ASCII, so UTF-8 is taken byte by byte: it needs neither
 * to be decoded nor encoded, and V8 keeps a byte for each character.
 */
function writeXml(written: GrowingBytes, bytes: Buffer, codificacao: Codificacao): void {
  // A byte order mark is not shown: `textOf` leaves it out.
  if (codificacao !== 'utf-8' || bytes[0] !== LESS_THAN || !isUtf8(bytes)) {
    written.write(JSON.stringify(textOf(bytes, codificacao)));
    return;
  }
  const text = bytes.toString('latin1');
  // Besides quotes, what JSON escapes of ASCII.
  if (hasControls(bytes) || text.includes('\\')) {
    written.writeLatin1(JSON.stringify(text));
    return;
  }
  // Most documents have nothing but quotes: replacing these takes half as long.
  written.writeLatin1('"');
  written.writeLatin1(text.replace(QUOTES, '\\"'));
  written.writeLatin1('"');
}
