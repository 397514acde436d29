/** The zone in which a bare date is a day (contract 5). */
export const FUSO = 'America/Sao_Paulo';

const formatter = new Intl.DateTimeFormat('en-CA', {
  timeZone: FUSO,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

const HOUR_MS = 3_600_000;
/** Since 2020 there is no daylight saving in that zone: three hours behind UTC, without asking Intl. */
const FIXED_OFFSET_SINCE = Date.UTC(2020, 0, 1);
const FIXED_OFFSET_MS = -3 * HOUR_MS;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day `YYYY-MM-DD` that the calendar has: neither 30 February nor a thirteenth month. */
export function ehDia(texto: string): boolean {
  const midnight = DAY.test(texto) ? Date.parse(`${texto}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(texto);
}

/** The day in America/Sao_Paulo, `YYYY-MM-DD`, that an instant (ms UTC) falls on. */
export function diaDe(instante: number): string {
  if (instante >= FIXED_OFFSET_SINCE) return new Date(instante + FIXED_OFFSET_MS).toISOString().slice(0, 10);
  return formatter.format(instante);
}

/** First instant (ms UTC) of a day `YYYY-MM-DD` in America/Sao_Paulo. @throws RangeError when it is none (`ehDia`) */
export function inicioDoDia(dia: string): number {
  const utcMidnight = Date.parse(`${dia}T00:00:00Z`);
  // The offset is 2 or 3 hours; on a day that daylight saving begins, midnight does not exist and 01:00 is first.
  for (const hours of [2, 3]) {
    const candidate = utcMidnight + hours * HOUR_MS;
    if (diaDe(candidate) === dia && diaDe(candidate - 1) < dia) return candidate;
  }
  return utcMidnight + 3 * HOUR_MS;
}
