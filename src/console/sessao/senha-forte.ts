/**
 * Which passwords are taken. Long ones of any kind, but not those that everybody tries first: a common word, name,
 * keyboard walk or date, or two of them in a row, however capitals, digits for letters and signs dress them up.
 */
import type { ErroDeCampo } from '../../platform/errors.ts';
import { PALAVRAS_COMUNS, SEQUENCIAS } from './palavras-comuns.ts';

/** Characters. @fonte OWASP ASVS 5.0, 6.2, asks for at least 8, and 64 to be allowed */
const SENHA_MIN = 10;
const SENHA_MAX = 128;
/** Two pieces that everybody tries and a few digits, or less, is refused. */
const COMMON_PIECES = 2.5;
const SHORTEST_WORD = 3;
const SHORTEST_WALK = 3;
/** Digits in a row that are no piece of their own: a year, a house number. */
const FREE_DIGITS = 4;
const DIFFERENT_CHARACTERS = 4;

const WALKS = SEQUENCIAS.flatMap((walk) => [walk, [...walk].reverse().join('')]);
const LEET: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** What a password must not be made of besides: the names and addresses of its owner. */
export type Pessoais = readonly string[];

/** Why a password is not taken, or null. */
export function faltaDaSenha(senha: string, pessoais: Pessoais = []): ErroDeCampo | null {
  const length = [...senha.normalize('NFKC')].length;
  if (length < SENHA_MIN || length > SENHA_MAX)
    return fault('senha_tamanho', `A senha deve ter de ${SENHA_MIN} a ${SENHA_MAX} caracteres.`);
  if (isComum(senha, pessoais))
    return fault(
      'senha_comum',
      'Esta senha é das primeiras que alguém tentaria. Use uma frase ou um gerador de senhas.',
    );
  return null;
}

const fault = (codigo: string, mensagem: string): ErroDeCampo => ({ campo: 'senha', codigo, mensagem });

/** Whether a password is made of nothing but what everybody tries first. */
export function isComum(senha: string, pessoais: Pessoais = []): boolean {
  const plain = bare(senha);
  if (new Set(plain).size < DIFFERENT_CHARACTERS || /^\d*$/.test(plain)) return true;
  const words = new Set(pessoais.flatMap((text) => wordsOf(text)));
  const isListed = (text: string) => PALAVRAS_COMUNS.has(text) || words.has(text);
  const isWord = (text: string) => isListed(text) || isListed(withLetters(text));
  return [plain, plain.replace(/[^a-z0-9]/g, '')].some((text) => piecesOf(text, isWord) <= COMMON_PIECES);
}

/** Lower case without accents. */
function bare(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function withLetters(text: string): string {
  return [...text].map((letter) => LEET[letter] ?? letter).join('');
}

function wordsOf(text: string): string[] {
  const plain = bare(text);
  const parts = plain.split(/[^a-z0-9]+/).filter((part) => part.length >= SHORTEST_WORD);
  return [...parts, plain.replace(/[^a-z0-9]/g, '')];
}

/** The fewest common pieces that a text falls into; what is no piece costs one for each character. Signs are free. */
function piecesOf(text: string, isWord: (text: string) => boolean): number {
  const cost = new Array<number>(text.length + 1).fill(Number.POSITIVE_INFINITY);
  cost[0] = 0;
  for (let start = 0; start < text.length; start++) {
    const before = cost[start] ?? 0;
    for (let end = start + 1; end <= text.length; end++) {
      const price = priceOf(text.slice(start, end), isWord);
      if (price !== null) cost[end] = Math.min(cost[end] ?? 0, before + price);
    }
  }
  return cost[text.length] ?? 0;
}

function priceOf(piece: string, isWord: (text: string) => boolean): number | null {
  if (piece.length === 1) return /[a-z]/.test(piece) ? 1 : /\d/.test(piece) ? 0.5 : 0;
  if (/^\d+$/.test(piece)) {
    if (piece.length <= FREE_DIGITS) return 0.5;
    return isWalk(piece) || isRepeated(piece) || isDate(piece) ? 1 : null;
  }
  const known =
    (piece.length >= SHORTEST_WORD && isWord(piece)) ||
    (piece.length >= SHORTEST_WALK && (isWalk(piece) || isRepeated(piece)));
  return known ? 1 : null;
}

function isWalk(piece: string): boolean {
  return WALKS.some((walk) => walk.includes(piece));
}

/** One to three characters over and over, or each of them doubled: `abcabc`, `112233`. */
function isRepeated(piece: string): boolean {
  return /^(.{1,3})\1+$/.test(piece) || /^(?:(.)\1)+$/.test(piece);
}

/** `31121990`, `19901231`, `311290`. */
function isDate(piece: string): boolean {
  return (
    /^(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:(?:19|20)\d\d|\d\d)$/.test(piece) ||
    /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(piece)
  );
}
