/** Files in UTF-32, which a few database tools save: four bytes for each character. */

/** `<`, or a byte order mark, in four bytes; the mark of UTF-16 and a NUL begin alike, so that what follows is looked at. */
function isBigEndian(bytes: Uint8Array): boolean | null {
  const [a, b, c, d] = bytes;
  const isLittle = (a === 0xff && b === 0xfe) || (a === 0x3c && b === 0);
  if (isLittle && c === 0 && d === 0) return isUtf32(bytes, 3) ? false : null;
  const isBig = (c === 0xfe && d === 0xff) || (c === 0 && d === 0x3c);
  return isBig && a === 0 && b === 0 && isUtf32(bytes, 0) ? true : null;
}

const LOOKED_AT = 64;

/** The highest byte of a character is 0. @param at where it stands in the four */
function isUtf32(bytes: Uint8Array, at: number): boolean {
  for (let i = at; i < Math.min(bytes.length, LOOKED_AT); i += 4) if (bytes[i] !== 0) return false;
  return bytes.length >= 8;
}

const BOM = 0xfeff;
const ULTIMO = 0x10ffff;
/** No character, and not permitted in XML. */
const NENHUM = 0xffff;

/**
 * A file in UTF-32 as UTF-8, without byte order mark; what is no character becomes one that XML does not permit, so that the
 * reader names it where it stands.
 *
 * @returns null for any other file
 */
export function semUtf32(bytes: Uint8Array): Uint8Array | null {
  const big = isBigEndian(bytes);
  if (big === null) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // No character takes more bytes there than here.
  const utf8 = Buffer.allocUnsafe(bytes.length);
  let end = 0;
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, !big);
    if (code < 0x80) utf8[end++] = code;
    else if (code !== BOM) end += utf8.write(String.fromCodePoint(code > ULTIMO ? NENHUM : code), end);
  }
  return utf8.subarray(0, end);
}
