/**
 * Long lists in statements. A statement's text depends on how many values it binds, and every text is compiled and
 * kept; so lists are cut and filled up to a few fixed lengths. SQLite binds at most 32,766 values, PostgreSQL 65,535.
 */
import type { QueryExecutorProvider } from 'kysely';
import { engineOf } from '../../platform/db/engine.ts';

/** The widest row has about 40 columns. */
const ROW_COUNTS = [256, 64, 16, 4, 1] as const;
/** Where the text is the same for any number of rows, the memory is not. */
const ROWS_AT_ONCE = 1_000;
const MAX_IDS = 1_024;
const MIN_IDS = 16;

/** Rows for `insert … values`, in their order; on SQLite in pieces of few different lengths. */
export function* rowChunks<T>(db: QueryExecutorProvider, rows: readonly T[]): Generator<readonly T[]> {
  let start = 0;
  if (engineOf(db) === 'postgres') {
    yield* rowBatches(rows);
    return;
  }
  for (const count of ROW_COUNTS) {
    for (; rows.length - start >= count; start += count) yield rows.slice(start, start + count);
  }
}

/** Rows for `insertMany`, in their order. */
export function* rowBatches<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE)
    yield rows.slice(start, start + ROWS_AT_ONCE);
}

/** Values for `in (…)`, filled up to a power of two by repeating one of them, which changes no result. */
export function* idChunks<T>(ids: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < ids.length; start += MAX_IDS) {
    const part = ids.slice(start, start + MAX_IDS);
    const [first] = part;
    if (first === undefined) return;
    let length = MIN_IDS;
    while (length < part.length) length *= 2;
    yield [...part, ...new Array<T>(length - part.length).fill(first)];
  }
}

/**
 * Items in their order, in batches of at most so many bytes; one that is larger alone is a batch of its own.
 * @param batch.bytesOf what an item weighs
 */
export function* byteBatches<T>(
  items: readonly T[],
  batch: { maxBytes: number; bytesOf(item: T): number },
): Generator<T[]> {
  let together: T[] = [];
  let bytes = 0;
  for (const item of items) {
    const more = batch.bytesOf(item);
    if (together.length > 0 && bytes + more > batch.maxBytes) {
      yield together;
      [together, bytes] = [[], 0];
    }
    together.push(item);
    bytes += more;
  }
  if (together.length > 0) yield together;
}
