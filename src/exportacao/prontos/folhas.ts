/**
 * Memory that pages are written to, used again once they were sent: fresh memory costs several times as much as the
 * copying, since the system has to find and empty every part of it, and V8, which counts what buffers hold, collects all
 * of its garbage whenever a few dozen MB of them have come and gone.
 */
import { releaseBytes } from '../../platform/release-bytes.ts';

/** Compressed pages of a hundred records have 12 KB. What is smaller yet is no burden, and may be kept (`../memoria.ts`). */
const FROM_BYTES = 8 * 1024;
const LARGEST_BYTES = 1024 * 1024;
/** Of sheets that wait for their next page: what several dozen connections read at the same time. */
const FREE_BYTES = 16 * 1024 * 1024;

export class Folhas {
  /** By their size. */
  readonly #free = new Map<number, ArrayBuffer[]>();
  #freeBytes = 0;
  readonly #sheets = new WeakSet<ArrayBufferLike>();
  /** Of these each is given back at most once. */
  readonly #lent = new WeakSet<ArrayBufferLike>();

  /** Room for a page that is going to be sent once and kept by nobody; what is in it is undefined. */
  take(bytes: number): Buffer {
    if (bytes < FROM_BYTES || bytes > LARGEST_BYTES) return Buffer.allocUnsafe(bytes);
    const size = sizeFor(bytes);
    const sheet = this.#takeFree(size) ?? new ArrayBuffer(size);
    this.#sheets.add(sheet);
    this.#lent.add(sheet);
    return Buffer.from(sheet, 0, bytes);
  }

  /** A page has left: nobody may look at it any more. One that was not written to a sheet gives its own memory back. */
  giveBack(page: Buffer): void {
    const sheet = page.buffer;
    if (!(sheet instanceof ArrayBuffer) || !this.#lent.delete(sheet)) {
      if (!this.#sheets.has(sheet)) releaseBytes(page);
      return;
    }
    const size = sheet.byteLength;
    while (this.#freeBytes + size > FREE_BYTES) if (!this.#dropOther(size)) return;
    const same = this.#free.get(size);
    if (same) same.push(sheet);
    else this.#free.set(size, [sheet]);
    this.#freeBytes += size;
  }

  #takeFree(size: number): ArrayBuffer | undefined {
    const sheet = this.#free.get(size)?.pop();
    if (sheet) this.#freeBytes -= size;
    return sheet;
  }

  /** Pages of another size are read now. @returns false when there is no sheet of another size */
  #dropOther(size: number): boolean {
    for (const other of this.#free.keys()) if (other !== size && this.#takeFree(other)) return true;
    return false;
  }
}

/** The next power of two: few sizes, and at most half of a sheet is never written to. */
function sizeFor(bytes: number): number {
  return 2 ** Math.ceil(Math.log2(bytes));
}
