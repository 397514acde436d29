import * as byteConsts from '../byte-classes.ts';
import { entityAt, entitySize } from '../references.ts';
import { buildNfa, type Nfa } from './nfa.ts';
import type { Expression } from './pattern.ts';
import { Unsupported } from './unsupported.ts';

const { AMPERSAND, LESS_THAN, LOOK, TEXT, TOP_OF_BMP } = byteConsts;

/** Marks a step that was not taken yet, and one that leads nowhere. */
const UNKNOWN = -1;
const DEAD = -2;
/** First in each row, where bytes lead that have no kind: whether the text may end in this state. */
export const ENDS = -3;
const GOES_ON = -4;
/** What was met in a text. */
export const READ = { NOT_ASCII: 1, CODED: 2 } as const;
/** Kind of a byte that is no plain character: `<`, what is to be looked at, the first byte of a character beyond ASCII. */
const NO_KIND = 0;
/** A pattern that needs more is given up: then it matches nothing here, and libxml2 is asked. */
const MAX_STATES = 4096;
const MAX_KINDS = 255;
/** Cells that the patterns of one schema share; what needs more is given up in the same way. */
const MAX_CELLS = 1 << 22;

/**
 * Memory of all patterns of a schema: close together, as a document asks a hundred of them in turn. A state goes by
 * the place where its row begins.
 */
export class PatternTables {
  /** Row of a state, plus the kind of a byte → row of the next state. */
  cells: Int32Array = new Int32Array(1 << 14);
  #used = 0;
  /** By byte, from where a pattern's kinds begin: the kind. Patterns that tell the same bytes apart share them. */
  kinds: Uint8Array = new Uint8Array(256 * 16);
  #kindsUsed = 0;
  readonly #knownKinds = new Map<string, number>();
  readonly #known = new Map<Expression, Dfa>();

  /** @throws Unsupported when the pattern is too large */
  of(expression: Expression): Dfa {
    const dfa = this.#known.get(expression) ?? new Dfa(expression, this);
    this.#known.set(expression, dfa);
    return dfa;
  }

  /** Where a new row of this width begins; -1 when there is no more room. */
  addRow(width: number, endsHere: boolean): number {
    const row = this.#used;
    if (row + width > MAX_CELLS) return -1;
    this.#used += width;
    if (this.#used > this.cells.length) {
      const larger = new Int32Array(this.cells.length * 2);
      larger.set(this.cells);
      this.cells = larger;
    }
    this.cells.fill(UNKNOWN, row, row + width);
    this.cells[row] = endsHere ? ENDS : GOES_ON;
    return row;
  }

  addKinds(kinds: readonly number[]): number {
    const key = kinds.join();
    const known = this.#knownKinds.get(key);
    if (known !== undefined) return known;
    const at = this.#kindsUsed;
    if (at + 256 > this.kinds.length) {
      const larger = new Uint8Array(this.kinds.length * 2);
      larger.set(this.kinds);
      this.kinds = larger;
    }
    this.kinds.set(kinds, at);
    this.#kindsUsed = at + 256;
    this.#knownKinds.set(key, at);
    return at;
  }
}

/**
 * A deterministic automaton over UTF-8 bytes. Its states are found as texts ask for them and kept, so that a pattern
 * costs what documents use of it.
 */
export class Dfa {
  readonly #nfa: Nfa;
  readonly #tables: PatternTables;
  /** Code points at which the kind of character changes, ascending from 0; kinds are numbered by them, from 1. */
  readonly #bounds: readonly number[];
  /** Where the kinds of bytes begin, in any text and in text as it stands between tags. */
  readonly #kinds: number;
  readonly textKinds: number;
  /** Row of the first state. */
  readonly start: number;
  /** By row: the places in the pattern that the state stands for. */
  readonly #places = new Map<number, readonly number[]>();
  readonly #known = new Map<string, number>();

  constructor(expression: Expression, tables: PatternTables) {
    this.#nfa = buildNfa(expression);
    this.#tables = tables;
    const bounds = new Set([0]);
    for (const step of this.#nfa.steps)
      for (const [first, last] of step?.ranges ?? []) bounds.add(first).add(last + 1);
    this.#bounds = [...bounds].sort((a, b) => a - b);
    if (this.#bounds.length > MAX_KINDS) throw new Unsupported('pattern with too many kinds of characters');
    const kinds = Array.from({ length: 256 }, (_, code) => (code < 0x80 ? this.#kindOf(code) : NO_KIND));
    this.#kinds = tables.addKinds(kinds);
    this.textKinds = tables.addKinds(
      kinds.map((kind, code) => (((TEXT[code] as number) & LOOK) === 0 ? kind : NO_KIND)),
    );
    this.start = this.#stateOf([this.#nfa.start]);
    if (this.start < 0) throw new Unsupported('patterns too large');
  }

  /** Whether the text in `bytes[from..to)`, valid UTF-8, matches as a whole. */
  matches(bytes: Uint8Array, from: number, to: number): boolean {
    const { kinds } = this.#tables;
    const base = this.#kinds;
    let row = this.start;
    let at = from;
    for (;;) {
      const { cells } = this.#tables;
      // Nothing is called in this loop: then it is a handful of instructions.
      while (at < to) {
        const following = cells[row + (kinds[base + (bytes[at] as number)] as number)] as number;
        if (following < 0) break;
        row = following;
        at++;
      }
      if (at >= to) return cells[row] === ENDS;
      row = this.#follow(row, bytes, at) | 0;
      if (row < 0) return false;
      at += sizeOf(bytes[at] as number);
    }
  }

  /**
   * Reads text up to the tag that ends it, in one go with matching it: four times the offset of its `<`, and the bits
   * of {@link READ}; -1 where it does not match, or holds what is better looked at.
   * @param bytes with a NUL behind the document, where the loops end
   */
  textEnd(bytes: Uint8Array, from: number): number {
    const { kinds } = this.#tables;
    const base = this.textKinds;
    let row = this.start;
    let at = from;
    let read = 0;
    for (;;) {
      const { cells } = this.#tables;
      for (;;) {
        const following = cells[row + (kinds[base + (bytes[at] as number)] as number)] as number;
        if (following < 0) break;
        row = following;
        at++;
      }
      const byte = bytes[at] as number;
      if (byte === LESS_THAN) return cells[row] === ENDS ? at * 4 + read : -1;
      if (byte === AMPERSAND) {
        const code = entityAt(bytes, at) | 0;
        if (code < 0) return -1;
        row = this.#followKind(row, this.#kindOf(code)) | 0;
        read |= READ.CODED;
        at += entitySize(code);
      } else {
        if (((TEXT[byte] as number) & LOOK) !== 0 || byte === TOP_OF_BMP) return -1;
        if (byte >= 0x80) read |= READ.NOT_ASCII;
        row = this.#follow(row, bytes, at) | 0;
        at += sizeOf(byte);
      }
      if (row < 0) return -1;
    }
  }

  /** Row of the state that the character at an offset leads to; negative for none. */
  #follow(row: number, bytes: Uint8Array, at: number): number {
    const byte = bytes[at] as number;
    return this.#followKind(row, this.#kindOf(byte < 0x80 ? byte : codePoint(bytes, at)));
  }

  #followKind(row: number, kind: number): number {
    const following = this.#tables.cells[row + kind] as number;
    return following === UNKNOWN ? this.#step(row, kind) : following;
  }

  #kindOf(code: number): number {
    let low = 0;
    let high = this.#bounds.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#bounds[middle] as number) <= code) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** Row of the state that a character leads to, found for the first time. */
  #step(row: number, kind: number): number {
    const code = this.#bounds[kind - 1] as number;
    const targets: number[] = [];
    for (const from of this.#places.get(row) ?? []) {
      const step = this.#nfa.steps[from];
      if (step?.ranges.some(([first, last]) => first <= code && code <= last)) targets.push(step.to);
    }
    const following = targets.length === 0 ? DEAD : this.#stateOf(targets);
    this.#tables.cells[row + kind] = following;
    return following;
  }

  /** Row of the state of being in any of these, and wherever they lead freely; DEAD when there is no room for it. */
  #stateOf(seeds: readonly number[]): number {
    const reached = new Set<number>();
    const pending = [...seeds];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (reached.has(at)) continue;
      reached.add(at);
      pending.push(...(this.#nfa.free[at] ?? []));
    }
    const useful = [...reached]
      .filter((s) => this.#nfa.steps[s] || s === this.#nfa.end)
      .sort((a, b) => a - b);
    const key = useful.join(' ');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= MAX_STATES) return DEAD;
    const row = this.#tables.addRow(this.#bounds.length + 1, reached.has(this.#nfa.end));
    if (row < 0) return DEAD;
    this.#known.set(key, row);
    this.#places.set(row, useful);
    return row;
  }
}

/** Bytes of the character that begins with this one. */
function sizeOf(byte: number): number {
  return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

/** Code point of the character beyond ASCII at `at`. */
function codePoint(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  const second = (bytes[at + 1] as number) & 0x3f;
  if (first < 0xe0) return ((first & 0x1f) << 6) | second;
  const third = (bytes[at + 2] as number) & 0x3f;
  if (first < 0xf0) return ((first & 0x0f) << 12) | (second << 6) | third;
  return ((first & 0x07) << 18) | (second << 12) | (third << 6) | ((bytes[at + 3] as number) & 0x3f);
}
