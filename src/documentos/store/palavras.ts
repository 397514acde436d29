/** Words of a company's name, as they are kept and looked for: whoever types finds a name by the beginnings of its words. */

/** Longer names are cut: the layouts allow 60 (NF-e) to 300 characters (NFS-e), and nobody types further. */
export const NOME_MAX = 150;
const PALAVRA_MAX = 30;
const PALAVRAS_MAX = 12;

/** Combining marks: what is left of an accent after the decomposition. */
const MARKS = /\p{M}+/gu;
const NOT_WORD = /[^\p{L}\p{N}]+/u;

/** Upper case without accents, each word once, in their order: `São José & Cia.` → `SAO`, `JOSE`, `CIA`. */
export function palavrasDe(texto: string): string[] {
  const plain = texto.slice(0, NOME_MAX).normalize('NFKD').replace(MARKS, '').toUpperCase();
  const words = plain.split(NOT_WORD).filter((word) => word !== '');
  return [...new Set(words.map((word) => word.slice(0, PALAVRA_MAX)))].slice(0, PALAVRAS_MAX);
}

/** A plain letter or digit is part of a word, whatever stands around it. */
const PLAIN_WORD = /[A-Za-z0-9]/;

/** The name as it is kept beside the words; empty when nothing of it can be looked for. */
export function nomeGuardado(nome: string): string {
  const cortado = nome.slice(0, NOME_MAX);
  return PLAIN_WORD.test(cortado) || palavrasDe(cortado).length > 0 ? cortado : '';
}
