/**
 * Places (or bytes) that several owners want at a time: offices, tokens, addresses. No owner can take all of them. Who
 * waits is served owner by owner, however often one of them asks.
 */

/** None came free in time: the caller is to come again. */
export class NoPlace extends Error {
  constructor() {
    super('no place came free in time');
    this.name = 'NoPlace';
  }
}

export interface SharesOptions {
  /** What all owners together may hold. */
  capacity: number;
  /**
   * What one owner may hold, the same for all or told for each. Absent: an owner who holds any gets more only where at least as much stays free as it holds.
   * So one owner has half of the whole at most, and whoever comes next finds something.
   */
  each?: number | ((owner: string) => number);
  /** How long one waits, ms; absent: as long as it takes. */
  waitMs?: number;
}

interface Waiting {
  weight: number;
  grant(): void;
}

/** What an owner holds until it is given back. */
export interface Place {
  readonly owner: string;
  readonly weight: number;
  /** It turned out to be more or less than was asked for; never waits. */
  resize(weight: number): void;
  /** Doing it again does nothing. */
  release(): void;
}

export class Shares {
  readonly #options: SharesOptions;
  readonly #held = new Map<string, number>();
  /** Who waits, by owner; the first owner is served next. */
  readonly #queues = new Map<string, Waiting[]>();
  #total = 0;
  #waiting = 0;

  constructor(options: SharesOptions) {
    this.#options = options;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** A place at once, or null. @param weight what is larger than the whole counts as the whole */
  tryEnter(owner: string, weight = 1): Place | null {
    if (this.#queues.has(owner) || !this.#fits(owner, weight)) return null;
    return this.#take(owner, weight);
  }

  /** @param signal whoever waits has gone @throws NoPlace when none came free in time, or nobody waits any more */
  async enter(owner: string, weight = 1, signal?: AbortSignal): Promise<Place> {
    const place = this.tryEnter(owner, weight);
    if (place) return place;
    if (signal?.aborted) throw new NoPlace();
    await this.#wait(owner, weight, signal);
    return this.#place(owner, weight);
  }

  /** @throws NoPlace; else what the work throws */
  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const place = await this.enter(owner);
    try {
      return await work();
    } finally {
      place.release();
    }
  }

  #fits(owner: string, weight: number): boolean {
    const { capacity, each } = this.#options;
    const wanted = Math.min(weight, capacity);
    const left = capacity - this.#total - wanted;
    const held = this.#held.get(owner) ?? 0;
    if (each !== undefined && held + wanted > (typeof each === 'number' ? each : each(owner))) return false;
    return left >= (each === undefined && held > 0 ? held + wanted : 0);
  }

  #take(owner: string, weight: number): Place {
    this.#change(owner, weight);
    return this.#place(owner, weight);
  }

  #place(owner: string, taken: number): Place {
    let weight = taken;
    let released = false;
    const resize = (to: number) => {
      if (released) return;
      this.#change(owner, to - weight);
      weight = to;
      this.#serve();
    };
    return {
      owner,
      get weight() {
        return weight;
      },
      resize,
      release: () => {
        resize(0);
        released = true;
      },
    };
  }

  #change(owner: string, by: number): void {
    const held = (this.#held.get(owner) ?? 0) + by;
    this.#total += by;
    if (held > 0) this.#held.set(owner, held);
    else this.#held.delete(owner);
  }

  /** Resolves when the place is taken. */
  #wait(owner: string, weight: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(owner) ?? [];
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        this.#waiting -= 1;
      };
      const waiting = {
        weight,
        grant: () => {
          end();
          resolve();
        },
      };
      const giveUp = () => {
        end();
        queue.splice(queue.indexOf(waiting), 1);
        if (queue.length === 0) this.#queues.delete(owner);
        reject(new NoPlace());
        // It may have stood before others of its owner who want less.
        this.#serve();
      };
      const { waitMs } = this.#options;
      const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs).unref();
      signal?.addEventListener('abort', giveUp);
      queue.push(waiting);
      this.#queues.set(owner, queue);
      this.#waiting += 1;
    });
  }

  /** One of each owner, round and round, as long as any fits. */
  #serve(): void {
    for (const [owner, queue] of this.#queues) {
      const [next] = queue;
      if (!next || !this.#fits(owner, next.weight)) continue;
      queue.shift();
      this.#queues.delete(owner);
      // To the end of the round, which this very loop comes to.
      if (queue.length > 0) this.#queues.set(owner, queue);
      this.#change(owner, next.weight);
      next.grant();
    }
  }
}
