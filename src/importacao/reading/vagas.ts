interface Waiting {
  weight: number;
  grant(): void;
}

/**
 * A bound on something that is held for a while (bytes in memory). Served in the order of asking, so a heavy
 * request is not overtaken for ever by light ones; one that is heavier than the whole waits until nothing is held.
 */
export class Vagas {
  #capacity: number;
  readonly #queue: Waiting[] = [];
  #held = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** What may be taken without waiting; nothing while anybody waits. */
  get free(): number {
    return this.#queue.length > 0 ? 0 : Math.max(0, this.#capacity - this.#held);
  }

  /** What is taken and not given back. */
  get held(): number {
    return this.#held;
  }

  /** From now on so much may be held; what is held above it is given back in its own time. */
  resize(capacity: number): void {
    this.#capacity = capacity;
    this.#serve();
  }

  /** Resolves when there is room. @returns gives it back; calling it again does nothing */
  async take(weight: number): Promise<() => void> {
    if (this.#queue.length > 0 || !this.#fits(weight)) {
      await new Promise<void>((resolve) => this.#queue.push({ weight, grant: resolve }));
    } else {
      this.#held += weight;
    }
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#held -= weight;
      this.#serve();
    };
  }

  #fits(weight: number): boolean {
    return this.#held === 0 || this.#held + weight <= this.#capacity;
  }

  #serve(): void {
    for (let next = this.#queue[0]; next && this.#fits(next.weight); next = this.#queue[0]) {
      this.#queue.shift();
      this.#held += next.weight;
      next.grant();
    }
  }
}
