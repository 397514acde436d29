/**
 * Memory for the documents of one batch, one behind the other, so that they change hands together: memory of its own for
 * each costs more than copying it there.
 */
export class Arena {
  /** All of it, of which the end may be unused. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  #used = 0;
  readonly #shared = new Map<{ readonly bytes: Uint8Array }, { readonly bytes: Uint8Array }>();

  constructor(length: number) {
    this.bytes = Buffer.allocUnsafeSlow(length);
  }

  /** @returns a view of a copy; where there is no room left, a copy by itself */
  put(part: Uint8Array): Uint8Array {
    const [start, end] = [this.#used, this.#used + part.length];
    if (end > this.bytes.length) return new Uint8Array(part);
    this.#used = end;
    const place = this.bytes.subarray(start, end);
    place.set(part);
    return place;
  }

  /** The same of what several documents have: it is there once. @returns one object for all that give the same one */
  putShared<T extends { readonly bytes: Uint8Array }>(part: T): T {
    const known = this.#shared.get(part);
    if (known) return known as T;
    const put = { ...part, bytes: this.put(part.bytes) };
    this.#shared.set(part, put);
    return put;
  }
}
