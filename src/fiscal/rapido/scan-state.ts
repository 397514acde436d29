import * as scanConsts from '../xml/scan.ts';
import { Bindings } from './bindings.ts';
import type { Judge } from './esquema/judge.ts';
import { Names } from './names.ts';
import { Rows } from './scratch.ts';
import * as tapeConsts from './tape.ts';

const { XML_LIMITS } = scanConsts;
const { ATTRIBUTE_ROW, DECLARATION_ROW, ELEMENT, ELEMENT_ROW, SPOT_ROW } = tapeConsts;

/** Memory of this many rows is kept from document to document. */
const KEEP_ROWS = 8192;
const KEEP_BYTES = 256 * 1024;
/** Rows that one start tag can take. */
const SPARE_ROWS = 64;
/** Bytes behind the document that loops may look at: they take up to four at a time. */
const BEHIND = 8;

/** Where a start tag ended, whether as an empty-element tag, and whether canonical form writes it so. */
export interface TagEnd {
  at: number;
  empty: boolean;
  canonical: boolean;
}

/** What one scan works on; the memory is used again by the next. */
export class Scan {
  /** The document and one NUL behind it, at which every loop ends. */
  bytes: Buffer = Buffer.alloc(KEEP_BYTES);
  length = 0;
  names = new Names();
  readonly elements = new Rows(ELEMENT_ROW, KEEP_ROWS);
  readonly attributes = new Rows(ATTRIBUTE_ROW, KEEP_ROWS);
  readonly declarations = new Rows(DECLARATION_ROW, 64);
  readonly spots = new Rows(SPOT_ROW, KEEP_ROWS);
  readonly bindings = new Bindings();
  /** By depth: length of the open element's name as written, and the last child that it has so far. */
  readonly nameLength = new Int32Array(XML_LIMITS.depth + 1);
  readonly lastChild = new Int32Array(XML_LIMITS.depth + 1);
  readonly tagEnd: TagEnd = { at: 0, empty: false, canonical: true };
  /** Offset of the closing quote of the value that was read last. */
  valueEnd = 0;
  /** Judges the document on the way, as long as all is certainly valid. */
  judge: Judge | null = null;
  /** Who has begun to judge it. */
  judgedBy: Judge | null = null;

  begin(document: Uint8Array): void {
    const { length } = document;
    if (this.bytes.length < length + BEHIND || (this.bytes.length > KEEP_BYTES && length < KEEP_BYTES)) {
      this.bytes = Buffer.alloc(Math.max(length + BEHIND, KEEP_BYTES));
    }
    this.bytes.set(document);
    this.bytes[length] = 0;
    this.length = length;
    if (this.names.isFull) this.names = new Names();
    for (const rows of [this.elements, this.attributes, this.declarations, this.spots])
      rows.restart(KEEP_ROWS);
    this.bindings.restart(this.names);
  }

  /** @param judge null: the document is only read */
  judgeBy(judge: Judge | null): void {
    this.judge = judge;
    this.judgedBy = judge;
    if (judge === null) return;
    judge.begin({
      names: this.names,
      bytes: this.bytes,
      elements: this.elements.cells,
      attributes: this.attributes.cells,
    });
  }

  /** Whether the judge still sees the rows: those of large documents are moved. */
  get hasRoom(): boolean {
    return this.elements.count < KEEP_ROWS - SPARE_ROWS && this.attributes.count < KEEP_ROWS - SPARE_ROWS;
  }

  /** A start tag has been read. */
  opened(row: number, depth: number): void {
    const { judge } = this;
    if (judge === null) return;
    if (!this.hasRoom) {
      this.judge = null;
      this.judgedBy = null;
    } else {
      this.elements.cells[row + ELEMENT_ROW + ELEMENT.ATTRIBUTES] = this.attributes.count;
      if (!judge.open(row, depth)) this.judge = null;
    }
  }

  /** An end tag has been read. */
  closed(row: number, depth: number): void {
    if (this.judge !== null && !this.judge.close(row, depth)) this.judge = null;
  }

  spot(kind: number, from: number, to: number, element: number): void {
    const row = this.spots.add();
    const { cells } = this.spots;
    cells[row] = kind;
    cells[row + 1] = from;
    cells[row + 2] = to;
    cells[row + 3] = element;
  }
}
