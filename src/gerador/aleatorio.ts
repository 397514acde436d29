/**
 * Seeded pseudo-random source of the generator: the same seed draws the same values on every machine and in
 * every version of Node. Not for secrets.
 */

const TWO_32 = 4_294_967_296;

/** Four well mixed 32-bit words of a text (FNV-1a per word, each from another offset, with a final avalanche). */
function wordsOf(text: string): [number, number, number, number] {
  const word = (offset: number): number => {
    let h = offset >>> 0;
    for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16_777_619);
    h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    return (h ^ (h >>> 16)) >>> 0;
  };
  return [word(2_166_136_261), word(0x9e3779b9), word(0x243f6a88), word(0xb7e15162)];
}

/** A deterministic stream of draws (algorithm sfc32). */
export class Aleatorio {
  readonly #seed: string;
  #a: number;
  #b: number;
  #c: number;
  #counter: number;

  constructor(seed: string) {
    this.#seed = seed;
    [this.#a, this.#b, this.#c, this.#counter] = wordsOf(seed);
    for (let i = 0; i < 12; i++) this.word();
  }

  /**
   * An independent stream for one part of the work. It depends on the seed and the label alone, not on what was
   * drawn before, so that one document does not change when another gains an item.
   */
  fork(label: string): Aleatorio {
    return new Aleatorio(`${this.#seed}/${label}`);
  }

  /** Next unsigned 32-bit integer. */
  word(): number {
    const t = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (this.#c << 21) | (this.#c >>> 11);
    this.#c = (this.#c + t) | 0;
    return t >>> 0;
  }

  /** A real number, 0 ≤ n < 1. */
  real(): number {
    return this.word() / TWO_32;
  }

  /** An integer, both ends included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.real() * (max - min + 1));
  }

  /** A number with exactly `places` decimal places at most, both ends included. */
  decimal(min: number, max: number, places: number): number {
    const scale = 10 ** places;
    return this.integer(Math.ceil(min * scale), Math.floor(max * scale)) / scale;
  }

  /** True with probability `p` (0 to 1). */
  chance(p: number): boolean {
    return this.real() < p;
  }

  /**
   * One element of the list.
   * @throws RangeError when the list is empty.
   */
  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError('nothing to pick from an empty list');
    return list[Math.floor(this.real() * list.length)] as T;
  }

  /**
   * One value, each with the probability of its weight among the sum of weights.
   * @throws RangeError when no weight is positive.
   */
  weighted<T>(choices: readonly (readonly [T, number])[]): T {
    let total = 0;
    for (const [, weight] of choices) total += weight;
    if (!(total > 0)) throw new RangeError('nothing to pick: no positive weight');
    let at = this.real() * total;
    let last: T | undefined;
    for (const [value, weight] of choices) {
      if (weight <= 0) continue;
      last = value;
      at -= weight;
      if (at < 0) return value;
    }
    return last as T;
  }

  /** `count` decimal digits as text. */
  digits(count: number): string {
    let text = '';
    while (text.length < count) text += String(this.word() % 1_000_000).padStart(6, '0');
    return text.slice(0, count);
  }

  /** `count` characters of the alphabet. */
  text(count: number, alphabet: string): string {
    let text = '';
    for (let i = 0; i < count; i++) text += alphabet[this.integer(0, alphabet.length - 1)] ?? '';
    return text;
  }

  /** `count` bytes. */
  bytes(count: number): Uint8Array {
    const out = new Uint8Array(count);
    for (let i = 0; i < count; i++) out[i] = this.word() >>> 24;
    return out;
  }

  /** A copy of the list in random order. */
  shuffled<T>(list: readonly T[]): T[] {
    const out = [...list];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.integer(0, i);
      [out[i], out[j]] = [out[j] as T, out[i] as T];
    }
    return out;
  }
}
