import { isUtf8 } from 'node:buffer';
import * as scanConsts from '../xml/scan.ts';
import * as byteConsts from './byte-classes.ts';
import { isSpace } from './byte-classes.ts';
import { declarationEnd } from './declaration.ts';
import type { TypeRule } from './esquema/automaton.ts';
import * as dfaConsts from './esquema/dfa.ts';
import type { Judge } from './esquema/judge.ts';
import * as judgeConsts from './esquema/judge.ts';
import { likelyJudge } from './likely-judge.ts';
import { isCanonicalReference, isNonCharacter, referenceEnd } from './references.ts';
import { Scan } from './scan-state.ts';
import { scanAttributes } from './start-tag.ts';
import type { Tape } from './tape.ts';
import * as tapeConsts from './tape.ts';

const { XML_LIMITS } = scanConsts;
const {
  AMPERSAND,
  BANG,
  BRACKET,
  CONTINUES,
  CR,
  DASH,
  GREATER_THAN,
  LESS_THAN,
  LF,
  LOOK,
  NAME,
  NOT_SPACE,
  SLASH,
  STARTS,
  TEXT,
  TOP_OF_BMP,
} = byteConsts;
const { ENDS } = dfaConsts;
const { EXPECTED, EXPECTED_NEXT, EXPECTED_ROW } = judgeConsts;
const { ELEMENT, ELEMENT_ROW, FLAG, SPOT_KIND } = tapeConsts;

/** Larger documents are rare, and the slow tier has time for them. libxml2's own limits begin at 10 MB. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_DEPTH: number = XML_LIMITS.depth;
const MAX_ELEMENTS: number = XML_LIMITS.elements;

const { START, CONTENT, CONTENT_END, END, PARENT, NEXT, FLAGS, PREFIX, ATTRIBUTES, DECLARATIONS } = ELEMENT;

const scan = new Scan();

/**
 * The fast tier's reading of one XML document: UTF-8, one root and nothing but comments and white space around it. Gives its tape, or
 * null: "not mine". Then nothing is said about the document, and the slow tier reads it. What is accepted here
 * libxml2 accepts as well-formed, and `scanXml` reads in the same way (`test/diferencial/`).
 *
 * Not mine, though legal: DOCTYPE, processing instructions, names beyond ASCII, prefix `xml`, other versions than
 * 1.0, and whatever exceeds the limits of a usual document.
 */
export function scanTape(document: Uint8Array): Tape | null {
  if (document.length > MAX_BYTES || document.length < 4 || !isUtf8(document)) return null;
  scan.begin(document);
  const start = miscEnd(scan.bytes, declarationEnd(scan.bytes));
  if (start < 0) return null;
  scan.judgeBy(likelyJudge(scan.bytes, start));
  const rest = scanRoot(scan, start);
  if (rest !== scan.length) return null;
  const last = scan.elements.add();
  const { cells } = scan.elements;
  cells[last + ATTRIBUTES] = scan.attributes.count;
  cells[last + DECLARATIONS] = scan.declarations.count;
  return {
    bytes: Buffer.isBuffer(document)
      ? document
      : Buffer.from(document.buffer, document.byteOffset, document.byteLength),
    names: scan.names,
    elements: scan.elements.copy(),
    count: scan.elements.count - 1,
    attributes: scan.attributes.copy(),
    declarations: scan.declarations.copy(),
    spots: scan.spots.copy(),
    rest,
    judged: scan.judgedBy && { by: scan.judgedBy, valid: scan.judge !== null },
  };
}

/** Reads the root at `from`; returns the offset behind it and the white space that follows, or -1. */
function scanRoot(scan: Scan, from: number): number {
  const { bytes, lastChild, nameLength, elements } = scan;
  let at = from;
  let depth = 0;
  /** Row of the open element; -1 before the root. */
  let open = -1;
  lastChild[0] = -1;
  if (at < 0 || bytes[at] !== LESS_THAN) return -1;
  do {
    // `at` stands at a `<`.
    const next = bytes[at + 1] as number;
    if (next === SLASH) {
      const row = open * ELEMENT_ROW;
      const end = endTag(scan, at, nameLength[depth] as number, row);
      if (end < 0) return -1;
      elements.cells[row + CONTENT_END] = at;
      elements.cells[row + END] = end;
      scan.closed(row, depth);
      scan.bindings.leave(depth);
      depth--;
      open = elements.cells[row + PARENT] as number;
      at = end;
    } else if (next === BANG) {
      at = commentOrCdata(scan, at, open);
      if (at < 0) return -1;
    } else {
      if (depth >= MAX_DEPTH) return -1;
      const quick = scan.judge === null ? NOT_EXPECTED : expectedElement(scan, at, open, depth);
      if (quick >= 0) {
        at = quick;
        if (bytes[at] !== LESS_THAN) {
          at = text(scan, at, open * ELEMENT_ROW);
          if (at < 0) return -1;
        }
        continue;
      }
      const row =
        quick === NOT_EXPECTED ? startTag(scan, at, open, depth) : (elements.count - 1) * ELEMENT_ROW;
      if (row < 0) return -1;
      at = elements.cells[row + CONTENT] as number;
      if (elements.cells[row + END] === 0) {
        if (bytes[at] !== LESS_THAN) {
          at = text(scan, at, row);
          if (at < 0) return -1;
        }
        depth++;
        if (bytes[at + 1] === SLASH) {
          // A leaf: it is closed without having been put on any stack.
          const end = endTag(scan, at, nameLength[depth] as number, row);
          if (end < 0) return -1;
          elements.cells[row + CONTENT_END] = at;
          elements.cells[row + END] = end;
          scan.closed(row, depth);
          scan.bindings.leave(depth);
          depth--;
          at = end;
        } else {
          open = row / ELEMENT_ROW;
          lastChild[depth] = -1;
          continue;
        }
      }
    }
    if (depth > 0 && bytes[at] !== LESS_THAN) {
      at = text(scan, at, open * ELEMENT_ROW);
      if (at < 0) return -1;
    }
  } while (depth > 0);
  return miscEnd(bytes, at);
}

/** Offset behind white space and comments outside the root; -1 where a comment is not mine. */
function miscEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at >= 0) {
    while (isSpace(bytes[at] as number)) at++;
    if (bytes[at] !== LESS_THAN || bytes[at + 1] !== BANG) return at;
    at = commentEnd(bytes, at);
  }
  return -1;
}

/** Offset behind the comment at `at`, or -1. */
function commentEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at + 2] !== DASH || bytes[at + 3] !== DASH) return -1;
  const end = untilDoubled(bytes, at + 4, DASH);
  return end < 0 || bytes[end + 2] !== GREATER_THAN ? -1 : end + 3;
}

/** Reads a start tag and adds the element's row, whose offset it returns; -1 when it is not mine. */
function startTag(scan: Scan, at: number, open: number, depth: number): number {
  const { bytes, names, elements, bindings } = scan;
  const kinds = NAME;
  let end = at + 1;
  let code = bytes[end] as number;
  if (((kinds[code] as number) & STARTS) === 0) return -1;
  let hash = 0;
  while (((kinds[code] as number) & CONTINUES) !== 0) {
    hash = (Math.imul(hash, 31) + code) | 0;
    code = bytes[++end] as number;
  }
  const name = names.find(bytes, at + 1, end, hash);
  if (name < 0 || elements.count > MAX_ELEMENTS) return -1;

  const index = elements.count;
  const row = elements.add();
  const { cells } = elements;
  const prefix = names.prefixOf[name] as number;
  cells[row + PREFIX] = prefix;
  cells[row + FLAGS] = 0;
  cells[row + START] = at;
  cells[row + PARENT] = open;
  cells[row + NEXT] = 0;
  cells[row + ATTRIBUTES] = scan.attributes.count;
  cells[row + DECLARATIONS] = scan.declarations.count;
  join(scan, index, open, depth);

  const nameLength = end - at - 1;
  let empty = false;
  if (code === GREATER_THAN) {
    end++;
  } else {
    const { tagEnd } = scan;
    if (!scanAttributes(scan, end, depth + 1)) return -1;
    end = tagEnd.at;
    empty = tagEnd.empty;
    if (!tagEnd.canonical) scan.spot(SPOT_KIND.START_TAG, at, empty ? end - 2 : end - 1, index);
    if (empty) scan.spot(SPOT_KIND.EMPTY_TAG, end - 2, end, index);
  }
  const expanded = bindings.expand(names, prefix, names.localOf[name] as number);
  if (expanded < 0) return -1;
  cells[row] = expanded;
  cells[row + CONTENT] = end;
  cells[row + CONTENT_END] = end;
  cells[row + END] = empty ? end : 0;
  if (scan.judge !== null) judgeStart(scan, { row, name, nameLength, depth });
  if (empty) {
    scan.closed(row, depth + 1);
    bindings.leave(depth + 1);
  } else scan.nameLength[depth + 1] = nameLength;
  return row;
}

function judgeStart(
  scan: Scan,
  { row, name, nameLength, depth }: { row: number; name: number; nameLength: number; depth: number },
): void {
  const state = scan.judge?.stateAt[depth] as number;
  scan.opened(row, depth + 1);
  const isBare =
    scan.names.prefixOf[name] === 0 && scan.elements.cells[row + ATTRIBUTES] === scan.attributes.count;
  const from = scan.names.from[name] as number;
  scan.judge?.expect(state, depth, { row, from, length: isBare ? nameLength : 0 });
}

/** By the bits of {@link READ}. */
const FLAGS_OF_READ = [0, FLAG.NOT_ASCII, FLAG.CODED, FLAG.NOT_ASCII | FLAG.CODED] as const;
const NOT_EXPECTED = -1;
const CONTENT_OPEN = -2;

/**
 * Reads the element that stood here the last time, by comparing its name alone; a leaf is read and judged up to its
 * end.
 *
 * @returns offset behind the leaf; CONTENT_OPEN when only the start tag is read; NOT_EXPECTED when it is another one
 */
function expectedElement(scan: Scan, at: number, open: number, depth: number): number {
  const { bytes, elements } = scan;
  const judge = scan.judge as Judge;
  const state = judge.stateAt[depth] as number;
  if (state < 0 || judge.skipping > 0 || !scan.hasRoom) return NOT_EXPECTED;
  const { expected } = judge;
  const first = state * EXPECTED_ROW * EXPECTED_NEXT;
  const one = isExpected(scan, at, expected, first) ? first : first + EXPECTED_ROW;
  if (one !== first && !isExpected(scan, at, expected, one)) return NOT_EXPECTED;
  const length = expected[one + EXPECTED.LENGTH] as number;
  const behind = at + 1 + length;

  const index = elements.count;
  const row = elements.add();
  const { cells } = elements;
  cells[row] = expected[one + EXPECTED.NAME] as number;
  cells[row + PREFIX] = 0;
  cells[row + FLAGS] = 0;
  cells[row + START] = at;
  cells[row + CONTENT] = behind + 1;
  cells[row + CONTENT_END] = behind + 1;
  cells[row + END] = 0;
  cells[row + PARENT] = open;
  cells[row + NEXT] = 0;
  cells[row + ATTRIBUTES] = scan.attributes.count;
  cells[row + DECLARATIONS] = scan.declarations.count;
  cells[row + ELEMENT_ROW + ATTRIBUTES] = scan.attributes.count;
  join(scan, index, open, depth);

  const type = expected[one + EXPECTED.TYPE] as number;
  const follows = expected[one + EXPECTED.NEXT] as number;
  scan.nameLength[depth + 1] = length;
  if (expected[one + EXPECTED.ONCE] === 1) judge.advanceOnce(follows, depth);
  else if (!judge.advance(follows, depth)) {
    scan.judge = null;
    return CONTENT_OPEN;
  }
  const found = expectedText(judge, bytes, behind + 1, one);
  const end = found >> 2;
  if (
    found < 0 ||
    bytes[end + 1] !== SLASH ||
    bytes[end + 2 + length] !== GREATER_THAN ||
    !isSame(bytes, end + 2, bytes, at + 1, length)
  ) {
    judge.enter(type, depth + 1);
    return CONTENT_OPEN;
  }
  if (end > behind + 1) cells[row + FLAGS] = FLAG.NOT_SPACE | (FLAGS_OF_READ[found & 3] as number);
  cells[row + CONTENT_END] = end;
  cells[row + END] = end + length + 3;
  return end + length + 3;
}

/** Whether a start tag without attributes and prefix stands at `at`, of the name that this row expects. */
function isExpected(
  { bytes, names, bindings }: Scan,
  at: number,
  expected: Int32Array,
  one: number,
): boolean {
  const length = expected[one + EXPECTED.LENGTH] as number;
  return (
    length > 0 &&
    bytes[at + 1 + length] === GREATER_THAN &&
    expected[one + EXPECTED.NAMESPACE] === bindings.defaultNamespace &&
    isSame(bytes, at + 1, names.bytes, expected[one + EXPECTED.FROM] as number, length)
  );
}

/** Reads and judges the text of an expected leaf: see {@link Dfa.textEnd}. */
function expectedText(judge: Judge, bytes: Uint8Array, from: number, one: number): number {
  const { expected } = judge;
  let row = expected[one + EXPECTED.TEXT] as number;
  const { kinds, cells } = judge.patterns;
  if (row >= 0) {
    const base = expected[one + EXPECTED.KINDS] as number;
    let at = from;
    for (;;) {
      const following = cells[row + (kinds[base + (bytes[at] as number)] as number)] as number;
      if (following < 0) break;
      row = following;
      at++;
    }
    const size = at - from;
    if (
      bytes[at] === LESS_THAN &&
      cells[row] === ENDS &&
      size >= (expected[one + EXPECTED.MIN] as number) &&
      size <= (expected[one + EXPECTED.MAX] as number)
    )
      return at * 4;
  }
  const { text } = judge.types[expected[one + EXPECTED.TYPE] as number] as TypeRule;
  return text === null ? -1 : text.textEnd(bytes, from);
}

function isSame(a: Uint8Array, from: number, b: Uint8Array, start: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (a[from + i] !== b[start + i]) return false;
  return true;
}

/** Hangs an element to its parent and its elder sibling. */
function join(scan: Scan, index: number, open: number, depth: number): void {
  const { cells } = scan.elements;
  const elder = scan.lastChild[depth] as number;
  if (elder >= 0) cells[elder * ELEMENT_ROW + NEXT] = index;
  else if (open >= 0)
    cells[open * ELEMENT_ROW + FLAGS] = (cells[open * ELEMENT_ROW + FLAGS] as number) | FLAG.HAS_CHILDREN;
  scan.lastChild[depth] = index;
}

/** Offset behind the end tag at `at`, which must have the name of the open element; -1 when it has not. */
function endTag(scan: Scan, at: number, length: number, row: number): number {
  const { bytes } = scan;
  const name = (scan.elements.cells[row + START] as number) + 1;
  for (let i = 0; i < length; i++) if (bytes[at + 2 + i] !== bytes[name + i]) return -1;
  let end = at + 2 + length;
  if (bytes[end] === GREATER_THAN) return end + 1;
  while (isSpace(bytes[end] as number)) end++;
  if (bytes[end] !== GREATER_THAN) return -1;
  if (end > at + 2 + length) scan.spot(SPOT_KIND.END_TAG, at + 2 + length, end, row / ELEMENT_ROW);
  return end + 1;
}

/** Reads character data up to the next `<`, whose offset it returns; -1 when it is not mine. */
function text(scan: Scan, from: number, row: number): number {
  const { bytes } = scan;
  const kinds = TEXT;
  let at = from;
  let seen = 0;
  for (;;) {
    // Four at a time while nothing is to be looked at.
    let four = 0;
    do {
      seen |= four;
      four =
        (kinds[bytes[at] as number] as number) |
        (kinds[bytes[at + 1] as number] as number) |
        (kinds[bytes[at + 2] as number] as number) |
        (kinds[bytes[at + 3] as number] as number);
      at += 4;
    } while ((four & LOOK) === 0);
    at -= 4;
    let code = bytes[at] as number;
    let kind = kinds[code] as number;
    while ((kind & LOOK) === 0) {
      seen |= kind;
      code = bytes[++at] as number;
      kind = kinds[code] as number;
    }
    if (code === LESS_THAN) break;
    seen |= kind;
    const after = special(scan, at, code);
    if (after < 0) return -1;
    if (code === AMPERSAND) seen |= (FLAG.CODED << 8) | NOT_SPACE;
    else if (code === CR) seen |= FLAG.CR << 8;
    else seen |= NOT_SPACE;
    at = after;
  }
  const { cells } = scan.elements;
  const flags = (seen & (FLAG.NOT_SPACE | FLAG.NOT_ASCII)) | (seen >> 8);
  cells[row + FLAGS] = (cells[row + FLAGS] as number) | flags;
  return at;
}

/** Looks at a character that is not plain text; returns the offset behind it, or -1. */
function special(scan: Scan, at: number, code: number): number {
  const { bytes } = scan;
  switch (code) {
    case GREATER_THAN:
      scan.spot(SPOT_KIND.GREATER_THAN, at, at + 1, 0);
      return at + 1;
    case CR: {
      scan.spot(SPOT_KIND.CR, at, at + 1, bytes[at + 1] === LF ? 0 : 1);
      return at + 1;
    }
    case AMPERSAND: {
      const end = referenceEnd(bytes, at);
      if (end > 0 && !isCanonicalReference(bytes, at)) scan.spot(SPOT_KIND.REFERENCE, at, end, 0);
      return end;
    }
    case BRACKET:
      return bytes[at + 1] === BRACKET && bytes[at + 2] === GREATER_THAN ? -1 : at + 1;
    case TOP_OF_BMP:
      return isNonCharacter(bytes, at) ? -1 : at + 1;
    default:
      return -1;
  }
}

/** Reads a comment or CDATA section inside the open element; returns the offset behind it, or -1. */
function commentOrCdata(scan: Scan, at: number, open: number): number {
  if (open < 0) return -1;
  const { bytes } = scan;
  const { cells } = scan.elements;
  const flags = open * ELEMENT_ROW + FLAGS;
  if (bytes[at + 2] === DASH) {
    const end = commentEnd(bytes, at);
    cells[flags] = (cells[flags] as number) | FLAG.COMMENT;
    if (end > 0) scan.spot(SPOT_KIND.COMMENT, at, end, open);
    return end;
  }
  for (let i = 0; i < CDATA.length; i++) if (bytes[at + i] !== CDATA[i]) return -1;
  let end = untilDoubled(bytes, at + CDATA.length, BRACKET);
  while (end >= 0 && bytes[end + 2] !== GREATER_THAN) end = untilDoubled(bytes, end + 1, BRACKET);
  if (end < 0) return -1;
  cells[flags] = (cells[flags] as number) | FLAG.CODED | FLAG.NOT_SPACE | FLAG.NOT_ASCII;
  scan.spot(SPOT_KIND.CDATA, at, end + 3, open);
  return end + 3;
}

const CDATA: Uint8Array = Buffer.from('<![CDATA[');

/** Offset of the next two bytes of this kind, one behind the other; -1 where characters that XML forbids come before. */
function untilDoubled(bytes: Uint8Array, from: number, doubled: number): number {
  for (let at = from; ; at++) {
    const code = bytes[at] as number;
    if (code === doubled && bytes[at + 1] === doubled) return at;
    if (code < 0x20 && !isSpace(code)) return -1;
    if (code === TOP_OF_BMP && isNonCharacter(bytes, at)) return -1;
  }
}
