/** Reading of fixtures, with the assertions that every test of the readers needs. */
import assert from 'node:assert/strict';
import { bytesOf, SEM_ESQUEMA } from './amostras-de-teste.ts';
import { lerConteudo } from './ler.ts';
import type { Peca } from './tipos.ts';

type Lida = Extract<Peca, { resultado: 'lida' }>;
export type Rejeitada = Extract<Peca, { resultado: 'rejeitada' }>;

export const readBytes = (bytes: Uint8Array, nome = 'arquivo.xml'): Peca[] =>
  lerConteudo({ bytes, nome }, { validador: SEM_ESQUEMA });
export const ler = (text: string, nome?: string): Peca[] => readBytes(bytesOf(text), nome);
export const only = (pieces: Peca[]): Peca => {
  assert.equal(pieces.length, 1, JSON.stringify(pieces.map((p) => p.resultado)));
  return pieces[0] as Peca;
};
export const lida = (piece: Peca | undefined): Lida => {
  assert.equal(piece?.resultado, 'lida', JSON.stringify(piece));
  return piece as Lida;
};
export const rejeitada = (piece: Peca | undefined): Rejeitada => {
  assert.equal(piece?.resultado, 'rejeitada', JSON.stringify(piece));
  return piece as Rejeitada;
};
export const codeOf = (piece: Peca): string =>
  piece.resultado === 'rejeitada'
    ? piece.rejeicao.codigo
    : piece.resultado === 'ignorada'
      ? piece.codigo
      : piece.resultado;
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
export const chaveLida = (piece: Peca): string => lida(piece).registro.chave;
