/** More is waiting than may wait: the caller is to come again. */
export class GateFull extends Error {}

/** Lets a few works run at a time and a bounded number wait, in order of arrival. */
export class Gate {
  readonly #slots: number;
  readonly #waitingMax: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: { slots: number; waitingMax: number }) {
    this.#slots = options.slots;
    this.#waitingMax = options.waitingMax;
  }

  /** @throws GateFull at once when too many wait; else what the work throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < this.#slots) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= this.#waitingMax) throw new GateFull('too many are waiting');
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** The slot passes to who waited longest; only when nobody waits is it free. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }
}
