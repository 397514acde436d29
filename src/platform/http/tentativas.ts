import { Janelas } from './janelas.ts';

/** Of a key that nobody has failed with, what other processes counted may be so old. */
const KNOWN_MS = 2_000;

/** Counts failed attempts, not requests: who succeeds is never slowed down. */
export interface FailureLimit {
  /** Seconds until the last of the blocked keys may try again; 0 when none is blocked. */
  secondsBlocked(keys: readonly string[]): Promise<number>;
  /** Counts one failure for each key. */
  count(keys: readonly string[]): Promise<void>;
}

/**
 * Blocks a key after so many failures in a minute. The window ends a minute after its first failure, whatever came
 * since, so that nobody can be locked out for good.
 * @param options.janelas where several processes count together; absent: in the memory of this one
 */
export function createFailureLimit(options: { failuresPerMinute: number; janelas?: Janelas }): FailureLimit {
  const { janelas = new Janelas(null), failuresPerMinute } = options;
  const named = (keys: readonly string[]) => keys.map((key) => `falha/${key}`);
  return {
    async secondsBlocked(keys) {
      let counts = await janelas.read(named(keys), KNOWN_MS);
      // Somebody has failed: the number of all processes is asked for, so that spreading tries over them gains nothing.
      if (counts.some(({ quantos }) => quantos > 0)) counts = await janelas.read(named(keys), 0);
      const waits = counts.map(({ quantos, restamMs }) => (quantos >= failuresPerMinute ? restamMs : 0));
      return Math.ceil(Math.max(0, ...waits) / 1_000);
    },
    async count(keys) {
      for (const key of named(keys)) janelas.add(key);
      // Counting alone goes on when the others cannot be told.
      await janelas.tell().catch(() => {});
    },
  };
}
