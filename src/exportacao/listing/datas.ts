import { ehDia, inicioDoDia } from '../../fiscal/dia.ts';

/** What a date parameter covers, ms UTC: a whole day, a second or an instant. */
export interface Intervalo {
  /** Included. */
  inicio: number;
  /** Excluded. */
  fim: number;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/** A day in a form of which the year is unmistakable: year first or last, one kind of separator; or eight digits. */
const DAYS = [
  /^(?<year>\d{4})(?<s>[-/.])(?<month>\d{2})\k<s>(?<day>\d{2})/,
  /^(?<day>\d{2})(?<s>[-/.])(?<month>\d{2})\k<s>(?<year>\d{4})/,
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})/,
];
/** Colons may be left out, as in the basic form of ISO 8601; a blank before the offset is a `+` that was not URL-encoded. */
const TIME =
  /^[T ](?<hour>\d{2}):?(?<minute>\d{2})(?::?(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?(?<zone>Z|[+\- ]\d{2}(?::?\d{2})?)?$/i;

/**
 * Reads a day (`YYYY-MM-DD`, `DD/MM/YYYY`, `YYYYMMDD`, with `-`, `/` or `.`) with or without a time. A bare day is one of
 * America/Sao_Paulo, and so is the zone of a time without offset. A time covers its minute, its second or its fraction,
 * so that it is inclusive as an end.
 * @returns undefined when it has none of these forms or does not exist (30 February)
 */
export function readData(text: string): Intervalo | undefined {
  const trimmed = text.trim();
  for (const pattern of DAYS) {
    const found = pattern.exec(trimmed);
    if (!found?.groups) continue;
    const { year, month, day } = found.groups;
    const dia = `${year}-${month}-${day}`;
    const rest = trimmed.slice(found[0].length);
    if (rest === '') return readDay(dia);
    const time = TIME.exec(rest)?.groups;
    return time ? readTimestamp(dia, time) : undefined;
  }
  return undefined;
}

function readDay(day: string): Intervalo | undefined {
  if (!ehDia(day)) return undefined;
  const inicio = inicioDoDia(day);
  // Noon of the next day lies on it whatever the offset; years of five digits end the calendar here.
  const next = new Date(Date.parse(`${day}T12:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
  return { inicio, fim: ehDia(next) ? inicioDoDia(next) : inicio + DAY_MS };
}

function readTimestamp(day: string, time: Partial<Record<string, string>>): Intervalo | undefined {
  const { hour, minute, second, fraction, zone } = time;
  if (!ehDia(day) || Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) return undefined;
  const ofDayMs = Date.parse(`1970-01-01T${hour}:${minute}:${second ?? '00'}Z`);
  const fractionMs = fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * SECOND_MS);
  const midnight = zone === undefined ? inicioDoDia(day) : Date.parse(`${day}T00:00:00Z`) - offsetMs(zone);
  if (Number.isNaN(midnight)) return undefined;
  const inicio = midnight + ofDayMs + fractionMs;
  const covered = second === undefined ? MINUTE_MS : fraction === undefined ? SECOND_MS : 1;
  return { inicio, fim: inicio + covered };
}

/** NaN when the offset is beyond ±18:00, the widest that ISO implementations accept. */
function offsetMs(zone: string): number {
  if (/^z$/i.test(zone)) return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', ''))];
  if (hours > 18 || minutes > 59) return Number.NaN;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
