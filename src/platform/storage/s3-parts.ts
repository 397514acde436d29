import { createHash, type Hash } from 'node:crypto';

/** Above this a blob goes in parts, each of this size but the last; S3 wants at least 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024;

export interface SpooledPart {
  /** Offset of its first byte. */
  start: number;
  sizeBytes: number;
  /** Hex. */
  md5: string;
}

/** Takes the digests of the parts of a blob while it arrives, so that the file is read only to be sent. */
export class PartHasher {
  readonly #done: SpooledPart[] = [];
  #hash: Hash = createHash('md5');
  #start = 0;
  #size = 0;

  add(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#size === PART_BYTES) this.#finish();
      const piece = chunk.subarray(at, at + PART_BYTES - this.#size);
      this.#hash.update(piece);
      this.#size += piece.length;
      at += piece.length;
    }
  }

  /** All parts, in order; call it once, at the end. */
  parts(): SpooledPart[] {
    if (this.#size > 0) this.#finish();
    return this.#done;
  }

  #finish(): void {
    this.#done.push({ start: this.#start, sizeBytes: this.#size, md5: this.#hash.digest('hex') });
    this.#start += this.#size;
    this.#size = 0;
    this.#hash = createHash('md5');
  }
}
