/** XML declarations (`<?xml … ?>`) that some services leave before the document inside their envelope. */
import { scanXml } from './scan.ts';

const START = Buffer.from('<?xml');
const SPACE = 0x20;
/** What may stand behind the name: it is no other processing instruction (`<?xml-stylesheet`). */
const BLANKS: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];
/** A declaration is short. */
const MAX_BYTES = 200;

const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;

/** Whether it stands between elements: in the text of one it is no harmless left-over, but a fault of that document. */
function isBetweenElements(buffer: Buffer, start: number, end: number): boolean {
  let [before, behind] = [start - 1, end];
  while (BLANKS.includes(buffer[before] ?? 0)) before--;
  while (BLANKS.includes(buffer[behind] ?? 0)) behind++;
  return buffer[before] === GREATER_THAN && buffer[behind] === LESS_THAN;
}

function nextDeclaration(buffer: Buffer, from: number): { start: number; end: number } | null {
  for (let start = buffer.indexOf(START, from); start >= 0; start = buffer.indexOf(START, start + 1)) {
    if (!BLANKS.includes(buffer[start + START.length] ?? 0)) continue;
    const end = buffer.subarray(start, start + MAX_BYTES).indexOf('?>');
    if (end > 0 && isBetweenElements(buffer, start, start + end + 2)) return { start, end: start + end + 2 };
  }
  return null;
}

/**
 * Puts blanks in the place of declarations that stand inside, so that all else stays where it is.
 * @param bytes UTF-8
 * @returns null where there is none, or where the text is well formed all the same (a list of documents, CDATA)
 */
export function semDeclaracoesNoMeio(bytes: Uint8Array): Uint8Array | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let found = nextDeclaration(buffer, 1);
  if (!found || scanXml(bytes).ok) return null;
  const blanked = Buffer.from(buffer);
  for (; found; found = nextDeclaration(buffer, found.end)) blanked.fill(SPACE, found.start, found.end);
  return new Uint8Array(blanked.buffer, blanked.byteOffset, blanked.byteLength);
}
