import { buildNfa, type Nfa } from './nfa.ts';
import type { Expression } from './pattern.ts';

/** Of a step that was not taken yet, and of one that leads nowhere. */
const UNKNOWN = -1;
const DEAD = -2;
/** A pattern that needs more is given up: then it matches nothing here, and libxml2 is asked. */
const MAX_STATES = 4096;

/**
 * A deterministic automaton over UTF-8 bytes. Its states are found as texts ask for them and kept, so that a pattern
 * costs what documents use of it.
 */
export class Dfa {
  readonly #nfa: Nfa;
  /** Code points at which the kind of character changes, ascending from 0; kinds are numbered by them. */
  readonly #bounds: readonly number[];
  readonly #kinds: number;
  /** Kind of each ASCII character. */
  readonly #ascii = new Uint16Array(128);
  /** Row of a state, plus kind → row of the next state. */
  #next: Int32Array;
  #accepts = new Uint8Array(16);
  readonly #sets: (readonly number[])[] = [];
  readonly #known = new Map<string, number>();

  constructor(expression: Expression) {
    this.#nfa = buildNfa(expression);
    const bounds = new Set([0]);
    for (const step of this.#nfa.steps)
      for (const [first, last] of step?.ranges ?? []) bounds.add(first).add(last + 1);
    this.#bounds = [...bounds].sort((a, b) => a - b);
    this.#kinds = this.#bounds.length;
    for (let code = 0; code < 128; code++) this.#ascii[code] = this.#kindOf(code);
    this.#next = new Int32Array(16 * this.#kinds).fill(UNKNOWN);
    this.#stateOf([this.#nfa.start]);
  }

  /** Whether the text in `bytes[from..to)`, valid UTF-8, matches as a whole. */
  matches(bytes: Uint8Array, from: number, to: number): boolean {
    const ascii = this.#ascii;
    let next = this.#next;
    // A state goes by the place where its row begins.
    let row = 0;
    for (let at = from; at < to; at++) {
      const byte = bytes[at] as number;
      let kind: number;
      if (byte < 0x80) {
        kind = ascii[byte] as number;
      } else {
        kind = this.#kindOf(codePoint(bytes, at));
        at += byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
      }
      let following = next[row + kind] as number;
      if (following < 0) {
        if (following === UNKNOWN) {
          following = this.#step(row, kind);
          next = this.#next;
        }
        if (following < 0) return false;
      }
      row = following;
    }
    return this.#accepts[row / this.#kinds] === 1;
  }

  #kindOf(code: number): number {
    let low = 0;
    let high = this.#bounds.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#bounds[middle] as number) <= code) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Row of the state that a character leads to, found for the first time. */
  #step(row: number, kind: number): number {
    const state = row / this.#kinds;
    const code = this.#bounds[kind] as number;
    const targets: number[] = [];
    for (const from of this.#sets[state] ?? []) {
      const step = this.#nfa.steps[from];
      if (step?.ranges.some(([first, last]) => first <= code && code <= last)) targets.push(step.to);
    }
    const following = targets.length === 0 ? DEAD : this.#stateOf(targets) * this.#kinds;
    this.#next[row + kind] = Math.max(following, DEAD);
    return following;
  }

  /** The state of being in any of these, and wherever they lead freely. */
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
    const state = this.#sets.length;
    if (state >= MAX_STATES) return DEAD;
    this.#known.set(key, state);
    this.#sets.push(useful);
    this.#reserve(state);
    this.#accepts[state] = reached.has(this.#nfa.end) ? 1 : 0;
    return state;
  }

  #reserve(state: number): void {
    if (state < this.#accepts.length) return;
    const accepts = new Uint8Array(this.#accepts.length * 2);
    accepts.set(this.#accepts);
    const next = new Int32Array(this.#next.length * 2).fill(UNKNOWN);
    next.set(this.#next);
    this.#accepts = accepts;
    this.#next = next;
  }
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
