import { Janelas } from './janelas.ts';
import { SlowLanes, type SlowLanesOptions } from './slow-lanes.ts';

/** What other processes counted may be so old, for a key that nobody has failed with. */
const KNOWN_MS = 2_000;

/** A key was held up, and the turn of this try in the slow lane has come: nothing more is to be asked. */
export interface Vez {
  /** Until the last of the held-up keys is free again, s. */
  seconds: number;
}

/** A key is held up, and no turn came. */
export class HeldUp extends Error {
  readonly seconds: number;
  constructor(seconds: number) {
    super('held up after too many failures');
    this.seconds = seconds;
  }
}

/** Counts failed attempts, not requests: who succeeds is never slowed down. */
export interface FailureLimit {
  /**
   * Lets a try go on: at once while none of its keys is held up, else when its turn comes in the slow lane of each that is.
   * So the failures of somebody else hold up who knows the secret, and never lock them out.
   * @param keys what is tried, and where the try comes from
   * @returns null when none was held up: what has changed meanwhile is asked with `refuse`
   * @throws HeldUp when no turn came
   */
  admit(keys: readonly string[]): Promise<Vez | null>;
  /** For a try that was admitted at once, before it may count as right. @throws HeldUp when a key is held up by now */
  refuse(keys: readonly string[]): Promise<void>;
  /** Counts one failure for each key. */
  count(keys: readonly string[]): Promise<void>;
}

/**
 * Holds a key up after so many failures in a minute. The window ends a minute after its first failure, whatever came
 * since.
 * @param options.janelas where several processes count together; absent: in the memory of this one
 */
export function createFailureLimit(options: {
  failuresPerMinute: number;
  lanes: SlowLanesOptions;
  janelas?: Janelas;
}): FailureLimit {
  const { janelas = new Janelas(null), failuresPerMinute } = options;
  const lanes = new SlowLanes(options.lanes);
  const named = (keys: readonly string[]) => keys.map((key) => `falha/${key}`);
  /** Keys that are held up, and for how long the longest. */
  const heldUp = async (keys: readonly string[]): Promise<{ held: string[]; seconds: number }> => {
    let counts = await janelas.read(named(keys), KNOWN_MS);
    // Somebody has failed: the number of all processes is asked for, so that spreading tries over them gains nothing.
    if (counts.some(({ quantos }) => quantos > 0)) counts = await janelas.read(named(keys), 0);
    const waits = counts.map(({ quantos, restamMs }) => (quantos >= failuresPerMinute ? restamMs : 0));
    const held = keys.filter((_key, at) => (waits[at] ?? 0) > 0);
    return { held, seconds: Math.ceil(Math.max(0, ...waits) / 1_000) };
  };
  return {
    async admit(keys) {
      const { held, seconds } = await heldUp(keys);
      if (held.length === 0) return null;
      for (const key of held) {
        const from = keys.filter((other) => other !== key).join(' ');
        if (!(await lanes.turn({ key, from }))) throw new HeldUp(seconds);
      }
      return { seconds };
    },
    async refuse(keys) {
      const { held, seconds } = await heldUp(keys);
      if (held.length > 0) throw new HeldUp(seconds);
    },
    async count(keys) {
      for (const key of named(keys)) janelas.add(key);
      // Counting alone goes on when the others cannot be told.
      await janelas.tell().catch(() => {});
    },
  };
}
