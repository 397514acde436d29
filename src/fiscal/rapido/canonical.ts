import {
  type C14nOptions,
  compareAttributes,
  compareCodePoints,
  escapeAttribute,
  escapeText,
  qualifiedName,
} from '../xml/c14n-text.ts';
import { normalizeLineEnds, resolveReferences } from '../xml/text.ts';
import type { XmlElement } from '../xml/tree.ts';
import type { Tape } from './tape.ts';
import * as tapeConsts from './tape.ts';
import { TapeElement } from './view.ts';

const { DECLARATION_ROW, ELEMENT, ELEMENT_ROW, SPOT, SPOT_KIND, SPOT_ROW } = tapeConsts;

const { START, PREFIX, PARENT, DECLARATIONS } = ELEMENT;
const CDATA_OPEN = '<![CDATA['.length;
const CDATA_CLOSE = ']]>'.length;

/**
 * Canonical form of an element of a tape: the bytes as they stand between the places that the scanner found not to be
 * canonical, and those written anew. Null for what is better walked through element by element: declarations inside,
 * comments that count, several prefixes in the exclusive form. The bytes hold until the next call.
 * @fonte Canonical XML 1.0; Exclusive XML Canonicalization 1.0
 */
export function canonicalTape(element: XmlElement, options: C14nOptions): Uint8Array | null {
  if (!(element instanceof TapeElement) || options.omit) return null;
  const { tape } = element.tree;
  if (!hasPlainNames(tape, element, options)) return null;
  const inherited = options.exclusive ? null : inheritedDefault(element);
  if (inherited !== null) {
    // The tag is canonical as it stands, but for the namespace that it inherits.
    const nameEnd = element.start + 1 + element.localName.length;
    const output = new Output(tape.bytes, element, `<${element.localName}${inherited}`, nameEnd);
    return writeSpots(element, options, output) ? output.finish(element.end) : null;
  }
  const tag = apexTag(element, options);
  if (element.contentStart === element.end) return Buffer.from(`${tag}</${qualifiedName(element)}>`);
  const output = new Output(tape.bytes, element, tag, element.contentStart);
  return writeSpots(element, options, output) ? output.finish(element.end) : null;
}

/** Whether no element inside declares namespaces; in the exclusive form also, whether one prefix serves them all. */
function hasPlainNames({ elements, count }: Tape, apex: TapeElement, options: C14nOptions): boolean {
  const { end } = apex;
  const first = apex.index * ELEMENT_ROW;
  let row = first + ELEMENT_ROW;
  const last = count * ELEMENT_ROW;
  if (!options.exclusive) {
    const next = elements[first + ELEMENT.NEXT] as number;
    row = next > 0 ? next * ELEMENT_ROW : rowBehind(elements, last, row, end);
    return elements[first + ELEMENT_ROW + DECLARATIONS] === elements[row + DECLARATIONS];
  }
  if ((options.inclusivePrefixes?.length ?? 0) > 0) return false;
  const prefix = elements[first + PREFIX];
  while (row < last && (elements[row + START] as number) < end) {
    if (elements[row + PREFIX] !== prefix) return false;
    row += ELEMENT_ROW;
  }
  return elements[first + ELEMENT_ROW + DECLARATIONS] === elements[row + DECLARATIONS];
}

function rowBehind(elements: Int32Array, last: number, from: number, end: number): number {
  let row = from;
  while (row < last && (elements[row + START] as number) < end) row += ELEMENT_ROW;
  return row;
}

/**
 * Declaration of the default namespace that an element inherits, as canonical form writes it, where nothing else in
 * its start tag has to be written anew: no prefix, no declarations, attributes in their order, an end tag of its own.
 */
function inheritedDefault({ tree, index, start, contentStart, end }: TapeElement): string | null {
  const { elements, declarations, names, spots } = tree.tape;
  if (elements[index * ELEMENT_ROW + PREFIX] !== 0 || contentStart === end) return null;
  const spot = firstSpot(spots, start);
  if (spot < spots.length && (spots[spot + SPOT.FROM] as number) < contentStart) return null;
  let namespace = -1;
  for (let at = index; at >= 0; at = elements[at * ELEMENT_ROW + PARENT] as number) {
    const last = elements[(at + 1) * ELEMENT_ROW + DECLARATIONS] as number;
    for (let i = elements[at * ELEMENT_ROW + DECLARATIONS] as number; i < last; i++) {
      if (at === index || declarations[i * DECLARATION_ROW] !== 0) return null;
      if (namespace < 0) namespace = declarations[i * DECLARATION_ROW + 1] as number;
    }
  }
  return namespace <= 0 ? '' : ` xmlns="${escapeAttribute(names.namespaces[namespace] as string)}"`;
}

/** Start tag of the apex, with the namespaces that it inherits. */
function apexTag(apex: TapeElement, { exclusive }: C14nOptions): string {
  const attributes = [...apex.attributes].sort(compareAttributes);
  const bindings = exclusive
    ? [
        [apex.prefix, apex.namespace] as const,
        ...attributes.filter((a) => a.prefix !== '').map((a) => [a.prefix, a.namespace] as const),
      ]
    : [...bindingsInScope(apex)];
  const declared = new Map(bindings.filter(([prefix, uri]) => prefix !== '' || uri !== ''));
  let tag = `<${qualifiedName(apex)}`;
  for (const [prefix, uri] of [...declared].sort(([a], [b]) => compareCodePoints(a, b))) {
    tag += ` ${prefix === '' ? 'xmlns' : `xmlns:${prefix}`}="${escapeAttribute(uri)}"`;
  }
  return `${tag + writtenAttributes(attributes)}>`;
}

function writtenAttributes(
  attributes: readonly { prefix: string; localName: string; value: string }[],
): string {
  return attributes.map((a) => ` ${qualifiedName(a)}="${escapeAttribute(a.value)}"`).join('');
}

/** Prefix → namespace as they hold at an element; the nearest declaration wins. */
function bindingsInScope({ tree, index }: TapeElement): Map<string, string> {
  const { elements, declarations, names } = tree.tape;
  const bindings = new Map<string, string>();
  for (let at = index; at >= 0; at = elements[at * ELEMENT_ROW + PARENT] as number) {
    const last = elements[(at + 1) * ELEMENT_ROW + DECLARATIONS] as number;
    for (let i = elements[at * ELEMENT_ROW + DECLARATIONS] as number; i < last; i++) {
      const prefix = names.prefixes[declarations[i * DECLARATION_ROW] as number] as string;
      if (!bindings.has(prefix)) {
        bindings.set(prefix, names.namespaces[declarations[i * DECLARATION_ROW + 1] as number] as string);
      }
    }
  }
  return bindings;
}

/** Writes what is not canonical inside the apex; false where the walk through the elements has to do it. */
function writeSpots(apex: TapeElement, options: C14nOptions, output: Output): boolean {
  const { tape } = apex.tree;
  const { spots } = tape;
  const from = apex.contentStart;
  const to = apex.end;
  for (let row = firstSpot(spots, from); row < spots.length; row += SPOT_ROW) {
    const start = spots[row + SPOT.FROM] as number;
    if (start >= to) break;
    const text = spotText(apex, row, options);
    if (text === null) return false;
    output.replace(start, spots[row + SPOT.TO] as number, text);
  }
  return true;
}

/** Row of the first spot at or behind an offset. */
function firstSpot(spots: Int32Array, offset: number): number {
  let low = 0;
  let high = spots.length / SPOT_ROW;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spots[middle * SPOT_ROW + SPOT.FROM] as number) < offset) low = middle + 1;
    else high = middle;
  }
  return low * SPOT_ROW;
}

function spotText(apex: TapeElement, row: number, options: C14nOptions): string | null {
  const { tree } = apex;
  const { spots, bytes } = tree.tape;
  const from = spots[row + SPOT.FROM] as number;
  const to = spots[row + SPOT.TO] as number;
  const element = spots[row + SPOT.ELEMENT] as number;
  switch (spots[row]) {
    case SPOT_KIND.EMPTY_TAG:
      return `></${qualifiedName(tree.at(element))}>`;
    case SPOT_KIND.GREATER_THAN:
      return '&gt;';
    case SPOT_KIND.CR:
      // CRLF loses its CR; a lone CR becomes LF.
      return element === 0 ? '' : '\n';
    case SPOT_KIND.REFERENCE:
      return escapeText(resolveReferences(bytes.toString('latin1', from, to)));
    case SPOT_KIND.CDATA:
      return escapeText(normalizeLineEnds(bytes.toString('utf8', from + CDATA_OPEN, to - CDATA_CLOSE)));
    case SPOT_KIND.COMMENT:
      return options.withComments ? null : '';
    case SPOT_KIND.START_TAG:
      return startTag(tree.at(element), options);
    case SPOT_KIND.END_TAG:
      return '';
    default:
      return null;
  }
}

/** Start tag of an element below the apex, up to but without its `>` or `/>`. */
function startTag(element: TapeElement, { exclusive }: C14nOptions): string | null {
  const attributes = [...element.attributes].sort(compareAttributes);
  if (exclusive && attributes.some(({ prefix }) => prefix !== '')) return null;
  return `<${qualifiedName(element)}${writtenAttributes(attributes)}`;
}

/** Where canonical forms are written, one after the other: they are digested at once, and not kept. */
const shared: Buffer = Buffer.allocUnsafeSlow(256 * 1024);

/** Copies stretches of the document, and what replaces others, into one block. */
class Output {
  readonly #bytes: Buffer;
  #out: Buffer;
  #length: number;
  /** The document is written up to here. */
  #done: number;

  /** @param tag what is written instead of everything up to `done` */
  constructor(bytes: Buffer, apex: TapeElement, tag: string, done: number) {
    this.#bytes = bytes;
    this.#done = done;
    const size = apex.end - done + tag.length * 3 + 256;
    this.#out = size <= shared.length ? shared : Buffer.allocUnsafe(size);
    this.#length = this.#out.write(tag, 0, 'utf8');
  }

  replace(from: number, to: number, text: string): void {
    this.#copy(from);
    this.#done = to;
    if (text === '') return;
    this.#reserve(text.length * 3);
    this.#length += this.#out.write(text, this.#length, 'utf8');
  }

  finish(end: number): Uint8Array {
    this.#copy(end);
    return this.#out.subarray(0, this.#length);
  }

  #copy(to: number): void {
    this.#reserve(to - this.#done);
    this.#length += this.#bytes.copy(this.#out, this.#length, this.#done, to);
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#out.length) return;
    const larger = Buffer.allocUnsafe((this.#length + size) * 2);
    this.#out.copy(larger, 0, 0, this.#length);
    this.#out = larger;
  }
}
