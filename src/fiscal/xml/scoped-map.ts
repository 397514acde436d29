/**
 * A map whose entries live until the element that made them is left: namespace bindings. Look-ups cost the same
 * at any depth, so a document full of declarations cannot make the scanner slow.
 */
export class ScopedMap {
  readonly #values = new Map<string, string>();
  readonly #undo: { depth: number; key: string; previous: string | undefined }[] = [];
  #depth = 0;

  get(key: string): string | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: string): void {
    this.#undo.push({ depth: this.#depth, key, previous: this.#values.get(key) });
    this.#values.set(key, value);
  }

  enter(): void {
    this.#depth++;
  }

  leave(): void {
    let last = this.#undo.at(-1);
    while (last && last.depth === this.#depth) {
      if (last.previous === undefined) this.#values.delete(last.key);
      else this.#values.set(last.key, last.previous);
      this.#undo.pop();
      last = this.#undo.at(-1);
    }
    this.#depth--;
  }
}
