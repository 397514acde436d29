/**
 * Bounds the memory of answers on their way. Nobody has to take an answer soon, and until it is taken the whole of it lies
 * in memory. A request has room for its answer before that is made, and gives it back when the connection has taken it.
 * While others wait for room, an answer that is not taken, or too slowly, is dropped with its connection.
 */
import type { ServerResponse } from 'node:http';
import { AnswerPlaces } from './places.ts';

/** Four of the largest pages for each of two offices, or a hundred compressed ones. */
const ROOM_BYTES = 64 * 1024 * 1024;
/** What an answer takes of which nothing is known yet; most are smaller. */
export const USUAL_BYTES = 128 * 1024;
/** An answer that is made while it is sent: what compresses it, and pieces between one stage and the next. */
export const STREAM_BYTES = 1024 * 1024;
/** Longer than this nobody waits: the answer says when to come again. */
const WAIT_MS = 30_000;
/** So long a reader may take nothing while others wait for room. */
const STILL_MS = 2_000;
/** And so long altogether while nobody does: a connection is held as well. More than any answer is waited for. */
const STILL_AT_MOST_MS = 120_000;
/** While others wait, an answer has this long, and as much more as it takes at this pace. */
const GRACE_MS = 10_000;
const BYTES_PER_SECOND = 128 * 1024;
const LOOK_EVERY_MS = 1_000;

interface OutgoingOptions {
  roomBytes?: number;
  waitMs?: number;
  stillMs?: number;
}

/** One for the process. */
export class Outgoing {
  readonly #places: AnswerPlaces;
  readonly #stillMs: number;
  /** By when each answer on its way is to be taken, if others wait. */
  readonly #due = new Map<ServerResponse, number>();
  #looking: NodeJS.Timeout | null = null;

  constructor({ roomBytes = ROOM_BYTES, waitMs = WAIT_MS, stillMs = STILL_MS }: OutgoingOptions = {}) {
    this.#places = new AnswerPlaces({ capacity: roomBytes, waitMs });
    this.#stillMs = stillMs;
  }

  /** Room at once, or false. */
  tryEnter(response: ServerResponse, owner: string, bytes: number): boolean {
    return this.#places.tryEnter(response, owner, bytes);
  }

  /** Waits for room. @param owner whose share it is of @throws NoPlace */
  async enter(response: ServerResponse, owner: string, bytes: number): Promise<void> {
    const entering = this.#places.enter(response, owner, bytes);
    this.#lookAround();
    await entering;
  }

  /**
   * Reserves room before the answer is made, for about so many bytes. What the answer had is given back first, so that
   * nobody waits for others who wait for it. An answer that has no room by now needs none.
   * @param owner whose share it is of, where that was not known before
   * @throws NoPlace
   */
  async reserve(response: ServerResponse, bytes: number, owner?: string): Promise<void> {
    const place = this.#places.of(response);
    if (!place) return;
    this.#places.leave(response);
    await this.enter(response, owner ?? place.owner, bytes);
  }

  /** It is made, and goes on its way. @param bytes null: piece by piece, as it is taken */
  send(response: ServerResponse, bytes: number | null): void {
    const place = this.#places.of(response);
    if (!place) return;
    place.resize(bytes ?? Math.max(place.weight, STREAM_BYTES));
    // Smaller ones are taken by the system.
    if (place.weight <= USUAL_BYTES) return;
    this.#watch(response);
    // Nobody knows the length of what is made on its way, and little of it is in memory.
    if (bytes !== null) this.#expect(response, bytes);
  }

  /** Drops it when nothing of it moves; Node looks inside of a large piece for that as well. */
  #watch(response: ServerResponse): void {
    let stillMs = 0;
    response.setTimeout(this.#stillMs, () => {
      // Else nothing was to be taken.
      if (response.writableLength > 0) stillMs += this.#stillMs;
      const tooLong = stillMs > STILL_AT_MOST_MS || (stillMs > 0 && this.#places.waiting > 0);
      if (tooLong) this.#drop(response);
      else response.setTimeout(this.#stillMs);
    });
  }

  /** Its room is another's at once, so that no more are dropped than is wanted. */
  #drop(response: ServerResponse): void {
    this.#places.leave(response);
    response.destroy();
  }

  #expect(response: ServerResponse, bytes: number): void {
    this.#due.set(response, performance.now() + GRACE_MS + (bytes / BYTES_PER_SECOND) * 1_000);
    response.once('close', () => this.#due.delete(response));
  }

  /** As long as anybody waits, drops what is overdue. */
  #lookAround(): void {
    if (this.#looking || this.#places.waiting === 0) return;
    this.#looking = setTimeout(() => {
      this.#looking = null;
      const now = performance.now();
      for (const [response, due] of this.#due)
        if (this.#places.waiting > 0 && now > due) this.#drop(response);
      this.#lookAround();
    }, LOOK_EVERY_MS).unref();
  }
}
