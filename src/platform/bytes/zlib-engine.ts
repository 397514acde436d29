import type { Transform } from 'node:stream';

/** What a piece is written to, unless told otherwise: a larger one does not fit. */
const SCRATCH_BYTES = 256 * 1024;

/** What Node keeps behind its streams. */
interface Engine {
  reset(): void;
  writeSync(
    flush: number,
    input: Uint8Array,
    inputStart: number,
    inputLength: number,
    output: Uint8Array,
    outputStart: number,
    outputLength: number,
  ): void;
}

/** An engine, and what it writes after each call: [room left in the output, input left]; nothing after an error. */
interface OpenEngine {
  engine: Engine;
  state: Uint32Array;
}

/** What stands behind a stream of `node:zlib`. @returns null where Node builds its streams otherwise than expected */
function engineOf(stream: Transform): OpenEngine | null {
  const { _handle, _writeState } = stream as unknown as { _handle?: Engine; _writeState?: Uint32Array };
  if (typeof _handle?.writeSync !== 'function' || typeof _handle.reset !== 'function') return null;
  return _writeState instanceof Uint32Array ? { engine: _handle, state: _writeState } : null;
}

/**
 * Keeps the engine of a stream of `node:zlib` and gives it one piece after another, since setting one up costs more than a
 * small piece does. Node has no public call for that: `zstd.ts`, `gzip/membro.ts` and `inflate-raw.ts` say what they do
 * where it does not work. After anything unusual the engine is to be thrown away.
 */
export class ZlibEngine {
  readonly #opened: OpenEngine | null;
  readonly #flush: number;
  readonly #scratch: Uint8Array;
  #failed = false;

  /**
   * @param flush what ends a piece, of the constants of `node:zlib`
   * @param largestBytes what a piece may become
   */
  constructor(stream: Transform, flush: number, largestBytes = SCRATCH_BYTES) {
    this.#flush = flush;
    this.#scratch = new Uint8Array(largestBytes);
    this.#opened = engineOf(stream);
    stream.on('error', () => {
      this.#failed = true;
    });
  }

  /**
   * @param output what the piece is written to; by default memory that the next call overwrites
   * @returns a view of it; null when it did not go as it should
   */
  run(input: Uint8Array, output: Uint8Array = this.#scratch): Uint8Array | null {
    if (!this.#opened || this.#failed) return null;
    const { engine, state } = this.#opened;
    const room = output.length;
    state.fill(0);
    engine.writeSync(this.#flush, input, 0, input.length, output, 0, room);
    const [roomLeft = 0, inputLeft = 0] = state;
    // Zero both means that the engine has written nothing there: an error.
    return inputLeft === 0 && roomLeft > 0 ? output.subarray(0, room - roomLeft) : null;
  }

  /** The same for a piece that is a whole stream, where `flush` ends the stream: the next piece begins another one. */
  runAlone(input: Uint8Array, output?: Uint8Array): Uint8Array | null {
    const piece = this.run(input, output);
    this.#opened?.engine.reset();
    return piece;
  }
}
