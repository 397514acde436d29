import { constants, createInflateRaw, type InflateRaw } from 'node:zlib';
import { engineOf, type OpenEngine } from './zlib-engine.ts';

/** Results lie in blocks of this size, one behind the other. */
const BLOCK_BYTES = 512 * 1024;
/** What is larger gets memory of its own: it would keep a block alive for itself alone, or not fit. */
const SHARES_BLOCK_UP_TO = BLOCK_BYTES / 8;

/**
 * Inflates many small raw deflate streams. Node's one-shot call sets up an engine for each, with a window of its own
 * and memory for the result, which costs about as much as the inflating itself; here one engine is kept and put back
 * to its beginning. Node has no public call for that: where its streams are built otherwise than expected, nothing is
 * inflated here. One object a thread.
 */
export class RawInflater {
  #opened: (OpenEngine & { stream: InflateRaw }) | null = null;
  #block = Buffer.alloc(0);
  #used = 0;

  /**
   * @param data one whole stream, with nothing behind it
   * @param length of what it holds, at least 1
   * @returns null unless it is exactly that: the ordinary call then tells what is wrong. The bytes may share their
   *   memory with those of other calls
   */
  inflate(data: Uint8Array, length: number): Buffer | null {
    this.#opened ??= open();
    if (!this.#opened) return null;
    const { stream, engine, state } = this.#opened;
    // One byte more than is expected: a stream that goes on would need it.
    const { output, start } = this.#room(length + 1);
    state.fill(0);
    engine.reset();
    engine.writeSync(constants.Z_FINISH, data, 0, data.length, output, start, length + 1);
    // One byte of room left, no input left.
    if (state[0] !== 1 || state[1] !== 0) {
      stream.destroy();
      this.#opened = null;
      return null;
    }
    if (output === this.#block) this.#used += length;
    return output.subarray(start, start + length);
  }

  #room(length: number): { output: Buffer; start: number } {
    if (length > SHARES_BLOCK_UP_TO) return { output: Buffer.allocUnsafeSlow(length), start: 0 };
    if (this.#used + length > this.#block.length) {
      this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
      this.#used = 0;
    }
    return { output: this.#block, start: this.#used };
  }
}

function open(): (OpenEngine & { stream: InflateRaw }) | null {
  const stream = createInflateRaw();
  const opened = engineOf(stream);
  if (!opened) return null;
  // What is damaged is told by the ordinary call; here an error would only be without a listener.
  stream.on('error', () => {});
  return { stream, ...opened };
}
