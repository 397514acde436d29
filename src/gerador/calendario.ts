/** Spreads moments over the working hours of a period. */

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** Business is kept in the legal time of Brasília, UTC−3. */
const BRASILIA = 3 * HOUR;
const OPENING = 8 * HOUR;
const BUSINESS_HOURS = 11 * HOUR;
/** How much happens on each day of the week, from Sunday. */
const WEIGHT_OF_WEEKDAY = [0.15, 1, 1, 1, 1, 1.1, 0.6];

export interface Periodo {
  inicio: Date;
  /** Exclusive. */
  fim: Date;
}

/**
 * The period of whole months from a day. A text is `AAAA-MM-DD` in the time of Brasília or any ISO 8601 moment.
 * @throws RangeError when the start is no date or the months are not a positive integer.
 */
export function periodoDe(inicio: Date | string, meses: number): Periodo {
  const isDay = typeof inicio === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(inicio);
  const start = new Date(isDay ? `${inicio}T00:00:00-03:00` : inicio);
  if (Number.isNaN(start.getTime())) throw new RangeError(`no date: ${String(inicio)}`);
  if (!(Number.isInteger(meses) && meses >= 1)) throw new RangeError(`months: ${meses}`);
  const local = new Date(start.getTime() - BRASILIA);
  const monthAfter = Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + meses, 1);
  const lastDay = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + meses + 1, 0)).getUTCDate();
  const day = Math.min(local.getUTCDate(), lastDay) - 1;
  const end = monthAfter + day * DAY + (local.getTime() % DAY) + BRASILIA;
  return { inicio: start, fim: new Date(end) };
}

/**
 * Maps a fraction of the period's business (0 ≤ f < 1, ascending) to a moment (ascending): few things happen on
 * Sundays, none at night.
 */
export function businessClock(periodo: Periodo): (fraction: number) => Date {
  const first = Math.floor((periodo.inicio.getTime() - BRASILIA) / DAY);
  const days = Math.max(1, Math.round((periodo.fim.getTime() - periodo.inicio.getTime()) / DAY));
  const cumulative = [0];
  for (let d = 0; d < days; d++) {
    // Day 0 of 1970 was a Thursday.
    cumulative.push((cumulative[d] ?? 0) + (WEIGHT_OF_WEEKDAY[(first + d + 4) % 7] ?? 1));
  }
  const total = cumulative[days] ?? 1;
  let day = 0;
  return (fraction) => {
    const target = fraction * total;
    if (target < (cumulative[day] ?? 0)) day = 0;
    while (day < days - 1 && target >= (cumulative[day + 1] ?? 0)) day++;
    const start = cumulative[day] ?? 0;
    const share = (target - start) / ((cumulative[day + 1] ?? total) - start);
    const moment = (first + day) * DAY + BRASILIA + OPENING + Math.floor(share * BUSINESS_HOURS);
    // Seconds, as documents write them: truncation keeps the order.
    return new Date(Math.floor(moment / 1_000) * 1_000);
  };
}
