/** A client that is quieter than its own habit: a shop misses a day, a small office a month. */

const DAY_MS = 86_400_000;
/** Nobody is quiet before this, and everybody after that (days). */
const MENOR = 3;
const MAIOR = 45;
/** Silence of so many habits is more than a long weekend. */
const VEZES = 3;
/** Who was heard of later than so long ago (ms) is not quiet, whatever the habit. */
export const NUNCA_ANTES_MS = MENOR * DAY_MS;
/** With fewer days of arrival there is no habit yet. */
const DIAS_MIN = 4;

/**
 * Days that usually lie between two days with documents, and how long the silence may last; null without a habit.
 * @param chegadas instants (ms UTC) of arrival, the newest first
 */
function habitoDe(chegadas: readonly number[]): { habitoDias: number; toleranciaDias: number } | null {
  const dias = [...new Set(chegadas.map((em) => Math.floor(em / DAY_MS)))].sort((a, b) => b - a);
  if (dias.length < DIAS_MIN) return null;
  const gaps = dias
    .slice(1)
    .map((dia, index) => (dias[index] ?? dia) - dia)
    .sort((a, b) => a - b);
  // Nine gaps of ten are no longer: weekends are part of the habit, one holiday is not.
  const habitoDias = gaps[Math.floor((gaps.length - 1) * 0.9)] ?? 1;
  return { habitoDias, toleranciaDias: Math.min(MAIOR, Math.max(MENOR, habitoDias * VEZES)) };
}

/** Whole days of silence, when they are more than the habit tolerates; else null. */
export function silencioDe(
  chegadas: readonly number[],
  agora: number,
): { ultimoEm: number; dias: number; habitoDias: number } | null {
  const [ultimoEm] = chegadas;
  if (ultimoEm === undefined) return null;
  const dias = Math.floor((agora - ultimoEm) / DAY_MS);
  const habito = habitoDe(chegadas);
  if (habito === null) return dias > MAIOR ? { ultimoEm, dias, habitoDias: MAIOR } : null;
  return dias > habito.toleranciaDias ? { ultimoEm, dias, habitoDias: habito.habitoDias } : null;
}
