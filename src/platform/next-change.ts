/** What several may wait for the next change of: each waits for one that comes after it has asked. */
export class NextChange {
  #next = Promise.withResolvers<void>();

  /** Resolves with the next `tell`. */
  wait(): Promise<void> {
    return this.#next.promise;
  }

  tell(): void {
    const { resolve } = this.#next;
    this.#next = Promise.withResolvers();
    resolve();
  }
}
