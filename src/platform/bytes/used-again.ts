import { releaseBytes } from './release-bytes.ts';

/** Memory is taken in steps of this, so that answers of about one size fit in each other's place. */
const STEP_BYTES = 64 * 1024;
/** So long nobody has taken any: what lies ready is given back to the system. */
const IDLE_MS = 5_000;

/**
 * Memory for large answers, used again as soon as one has been sent: a system that has to hand out, clear and take back the
 * pages of each costs the thread a third of its time (docs/arquitetura/paginas.md). Whoever takes memory writes all of it,
 * for what an earlier answer held still lies there.
 */
export class UsedAgain {
  readonly #keepBytes: number;
  readonly #free: ArrayBuffer[] = [];
  readonly #taken = new WeakSet<ArrayBufferLike>();
  #idle: NodeJS.Timeout | null = null;

  /** @param keepBytes lie ready at most */
  constructor(keepBytes: number) {
    this.#keepBytes = keepBytes;
  }

  /** Bytes that lie ready. */
  get freeBytes(): number {
    return this.#free.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** @returns memory of that very length, with anything in it */
  take(length: number): Buffer {
    const at = this.#free.findIndex(({ byteLength }) => byteLength >= length && byteLength <= 2 * length);
    const [found] = at < 0 ? [] : this.#free.splice(at, 1);
    const memory = found ?? new ArrayBuffer(Math.ceil(length / STEP_BYTES) * STEP_BYTES);
    this.#taken.add(memory);
    return Buffer.from(memory, 0, length);
  }

  /** Nobody looks at these bytes any more, and nobody will. Bytes that were taken elsewhere are only let go. */
  giveBack(bytes: Uint8Array): void {
    const { buffer } = bytes;
    if (!this.#taken.delete(buffer) || this.freeBytes + buffer.byteLength > this.#keepBytes) {
      releaseBytes(bytes);
      return;
    }
    this.#free.push(buffer as ArrayBuffer);
    this.#idle ??= setTimeout(() => this.#free.splice(0), IDLE_MS).unref();
    this.#idle.refresh();
  }
}
