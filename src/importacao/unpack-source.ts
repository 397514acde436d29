import { RandomAccessReader } from 'yauzl';

/**
 * A zip in memory for yauzl. Its own reader of such waits a turn of the event loop for each of two reads an entry, which
 * for thousands of entries costs more than reading them; here an answer waits for the running code alone.
 */
export class ZipInMemory extends RandomAccessReader {
  readonly #zip: Buffer;

  constructor(zip: Buffer) {
    super();
    this.#zip = zip;
  }

  /** As `fs.read` does it: fewer bytes than asked for at the end. */
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead: number) => void,
  ): void {
    // A directory may say anything of where things are.
    const isInside = position >= 0 && position < this.#zip.length;
    const bytesRead = isInside ? this.#zip.copy(buffer, offset, position, position + length) : 0;
    queueMicrotask(() => callback(null, bytesRead));
  }
}
