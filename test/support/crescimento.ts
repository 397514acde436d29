/** How the work of an act grows with what it is given, in processor time of this thread: a busy machine changes nothing. */

const TIMES_AS_MUCH = 4;
/** What is not measured well: a fresh compilation, a collection of garbage. */
const NOISE_MS = 25;
const TRIES = 2;

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The least of a few tries: what else the thread was at is in the others. */
function cost(act: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES; i++) {
    const before = cpuMs();
    act();
    least = Math.min(least, cpuMs() - before);
  }
  return least;
}

/**
 * How many times longer something takes with four times as much: 4 where its work grows as what it is given does, 16 where
 * each part is compared with all others.
 * @param make what to do with so much; making it is not measured
 */
export function growth(make: (n: number) => () => unknown, n: number): number {
  const few = cost(make(n));
  const many = cost(make(TIMES_AS_MUCH * n));
  return many / (few + NOISE_MS);
}

/** Above this the work grows faster than what it is given. */
export const LINEAR = 7;
