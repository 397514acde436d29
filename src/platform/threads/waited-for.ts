import { watchMainThread } from './main-thread-load.ts';

/**
 * Counts the requests of this process that wait for what another of its threads makes. The count lies in memory that all
 * threads share: the thread that answers is not the one that could leave it the processors.
 */
export class WaitedFor {
  /** To be given to other threads. */
  readonly shared: SharedArrayBuffer;
  readonly #count: Int32Array;

  constructor(shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#count = new Int32Array(shared);
  }

  get any(): boolean {
    return Atomics.load(this.#count, 0) > 0;
  }

  /** Counts as waiting until `work` has ended, well or not. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    Atomics.add(this.#count, 0, 1);
    try {
      return await work();
    } finally {
      Atomics.sub(this.#count, 0, 1);
    }
  }
}

/** The count of the thread that answers requests; other threads are given its `shared`. */
export const WAITED_FOR = new WaitedFor();

/** For other threads: whether who asks would notice what can wait. @param shared of `WAITED_FOR`, in the main thread */
export function watchRequests(
  shared: SharedArrayBuffer,
  isMainThreadBusy = watchMainThread(),
): () => boolean {
  const waitedFor = new WaitedFor(shared);
  return () => {
    // Asked each time: it tells of the time since it was asked.
    const busy = isMainThreadBusy();
    return busy || waitedFor.any;
  };
}
