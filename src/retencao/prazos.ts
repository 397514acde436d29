import { MODELOS, type Modelo } from '../fiscal/tipos.ts';

/**
 * How long documents are kept. The law binds the taxpayer for five years and more (CTN arts. 173 and 195), the tax
 * authority for 132 months (Ajuste SINIEF 2/2025); the market reads the latter as the term for everybody, and so
 * does our default.
 */
export const MESES_PADRAO = 132;
/** Less than the limitation period of the tax is never what somebody wants. */
export const MESES_MINIMO = 60;
export const MESES_MAXIMO = 1_200;
/** What arrives when its term is over already is kept for a while all the same: somebody sent it on purpose. */
export const CARENCIA_MS = 30 * 24 * 3_600_000;

/** Kinds that have a term of their own; `*` is the office's default for all others. */
export { MODELOS, type Modelo };
export const TODOS = '*';

export interface Regra {
  modelo: Modelo | typeof TODOS;
  meses: number;
}

/** Months of a kind: its own rule, else the office's, else the default. */
export function mesesDe(modelo: string, regras: readonly Regra[]): number {
  const own =
    regras.find((regra) => regra.modelo === modelo) ?? regras.find((regra) => regra.modelo === TODOS);
  return own?.meses ?? MESES_PADRAO;
}

/**
 * The first day of issue that is still kept: documents issued before it have lived their full months.
 * @param hoje `YYYY-MM-DD`; a day that the target month does not have becomes its last one
 */
function corteDe(hoje: string, meses: number): string {
  const [ano = 0, mes = 1, dia = 1] = hoje.split('-').map(Number);
  const first = new Date(Date.UTC(ano, mes - 1 - meses, 1));
  const days = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(dia, days));
  return first.toISOString().slice(0, 10);
}

/** Kind → first day of issue that is kept. */
export type Cortes = Readonly<Record<string, string>>;

/** For each kind, the first day of issue that is not over its term. @param hoje `YYYY-MM-DD` */
export function cortesDe(hoje: string, regras: readonly Regra[]): Cortes {
  return Object.fromEntries(MODELOS.map((modelo) => [modelo, corteDe(hoje, mesesDe(modelo, regras))]));
}
