/**
 * Memory that pages are written to, used again once they were sent: fresh memory costs several times as much as the
 * copying, since the system has to find and empty every part of it.
 */

/** Of one buffer; what is never written to takes no memory. */
const SHEET_BYTES = 1024 * 1024;
/** Below this the allocator's own memory is as good. */
const FROM_BYTES = 16 * 1024;
/** Sheets that wait for their next page. */
const FREE = 24;

export class Folhas {
  readonly #free: ArrayBuffer[] = [];
  /** Of these each is given back at most once. */
  readonly #lent = new WeakSet<ArrayBufferLike>();

  /** Room for a page that is going to be sent once and kept by nobody; what is in it is undefined. */
  take(bytes: number): Buffer {
    if (bytes < FROM_BYTES || bytes > SHEET_BYTES) return Buffer.allocUnsafe(bytes);
    const sheet = this.#free.pop() ?? new ArrayBuffer(SHEET_BYTES);
    this.#lent.add(sheet);
    return Buffer.from(sheet, 0, bytes);
  }

  /** A page has left: nobody may look at it any more. Pages that were not written to a sheet are left alone. */
  giveBack(page: Buffer): void {
    const sheet = page.buffer;
    if (!(sheet instanceof ArrayBuffer) || !this.#lent.delete(sheet)) return;
    if (this.#free.length < FREE) this.#free.push(sheet);
  }
}
