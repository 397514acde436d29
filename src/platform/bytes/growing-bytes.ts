/** Texts written one behind the other as bytes, into memory that grows as it must and is used again. */

/** UTF-8 takes at most so many bytes for one character of a string. */
const UTF8_MOST = 3;

export class GrowingBytes {
  readonly #keptBytes: number;
  #memory: Buffer;
  #length = 0;

  /** @param keptBytes memory that stays for the next use; what had to be more than that goes back */
  constructor(keptBytes: number) {
    this.#keptBytes = keptBytes;
    this.#memory = Buffer.allocUnsafeSlow(keptBytes);
  }

  /** What was written; good until something else is. */
  get written(): Buffer {
    return this.#memory.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    if (this.#memory.length > this.#keptBytes) this.#memory = Buffer.allocUnsafeSlow(this.#keptBytes);
  }

  /** Writes a text as UTF-8. */
  write(text: string): void {
    this.#reserve(text.length * UTF8_MOST);
    this.#length += this.#memory.write(text, this.#length);
  }

  /** Writes a text that has a character for each byte. */
  writeLatin1(text: string): void {
    this.#reserve(text.length);
    this.#length += this.#memory.write(text, this.#length, 'latin1');
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#memory.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#memory.length));
    this.written.copy(larger);
    this.#memory = larger;
  }
}
