/**
 * Values to and from PostgreSQL, so that both engines give and take the same: numbers for every integer, 0 and 1 for
 * flags, `Uint8Array` for bytes, and text for the rest.
 */
import type pg from 'pg';
import { driver } from './pg.ts';

/** Object identifiers of types, the same in every PostgreSQL. @fonte PostgreSQL, src/include/catalog/pg_type.dat */
const OID = { bool: 16, bytea: 17, int8: 20, numeric: 1700 } as const;
const INTEGER = /^-?\d+$/;

/** An integer that a number cannot hold: read as one, it would silently be another. */
class IntegerOutOfRangeError extends RangeError {
  readonly code = 'ERR_OUT_OF_RANGE';
  constructor(text: string) {
    super(`integer out of the safe range: ${text}`);
  }
}

function toInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new IntegerOutOfRangeError(text);
  return value;
}

const PARSERS = new Map<number, (text: string) => unknown>([
  [OID.int8, toInteger],
  // `sum()` of bigint is numeric; sums of ours are whole.
  [OID.numeric, (text) => (INTEGER.test(text) ? toInteger(text) : Number(text))],
  [OID.bool, (text) => (text === 't' ? 1 : 0)],
  [OID.bytea, (text) => toBytes(text)],
]);

function toBytes(text: string): Uint8Array {
  // `\x` and hex: what every server since 9.0 sends.
  const buffer = Buffer.from(text.slice(2), 'hex');
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}

/** Type parsers of a connection, before those of node-postgres. */
export const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    const own = format === 'binary' ? undefined : PARSERS.get(oid);
    return own ?? driver().types.getTypeParser(oid, format as 'text');
  },
};

/** `\0` cannot stand in a text of PostgreSQL; where one came in (the name of an entry of a zip), this is shown. */
const NUL_SHOWN = '\uFFFD';

/** A parameter as the driver wants it; arrays are for `unnest` and `any`. */
export function toPostgres(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string') return withoutNul(value);
  if (Array.isArray(value)) return arrayText(value);
  return value;
}

function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', NUL_SHOWN) : text;
}

/** What has a meaning inside a quoted element. */
const QUOTED = /["\\]/g;
/** What only JSON writes like this: both put `\` before a `"` or `\`, but behind it PostgreSQL reads a letter as itself. */
const ESCAPED_LETTER = /\\[^"]/;

/**
 * Writes an array of integers, flags and texts, or null, as PostgreSQL reads it (its manual, 8.15.2). The driver would look
 * at each element as if it could be anything, which took as long as the rest of an import's rows. Nearly all arrays are
 * written as JSON writes them, but for the brackets, and V8 writes JSON three times as fast as we do. A `\0` is written
 * there.
 */
function arrayText(values: readonly unknown[]): string {
  if (values.every(isAlikeInJson)) {
    const json = JSON.stringify(values);
    const isAlike = !json.includes('\\') || !ESCAPED_LETTER.test(json.replaceAll('\\\\', ''));
    if (isAlike) return `{${json.slice(1, -1)}}`;
  }
  let text = '{';
  for (let at = 0; at < values.length; at++) {
    if (at > 0) text += ',';
    const value = values[at];
    if (typeof value === 'string') text += `"${value.replace(QUOTED, '\\$&')}"`;
    else if (value === null || value === undefined) text += 'NULL';
    else if (typeof value === 'boolean') text += value ? '1' : '0';
    else if (typeof value === 'number' || typeof value === 'bigint') text += String(value);
    else throw new TypeError(`an array for PostgreSQL holds ${typeof value}`);
  }
  return withoutNul(`${text}}`);
}

function isAlikeInJson(value: unknown): boolean {
  return typeof value === 'string' || value === null || value === undefined || Number.isSafeInteger(value);
}
