import { hash } from 'node:crypto';
import type { Row, Value } from './table-shape.ts';

/** `\0` cannot stand in a text of PostgreSQL, and is shown so there. */
const NUL_SHOWN = '\uFFFD';
const WORDS = 8;

/**
 * The digest of a set of rows: the same whatever their order and whichever engine they lie in. Each row's SHA-256 is
 * added up, so a row that is missing, doubled or changed shows.
 */
export class RowDigest {
  readonly #sum = new Uint32Array(WORDS);
  #rows = 0;

  add(row: Row): void {
    const bytes = hash('sha256', serialised(row), 'buffer');
    for (let i = 0; i < WORDS; i++) this.#sum[i] = (this.#sum[i] ?? 0) + bytes.readUInt32LE(i * 4);
    this.#rows += 1;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Hex. */
  value(): string {
    return Buffer.from(this.#sum.buffer).toString('hex');
  }
}

/** Each value with its kind and length, so that no two rows are written alike. */
function serialised(row: Row): string | Buffer {
  const parts: (string | Uint8Array)[] = [];
  let text = '';
  for (const value of row) {
    if (value instanceof Uint8Array) {
      parts.push(`${text}b${value.length}:`, value);
      text = '';
    } else text += tagged(value);
  }
  if (parts.length === 0) return text;
  parts.push(text);
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

function tagged(value: Exclude<Value, Uint8Array>): string {
  if (value === null) return 'n;';
  if (typeof value === 'number') return `i${value};`;
  const shown = value.includes('\0') ? value.replaceAll('\0', NUL_SHOWN) : value;
  return `s${shown.length}:${shown}`;
}
