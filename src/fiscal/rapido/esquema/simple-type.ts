import * as byteConsts from '../byte-classes.ts';
import { isSpace } from '../byte-classes.ts';
import { entityAt, entitySize } from '../references.ts';
import type { Dfa, PatternTables } from './dfa.ts';
import * as dfaConsts from './dfa.ts';
import { base64, base64End, type Lexical } from './lexical.ts';
import type { Expression } from './pattern.ts';

const { AMPERSAND, SPACE } = byteConsts;
const { READ } = dfaConsts;

export type WhiteSpace = 'preserve' | 'replace' | 'collapse';

/** All that a text has to be, from the built-in type up to the last restriction. */
export interface SimpleRules {
  /** Null where any text will do. */
  lexical: Lexical | null;
  whiteSpace: WhiteSpace;
  /** White space anywhere does not count (base64). */
  ignoresSpace: boolean;
  /** In characters. */
  minLength: number;
  maxLength: number;
  /** One for each restriction that has patterns or an enumeration: all have to match. */
  patterns: readonly Expression[];
  /** Judges the value, which is lexically right by then. */
  bounds: ((text: string) => boolean) | null;
  isId: boolean;
}

/** A simple type, ready to judge bytes. It may refuse what is valid, never accept what libxml2 refuses. */
export class SimpleType {
  readonly isId: boolean;
  readonly #rules: SimpleRules;
  /** Most types have one pattern and no more. */
  readonly #pattern: Dfa | null;
  readonly #patterns: readonly Dfa[];
  readonly #hasLength: boolean;
  readonly #keepsSpace: boolean;
  /** Nothing is asked beyond white space, length and the first pattern. */
  readonly #isSimple: boolean;
  /** The pattern, where it alone can judge a text while it is read. */
  readonly textPattern: Dfa | null;
  readonly #isBase64: boolean;

  constructor(rules: SimpleRules, tables: PatternTables) {
    this.#rules = rules;
    const [pattern = null, ...others] = rules.patterns.map((expression) => tables.of(expression));
    this.#pattern = pattern;
    this.#patterns = others;
    this.isId = rules.isId;
    this.#isSimple = rules.patterns.length < 2 && rules.lexical === null && rules.bounds === null;
    this.#hasLength = rules.minLength > 0 || rules.maxLength < Number.POSITIVE_INFINITY;
    this.#keepsSpace = rules.whiteSpace === 'preserve' || rules.ignoresSpace;
    this.textPattern = this.#isSimple && this.#keepsSpace && !this.isId ? this.#pattern : null;
    this.#isBase64 =
      rules.lexical === base64 && rules.patterns.length === 0 && rules.bounds === null && !this.#hasLength;
  }

  /** Bytes that a text needs for certain to be long enough, and those that it may have for certain; 0 where nothing is asked. */
  get sureLengths(): { min: number; max: number } {
    const { minLength, maxLength } = this.#rules;
    return { min: 4 * minLength, max: Math.min(maxLength, 0x7fffffff) };
  }

  /**
   * Reads and judges the text between two tags at once: four times the offset of the `<` behind it, and the bits of
   * `READ`; -1 where this cannot be done, or the text is not accepted.
   */
  textEnd(bytes: Uint8Array, from: number): number {
    const pattern = this.textPattern;
    if (pattern === null) return this.#isBase64 ? base64End(bytes, from) * 4 : -1;
    const end = pattern.textEnd(bytes, from);
    if (end < 0 || !this.#hasLength) return end;
    const to = end >> 2;
    return this.#lengthFits(bytes, from, to, (end & READ.CODED) === 0 ? 0 : surplus(bytes, from, to))
      ? end
      : -1;
  }

  accepts(bytes: Uint8Array, from: number, to: number): boolean {
    // A text that white space rules would change is judged by libxml2, which changes it first.
    if (!this.#keepsSpace && !this.#isNormal(bytes, from, to)) return false;
    if (this.#hasLength && !this.#lengthFits(bytes, from, to)) return false;
    if (this.#pattern !== null && !this.#pattern.matches(bytes, from, to)) return false;
    if (this.#isSimple) return true;
    const { lexical, bounds } = this.#rules;
    for (const pattern of this.#patterns) if (!pattern.matches(bytes, from, to)) return false;
    if (lexical !== null && !lexical(bytes, from, to)) return false;
    return bounds === null || bounds(String.fromCharCode(...bytes.subarray(from, to)));
  }

  #isNormal(bytes: Uint8Array, from: number, to: number): boolean {
    let afterSpace = this.#rules.whiteSpace === 'collapse';
    const collapses = afterSpace;
    for (let at = from; at < to; at++) {
      const code = bytes[at] as number;
      if (!isSpace(code)) {
        afterSpace = false;
        continue;
      }
      if (code !== SPACE || (collapses && afterSpace)) return false;
      afterSpace = collapses;
    }
    return from === to || !afterSpace;
  }

  /**
   * A character has one to four bytes: they are counted only where the number of bytes leaves it open.
   *
   * @param more bytes that stand for no character of their own
   */
  #lengthFits(bytes: Uint8Array, from: number, to: number, more = 0): boolean {
    const size = to - from - more;
    const { minLength, maxLength } = this.#rules;
    if (size <= maxLength && size >= 4 * minLength) return true;
    let length = size;
    for (let at = from; at < to; at++) if (((bytes[at] as number) & 0xc0) === 0x80) length--;
    return length >= minLength && length <= maxLength;
  }
}

/** Bytes by which entities are longer than the characters that they stand for. */
function surplus(bytes: Uint8Array, from: number, to: number): number {
  let more = 0;
  for (let at = from; at < to; at++) if (bytes[at] === AMPERSAND) more += entitySize(entityAt(bytes, at)) - 1;
  return more;
}
