/** Runs of each single-threaded measure; the shortest counts, because other work on the machine only ever adds. */
const RUNS = 3;

/** The middle value; of an even number the upper one of the two. */
export function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Seconds of the shortest run. */
export function shortestRun(run: () => void): number {
  const seconds = Array.from({ length: RUNS }, () => {
    const startedAt = performance.now();
    run();
    return (performance.now() - startedAt) / 1000;
  });
  return Math.min(...seconds);
}
