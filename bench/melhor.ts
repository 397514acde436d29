/** Runs of each single-threaded measure; the shortest counts, because other work on the machine only ever adds. */
const RUNS = 3;

/** Seconds of the shortest run. */
export function shortestRun(run: () => void): number {
  const seconds = Array.from({ length: RUNS }, () => {
    const startedAt = performance.now();
    run();
    return (performance.now() - startedAt) / 1000;
  });
  return Math.min(...seconds);
}
