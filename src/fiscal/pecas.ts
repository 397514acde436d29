/** How many pieces one content may be taken apart into: each is a row, and some memory until it is written. */
import { reject } from './rejeicoes.ts';
import type { Rejeicao } from './tipos.ts';

/** Documents in one file: 10 MB of small coupons are some 3,000, an attack is millions of empty elements. */
export const PIECES_LIMIT = 5_000;
/** No document, event or protocol is shorter; what is refused in its place costs as much. */
const PIECE_BYTES = 150;
/** A small file is told of by what is in it, however short. */
const PIECES_OF_ANY = 30;
/** A key of a list, and the end of its line. */
const KEY_BYTES = 45;

/** Pieces that a content of so many bytes may be: no more than documents would have room in it. */
export function piecesIn(bytes: number): number {
  return Math.min(PIECES_LIMIT, PIECES_OF_ANY + Math.floor(bytes / PIECE_BYTES));
}

/** Lines that a list of keys of so many bytes may have: such a list is as long as somebody writes it. */
export function keysIn(bytes: number): number {
  return PIECES_OF_ANY + Math.floor(bytes / KEY_BYTES);
}

/** Why a content with more pieces than these is refused, for people. */
export function tooManyText(limit: number): string {
  return (
    `O arquivo traz mais de ${limit} peças` +
    (limit < PIECES_LIMIT
      ? ', mais do que documentos caberiam nele. Confira-o na origem.'
      : '; divida-o em arquivos menores.')
  );
}

/** The same as a refusal. */
export function tooManyPieces(limit: number): Rejeicao {
  return reject('pecas_demais', tooManyText(limit));
}
