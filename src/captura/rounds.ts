/** Work that is done in rounds until it is stopped, with a sleep between two of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../deps.ts';

/** After a fault of the database or the disk. */
const AFTER_FAULT_MS = 30_000;

interface Turn {
  /** Does what is due. @returns how long to sleep then, ms */
  round(): Promise<number>;
  log: Deps['log'];
  /** Told in the log when a round fails. */
  fault: string;
}

export class Rounds {
  readonly #turn: Turn;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  get stopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Works until `stop`. */
  start(): void {
    this.#running = this.#run();
  }

  /** Resolves when the round that is under way is over. */
  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#running;
  }

  /** Ends early when all is to stop. */
  async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  async #run(): Promise<void> {
    const { round, log, fault } = this.#turn;
    while (!this.stopping) {
      let waitMs = AFTER_FAULT_MS;
      try {
        waitMs = await round();
      } catch (error) {
        log.error({ err: error }, fault);
      }
      await this.pause(waitMs);
    }
  }
}
