interface Waiting {
  weight: number;
  grant(): void;
}

/**
 * A bound on something that is held for a while (bytes in memory). Who waits is served owner by owner, and each owner's in
 * the order of asking, so that nobody waits for all that another has asked for; a heavy request is not overtaken for ever by
 * light ones. One that is heavier than the whole waits until nothing is held.
 */
export class Vagas {
  #capacity: number;
  /** Of owners in turn: the first is served next. */
  readonly #queues = new Map<number, Waiting[]>();
  #held = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** What may be taken without waiting; nothing while anybody waits. */
  get free(): number {
    return this.#queues.size > 0 ? 0 : Math.max(0, this.#capacity - this.#held);
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

  /** Resolves when there is room. @param owner whose it is. @returns gives it back; calling it again does nothing */
  async take(weight: number, owner = 0): Promise<() => void> {
    if (this.#queues.size > 0 || !this.#fits(weight)) {
      await new Promise<void>((resolve) => {
        const queue = this.#queues.get(owner) ?? [];
        this.#queues.set(owner, queue);
        queue.push({ weight, grant: resolve });
      });
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
    for (const [owner, queue] of this.#queues) {
      const [next] = queue;
      if (!next || !this.#fits(next.weight)) return;
      queue.shift();
      // To the end of the round, which this very loop comes to.
      this.#queues.delete(owner);
      if (queue.length > 0) this.#queues.set(owner, queue);
      this.#held += next.weight;
      next.grant();
    }
  }
}
