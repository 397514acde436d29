/** Places that answers hold from when their requests get a turn until they are through, well or not. */
import type { ServerResponse } from 'node:http';
import { type Place, Shares, type SharesOptions } from '../threads/shares.ts';

export class AnswerPlaces {
  readonly #shares: Shares;
  readonly #held = new WeakMap<ServerResponse, Place>();

  constructor(options: SharesOptions) {
    this.#shares = new Shares(options);
  }

  /** How many requests wait. */
  get waiting(): number {
    return this.#shares.waiting;
  }

  of(response: ServerResponse): Place | undefined {
    return this.#held.get(response);
  }

  /** Whether the answer has a place: the one that it had, or one at once. */
  tryEnter(response: ServerResponse, owner: string, weight = 1): boolean {
    if (this.#held.has(response)) return true;
    const place = this.#shares.tryEnter(owner, weight);
    if (place) this.#hold(response, place);
    return place !== null;
  }

  /** Waits for a place, unless the answer has one. @throws NoPlace */
  async enter(response: ServerResponse, owner: string, weight = 1): Promise<void> {
    if (this.tryEnter(response, owner, weight)) return;
    const gone = new AbortController();
    const leave = () => gone.abort();
    response.once('close', leave);
    const place = await this.#shares.enter(owner, weight, gone.signal);
    response.off('close', leave);
    this.#hold(response, place);
  }

  #hold(response: ServerResponse, place: Place): void {
    this.#held.set(response, place);
    response.once('close', () => this.leave(response));
    // Nobody tells what is over already.
    if (response.destroyed || response.closed) this.leave(response);
  }

  /** Gives a place back before the answer is through. */
  leave(response: ServerResponse): void {
    this.#held.get(response)?.release();
    this.#held.delete(response);
  }
}
