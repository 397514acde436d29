import type { Names } from '../names.ts';
import { ATTRIBUTE, ATTRIBUTE_ROW, ELEMENT, ELEMENT_ROW, FLAG, NOT_PLAIN, type Tape } from '../tape.ts';
import type { TapeTree } from '../view.ts';
import {
  type AttributeRule,
  type Automaton,
  NOWHERE,
  type StepTable,
  TYPE_SKIP,
  type TypeRule,
  type Unique,
} from './automaton.ts';
import { qualified } from './components.ts';
import type { SimpleType } from './simple-type.ts';

const { NAME, FLAGS, CONTENT, CONTENT_END, NEXT, ATTRIBUTES } = ELEMENT;
const NO_SYMBOL = -1;
const UNSEEN = -2;
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

/** Runs an automaton over tapes. It says "valid" or nothing: what it does not accept libxml2 judges. */
export class Judge {
  readonly #automaton: Automaton;
  readonly #steps: StepTable;
  readonly #types: readonly TypeRule[];
  /** Number of a name in the tape's table → its symbol; made anew for each table of names. */
  #symbols = new Int32Array(0);
  #names: Names | null = null;
  /** Values of type xs:ID in the document: each once. */
  readonly #ids = new Set<string>();

  // Of the document that is judged.
  #tree: TapeTree | null = null;
  #bytes: Uint8Array = new Uint8Array(0);
  #elements: Int32Array = new Int32Array(0);
  #attributes: Int32Array = new Int32Array(0);

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#steps = automaton.steps;
    this.#types = automaton.types;
  }

  /** Whether the document is certainly valid. */
  accepts(tree: TapeTree): boolean {
    const { tape } = tree;
    this.#use(tree, tape);
    const { root } = this.#automaton;
    try {
      return (
        this.#symbol(this.#cell(0, NAME)) === root.symbol &&
        this.#element(0, root.type) &&
        this.#unique(0, root.unique)
      );
    } finally {
      this.#tree = null;
      this.#ids.clear();
    }
  }

  #use(tree: TapeTree, tape: Tape): void {
    this.#tree = tree;
    this.#bytes = tape.bytes;
    this.#elements = tape.elements;
    this.#attributes = tape.attributes;
    if (this.#names === tape.names) return;
    this.#names = tape.names;
    this.#symbols = new Int32Array(tape.names.expandedLocal.length).fill(UNSEEN);
  }

  #cell(element: number, column: number): number {
    return this.#elements[element * ELEMENT_ROW + column] as number;
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

  /** Whether an element is valid against a type. Depth is bounded by the scanner. */
  #element(element: number, type: number): boolean {
    if (type < 0) return type === TYPE_SKIP;
    const rule = this.#types[type] as TypeRule;
    const elements = this.#elements;
    const row = element * ELEMENT_ROW;
    const from = elements[row + ATTRIBUTES] as number;
    const to = elements[row + ELEMENT_ROW + ATTRIBUTES] as number;
    if ((from !== to || rule.required > 0) && !this.#attributesFit(rule, from, to)) return false;
    if (rule.text !== null) return this.#textFits(row, rule.text);
    if (rule.start !== NOWHERE) return this.#content(element, rule);
    // No content at all: not even white space.
    return elements[row + CONTENT] === elements[row + CONTENT_END];
  }

  // ---- children ----

  #content(element: number, rule: TypeRule): boolean {
    const elements = this.#elements;
    const flags = elements[element * ELEMENT_ROW + FLAGS] as number;
    if (!rule.mixed && (flags & (FLAG.NOT_SPACE | FLAG.CODED)) !== 0) return false;
    const { stateAccepts, stateMin, stateMax, stateType, stateUnique } = this.#automaton;
    let state = rule.start;
    let count = 1;
    let child = (flags & FLAG.HAS_CHILDREN) === 0 ? 0 : element + 1;
    while (child !== 0) {
      const next = this.#step(state, elements[child * ELEMENT_ROW] as number);
      if (next === state) {
        if (++count > (stateMax[state] as number)) return false;
      } else {
        if (next === NOWHERE || count < (stateMin[state] as number)) return false;
        state = next;
        count = 1;
      }
      if (!this.#element(child, stateType[state] as number)) return false;
      const unique = stateUnique[state];
      if (unique && !this.#unique(child, unique)) return false;
      child = elements[child * ELEMENT_ROW + NEXT] as number;
    }
    return stateAccepts[state] === 1 && count >= (stateMin[state] as number);
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

  #unique(element: number, constraints: readonly Unique[]): boolean {
    for (const { attribute } of constraints) {
      const seen = new Set<string>();
      let child = (this.#cell(element, FLAGS) & FLAG.HAS_CHILDREN) === 0 ? 0 : element + 1;
      for (; child !== 0; child = this.#cell(child, NEXT)) {
        const row = this.#attributeRow(child, attribute);
        if (row < 0) continue;
        const value = this.#valueOf(row);
        if (seen.has(value)) return false;
        seen.add(value);
      }
    }
    return true;
  }

  // ---- attributes ----

  #attributeRow(element: number, symbol: number): number {
    const end = this.#cell(element + 1, ATTRIBUTES);
    for (let i = this.#cell(element, ATTRIBUTES); i < end; i++) {
      if (this.#symbol(this.#attributes[i * ATTRIBUTE_ROW] as number) === symbol) return i * ATTRIBUTE_ROW;
    }
    return -1;
  }

  #attributesFit(rule: TypeRule, from: number, to: number): boolean {
    let missing = rule.required;
    for (let i = from; i < to; i++) {
      const row = i * ATTRIBUTE_ROW;
      const name = this.#attributes[row] as number;
      const symbol = this.#symbol(name);
      const known = rule.attributes.find((candidate) => candidate.symbol === symbol);
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
    return this.#tree?.valueAt(row) ?? '';
  }

  #valueFits({ fixed, type }: AttributeRule, row: number): boolean {
    const coded = this.#attributes[row + ATTRIBUTE.CODED] !== 0;
    const from = this.#attributes[row + ATTRIBUTE.FROM] as number;
    const to = this.#attributes[row + ATTRIBUTE.TO] as number;
    // The only value is one of the type: the schema would not compile otherwise.
    if (fixed !== null) return !coded && isText(this.#bytes, from, to, fixed);
    if (type.isId && !this.#isNewId(row)) return false;
    return coded ? this.#decodedFits(type, this.#valueOf(row)) : type.accepts(this.#bytes, from, to);
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
    if ((flags & NOT_PLAIN) === 0 && !type.isId) {
      return type.accepts(
        this.#bytes,
        elements[row + CONTENT] as number,
        elements[row + CONTENT_END] as number,
      );
    }
    // An xs:ID in text, or a comment inside a value, is for libxml2.
    if ((flags & (FLAG.HAS_CHILDREN | FLAG.COMMENT)) !== 0 || type.isId) return false;
    return this.#decodedFits(type, this.#tree?.at(row / ELEMENT_ROW).text() ?? '');
  }

  #decodedFits(type: SimpleType, text: string): boolean {
    const bytes = Buffer.from(text, 'utf8');
    return type.accepts(bytes, 0, bytes.length);
  }
}

/** Whether the bytes are this text, in ASCII. */
function isText(bytes: Uint8Array, from: number, to: number, text: Uint8Array): boolean {
  if (to - from !== text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[from + i] !== text[i]) return false;
  return true;
}
