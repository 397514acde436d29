import { constants, createInflateRaw, type InflateRaw } from 'node:zlib';
import { releaseBytes } from './release-bytes.ts';
import { giveMemory, takeMemory } from './spare-memory.ts';
import { engineOf, type OpenEngine } from './zlib-engine.ts';

/** Results lie in blocks of this size, one behind the other. */
const BLOCK_BYTES = 512 * 1024;
/** What is larger gets memory of its own: it would keep a block alive for itself alone, or not fit. */
const SHARES_BLOCK_UP_TO = BLOCK_BYTES / 8;

/** Memory that results share. */
interface Block {
  bytes: Buffer;
  used: number;
  /** Where results begin that were not released. */
  held: Set<number>;
}

/**
 * Inflates many small raw deflate streams. Node's one-shot call sets up an engine for each, with a window of its own
 * and memory for the result, which costs about as much as the inflating itself; here one engine is kept and put back
 * to its beginning. Node has no public call for that: where its streams are built otherwise than expected, nothing is
 * inflated here. One object a thread.
 */
export class RawInflater {
  #opened: (OpenEngine & { stream: InflateRaw }) | null = null;
  #block: Block = { bytes: Buffer.alloc(0), used: 0, held: new Set() };
  /** Those that there are, as long as somebody has a result of theirs. */
  readonly #blocks = new WeakMap<ArrayBufferLike, Block>();

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
    if (output === this.#block.bytes) {
      this.#block.used += length;
      this.#block.held.add(start);
    }
    return output.subarray(start, start + length);
  }

  /**
   * Nobody looks at this result any more. The memory of a block goes back with its last one, as `releaseBytes` does it; of
   * what is never released the garbage collector takes care.
   */
  release(result: Uint8Array): void {
    const block = this.#blocks.get(result.buffer);
    if (!block) releaseBytes(result);
    block?.held.delete(result.byteOffset);
    if (block && block !== this.#block) releaseIfFree(block);
  }

  #room(length: number): { output: Buffer; start: number } {
    if (length > SHARES_BLOCK_UP_TO) return { output: Buffer.allocUnsafeSlow(length), start: 0 };
    if (this.#block.used + length > this.#block.bytes.length) {
      const full = this.#block;
      this.#block = { bytes: Buffer.from(takeMemory(BLOCK_BYTES).buffer), used: 0, held: new Set() };
      this.#blocks.set(this.#block.bytes.buffer, this.#block);
      releaseIfFree(full);
    }
    return { output: this.#block.bytes, start: this.#block.used };
  }
}

function releaseIfFree({ bytes, held }: Block): void {
  if (held.size === 0) giveMemory(bytes);
}

function open(): (OpenEngine & { stream: InflateRaw }) | null {
  const stream = createInflateRaw();
  const opened = engineOf(stream);
  if (!opened) return null;
  // What is damaged is told by the ordinary call; here an error would only be without a listener.
  stream.on('error', () => {});
  return { stream, ...opened };
}
