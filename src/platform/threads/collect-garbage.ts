interface WithCollector {
  /** There with `--expose-gc`, which the service is started with (`bin/engine.js`). */
  gc?: (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;
}

/**
 * Collects the garbage of the calling thread, and gives the system back what is free then. It is called at the end of a
 * start, which leaves much of both. V8 would wait until there is much to do; a process that only waits would keep the
 * memory for good.
 */
export function collectGarbage(): void {
  (globalThis as WithCollector).gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
