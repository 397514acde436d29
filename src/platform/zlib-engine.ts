import type { Transform } from 'node:stream';

/** What a piece is written to: a larger one does not fit. */
const SCRATCH_BYTES = 256 * 1024;

/** What Node keeps behind its streams. */
interface Engine {
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

/**
 * The engine of a stream of `node:zlib`, kept and given one piece after another, since setting one up costs more than a
 * small piece does. Node has no public call for that; `zstd.ts` and `gzip/membro.ts` say what they do where it does not
 * work. After anything unusual it is to be thrown away.
 */
export class ZlibEngine {
  readonly #engine: Engine | null;
  readonly #flush: number;
  /** [room left in the output, input left]: written by the engine. */
  readonly #state: Uint32Array;
  readonly #scratch = new Uint8Array(SCRATCH_BYTES);
  #failed = false;

  /** @param flush what ends a piece, of the constants of `node:zlib` */
  constructor(stream: Transform, flush: number) {
    this.#flush = flush;
    const { _handle, _writeState } = stream as unknown as { _handle?: Engine; _writeState?: Uint32Array };
    const known = typeof _handle?.writeSync === 'function' && _writeState instanceof Uint32Array;
    this.#engine = known && _handle ? _handle : null;
    this.#state = known && _writeState ? _writeState : new Uint32Array(2);
    stream.on('error', () => {
      this.#failed = true;
    });
  }

  /** @returns a view that the next call overwrites; null when it did not go as it should */
  run(input: Uint8Array): Uint8Array | null {
    if (!this.#engine || this.#failed) return null;
    this.#state.fill(0);
    this.#engine.writeSync(this.#flush, input, 0, input.length, this.#scratch, 0, SCRATCH_BYTES);
    const [roomLeft = 0, inputLeft = 0] = this.#state;
    // Zero both means that the engine has written nothing there: an error.
    return inputLeft === 0 && roomLeft > 0 ? this.#scratch.subarray(0, SCRATCH_BYTES - roomLeft) : null;
  }
}
