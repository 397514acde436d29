/** The one free text of a manifestation. */

/** @fonte XSD leiauteConfRecebto_v1.00, xJust; XSD evPrestDesacordo_v4.00, xObs */
export const JUSTIFICATIVA = { min: 15, max: 255 } as const;

/** What word processors and telephones put in place of plain characters. */
const SIMPLES: readonly [RegExp, string][] = [
  [/[\u2018\u2019\u201a\u201b]/g, "'"],
  [/[\u201c\u201d\u201e]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/\u2026/g, '...'],
  [/[\s\u00a0\u200b\ufeff]+/gu, ' '],
];
const FORA_DO_ESQUEMA = /[^ -ÿ]/u;

/**
 * The text as the layout takes it: one line, blanks cut, typographic signs plain.
 * @returns the text, or what is wrong with it (pt-BR)
 */
export function readJustificativa(texto: string): { texto: string } | { falha: string } {
  let simples = texto.normalize('NFC');
  for (const [from, to] of SIMPLES) simples = simples.replace(from, to);
  simples = simples.trim();
  const { min, max } = JUSTIFICATIVA;
  const outro = FORA_DO_ESQUEMA.exec(simples);
  if (outro) return { falha: `A justificativa tem um caractere que a SEFAZ não aceita: "${outro[0]}".` };
  if (simples.length < min || simples.length > max) {
    return {
      falha: `A justificativa precisa ter de ${min} a ${max} caracteres; esta tem ${simples.length}.`,
    };
  }
  return { texto: simples };
}
