/**
 * Rows that grow while a document is scanned, in memory that the next document uses again: what is kept is a copy of
 * the right size.
 */
export class Rows {
  cells: Int32Array;
  readonly #width: number;
  /** Rows in use. */
  count = 0;

  constructor(width: number, rows: number) {
    this.#width = width;
    this.cells = new Int32Array(width * rows);
  }

  /** Offset of a new row's first cell. */
  add(): number {
    const at = this.count++ * this.#width;
    if (at + this.#width > this.cells.length) this.#grow();
    return at;
  }

  #grow(): void {
    const larger = new Int32Array(this.cells.length * 2);
    larger.set(this.cells);
    this.cells = larger;
  }

  copy(): Int32Array {
    const size = this.count * this.#width;
    const copy = slab.take(size);
    copy.set(this.cells.subarray(0, size));
    return copy;
  }

  /** Rows beyond this many are given back when the next document begins. */
  restart(keepRows: number): void {
    this.count = 0;
    if (this.cells.length > keepRows * this.#width) this.cells = new Int32Array(keepRows * this.#width);
  }
}

/** Cells of one block, of which tapes get stretches: a block of memory for each of them would cost more than its filling. */
const SLAB_CELLS = 1 << 18;

class Slab {
  #cells = new Int32Array(0);
  #used = 0;
  /** Stretches of a scope come from here as long as there is room: memory that stays warm. */
  readonly #scoped = new Int32Array(SLAB_CELLS);
  #scopedUsed = 0;
  #depth = 0;

  /** A stretch of its own for whoever asks: until the end of the scope, or, outside of any, for as long as it is held. */
  take(size: number): Int32Array {
    if (this.#depth > 0 && this.#scopedUsed + size <= SLAB_CELLS) {
      this.#scopedUsed += size;
      return this.#scoped.subarray(this.#scopedUsed - size, this.#scopedUsed);
    }
    if (size > SLAB_CELLS / 8) return new Int32Array(size);
    // This block is given back once all its stretches are.
    if (this.#used + size > this.#cells.length) {
      this.#cells = new Int32Array(SLAB_CELLS);
      this.#used = 0;
    }
    this.#used += size;
    return this.#cells.subarray(this.#used - size, this.#used);
  }

  within<T>(act: () => T): T {
    const before = this.#scopedUsed;
    this.#depth++;
    try {
      return act();
    } finally {
      this.#depth--;
      this.#scopedUsed = before;
    }
  }
}

const slab = new Slab();

/**
 * Does something with tapes that are not needed afterwards: the next ones are written over them. Memory from the system
 * for each would cost more than the scanning. Scopes may stand inside each other.
 *
 * @param act gives back nothing that looks at a tape, or at a tree over one, and does nothing later
 */
export function withPassingTapes<T>(act: () => T): T {
  return slab.within(act);
}
