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
    return this.cells.slice(0, this.count * this.#width);
  }

  /** Rows beyond this many are given back when the next document begins. */
  restart(keepRows: number): void {
    this.count = 0;
    if (this.cells.length > keepRows * this.#width) this.cells = new Int32Array(keepRows * this.#width);
  }
}
