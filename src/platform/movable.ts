import { move, transferableSymbol, valueSymbol } from 'piscina';

/**
 * What a task of a pool answers, marked so that its memory changes hands instead of being copied. Two ways in which V8
 * would keep the results (and the strings of their documents) until the next full collection are closed here:
 *
 * - It is a class, not an object with getters of its own: for each of those there is a hidden class, which keeps what the
 *   getters see.
 * - It is left empty once the pool has read it: a task that waits its turn has a promise that has grown old, and what that
 *   is fulfilled with counts as reachable although nobody has the promise any more.
 */
class Movable<T extends object> {
  #result: T | null;
  readonly #buffers: readonly ArrayBufferLike[];

  constructor(result: T, buffers: readonly ArrayBufferLike[]) {
    this.#result = result;
    this.#buffers = buffers;
  }

  get [transferableSymbol](): readonly ArrayBufferLike[] {
    return this.#buffers;
  }

  /** Piscina reads it last, and once. */
  get [valueSymbol](): T | null {
    const result = this.#result;
    this.#result = null;
    return result;
  }
}

/** @param buffers the memory in `result` that changes hands; nobody here may look at it any more */
export function movable(result: object, buffers: readonly ArrayBufferLike[]): unknown {
  return move(new Movable(result, buffers) as never);
}
