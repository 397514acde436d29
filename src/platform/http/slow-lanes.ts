/**
 * The way that stays open where tries are held up: one try at a time, with a pause between them. Who guesses gains little,
 * and who knows the secret gets through. Next is who has had the fewest turns: somebody who comes for the first time does
 * not wait behind somebody who has tried all night.
 */
import { randomInt } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const LANES = 1_000;
/** Callers of one lane whose turns are counted; with more the counting begins anew. */
const KNOWN = 100;

export interface SlowLanesOptions {
  /** Between two turns of a lane, ms. */
  everyMs: number;
  /** Tries that wait in one lane. When it is full, who comes takes a place of the caller that holds most of it. */
  waitingMax: number;
  /** Nobody waits longer for a turn, ms. */
  waitMs: number;
}

interface Waiting {
  from: string;
  timer: NodeJS.Timeout;
  /** Ends the waiting, with a turn or without. */
  end(isTurn: boolean): void;
}

interface Lane {
  waiting: Set<Waiting>;
  /** Turns that each has had. */
  turns: Map<string, number>;
  /** No turn before this, by a clock that only runs forward. */
  freeAt: number;
  timer: NodeJS.Timeout | null;
}

export class SlowLanes {
  readonly #options: SlowLanesOptions;
  readonly #lanes = new LRUCache<string, Lane>({
    max: LANES,
    dispose: ({ waiting }) => {
      for (const one of waiting) one.end(false);
    },
  });

  constructor(options: SlowLanesOptions) {
    this.#options = options;
  }

  /**
   * Waits for a turn.
   * @param input `key` names the lane, `from` who comes
   * @returns false when it did not come in time, or somebody else took the place
   */
  turn({ key, from }: { key: string; from: string }): Promise<boolean> {
    const lane = this.#laneOf(key);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const one: Waiting = {
      from,
      timer: setTimeout(() => one.end(false), this.#options.waitMs).unref(),
      end(isTurn) {
        clearTimeout(one.timer);
        lane.waiting.delete(one);
        resolve(isTurn);
      },
    };
    lane.waiting.add(one);
    if (lane.waiting.size > this.#options.waitingMax) crowdedOut(lane)?.end(false);
    this.#goOn(lane);
    return promise;
  }

  #laneOf(key: string): Lane {
    const known = this.#lanes.get(key);
    if (known) return known;
    const lane: Lane = { waiting: new Set(), turns: new Map(), freeAt: 0, timer: null };
    this.#lanes.set(key, lane);
    return lane;
  }

  #goOn(lane: Lane): void {
    if (lane.timer || lane.waiting.size === 0) return;
    const pause = lane.freeAt - performance.now();
    if (pause > 0) {
      lane.timer = setTimeout(() => {
        lane.timer = null;
        this.#goOn(lane);
      }, pause).unref();
      return;
    }
    const next = nextOf(lane);
    if (!next) return;
    if (lane.turns.size >= KNOWN) lane.turns = new Map();
    lane.turns.set(next.from, (lane.turns.get(next.from) ?? 0) + 1);
    lane.freeAt = performance.now() + this.#options.everyMs;
    next.end(true);
    this.#goOn(lane);
  }
}

/** Any of those who have had the fewest turns. */
function nextOf({ waiting, turns }: Lane): Waiting | undefined {
  const all = [...waiting];
  const had = (one: Waiting) => turns.get(one.from) ?? 0;
  const fewest = Math.min(...all.map(had));
  return anyOf(all.filter((one) => had(one) === fewest));
}

/** Anybody of those who come from where most of the waiting come from. */
function crowdedOut({ waiting }: Lane): Waiting | undefined {
  const byFrom = Map.groupBy(waiting, ({ from }) => from);
  const [most = []] = [...byFrom.values()].sort((some, others) => others.length - some.length);
  return anyOf(most);
}

function anyOf<T>(some: readonly T[]): T | undefined {
  return some.length === 0 ? undefined : some[randomInt(some.length)];
}
