import { deslocamentoDaZona } from './fuso.ts';
import { zoneOfUf } from './uf.ts';

/** Years 2000–2099, as the type TDateTimeUTC of the XSD has them. @fonte XSD tiposBasico_v4.00 TDateTimeUTC, TData */
const DATE_TIME = /^(20\d\d)-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(Z|[+-]\d\d:\d\d)?)?$/;
const OFFSET_LIMIT_HOURS = 14;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Offset of a zone at an instant, in minutes east of Greenwich. */
function offsetMinutes(zone: string, instantMs: number): number {
  return deslocamentoDaZona(zone, instantMs) / MINUTE_MS;
}

/**
 * Offset that a wall clock of the zone shows at this local time. Daylight saving began at midnight in Brazil, so
 * that the 00:00 of a date-only document may not exist: then the offset of the day before holds, which keeps the
 * instant within the same local day.
 */
function offsetAtLocal(zone: string, localMs: number): number {
  const before = offsetMinutes(zone, localMs - DAY_MS);
  const after = offsetMinutes(zone, localMs + DAY_MS);
  const fits = (offset: number): boolean => offsetMinutes(zone, localMs - offset * MINUTE_MS) === offset;
  if (fits(after)) return after;
  return before;
}

function formatOffset(minutes: number): string {
  const absolute = Math.abs(minutes);
  const hh = String(Math.floor(absolute / 60)).padStart(2, '0');
  const mm = String(absolute % 60).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${hh}:${mm}`;
}

function isValidOffset(offset: string): boolean {
  return Number(offset.slice(1, 3)) <= OFFSET_LIMIT_HOURS && Number(offset.slice(4, 6)) < 60;
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Days of a month of the years 2000 to 2099; 0 where there is no such month. */
function daysOf(year: number, month: number): number {
  return month === 2 && year % 4 === 0 ? 29 : (DAYS[month - 1] ?? 0);
}

/**
 * Reads a date of a fiscal document: with offset, with time but no offset (some 2.00 and 3.00 fields), or a date
 * alone (dEmi up to 2.00), and gives ISO 8601 with offset, in seconds. What has no offset gets the one that the
 * clocks of the UF showed on that day, daylight saving of the past included.
 *
 * @param text such as `2026-03-01T10:00:00-03:00` or `2011-12-20`
 * @param cUF IBGE code of the issuer's state
 * @returns null when it is no date of the years 2000 to 2099
 */
export function readDateTime(text: string, cUF: string | null): string | null {
  const match = DATE_TIME.exec(text);
  if (!match) return null;
  const [, year, month, day, hour = '00', minute = '00', second = '00', offset] = match;
  const isDay = Number(day) >= 1 && Number(day) <= daysOf(Number(year), Number(month));
  if (!isDay || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  if (offset === 'Z' || offset === '-00:00') return `${local}+00:00`;
  if (offset) return isValidOffset(offset) ? local + offset : null;
  return local + formatOffset(offsetAtLocal(zoneOfUf(cUF), Date.parse(`${local}Z`)));
}
