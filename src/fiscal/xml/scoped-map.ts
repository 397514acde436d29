/**
 * A map whose entries live until the element that made them is left: namespace bindings. Look-ups cost the same
 * at any depth, so a document full of declarations cannot make the scanner slow.
 */
export class ScopedMap {
  readonly #values = new Map<string, string>();
  readonly #undo: { depth: number; key: string; previous: string | undefined }[] = [];
  #depth = 0;
  /** Characters of all keys and values that can be looked up now. */
  size = 0;

  get(key: string): string | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: string): void {
    const previous = this.#values.get(key);
    this.#undo.push({ depth: this.#depth, key, previous });
    this.#put(key, value, previous);
  }

  #put(key: string, value: string | undefined, previous: string | undefined): void {
    this.size += weigh(key, value) - weigh(key, previous);
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, value);
  }

  enter(): void {
    this.#depth++;
  }

  leave(): void {
    let last = this.#undo.at(-1);
    while (last && last.depth === this.#depth) {
      this.#put(last.key, last.previous, this.#values.get(last.key));
      this.#undo.pop();
      last = this.#undo.at(-1);
    }
    this.#depth--;
  }
}

function weigh(key: string, value: string | undefined): number {
  return value === undefined ? 0 : key.length + value.length;
}
