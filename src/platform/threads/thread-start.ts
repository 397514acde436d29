/**
 * Threads are ended only once they have started. V8 ends the whole process (`Check failed: (location_) != nullptr`, signal
 * SIGTRAP; seen with Node 24.21) when a thread is terminated while it evaluates a module behind another one that awaits at
 * its top level, as libxml2-wasm does.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';

/** A thread that needs longer to start is ended all the same: a stop has its own limit. */
const START_WITHIN_MS = 4_000;

const starting = new WeakMap<Worker, Promise<void>>();

// The first message of a pool's thread says that its program is loaded.
process.on('worker', (worker) => {
  const started = new Promise<void>((resolve) => {
    worker.once('message', () => resolve());
    worker.once('exit', () => resolve());
  });
  starting.set(worker, started);
});

/** What this needs of a `Piscina`. */
interface Pool {
  readonly threads: readonly Worker[];
  destroy(): Promise<void>;
}

/** Ends the threads of a pool and what they are at; those that just start may first finish that. */
export async function endPool(pool: Pool): Promise<void> {
  // Threads are told of in the turn after the one that made them.
  await nextTurn();
  const started = Promise.all(pool.threads.map((thread) => starting.get(thread)));
  await Promise.race([started, sleep(START_WITHIN_MS, undefined, { ref: false })]);
  await pool.destroy();
}
