import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import { CORPO_CARENCIA_MS, CORPO_MINIMO_BYTES_POR_S, CORPO_PRAZO_MS } from '../limites.ts';
import { corpoIncompleto, envioIndisponivel, envioLento, md5Divergente } from './upload-errors.ts';

const WATCH_MS = 1_000;
/** The connection keeps what comes before it is wanted; one piece of it on its way to the disk is enough here. */
const BUFFERED_BYTES = 1_024;

/** The sender went away in the middle: nobody is left to answer. */
export class EnvioInterrompido extends Error {
  constructor() {
    super('the sender closed the connection before the end of the body');
    this.name = 'EnvioInterrompido';
  }
}

/** Whether a body may go on arriving. `elapsedMs` counts from its headers, without what it waited for the disk. */
export function isArrivingFastEnough(input: { elapsedMs: number; receivedBytes: number }): boolean {
  if (input.elapsedMs > CORPO_PRAZO_MS) return false;
  if (input.elapsedMs <= CORPO_CARENCIA_MS) return true;
  return (input.receivedBytes * 1000) / input.elapsedMs >= CORPO_MINIMO_BYTES_POR_S;
}

/**
 * The body of an upload as a stream that ends well only when all announced bytes came, with the announced MD5, in
 * time. Whoever reads it sees an error otherwise, so that nothing is kept. The connection itself stays open for
 * the answer; `releaseBody` parts the two.
 * @param monotonic milliseconds of a clock that never jumps; only tests replace it
 */
export function guardedBody(
  raw: IncomingMessage,
  expected: { contentLength: number | null; md5: string | null },
  monotonic: () => number = () => performance.now(),
): Transform {
  const guard = new BodyGuard(expected, monotonic);
  raw.once('close', () => {
    if (!raw.readableEnded) guard.destroy(new EnvioInterrompido());
  });
  raw.once('error', () => guard.destroy(new EnvioInterrompido()));
  // It may end badly before anybody reads it; who begins to read then is told the reason.
  guard.on('error', () => {});
  raw.pipe(guard);
  return guard;
}

/**
 * Ends a guarded body. At once: were it left to the stream's own `close`, which comes later, the connection would be
 * paused after somebody else has begun to read on.
 */
export function releaseBody(raw: IncomingMessage, guard: Transform): void {
  raw.unpipe(guard);
  guard.destroy();
}

class BodyGuard extends Transform {
  readonly #contentLength: number | null;
  readonly #md5: string | null;
  readonly #hash: Hash | null;
  readonly #monotonic: () => number;
  readonly #startedAt: number;
  readonly #watch: NodeJS.Timeout;
  #received = 0;
  /** How long bytes that had come waited here for the disk, and since when some do: the sender is not to blame for it. */
  #heldMs = 0;
  #heldSince: number | null = null;

  constructor(expected: { contentLength: number | null; md5: string | null }, monotonic: () => number) {
    super({ highWaterMark: BUFFERED_BYTES });
    this.#monotonic = monotonic;
    this.#startedAt = monotonic();
    this.#contentLength = expected.contentLength;
    this.#md5 = expected.md5;
    this.#hash = expected.md5 === null ? null : createHash('md5');
    this.#watch = setInterval(() => this.#look(), WATCH_MS).unref();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#received += chunk.length;
    this.#hash?.update(chunk);
    this.#heldSince ??= this.#monotonic();
    done(null, chunk);
  }

  /** What had come was taken, and more is wanted. */
  override _read(size: number): void {
    this.#heldMs += this.#heldSoFar();
    this.#heldSince = null;
    super._read(size);
  }

  override _flush(done: TransformCallback): void {
    clearInterval(this.#watch);
    if (this.#contentLength !== null && this.#received !== this.#contentLength) done(corpoIncompleto());
    else if (this.#hash && this.#hash.digest('hex') !== this.#md5) done(md5Divergente());
    else done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearInterval(this.#watch);
    done(error);
  }

  #look(): void {
    const elapsedMs = this.#monotonic() - this.#startedAt;
    const ofSenderMs = elapsedMs - this.#heldMs - this.#heldSoFar();
    const sender = { elapsedMs: ofSenderMs, receivedBytes: this.#received };
    if (!isArrivingFastEnough(sender)) this.destroy(envioLento());
    else if (elapsedMs > CORPO_PRAZO_MS) this.destroy(envioIndisponivel(new Error('the disk is too slow')));
  }

  #heldSoFar(): number {
    return this.#heldSince === null ? 0 : this.#monotonic() - this.#heldSince;
  }
}
