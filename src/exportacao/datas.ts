import { ehDia, inicioDoDia } from '../fiscal/dia.ts';

/** What a date parameter covers, ms UTC: a whole day, a second or an instant. */
export interface Intervalo {
  /** Included. */
  inicio: number;
  /** Excluded. */
  fim: number;
}

const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;

const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const BRAZILIAN_DAY = /^(\d{2})\/(\d{2})\/(\d{4})$/;
/** A blank before the offset is a `+` that was not URL-encoded. */
const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+\- ]\d{2}(?::?\d{2})?)?$/i;

/**
 * Reads `YYYY-MM-DD`, `DD/MM/YYYY` or a full ISO timestamp. A bare date is a day in America/Sao_Paulo, and so is
 * the zone of a timestamp without offset. A timestamp covers its second, so that it is inclusive as an end.
 * @returns undefined when it has none of these forms or does not exist (30 February)
 * @fonte contract 5
 */
export function readData(text: string): Intervalo | undefined {
  const trimmed = text.trim();
  const iso = ISO_DAY.exec(trimmed);
  if (iso) return readDay(trimmed);
  const brazilian = BRAZILIAN_DAY.exec(trimmed);
  if (brazilian) return readDay(`${brazilian[3]}-${brazilian[2]}-${brazilian[1]}`);
  const timestamp = TIMESTAMP.exec(trimmed);
  return timestamp ? readTimestamp(timestamp) : undefined;
}

function readDay(day: string): Intervalo | undefined {
  if (!ehDia(day)) return undefined;
  const inicio = inicioDoDia(day);
  // Noon of the next day lies on it whatever the offset; years of five digits end the calendar here.
  const next = new Date(Date.parse(`${day}T12:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
  return { inicio, fim: ehDia(next) ? inicioDoDia(next) : inicio + DAY_MS };
}

function readTimestamp([, day = '', hour, minute, second = '00', fraction, zone]: RegExpExecArray):
  | Intervalo
  | undefined {
  if (!ehDia(day) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const ofDayMs = Date.parse(`1970-01-01T${hour}:${minute}:${second}Z`);
  const fractionMs = fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * SECOND_MS);
  const midnight = zone === undefined ? inicioDoDia(day) : Date.parse(`${day}T00:00:00Z`) - offsetMs(zone);
  if (Number.isNaN(midnight)) return undefined;
  const inicio = midnight + ofDayMs + fractionMs;
  return { inicio, fim: inicio + (fraction === undefined ? SECOND_MS : 1) };
}

/** NaN when the offset is beyond ±18:00, the widest that ISO implementations accept. */
function offsetMs(zone: string): number {
  if (/^z$/i.test(zone)) return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', ''))];
  if (hours > 18 || minutes > 59) return Number.NaN;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
