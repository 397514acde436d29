import type { Expression, Range } from './pattern.ts';
import { Unsupported } from './unsupported.ts';

/** An automaton with free steps, made from an expression piece by piece (Thompson's construction). */
export interface Nfa {
  start: number;
  end: number;
  /** By state: where it leads without a character. */
  free: readonly (readonly number[])[];
  /** By state: the characters that lead on, and where to; null for states that only lead on freely. */
  steps: readonly ({ ranges: readonly Range[]; to: number } | null)[];
}

/** Counted repeats are written out; what is larger than this is no use as an automaton. */
const MAX_STATES = 60_000;

/** @throws Unsupported when it would be too large */
export function buildNfa(expression: Expression): Nfa {
  const builder = new Builder();
  const start = builder.state();
  const end = builder.add(expression, start);
  return { start, end, free: builder.free, steps: builder.steps };
}

class Builder {
  readonly free: number[][] = [];
  readonly steps: ({ ranges: readonly Range[]; to: number } | null)[] = [];

  state(): number {
    if (this.free.length >= MAX_STATES) throw new Unsupported('pattern too large');
    this.free.push([]);
    this.steps.push(null);
    return this.free.length - 1;
  }

  #link(from: number, to: number): void {
    this.free[from]?.push(to);
  }

  /** Adds what matches the expression behind state `from`; returns the state in which it has matched. */
  add(expression: Expression, from: number): number {
    switch (expression.kind) {
      case 'chars': {
        const before = this.state();
        const to = this.state();
        this.#link(from, before);
        this.steps[before] = { ranges: expression.ranges, to };
        return to;
      }
      case 'sequence':
        return expression.parts.reduce((at, part) => this.add(part, at), from);
      case 'choice': {
        const end = this.state();
        for (const part of expression.parts) this.#link(this.add(part, from), end);
        return end;
      }
      case 'repeat':
        return this.#repeat(expression, from);
    }
  }

  #repeat({ part, min, max }: Extract<Expression, { kind: 'repeat' }>, from: number): number {
    let at = from;
    for (let i = 0; i < min; i++) at = this.add(part, at);
    if (max === Number.POSITIVE_INFINITY) {
      const loop = this.state();
      this.#link(at, loop);
      this.#link(this.add(part, loop), loop);
      return loop;
    }
    const end = this.state();
    this.#link(at, end);
    for (let i = min; i < max; i++) {
      at = this.add(part, at);
      this.#link(at, end);
    }
    return end;
  }
}
