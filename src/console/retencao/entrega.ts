/** The copy of a deletion on its way to a browser: downloaded is what has nearly all gone out, not what was asked for. */
import { Readable } from 'node:stream';

/** At once; the next piece goes when the connection has taken this one. */
const PEDACO_BYTES = 64 * 1024;
/** Held back until the download is noted, so that whoever has all of it may confirm at once. */
const FIM_BYTES = 1024;

export class Entrega {
  readonly #noted = Promise.withResolvers<void>();
  readonly #reached = Promise.withResolvers<void>();

  constructor() {
    // Nobody need be waiting for either.
    this.#noted.promise.catch(() => {});
    this.#reached.promise.catch(() => {});
  }

  /** The body of the answer. */
  open(bytes: Uint8Array): Readable {
    const stream = Readable.from(this.#pieces(bytes), { objectMode: false });
    return stream.once('close', () => this.#reached.reject(new Error('the download was broken off')));
  }

  /** Resolves when only the end is missing. @throws when the other side went before that */
  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  /** Lets the end go. */
  finish(): void {
    this.#noted.resolve();
  }

  /** Without the end no program takes the file for a whole one. */
  breakOff(error: Error): void {
    this.#noted.reject(error);
  }

  async *#pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    const end = Math.max(0, bytes.length - FIM_BYTES);
    for (let at = 0; at < end; at += PEDACO_BYTES) yield bytes.subarray(at, Math.min(end, at + PEDACO_BYTES));
    this.#reached.resolve();
    await this.#noted.promise;
    yield bytes.subarray(end);
  }
}
