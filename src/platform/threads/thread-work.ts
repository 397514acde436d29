/**
 * Work of threads with a bound in processor time. A thread that is deep in one call answers nobody, so it writes down what it
 * is at, and how far its processor time may come, before it begins; another thread looks, and ends it. Only work counts: a
 * thread that waits for its turn, or for a core of a busy machine, uses none.
 */
import { threadId, type Worker } from 'node:worker_threads';

/** Three numbers that both threads see: whose they are, up to where (µs of its processor time; 0: at nothing), and at what. */
export type WorkMark = BigInt64Array<SharedArrayBuffer>;

const THREAD = 0;
const LIMIT = 1;
const ITEM = 2;
const AT_NOTHING = 0n;

/** Goes with the task to the thread that does it. */
export function workMark(): WorkMark {
  return new BigInt64Array(new SharedArrayBuffer(3 * BigInt64Array.BYTES_PER_ELEMENT));
}

/** In the thread: it begins with an item, which may take so much of its processor time. */
export function beginItem(mark: WorkMark, item: number, budgetMs: number): void {
  mark[ITEM] = BigInt(item);
  mark[THREAD] = BigInt(threadId);
  Atomics.store(mark, LIMIT, BigInt(Math.ceil(ownCpu() + budgetMs * 1_000)));
}

/** In the thread: it has done the item. */
export function endItem(mark: WorkMark): void {
  Atomics.store(mark, LIMIT, AT_NOTHING);
}

/** µs of processor time that this thread has used. */
export function ownCpu(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** What a thread was at when it ended; null: at nothing of this task. */
export function itemAt(mark: WorkMark): number | null {
  return Atomics.load(mark, LIMIT) === AT_NOTHING ? null : Number(mark[ITEM]);
}

/** Its thread was ended over it. */
export class OverBudget extends Error {
  constructor() {
    super('a work took more processor time than it may');
    this.name = 'OverBudget';
  }
}

const LOOK_EVERY_MS = 200;
/** A thread that uses no processor time for so long over one item does not come back. */
const STILL_MS = 60_000;

interface Watched {
  mark: WorkMark;
  over: boolean;
  /** Processor time when it was last seen to have grown, and when that was. */
  cpu: number;
  grewAt: number;
}

/** Looks after the tasks of a pool as long as there are any. */
export class WorkWatch {
  readonly #threads: () => readonly Worker[];
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | null = null;

  /** @param threads those that live now */
  constructor(threads: () => readonly Worker[]) {
    this.#threads = threads;
  }

  /** @throws OverBudget when its thread was ended for it; else what the work throws */
  async during<T>(mark: WorkMark, work: Promise<T>): Promise<T> {
    const watched: Watched = { mark, over: false, cpu: -1, grewAt: performance.now() };
    this.#watched.add(watched);
    this.#timer ??= setInterval(() => void this.#look(), LOOK_EVERY_MS).unref();
    try {
      return await work;
    } catch (error) {
      throw watched.over ? new OverBudget() : error;
    } finally {
      this.#watched.delete(watched);
      if (this.#watched.size === 0 && this.#timer) {
        clearInterval(this.#timer);
        this.#timer = null;
      }
    }
  }

  async #look(): Promise<void> {
    await Promise.all([...this.#watched].map((watched) => this.#lookAt(watched)));
  }

  async #lookAt(watched: Watched): Promise<void> {
    const { mark } = watched;
    const limit = Atomics.load(mark, LIMIT);
    const thread = this.#threads().find((one) => BigInt(one.threadId) === mark[THREAD]);
    if (limit === AT_NOTHING || !thread || watched.over) return;
    const cpu = await cpuOf(thread);
    // It may have gone on to something else meanwhile.
    if (cpu === null || Atomics.load(mark, LIMIT) !== limit) return;
    if (cpu !== watched.cpu) {
      watched.cpu = cpu;
      watched.grewAt = performance.now();
    }
    if (cpu <= limit && performance.now() - watched.grewAt < STILL_MS) return;
    watched.over = true;
    await thread.terminate();
  }
}

/** µs of processor time of a thread; null when it has ended. */
async function cpuOf(thread: Worker): Promise<number | null> {
  try {
    const { user, system } = await thread.cpuUsage();
    return user + system;
  } catch {
    return null;
  }
}
