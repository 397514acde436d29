import { isUriReference } from '../../xml/namespaces.ts';
import * as byteConsts from '../byte-classes.ts';
import { isSpace } from '../byte-classes.ts';

const { CONTINUES, LESS_THAN, NAME, STARTS } = byteConsts;

/**
 * What the built-in types of XML Schema take, judged on bytes. Each takes a little less than libxml2 does: the texts
 * that documents have, and none that is in doubt.
 */
export type Lexical = (bytes: Uint8Array, from: number, to: number) => boolean;

const BASE64: Int8Array = Int8Array.from({ length: 256 }, (_, code) =>
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(String.fromCharCode(code)),
);
const PAD = 0x3d;

/** Base64 with white space between its characters, whole groups of four, padding as an encoder writes it. */
export const base64: Lexical = (bytes, from, to) => {
  let end = to;
  let pads = 0;
  for (; end > from; end--) {
    const code = bytes[end - 1] as number;
    if (code === PAD) pads++;
    else if (!isSpace(code)) break;
  }
  const digits = BASE64;
  let count = 0;
  let at = from;
  while (at < end) {
    // Four digits at a time, as long as no white space stands between them.
    while (
      at + 4 <= end &&
      ((digits[bytes[at] as number] as number) |
        (digits[bytes[at + 1] as number] as number) |
        (digits[bytes[at + 2] as number] as number) |
        (digits[bytes[at + 3] as number] as number)) >=
        0
    ) {
      at += 4;
      count += 4;
    }
    if (at >= end) break;
    const code = bytes[at++] as number;
    if ((digits[code] as number) >= 0) count++;
    else if (!isSpace(code)) return false;
  }
  if (count === 0 || pads > 2 || (count + pads) % 4 !== 0) return false;
  // The loop from behind has left a digit there.
  return !hasSpareBits(bytes[end - 1] as number, pads);
};

/** Base64 of so many bytes, written in one piece. */
export function base64Of(length: number): Lexical {
  const characters = 4 * Math.ceil(length / 3);
  const pads = (3 - (length % 3)) % 3;
  return (bytes, from, to) =>
    to - from === characters &&
    (pads === 0 || bytes[to - pads] === PAD) &&
    bytes[to - pads - 1] !== PAD &&
    bytes.subarray(from, to).every((code) => !isSpace(code)) &&
    base64(bytes, from, to);
}

/**
 * Offset of the `<` behind Base64 that is written in one piece; -1 for anything else.
 * @param bytes with a NUL behind the document, where the loops end
 */
export function base64End(bytes: Uint8Array, from: number): number {
  const digits = BASE64;
  let at = from;
  while (
    ((digits[bytes[at] as number] as number) |
      (digits[bytes[at + 1] as number] as number) |
      (digits[bytes[at + 2] as number] as number) |
      (digits[bytes[at + 3] as number] as number)) >=
    0
  )
    at += 4;
  while ((digits[bytes[at] as number] as number) >= 0) at++;
  const last = at;
  while (bytes[at] === PAD) at++;
  const pads = at - last;
  if (bytes[at] !== LESS_THAN || last === from || pads > 2 || (at - from) % 4 !== 0) return -1;
  return hasSpareBits(bytes[last - 1] as number, pads) ? -1 : at;
}

/** Whether the last digit says more than the padding leaves room for. */
function hasSpareBits(code: number, pads: number): boolean {
  return pads > 0 && ((BASE64[code] as number) & (pads === 1 ? 0x03 : 0x0f)) !== 0;
}

function byPattern(pattern: RegExp, judge: (found: RegExpExecArray) => boolean = () => true): Lexical {
  return (bytes, from, to) => {
    if (to - from > MAX_BYTES) return false;
    const found = pattern.exec(String.fromCharCode(...bytes.subarray(from, to)));
    return found !== null && judge(found);
  };
}
const MAX_BYTES = 1000;

const COLON = 0x3a;
const HASH = 0x23;

/** A name without colon, in ASCII. */
export const ncName: Lexical = (bytes, from, to) => {
  if (from === to || ((NAME[bytes[from] as number] as number) & STARTS) === 0) return false;
  for (let at = from + 1; at < to; at++) {
    const code = bytes[at] as number;
    if (code === COLON || ((NAME[code] as number) & CONTINUES) === 0) return false;
  }
  return true;
};

const anyUriText: Lexical = byPattern(/^[!-~]+$/, ([text]) => isUriReference(text));

/** An address; `#` and a name, which is what references of signatures are, is told without further rules. */
export const anyUri: Lexical = (bytes, from, to) =>
  (bytes[from] === HASH && ncName(bytes, from + 1, to)) || anyUriText(bytes, from, to);

export const dateTime: Lexical = byPattern(
  /^(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d)?$/,
  ([, year, month, day]) => isDay(Number(year), Number(month), Number(day)),
);

export const date: Lexical = byPattern(
  /^(\d{4})-(\d\d)-(\d\d)(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d)?$/,
  ([, year, month, day]) => isDay(Number(year), Number(month), Number(day)),
);

export const gYearMonth: Lexical = byPattern(/^(\d{4})-(?:0[1-9]|1[0-2])$/, ([, year]) => Number(year) > 0);

function isDay(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  return day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

/** An integer within bounds, of at most 15 digits. */
export function integer(min: number, max: number): Lexical {
  return byPattern(/^-?\d{1,15}$/, ([text]) => Number(text) >= min && Number(text) <= max);
}

/** An integer from 0 to `max` without a sign, which libxml2 refuses even before 0 (`-0`). */
export function unsigned(max: number): Lexical {
  return byPattern(/^\d{1,15}$/, ([text]) => Number(text) <= max);
}

/** A decimal of at most 15 digits. */
export const decimal: Lexical = byPattern(
  /^-?\d+(?:\.\d+)?$/,
  ([text]) => text.replace(/[-.]/g, '').length <= 15,
);
