/** What is odd about the lines of an NF-e TXT and does not hinder reading it: the findings of a validator. */

import { tabela } from '../tabela.ts';
import type { Linha } from './linhas.ts';

/** More would only repeat themselves. */
const TOLD = 10;
/** `A`, `C02`, `C02A`, `N10H`, `UB12`, `UB85IAR`, `ZC04`, `IRT`. */
const LETRA = /^(?:NOTA ?FISCAL|IRT|[A-Z]{1,2}\d{0,3}(?:[A-Z]|[CI]A[RV])?)$/;

/** How many fields the lines have that never changed, letter left out. @fonte TXT layout of the emissor NF-e */
const CAMPOS: Readonly<Record<string, readonly [number, number]>> = tabela({
  A: [1, 3],
  C02: [1, 1],
  C02A: [1, 1],
  E02: [1, 1],
  E03: [1, 1],
  GA02: [1, 1],
  GA03: [1, 1],
  X04: [1, 1],
  X05: [1, 1],
});

function fieldCount({ letra, campos, texto }: Linha): string | null {
  const expected = CAMPOS[letra];
  // The bar at the end closes the last field, empty or not.
  const found = texto.endsWith('|') ? texto.split('|', 500).length - 2 : campos.length - 1;
  if (!expected || (found >= expected[0] && found <= expected[1])) return null;
  const [min, max] = expected;
  return `a linha ${letra} tem ${found} campos; o layout prevê ${min === max ? min : `de ${min} a ${max}`}`;
}

function findingOf(linha: Linha): string | null {
  const { letra, texto } = linha;
  if (letra === '') return 'a linha não tem a barra (|) que separa os campos';
  if (!LETRA.test(letra)) return `a letra "${letra.slice(0, 20)}" não é do layout`;
  if (!texto.endsWith('|')) return `a linha ${letra} não termina com a barra (|)`;
  const count = fieldCount(linha);
  if (count) return count;
  // A single blank is how some systems write an empty field; it is told all the same, as SEFAZ refuses it.
  if (/\|[ \t]+\|/.test(texto)) return `a linha ${letra} tem campo só com espaços`;
  return texto.includes('\ufffd')
    ? `a linha ${letra} tem caracteres que não são da codificação do arquivo`
    : null;
}

/** Readable findings with the number of their line, at most ten; the rest is told by its count. */
export function findings(linhas: readonly Linha[]): string[] {
  const found = linhas.flatMap((linha) => {
    const finding = findingOf(linha);
    return finding ? [`Linha ${linha.numero}: ${finding}.`] : [];
  });
  const more = found.length - TOLD;
  return more > 0 ? [...found.slice(0, TOLD), `E mais ${more} linhas fora do layout.`] : found;
}
