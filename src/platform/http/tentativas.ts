import { RateLimiterMemory } from 'rate-limiter-flexible';

const WINDOW_SECONDS = 60;
/** Keys come from callers: a longer one is cut, so that it costs no memory. */
const KEY_CHARACTERS = 300;

/** Counts failed attempts, not requests: who succeeds is never slowed down. */
export interface FailureLimit {
  /** Seconds until the last of the blocked keys may try again; 0 when none is blocked. */
  secondsBlocked(keys: readonly string[]): Promise<number>;
  /** Counts one failure for each key. */
  count(keys: readonly string[]): Promise<void>;
}

/**
 * Blocks a key after so many failures in a minute, in the memory of this process. The window ends a minute after its
 * first failure, whatever came since, so that nobody can be locked out for good.
 */
export function createFailureLimit(options: { failuresPerMinute: number }): FailureLimit {
  const limiter = new RateLimiterMemory({ points: options.failuresPerMinute, duration: WINDOW_SECONDS });
  const short = (key: string) => key.slice(0, KEY_CHARACTERS);
  return {
    async secondsBlocked(keys) {
      const states = await Promise.all(keys.map((key) => limiter.get(short(key))));
      const waits = states.map((state) =>
        state && state.consumedPoints >= options.failuresPerMinute ? state.msBeforeNext : 0,
      );
      return Math.ceil(Math.max(0, ...waits) / 1_000);
    },
    async count(keys) {
      await Promise.all(keys.map((key) => limiter.penalty(short(key))));
    },
  };
}
