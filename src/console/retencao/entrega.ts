/** The copy of a deletion on its way to a browser: downloaded is what has nearly all gone out, not what was asked for. */
import { Readable } from 'node:stream';
import type { BlobReading } from '../../platform/storage/blob-store.ts';

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
  open(pacote: BlobReading): Readable {
    const stream = Readable.from(this.#pieces(pacote), { objectMode: false });
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

  async *#pieces({ sizeBytes, stream }: BlobReading): AsyncGenerator<Uint8Array> {
    let left = Math.max(0, sizeBytes - FIM_BYTES);
    const end: Uint8Array[] = [];
    for await (const piece of stream as AsyncIterable<Uint8Array>) {
      if (left > 0) yield piece.subarray(0, left);
      end.push(piece.subarray(left));
      left = Math.max(0, left - piece.length);
    }
    this.#reached.resolve();
    await this.#noted.promise;
    yield Buffer.concat(end);
  }
}
