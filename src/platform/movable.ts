import { move, transferableSymbol, valueSymbol } from 'piscina';

/**
 * What a task of a pool answers, marked so that its memory changes hands instead of being copied. A class, not an object
 * with getters of its own: for each of those V8 makes a hidden class, which keeps what the getters see (a result, and the
 * strings of its documents) until the next full collection.
 */
class Movable<T extends object> {
  readonly #result: T;
  readonly #buffers: readonly ArrayBufferLike[];

  constructor(result: T, buffers: readonly ArrayBufferLike[]) {
    this.#result = result;
    this.#buffers = buffers;
  }

  get [transferableSymbol](): readonly ArrayBufferLike[] {
    return this.#buffers;
  }

  get [valueSymbol](): T {
    return this.#result;
  }
}

/** @param buffers the memory in `result` that changes hands; nobody here may look at it any more */
export function movable(result: object, buffers: readonly ArrayBufferLike[]): unknown {
  return move(new Movable(result, buffers) as never);
}
