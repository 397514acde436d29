import { Unsupported } from './unsupported.ts';

/**
 * The regular expressions of XML Schema, read into a tree. Only what fiscal schemas use is known, and never more is
 * taken than libxml2 takes: `\d` is 0–9 here, though the standard has the digits of all scripts.
 * @fonte XML Schema Part 2, appendix F
 */
export type Expression =
  | { kind: 'chars'; ranges: readonly Range[] }
  | { kind: 'sequence'; parts: readonly Expression[] }
  | { kind: 'choice'; parts: readonly Expression[] }
  | { kind: 'repeat'; part: Expression; min: number; max: number };

/** First and last code point. */
export type Range = readonly [number, number];

const LAST = 0x10ffff;
/** More copies than this would make automata of no use. */
const MAX_REPEAT = 5000;

const LETTERS: readonly Range[] = [
  [0x41, 0x5a],
  [0x61, 0x7a],
];
const DIGITS: readonly Range[] = [[0x30, 0x39]];
const SPACES: readonly Range[] = [
  [0x09, 0x0a],
  [0x0d, 0x0d],
  [0x20, 0x20],
];
const LINE_ENDS: readonly Range[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
];

/** Reads a pattern. @throws Unsupported when something in it is not known here */
export function readPattern(pattern: string): Expression {
  const reader = new Reader(pattern);
  const expression = reader.choice();
  if (!reader.isAtEnd()) throw new Unsupported(`pattern ${pattern}`);
  return expression;
}

/** A text that matches itself. */
export function literal(text: string): Expression {
  return { kind: 'sequence', parts: [...text].map((char) => single(char.codePointAt(0) ?? 0)) };
}

function single(code: number): Expression {
  return { kind: 'chars', ranges: [[code, code]] };
}

function complement(ranges: readonly Range[]): Range[] {
  const sorted = [...ranges].sort(([a], [b]) => a - b);
  const rest: Range[] = [];
  let next = 0;
  for (const [first, last] of sorted) {
    if (first > next) rest.push([next, first - 1]);
    next = Math.max(next, last + 1);
  }
  if (next <= LAST) rest.push([next, LAST]);
  return rest;
}

class Reader {
  readonly #chars: readonly string[];
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#chars = [...pattern];
  }

  isAtEnd(): boolean {
    return this.#at >= this.#chars.length;
  }

  #peek(): string {
    return this.#chars[this.#at] ?? '';
  }

  #take(): string {
    return this.#chars[this.#at++] ?? this.#fail();
  }

  #fail(): never {
    throw new Unsupported(`pattern ${this.#pattern} at ${this.#at}`);
  }

  choice(): Expression {
    const parts = [this.#sequence()];
    while (this.#peek() === '|') {
      this.#at++;
      parts.push(this.#sequence());
    }
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'choice', parts };
  }

  #sequence(): Expression {
    const parts: Expression[] = [];
    while (!this.isAtEnd() && this.#peek() !== '|' && this.#peek() !== ')') parts.push(this.#repeated());
    return { kind: 'sequence', parts };
  }

  #repeated(): Expression {
    const part = this.#atom();
    const [min, max] = this.#quantity();
    if (/^[?*+{]$/.test(this.#peek())) this.#fail();
    return min === 1 && max === 1 ? part : { kind: 'repeat', part, min, max };
  }

  #quantity(): [number, number] {
    switch (this.#peek()) {
      case '?':
        this.#at++;
        return [0, 1];
      case '*':
        this.#at++;
        return [0, Number.POSITIVE_INFINITY];
      case '+':
        this.#at++;
        return [1, Number.POSITIVE_INFINITY];
      case '{':
        return this.#counted();
      default:
        return [1, 1];
    }
  }

  #counted(): [number, number] {
    const close = this.#chars.indexOf('}', this.#at);
    const inside = this.#chars.slice(this.#at + 1, close).join('');
    const found = close < 0 ? null : /^(\d{1,4})(,(\d{1,4})?)?$/.exec(inside);
    if (!found) this.#fail();
    this.#at = close + 1;
    const min = Number(found[1]);
    const max = found[3] ? Number(found[3]) : found[2] ? Number.POSITIVE_INFINITY : min;
    if (min > max || (max !== Number.POSITIVE_INFINITY && max > MAX_REPEAT)) this.#fail();
    return [min, max];
  }

  #atom(): Expression {
    const char = this.#take();
    switch (char) {
      case '(': {
        if (this.#peek() === '?') this.#fail();
        const inner = this.choice();
        if (this.#take() !== ')') this.#fail();
        return inner;
      }
      case '[':
        return { kind: 'chars', ranges: this.#class() };
      case '.':
        return { kind: 'chars', ranges: complement(LINE_ENDS) };
      case '\\':
        return { kind: 'chars', ranges: this.#escape(false) };
      case '?':
      case '*':
      case '+':
      case '{':
      case '}':
      case ']':
      case ')':
        return this.#fail();
      default:
        return single(char.codePointAt(0) ?? 0);
    }
  }

  /** A class behind its `[`. Subtraction is not known. */
  #class(): Range[] {
    const negated = this.#peek() === '^';
    if (negated) this.#at++;
    const ranges: Range[] = [];
    if (this.#peek() === ']') this.#fail();
    while (this.#peek() !== ']') {
      const first = this.#member(negated);
      const isRange = this.#peek() === '-' && this.#chars[this.#at + 1] !== ']' && first.length === 1;
      if (!isRange) {
        ranges.push(...first);
        continue;
      }
      this.#at++;
      const last = this.#member(negated);
      const [[from, single] = [0, -1]] = first;
      const [[to] = [-1]] = last;
      if (from !== single || last.length !== 1 || from > to) this.#fail();
      ranges.push([from, to]);
    }
    this.#at++;
    return negated ? complement(ranges) : ranges;
  }

  #member(negated: boolean): readonly Range[] {
    const char = this.#take();
    if (char === '[') this.#fail();
    if (char === '\\') return this.#escape(negated);
    const code = char.codePointAt(0) ?? 0;
    return [[code, code]];
  }

  /** @param exact where what is narrowed here (`\d`) would become too wide by being negated */
  #escape(exact: boolean): readonly Range[] {
    const char = this.#take();
    switch (char) {
      case 'd':
        return exact ? this.#fail() : DIGITS;
      case 'w':
        return exact ? this.#fail() : [...LETTERS, ...DIGITS];
      case 's':
        return SPACES;
      case 'S':
        return complement(SPACES);
      case 'n':
        return [[0x0a, 0x0a]];
      case 'r':
        return [[0x0d, 0x0d]];
      case 't':
        return [[0x09, 0x09]];
      default: {
        if (!/^[\\|.?*+(){}[\]^-]$/.test(char)) this.#fail();
        const code = char.codePointAt(0) ?? 0;
        return [[code, code]];
      }
    }
  }
}
