import { escapeText } from './c14n-text.ts';
import { normalizeLineEnds } from './text.ts';
import type { XmlTree } from './tree.ts';

const LESS_THAN = 0x3c;
const BANG = 0x21;
const QUESTION = 0x3f;
const CDATA_OPEN = '<![CDATA[';
const CDATA_CLOSE = ']]>';
/** libxml2 takes a section for text where only elements may stand, whatever is in it: so one of them is left. */
const EMPTY_SECTION: Uint8Array = Buffer.from(`${CDATA_OPEN}${CDATA_CLOSE}`);

/**
 * A document up to the end of its root, its texts in one piece each: without the comments and processing instructions inside the
 * root, and with CDATA sections written as text. To a schema it is the same document. libxml2 puts the pieces of a text
 * together by copying all of it for each one: 4 MB of them took it a minute.
 */
export function withWholeTexts({ bytes, root }: XmlTree): Uint8Array {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, root.end);
  const parts: Uint8Array[] = [];
  let done = 0;
  let hasSection = false;
  for (let at = source.indexOf(LESS_THAN, root.start); at >= 0; at = source.indexOf(LESS_THAN, at)) {
    const piece = pieceAt(source, at);
    if (piece === null) {
      hasSection = false;
      at++;
      continue;
    }
    parts.push(source.subarray(done, at));
    if (piece.text !== null) parts.push(...(hasSection ? [] : [EMPTY_SECTION]), piece.text);
    hasSection ||= piece.text !== null;
    done = piece.end;
    at = piece.end;
  }
  return parts.length === 0 ? source : Buffer.concat([...parts, source.subarray(done)]);
}

/** What stands at a `<`, with its text if it is a CDATA section; null for a tag. The scanner has proven that it ends. */
function pieceAt(source: Buffer, at: number): { text: Uint8Array | null; end: number } | null {
  if (source[at + 1] === QUESTION) return { text: null, end: endOf(source, at, '?>') };
  if (source[at + 1] !== BANG) return null;
  if (source[at + 2] !== CDATA_OPEN.charCodeAt(2))
    return { text: null, end: endOf(source, at + '<!--'.length, '-->') };
  const end = endOf(source, at, CDATA_CLOSE);
  const text = source.toString('utf8', at + CDATA_OPEN.length, end - CDATA_CLOSE.length);
  return { text: Buffer.from(escapeText(normalizeLineEnds(text))), end };
}

function endOf(source: Buffer, from: number, close: string): number {
  return source.indexOf(close, from, 'latin1') + close.length;
}
