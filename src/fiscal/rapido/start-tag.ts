import { declarationFault } from '../xml/namespaces.ts';
import * as byteConsts from './byte-classes.ts';
import { isSpace } from './byte-classes.ts';
import type { Names } from './names.ts';
import { isNonCharacter, referenceEnd } from './references.ts';
import type { Scan } from './scan-state.ts';
import * as tapeConsts from './tape.ts';

const {
  AMPERSAND,
  APOSTROPHE,
  CONTINUES,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER_THAN,
  LESS_THAN,
  LOOK,
  NAME,
  NOT_ASCII,
  SLASH,
  SPACE,
  STARTS,
  TOP_OF_BMP,
  VALUE,
} = byteConsts;
const { ATTRIBUTE, ATTRIBUTE_ROW } = tapeConsts;

/** Fiscal layouts have at most four of them. */
const MAX_ATTRIBUTES = 32;
export const MAX_URI_BYTES = 200;

/** Reads what stands behind a tag's name, up to its end, into `scan.tagEnd`; false when it is not mine. */
export function scanAttributes(scan: Scan, from: number, depth: number): boolean {
  const { bytes, tagEnd } = scan;
  const first = scan.attributes.count;
  const firstDeclaration = scan.declarations.count;
  let written = 0;
  let at = from;
  tagEnd.canonical = true;
  for (;;) {
    const spaceAt = at;
    while (isSpace(bytes[at] as number)) at++;
    const code = bytes[at] as number;
    if (code === GREATER_THAN || code === SLASH) {
      if (at > spaceAt) tagEnd.canonical = false;
      break;
    }
    if (at === spaceAt) return false;
    if (at !== spaceAt + 1 || bytes[spaceAt] !== SPACE) tagEnd.canonical = false;
    at = scanAttribute(scan, at, depth);
    if (at < 0 || ++written > MAX_ATTRIBUTES) return false;
  }
  tagEnd.empty = bytes[at] === SLASH;
  if (tagEnd.empty) at++;
  if (bytes[at] !== GREATER_THAN) return false;
  tagEnd.at = at + 1;
  if (scan.declarations.count > firstDeclaration) tagEnd.canonical = false;
  return resolve(scan, first) && noTwins(scan, { first, firstDeclaration });
}

/** Reads one attribute or declaration; returns the offset behind its value, or -1. */
function scanAttribute(scan: Scan, from: number, depth: number): number {
  const { bytes, names } = scan;
  let at = from;
  let code = bytes[at] as number;
  if (((NAME[code] as number) & STARTS) === 0) return -1;
  let hash = 0;
  while (((NAME[code] as number) & CONTINUES) !== 0) {
    hash = (Math.imul(hash, 31) + code) | 0;
    code = bytes[++at] as number;
  }
  const name = names.find(bytes, from, at, hash);
  if (name < 0) return -1;
  const equals = at;
  while (isSpace(bytes[at] as number)) at++;
  if (bytes[at] !== EQUALS) return -1;
  at++;
  while (isSpace(bytes[at] as number)) at++;
  const quote = bytes[at] as number;
  if (at !== equals + 1 || quote !== DOUBLE_QUOTE) scan.tagEnd.canonical = false;
  if (quote !== DOUBLE_QUOTE && quote !== APOSTROPHE) return -1;
  const start = at + 1;
  const coded = scanValue(scan, start, quote);
  const end = scan.valueEnd;
  if (coded < 0) return -1;
  if (bytes[from] === 0x78 && isXmlns(scan, name)) {
    return declare(scan, name, { start, end, coded, depth }) ? end + 1 : -1;
  }
  const row = scan.attributes.add();
  const { cells } = scan.attributes;
  cells[row + ATTRIBUTE.NAME] = name;
  cells[row + ATTRIBUTE.PREFIX] = names.prefixOf[name] as number;
  cells[row + ATTRIBUTE.FROM] = start;
  cells[row + ATTRIBUTE.TO] = end;
  cells[row + ATTRIBUTE.CODED] = coded;
  return end + 1;
}

function isXmlns(scan: Scan, name: number): boolean {
  const { names } = scan;
  const prefix = names.prefixOf[name] as number;
  return (
    scan.bindings.isDeclaration(prefix) ||
    (prefix === 0 && names.locals[names.localOf[name] as number] === 'xmlns')
  );
}

/** Reads a value up to its closing quote, into `scan.valueEnd`; 1 when it is not plain ASCII, -1 when not mine. */
function scanValue(scan: Scan, from: number, quote: number): number {
  const { bytes } = scan;
  let at = from;
  let seen = 0;
  let coded = 0;
  for (;;) {
    const code = bytes[at] as number;
    const kind = VALUE[code] as number;
    seen |= kind;
    if ((kind & LOOK) === 0) {
      at++;
      continue;
    }
    if (code === quote) break;
    if (code === LESS_THAN) return -1;
    if (code === AMPERSAND) {
      at = referenceEnd(bytes, at);
      if (at < 0) return -1;
    } else if (code === TOP_OF_BMP) {
      if (isNonCharacter(bytes, at)) return -1;
      at++;
      continue;
    } else {
      // The other quote, or white space that normalisation makes a space; control characters are nobody's.
      if (code < SPACE && !isSpace(code)) return -1;
      at++;
    }
    coded = 1;
    scan.tagEnd.canonical = false;
  }
  scan.valueEnd = at;
  return coded !== 0 || (seen & NOT_ASCII) !== 0 ? 1 : 0;
}

/** Takes a namespace declaration. References in it, and everything beyond ASCII, are left to the slow tier. */
function declare(
  scan: Scan,
  name: number,
  value: { start: number; end: number; coded: number; depth: number },
): boolean {
  const { bytes, names } = scan;
  if (value.coded !== 0 || value.end - value.start > MAX_URI_BYTES) return false;
  const isDefault = names.prefixOf[name] === 0;
  const prefix = isDefault ? 0 : names.addPrefix(names.locals[names.localOf[name] as number] as string);
  const known = names.namespaceAt(bytes, value.start, value.end);
  const namespace = known < 0 ? newNamespace(scan, value, isDefault) : known;
  if (prefix < 0 || namespace < 0 || !scan.bindings.bind(prefix, namespace, value.depth)) return false;
  const row = scan.declarations.add();
  const { cells } = scan.declarations;
  cells[row] = prefix;
  cells[row + 1] = namespace;
  return true;
}

/** When a namespace was allowed once, only its prefix can be wrong, and `bind` looks at that. */
function newNamespace(
  scan: Scan,
  { start, end }: { start: number; end: number },
  isDefault: boolean,
): number {
  const uri = String.fromCharCode(...scan.bytes.subarray(start, end));
  return declarationFault(isDefault ? '' : 'p', uri) === null ? scan.names.namespace(uri) : -1;
}

/** Gives the attributes their namespaces, once all declarations of the tag are known. */
function resolve(scan: Scan, first: number): boolean {
  const { names, bindings, attributes, tagEnd } = scan;
  for (let i = first; i < attributes.count; i++) {
    const row = i * ATTRIBUTE_ROW;
    const { cells } = attributes;
    const name = cells[row] as number;
    const prefix = cells[row + ATTRIBUTE.PREFIX] as number;
    const namespace = prefix === 0 ? 0 : bindings.of(prefix);
    const expanded = namespace < 0 ? -1 : names.expand(namespace, names.localOf[name] as number);
    if (expanded < 0) return false;
    if (prefix !== 0) tagEnd.canonical = false;
    cells[row] = expanded;
  }
  return true;
}

/** No attribute twice, whatever its prefix; no prefix declared twice. Tells too whether they stand in canonical order. */
function noTwins(
  scan: Scan,
  { first, firstDeclaration }: { first: number; firstDeclaration: number },
): boolean {
  const { attributes, declarations, names } = scan;
  for (let i = first + 1; i < attributes.count; i++) {
    const name = attributes.cells[i * ATTRIBUTE_ROW] as number;
    for (let j = first; j < i; j++) if (attributes.cells[j * ATTRIBUTE_ROW] === name) return false;
    const before = attributes.cells[(i - 1) * ATTRIBUTE_ROW] as number;
    if (localName(names, before) > localName(names, name)) scan.tagEnd.canonical = false;
  }
  for (let i = firstDeclaration + 1; i < declarations.count; i++) {
    for (let j = firstDeclaration; j < i; j++) {
      if (declarations.cells[i * 2] === declarations.cells[j * 2]) return false;
    }
  }
  return true;
}

function localName(names: Names, expanded: number): string {
  return names.locals[names.expandedLocal[expanded] as number] as string;
}
