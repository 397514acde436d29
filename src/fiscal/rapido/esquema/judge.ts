import * as scanConsts from '../../xml/scan.ts';
import { leafText, normalizeAttribute } from '../../xml/text.ts';
import type { Names } from '../names.ts';
import type { Tape } from '../tape.ts';
import * as tapeConsts from '../tape.ts';
import type { AttributeRule, Automaton, StepTable, TypeRule, Unique } from './automaton.ts';
import * as automatonConsts from './automaton.ts';
import { qualified } from './components.ts';
import type { PatternTables } from './dfa.ts';
import type { SimpleType } from './simple-type.ts';

const { XML_LIMITS } = scanConsts;
const { ATTRIBUTE, ATTRIBUTE_ROW, ELEMENT, ELEMENT_ROW, FLAG, NOT_PLAIN } = tapeConsts;
const { NOWHERE, TYPE_SKIP } = automatonConsts;

const { NAME, FLAGS, CONTENT, CONTENT_END, PARENT, NEXT, ATTRIBUTES } = ELEMENT;
const NO_SYMBOL = -1;
const UNSEEN = -2;
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
/** The scanner's depth, and the place of the root's parent. */
const DEPTHS: number = XML_LIMITS.depth + 1;
/** More children than this are compared through a set. */
const FEW = 16;

/** Columns of {@link Judge.expected}. */
export const EXPECTED = {
  /** Where the name stands among the bytes of all names, and its length; length 0: nothing is expected. */
  FROM: 0,
  LENGTH: 1,
  /** Number of namespace and name together, and of the namespace, which has to be the default one. */
  NAME: 2,
  NAMESPACE: 3,
  /** State behind the child, and type of the child: it has no attributes. */
  NEXT: 4,
  TYPE: 5,
  /** 1 where the step needs no counting. */
  ONCE: 6,
  /** First state of the pattern that judges its text, -1 for none; where the kinds of its bytes begin. */
  TEXT: 7,
  KINDS: 8,
  /** Lengths in bytes that are right whatever the characters. */
  MIN: 9,
  MAX: 10,
} as const;
/** With these a row fills a line of the processor's cache. */
export const EXPECTED_ROW = 16;
/** A place of which layouts have a choice, or where an element may be missing, has two likely successors. */
export const EXPECTED_NEXT = 2;

/** Elements and attributes as they stand on a tape, or on one that is being written. */
type Source = Pick<Tape, 'names' | 'bytes' | 'elements' | 'attributes'>;

/**
 * Runs an automaton over a document, told of each start tag and end tag in turn: while it is scanned, or from its
 * tape. It says "certain" or nothing: what it does not accept libxml2 judges.
 */
export class Judge {
  readonly #automaton: Automaton;
  readonly #steps: StepTable;
  readonly types: readonly TypeRule[];
  readonly patterns: PatternTables;
  /** Number of a name in the tape's table → its symbol; made anew for each table of names. */
  #symbols = new Int32Array(0);
  #names: Names | null = null;
  /** By state: the children that came next lately, {@link EXPECTED_NEXT} of them; see {@link EXPECTED}. */
  expected: Int32Array;
  /**
   * Values of type xs:ID in the document: each once. A new set for each document that has any, never one that is
   * cleared: what V8 has cleared points to what came in its place, so that an old one keeps alive all that came behind
   * it, an import's texts among them (40 MB, and their copying).
   */
  #ids = new Set<string>();

  // State of the document that is judged.
  #bytes: Buffer = Buffer.alloc(0);
  #elements: Int32Array = new Int32Array(0);
  #attributes: Int32Array = new Int32Array(0);
  /** By depth of an open element (the root's is 1): its type, and where its content has got to. */
  readonly #typeAt = new Int32Array(DEPTHS);
  readonly stateAt: Int32Array = new Int32Array(DEPTHS);
  readonly #countAt = new Int32Array(DEPTHS);
  /** Depth of the element in which anything may stand; 0 outside of one. */
  skipping = 0;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#steps = automaton.steps;
    this.types = automaton.types;
    this.patterns = automaton.patterns;
    this.expected = new Int32Array(automaton.stateType.length * EXPECTED_ROW * EXPECTED_NEXT);
  }

  /** Whether a document is certainly valid. */
  accepts(tape: Tape): boolean {
    this.begin(tape);
    const { elements, count } = tape;
    let depth = 1;
    for (let index = 0; index < count; index++) {
      let row = index * ELEMENT_ROW;
      if (!this.open(row, depth)) return false;
      if (((elements[row + FLAGS] as number) & FLAG.HAS_CHILDREN) !== 0) {
        depth++;
        continue;
      }
      for (;;) {
        if (!this.close(row, depth)) return false;
        if (depth === 1) return true;
        if (elements[row + NEXT] !== 0) break;
        row = (elements[row + PARENT] as number) * ELEMENT_ROW;
        depth--;
      }
    }
    return false;
  }

  begin({ names, bytes, elements, attributes }: Source): void {
    this.#bytes = bytes;
    this.#elements = elements;
    this.#attributes = attributes;
    this.skipping = 0;
    this.stateAt[0] = NOWHERE;
    if (this.#ids.size > 0) this.#ids = new Set();
    if (this.#names === names) return;
    this.#names = names;
    this.#symbols = new Int32Array(names.expandedLocal.length).fill(UNSEEN);
    this.expected.fill(0);
  }

  #symbol(name: number): number {
    const known = this.#symbols[name] as number;
    return known === UNSEEN ? this.#lookUp(name) : known;
  }

  #lookUp(name: number): number {
    const names = this.#names as Names;
    const namespace = names.namespaces[names.expandedNamespace[name] as number] as string;
    const local = names.locals[names.expandedLocal[name] as number] as string;
    const symbol = this.#automaton.symbols.get(qualified(namespace, local)) ?? NO_SYMBOL;
    this.#symbols[name] = symbol;
    return symbol;
  }

  // ---- elements ----

  /** A start tag, whose row begins at `row`; `depth` is the element's own. False: the document is not certainly valid. */
  open(row: number, depth: number): boolean {
    if (this.skipping > 0) return true;
    const name = this.#elements[row + NAME] as number;
    let type: number;
    if (depth === 1) {
      const { root } = this.#automaton;
      if (this.#symbol(name) !== root.symbol) return false;
      type = root.type;
    } else {
      const state = this.stateAt[depth - 1] as number;
      // Text only, or nothing at all.
      if (state === NOWHERE) return false;
      const next = this.#nextOf(state, name);
      if (next === NOWHERE || !this.advance(next, depth - 1)) return false;
      type = this.#automaton.stateType[next] as number;
    }
    if (type === TYPE_SKIP) this.skipping = depth;
    if (type < 0) return type === TYPE_SKIP;
    const rule = this.types[type] as TypeRule;
    const from = this.#elements[row + ATTRIBUTES] as number;
    const to = this.#attributesEnd(row);
    if ((from !== to || rule.required > 0) && !this.#attributesFit(rule, from, to)) return false;
    this.enter(type, depth);
    return true;
  }

  /** {@link advance} to a place that needs no counting, from one that is done. */
  advanceOnce(next: number, depth: number): void {
    this.stateAt[depth] = next;
    this.#countAt[depth] = 1;
  }

  /** Goes on to the next place in the content of the element at a depth; false when it may not stand there. */
  advance(next: number, depth: number): boolean {
    const state = this.stateAt[depth] as number;
    const count = this.#countAt[depth] as number;
    const { stateMin, stateMax } = this.#automaton;
    if (next === state) {
      this.#countAt[depth] = count + 1;
      return count < (stateMax[state] as number);
    }
    this.stateAt[depth] = next;
    this.#countAt[depth] = 1;
    return count >= (stateMin[state] as number);
  }

  /** The content of an element of this type begins. */
  enter(type: number, depth: number): void {
    this.#typeAt[depth] = type;
    this.stateAt[depth] = (this.types[type] as TypeRule).start;
    this.#countAt[depth] = 1;
  }

  /**
   * What the last child of an element was, is expected of the next document too.
   *
   * @param name.length of the name that stands for all of its start tag, without prefix and attributes; 0: the tag
   *   has to be read, and only the step is expected
   */
  expect(state: number, depth: number, name: { row: number; from: number; length: number }): void {
    if (state === NOWHERE || this.skipping > 0) return;
    const next = this.stateAt[depth] as number;
    const type = this.#automaton.stateType[next] as number;
    const expanded = this.#elements[name.row + NAME] as number;
    const first = state * EXPECTED_ROW * EXPECTED_NEXT;
    const isKnown =
      this.expected[first + EXPECTED.NAME] === expanded ||
      this.expected[first + EXPECTED_ROW + EXPECTED.NAME] === expanded;
    if (type < 0 || (isKnown && name.length === 0)) return;
    const { expected } = this;
    const at = state * EXPECTED_ROW * EXPECTED_NEXT;
    expected.copyWithin(at + EXPECTED_ROW, at, at + EXPECTED_ROW);
    expected[at + EXPECTED.FROM] = name.from;
    expected[at + EXPECTED.LENGTH] = name.length;
    expected[at + EXPECTED.NAME] = expanded;
    expected[at + EXPECTED.NAMESPACE] = (this.#names as Names).expandedNamespace[expanded] as number;
    expected[at + EXPECTED.NEXT] = next;
    expected[at + EXPECTED.TYPE] = type;
    expected[at + EXPECTED.ONCE] = next !== state && (this.#automaton.stateMin[state] as number) <= 1 ? 1 : 0;
    const { text } = this.types[type] as TypeRule;
    const pattern = text?.textPattern ?? null;
    expected[at + EXPECTED.TEXT] = pattern?.start ?? -1;
    expected[at + EXPECTED.KINDS] = pattern?.textKinds ?? 0;
    expected[at + EXPECTED.MIN] = text?.sureLengths.min ?? 0;
    expected[at + EXPECTED.MAX] = text?.sureLengths.max ?? 0;
  }

  /** An end tag: the row is whole. False: the document is not certainly valid. */
  close(row: number, depth: number): boolean {
    if (this.skipping > 0) {
      if (this.skipping < depth) return true;
      this.skipping = 0;
    } else if (!this.#contentFits(row, depth)) return false;
    const unique =
      depth === 1
        ? this.#automaton.root.unique
        : this.#automaton.stateUnique[this.stateAt[depth - 1] as number];
    return !unique || unique.length === 0 || this.#unique(row, unique);
  }

  #contentFits(row: number, depth: number): boolean {
    const elements = this.#elements;
    const rule = this.types[this.#typeAt[depth] as number] as TypeRule;
    if (rule.text !== null) return this.#textFits(row, rule.text);
    // No content at all: not even white space.
    if (rule.start === NOWHERE) return elements[row + CONTENT] === elements[row + CONTENT_END];
    if (!rule.mixed && ((elements[row + FLAGS] as number) & (FLAG.NOT_SPACE | FLAG.CODED)) !== 0)
      return false;
    const state = this.stateAt[depth] as number;
    const { stateAccepts, stateMin } = this.#automaton;
    return stateAccepts[state] === 1 && (this.#countAt[depth] as number) >= (stateMin[state] as number);
  }

  // ---- children ----

  /** {@link #step}, looked up first among what came next lately. */
  #nextOf(state: number, name: number): number {
    const { expected } = this;
    const at = state * EXPECTED_ROW * EXPECTED_NEXT;
    if (expected[at + EXPECTED.NAME] === name) return expected[at + EXPECTED.NEXT] as number;
    const other = at + EXPECTED_ROW;
    return expected[other + EXPECTED.NAME] === name
      ? (expected[other + EXPECTED.NEXT] as number)
      : this.#step(state, name);
  }

  #step(state: number, name: number): number {
    const known = this.#symbols[name] as number;
    const symbol = known === UNSEEN ? this.#lookUp(name) : known;
    const next = symbol === NO_SYMBOL ? NOWHERE : this.#steps.get(state, symbol);
    return next === NOWHERE ? this.#wild(state, name) : next;
  }

  #wild(state: number, name: number): number {
    const wild = this.#automaton.stateWild[state] as number;
    if (wild === NOWHERE) return NOWHERE;
    const names = this.#names as Names;
    const namespace = names.namespaces[names.expandedNamespace[name] as number];
    const otherThan = this.#automaton.wildOtherThan[wild];
    // "Other" is neither the schema's own namespace nor none.
    return otherThan !== null && (namespace === otherThan || namespace === '') ? NOWHERE : wild;
  }

  #unique(row: number, constraints: readonly Unique[]): boolean {
    return constraints.every(({ attribute }) => {
      const values: string[] = [];
      const elements = this.#elements;
      let child = ((elements[row + FLAGS] as number) & FLAG.HAS_CHILDREN) === 0 ? 0 : row / ELEMENT_ROW + 1;
      for (; child !== 0; child = elements[child * ELEMENT_ROW + NEXT] as number) {
        const found = this.#attributeRow(child * ELEMENT_ROW, attribute);
        if (found >= 0) values.push(this.#valueOf(found));
      }
      return values.length > FEW
        ? new Set(values).size === values.length
        : values.every((value, i) => values.indexOf(value) === i);
    });
  }

  // ---- attributes ----

  /** Where an element's attributes end: there those of the next row begin. */
  #attributesEnd(row: number): number {
    return this.#elements[row + ELEMENT_ROW + ATTRIBUTES] as number;
  }

  #attributeRow(row: number, symbol: number): number {
    const end = this.#attributesEnd(row);
    for (let i = this.#elements[row + ATTRIBUTES] as number; i < end; i++) {
      if (this.#symbol(this.#attributes[i * ATTRIBUTE_ROW] as number) === symbol) return i * ATTRIBUTE_ROW;
    }
    return -1;
  }

  #attributesFit(rule: TypeRule, from: number, to: number): boolean {
    let missing = rule.required;
    for (let i = from; i < to; i++) {
      const row = i * ATTRIBUTE_ROW;
      const name = this.#attributes[row] as number;
      const known = ruleOf(rule.attributes, this.#symbol(name));
      if (known === undefined) {
        if (!rule.anyAttribute || this.#isOfSchemas(name)) return false;
      } else {
        if (known.required) missing--;
        if (!this.#valueFits(known, row)) return false;
      }
    }
    return missing === 0;
  }

  /** `xsi:type`, `xsi:nil` and their like change what counts. */
  #isOfSchemas(name: number): boolean {
    const names = this.#names as Names;
    return names.namespaces[names.expandedNamespace[name] as number] === XSI;
  }

  #valueOf(row: number): string {
    const from = this.#attributes[row + ATTRIBUTE.FROM] as number;
    const to = this.#attributes[row + ATTRIBUTE.TO] as number;
    if (this.#attributes[row + ATTRIBUTE.CODED] === 0) return this.#bytes.toString('latin1', from, to);
    return normalizeAttribute(this.#bytes.toString('utf8', from, to));
  }

  #valueFits({ fixed, type }: AttributeRule, row: number): boolean {
    const coded = this.#attributes[row + ATTRIBUTE.CODED] !== 0;
    const from = this.#attributes[row + ATTRIBUTE.FROM] as number;
    const to = this.#attributes[row + ATTRIBUTE.TO] as number;
    // The only value is one of the type: the schema would not compile otherwise.
    if (fixed !== null) return !coded && isText(this.#bytes, from, to, fixed);
    if (type.isId && !this.#isNewId(row)) return false;
    return coded ? decodedFits(type, this.#valueOf(row)) : type.accepts(this.#bytes, from, to);
  }

  #isNewId(row: number): boolean {
    const value = this.#valueOf(row);
    if (this.#ids.has(value)) return false;
    this.#ids.add(value);
    return true;
  }

  // ---- text ----

  #textFits(row: number, type: SimpleType): boolean {
    const elements = this.#elements;
    const flags = elements[row + FLAGS] as number;
    const from = elements[row + CONTENT] as number;
    const to = elements[row + CONTENT_END] as number;
    if ((flags & NOT_PLAIN) === 0 && !type.isId) return type.accepts(this.#bytes, from, to);
    // An xs:ID in text, or a comment inside a value, is for libxml2.
    if ((flags & (FLAG.HAS_CHILDREN | FLAG.COMMENT)) !== 0 || type.isId) return false;
    return decodedFits(type, leafText(this.#bytes, from, to));
  }
}

function ruleOf(rules: readonly AttributeRule[], symbol: number): AttributeRule | undefined {
  for (const rule of rules) if (rule.symbol === symbol) return rule;
  return undefined;
}

function decodedFits(type: SimpleType, text: string): boolean {
  const bytes = Buffer.from(text, 'utf8');
  return type.accepts(bytes, 0, bytes.length);
}

/** Whether the bytes are this text, in ASCII. */
function isText(bytes: Uint8Array, from: number, to: number, text: Uint8Array): boolean {
  if (to - from !== text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[from + i] !== text[i]) return false;
  return true;
}
