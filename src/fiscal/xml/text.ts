import type { XmlElement } from './tree.ts';

const LF = 0x0a;
const CR = 0x0d;
const AMPERSAND = 0x26;
const LESS_THAN = 0x3c;

const REFERENCE = /&(?:#x([0-9a-fA-F]+)|#([0-9]+)|(amp|lt|gt|quot|apos));/g;
export const PREDEFINED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** Replaces the five predefined entities and numeric references. The scanner has proven them legal. */
export function resolveReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (_whole, hex?: string, decimal?: string, name?: string) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number.parseInt(decimal, 10));
    return PREDEFINED[name ?? ''] ?? '';
  });
}

/** CRLF and lone CR become LF. @fonte XML 1.0 §2.11 */
export function normalizeLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Value of a CDATA attribute from its raw text: literal white space to spaces, references resolved. @fonte XML 1.0 §3.3.3 */
export function normalizeAttribute(raw: string): string {
  return resolveReferences(raw.replace(/\r\n|[\r\n\t]/g, ' '));
}

/** Whether the bytes are ordinary text: no markup, no reference, no carriage return. */
function isPlain(latin1: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const code = latin1.charCodeAt(at);
    if (code === LESS_THAN || code === AMPERSAND || code === CR) return false;
  }
  return true;
}

/**
 * Character data directly in the element: references resolved, CDATA included, comments, processing instructions
 * and child elements left out.
 */
export function directText(bytes: Buffer, latin1: string, element: XmlElement): string {
  const { children, contentStart, contentEnd } = element;
  if (children.length === 0 && isPlain(latin1, contentStart, contentEnd)) {
    return bytes.toString('utf8', contentStart, contentEnd);
  }
  const pieces: string[] = [];
  let at = contentStart;
  for (const next of children) {
    collectText(bytes, latin1, at, next.start, pieces);
    at = next.end;
  }
  collectText(bytes, latin1, at, contentEnd, pieces);
  return pieces.join('');
}

/** Character data of an element without children, whose content stands in `bytes[from..to)` and ends with a tag. */
export function leafText(bytes: Buffer, from: number, to: number): string {
  const content = bytes.subarray(from, to + 1);
  const pieces: string[] = [];
  collectText(content, content.toString('latin1'), 0, to - from, pieces);
  return pieces.join('');
}

function collectText(bytes: Buffer, latin1: string, from: number, to: number, pieces: string[]): void {
  let at = from;
  while (at < to) {
    if (latin1.charCodeAt(at) !== LESS_THAN) {
      const end = latin1.indexOf('<', at);
      pieces.push(resolveReferences(normalizeLineEnds(bytes.toString('utf8', at, end))));
      at = end;
    } else if (latin1.startsWith('<![CDATA[', at)) {
      const end = latin1.indexOf(']]>', at);
      pieces.push(normalizeLineEnds(bytes.toString('utf8', at + '<![CDATA['.length, end)));
      at = end + ']]>'.length;
    } else {
      at = endOfCommentOrPi(latin1, at);
    }
  }
}

/** Offset behind the comment or processing instruction that starts here; the scanner has proven that it ends. */
function endOfCommentOrPi(latin1: string, at: number): number {
  if (latin1.startsWith('<!--', at)) return latin1.indexOf('-->', at + '<!--'.length) + '-->'.length;
  return latin1.indexOf('?>', at) + '?>'.length;
}

/** A place whose line and column are known. */
interface Place {
  at: number;
  linha: number;
  coluna: number;
}

/** Bytes between two places that are kept: what going back costs at most. */
const KEPT_EVERY = 4096;

/**
 * Tells line and column of byte offsets, from 1; the column counts characters, not bytes. All offsets together cost one
 * pass over the file, and each of them some thousand bytes more: they may go back and forth, as those of faults do.
 */
export function positioner(bytes: Buffer): (offset: number) => { linha: number; coluna: number } {
  const kept: Place[] = [{ at: 0, linha: 1, coluna: 1 }];
  return (offset) => {
    const end = Math.max(0, Math.min(offset, bytes.length));
    const index = Math.min(Math.floor(end / KEPT_EVERY), kept.length - 1);
    const place = { ...(kept[index] as Place) };
    while (place.at < end) {
      goOn(bytes, place, Math.min(end, (Math.floor(place.at / KEPT_EVERY) + 1) * KEPT_EVERY));
      if (place.at === kept.length * KEPT_EVERY) kept.push({ ...place });
    }
    return { linha: place.linha, coluna: place.coluna };
  };
}

function goOn(bytes: Buffer, place: Place, to: number): void {
  let { linha, coluna } = place;
  for (let at = place.at; at < to; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === LF) {
      linha++;
      coluna = 1;
    } else if ((byte & 0xc0) !== 0x80) coluna++;
  }
  place.at = to;
  place.linha = linha;
  place.coluna = coluna;
}
