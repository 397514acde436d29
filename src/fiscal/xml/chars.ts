import { isUtf8 } from 'node:buffer';

/**
 * Character rules of XML 1.0, fifth edition. The scanner works on a "latin1 view": a string in which every
 * character is one byte of the UTF-8 document, so that string positions are byte offsets.
 * @fonte XML 1.0 §2.2, §2.3
 */

/** In {@link NAME_CLASS}: may start a name. */
export const NAME_START = 1;
/** In {@link NAME_CLASS}: may only continue a name. */
const NAME_FOLLOW = 2;
/** In {@link NAME_CLASS}: byte of a multi-byte character, to be decoded before it can be judged. */
export const NAME_BEYOND_ASCII = 3;

/** Class of each byte inside a name; 0 ends it. The colon is left out: it is a separator (Namespaces §3). */
export const NAME_CLASS: Uint8Array = buildNameClasses();

function buildNameClasses(): Uint8Array {
  const classes = new Uint8Array(256);
  for (let code = 0x80; code <= 0xff; code++) classes[code] = NAME_BEYOND_ASCII;
  for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_')
    classes[char.charCodeAt(0)] = NAME_START;
  for (const char of '0123456789-.') classes[char.charCodeAt(0)] = NAME_FOLLOW;
  return classes;
}

const START_RANGES: readonly (readonly [number, number])[] = [
  [0xc0, 0xd6],
  [0xd8, 0xf6],
  [0xf8, 0x2ff],
  [0x370, 0x37d],
  [0x37f, 0x1fff],
  [0x200c, 0x200d],
  [0x2070, 0x218f],
  [0x2c00, 0x2fef],
  [0x3001, 0xd7ff],
  [0xf900, 0xfdcf],
  [0xfdf0, 0xfffd],
  [0x10000, 0xeffff],
];
const FOLLOW_RANGES: readonly (readonly [number, number])[] = [
  [0xb7, 0xb7],
  [0x300, 0x36f],
  [0x203f, 0x2040],
];

function within(code: number, ranges: readonly (readonly [number, number])[]): boolean {
  return ranges.some(([first, last]) => code >= first && code <= last);
}

/** Class of a character beyond ASCII in a name: NAME_START, NAME_FOLLOW, or 0 when it cannot stand there. */
export function nameClassOf(codePoint: number): number {
  if (within(codePoint, START_RANGES)) return NAME_START;
  return within(codePoint, FOLLOW_RANGES) ? NAME_FOLLOW : 0;
}

/** Space, tab, line feed, carriage return. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Production `Char`: what may stand in a document, also as a numeric reference. */
export function isXmlChar(codePoint: number): boolean {
  if (codePoint < 0x20) return codePoint === 0x09 || codePoint === 0x0a || codePoint === 0x0d;
  return codePoint <= 0xd7ff || (codePoint >= 0xe000 && codePoint <= 0xfffd) || isSupplementary(codePoint);
}

function isSupplementary(codePoint: number): boolean {
  return codePoint >= 0x10000 && codePoint <= 0x10ffff;
}

/** Everything but tab, LF, CR and the bytes from space on. */
const CONTROL_BYTE = /[^\t\n\r -\u00ff]/;
/** Each of them. */
export const CONTROL_BYTES: RegExp = new RegExp(CONTROL_BYTE, 'g');
/** U+FFFE and U+FFFF as UTF-8 bytes: the only non-characters of the BMP that UTF-8 can carry and XML refuses. */
export const NON_CHARACTERS: readonly string[] = ['\u00ef\u00bf\u00be', '\u00ef\u00bf\u00bf'];

/**
 * Byte offset of the first thing that no XML document may contain anywhere (control character, U+FFFE, U+FFFF,
 * invalid UTF-8), or -1. Checked once for the whole document, so that comments and attributes cannot be forgotten.
 */
export function firstIllegalOffset(bytes: Buffer, latin1: string): number {
  const found = [latin1.search(CONTROL_BYTE), ...NON_CHARACTERS.map((text) => latin1.indexOf(text))];
  if (!isUtf8(bytes)) found.push(firstInvalidUtf8(bytes));
  const offsets = found.filter((offset) => offset >= 0);
  return offsets.length === 0 ? -1 : Math.min(...offsets);
}

/** Decoding replaces what is invalid; the first byte that does not come back is the first invalid one. */
function firstInvalidUtf8(bytes: Buffer): number {
  const again = Buffer.from(bytes.toString('utf8', 0, bytes.length), 'utf8');
  let at = 0;
  while (at < bytes.length && bytes[at] === again[at]) at++;
  return at;
}
