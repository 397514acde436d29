import { watchMainThread } from './main-thread-load.ts';

/**
 * How many requests of this process wait for what another of its threads makes, or would as soon as they come, told to all
 * of its threads: those who answer and those who could leave them the processors are not the same.
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

/** Of the thread that answers requests. */
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
