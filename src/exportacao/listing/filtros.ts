import type { StatusDeListagem } from '../../documentos/read/listagem.ts';

/** Values of the Tipo filter, as documentation writes them. */
export const TIPOS = ['Emitidas', 'Recebidas', 'Todas'] as const;
export type FiltroDeTipo = (typeof TIPOS)[number];

export const STATUS_NFE = [
  'Autorizadas',
  'Canceladas',
  'CartaCorrecao',
  'Faltantes',
  'Denegadas',
  'Inutilizadas',
  'Todas',
] as const;
export const STATUS_NFCE = ['Autorizadas', 'Canceladas', 'Todas'] as const;
export type FiltroDeStatus = (typeof STATUS_NFE)[number];

/** What is left after `fold`, in singular or plural, masculine or feminine. */
const SPELLINGS: Record<FiltroDeTipo | FiltroDeStatus, RegExp> = {
  Emitidas: /^emitid[ao]s?$/,
  Recebidas: /^recebid[ao]s?$/,
  Todas: /^tod[ao]s?$/,
  Autorizadas: /^autorizad[ao]s?$/,
  Canceladas: /^cancelad[ao]s?$/,
  CartaCorrecao: /^(?:cartas?(?:de)?correc(?:ao|oes)|cces?)$/,
  Faltantes: /^faltantes?$/,
  Denegadas: /^denegad[ao]s?$/,
  Inutilizadas: /^inutilizad[ao]s?$/,
};

/**
 * Reads a filter word without regard to case, accents, spaces, hyphens, underscores, number and gender.
 * @returns undefined when it is none of the valid ones
 * @fonte docs/regras.md, answers
 */
export function readFiltro<T extends FiltroDeTipo | FiltroDeStatus>(
  text: string,
  valid: readonly T[],
): T | undefined {
  const folded = fold(text);
  return valid.find((value) => SPELLINGS[value].test(folded));
}

function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s\-_]/g, '');
}

/** `tipo` of the entries that a Tipo filter selects; null for all. */
export function tipoDe(filtro: FiltroDeTipo): 'Emitida' | 'Recebida' | null {
  if (filtro === 'Todas') return null;
  return filtro === 'Emitidas' ? 'Emitida' : 'Recebida';
}

const STATUS_DA_LISTAGEM: Record<Exclude<FiltroDeStatus, 'Faltantes'>, StatusDeListagem | null> = {
  Autorizadas: 'Autorizada',
  Canceladas: 'Cancelada',
  CartaCorrecao: 'CartaCorrecao',
  Denegadas: 'Denegada',
  Inutilizadas: 'Inutilizada',
  Todas: null,
};

/** What a Status filter asks of the listing; null for all. `Faltantes` is another question. */
export function statusDe(filtro: Exclude<FiltroDeStatus, 'Faltantes'>): StatusDeListagem | null {
  return STATUS_DA_LISTAGEM[filtro];
}
