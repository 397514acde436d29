import { isXmlChar } from '../xml/chars.ts';
import * as byteConsts from './byte-classes.ts';

const { TOP_OF_BMP } = byteConsts;

const HASH = 0x23;
const SEMICOLON = 0x3b;
const PREDEFINED: readonly Uint8Array[] = ['&amp;', '&lt;', '&gt;', '&quot;', '&apos;'].map((text) =>
  Buffer.from(text),
);
/** The first of {@link PREDEFINED} that canonical form writes in text as they stand. */
const CANONICAL_IN_TEXT = 3;
const CHARACTERS: readonly number[] = [0x26, 0x3c, 0x3e];
const MAX_DIGITS = 7;

function startsWith(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word[i]) return false;
  return true;
}

/** Offset behind the reference at `at`: one of the five entities, or a numeric one of a character of XML; else -1. */
export function referenceEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] === HASH) return numericEnd(bytes, at);
  for (const word of PREDEFINED) if (startsWith(bytes, at, word)) return at + word.length;
  return -1;
}

/** Whether text in canonical form has this reference as it stands: `&amp;`, `&lt;`, `&gt;`. */
export function isCanonicalReference(bytes: Uint8Array, at: number): boolean {
  return PREDEFINED.slice(0, CANONICAL_IN_TEXT).some((word) => startsWith(bytes, at, word));
}

/** The character of the entity at `at`, where it is one that text keeps in canonical form: `&amp;`, `&lt;`, `&gt;`; else -1. */
export function entityAt(bytes: Uint8Array, at: number): number {
  for (let i = 0; i < CANONICAL_IN_TEXT; i++)
    if (startsWith(bytes, at, PREDEFINED[i] as Uint8Array)) return CHARACTERS[i] as number;
  return -1;
}

/** Bytes that {@link entityAt} has read for a character. */
export function entitySize(code: number): number {
  return (PREDEFINED[CHARACTERS.indexOf(code)] as Uint8Array).length;
}

function numericEnd(bytes: Uint8Array, at: number): number {
  const hexadecimal = bytes[at + 2] === 0x78;
  const from = at + (hexadecimal ? 3 : 2);
  let end = from;
  while (end - from <= MAX_DIGITS && bytes[end] !== SEMICOLON) end++;
  const digits = String.fromCharCode(...bytes.subarray(from, end));
  if (end - from > MAX_DIGITS || !(hexadecimal ? /^[0-9a-fA-F]+$/ : /^[0-9]+$/).test(digits)) return -1;
  return isXmlChar(Number.parseInt(digits, hexadecimal ? 16 : 10)) ? end + 1 : -1;
}

/** Whether U+FFFE or U+FFFF stands here. */
export function isNonCharacter(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === TOP_OF_BMP && bytes[at + 1] === 0xbf && (bytes[at + 2] as number) >= 0xbe;
}
