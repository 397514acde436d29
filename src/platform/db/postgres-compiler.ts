/**
 * Many rows in one `insert … values` cost most on PostgreSQL: thousands of parameters, in a text that is parsed anew for
 * each number of rows. Here such a statement becomes `insert … select … from (select unnest(…), …)`, with one array for
 * each column. The text then depends on the columns alone, and the server reads and plans it once (`postgres-dialect.ts`).
 *
 * Bytes travel as one binary parameter that is cut by offset and length: an array of bytes would be sent as hexadecimal
 * text.
 *
 * Arrays of one length that are unnested side by side give their elements row by row (PostgreSQL's manual, 38.5.9). As a
 * function in `from`, the server would first write each of them to a table of its own; for a row of 29 columns that takes
 * as long as three of its indexes.
 */
import {
  type BinaryOperationNode,
  OperatorNode,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type ValueNode,
  type ValuesNode,
} from 'kysely';
import { truthOfEmptyList } from './empty-lists.ts';
import { lengthOf, ManyColumns } from './many-rows.ts';

/** Below this many rows the plain form is as good. */
const FROM_ROWS = 4;
/** With fewer rows, columns would be alike by chance, others each time, and each such text is planned anew. */
const SAME_FROM_ROWS = 64;

/** Between the columns of such a statement and its arrays. */
const UNNESTED = ' from (select unnest(';

/** Whether a text inserts rows that are its parameters, in the form that is made here. */
export function isInsertOfRows(text: string): boolean {
  return text.startsWith('insert into ') && text.includes(UNNESTED);
}

/** A column of a statement's rows, and how it is sent. */
type Column =
  | { kind: 'null' }
  | { kind: 'same'; type: 'bigint' | 'text' | 'bytea'; value: unknown }
  | { kind: 'array'; type: 'bigint[]' | 'text[]'; values: readonly unknown[] }
  | { kind: 'bytes'; values: readonly (Uint8Array | null)[] };

/** Writes `values (…), (…)` of many rows as one array for each column. */
export class BulkQueryCompiler extends PostgresQueryCompiler {
  protected override visitValues(node: ValuesNode): void {
    const rows = plainRows(node);
    const columns = rows && columnsOf(byColumn(rows));
    if (columns) this.#appendUnnest(columns);
    else super.visitValues(node);
  }

  protected override visitValue(node: ValueNode): void {
    if (!(node.value instanceof ManyColumns)) {
      super.visitValue(node);
      return;
    }
    const columns = columnsOf(node.value.columns);
    if (columns) this.#appendUnnest(columns);
    else this.#appendRows(node.value.columns);
  }

  /** `in` a list becomes `= any` of one array: a hundred parameters are a hundred things to parse and to plan with. */
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const truth = truthOfEmptyList(node);
    if (truth !== null) {
      this.append(truth);
      return;
    }
    const list = OperatorNode.is(node.operator) && node.operator.operator === 'in' ? node.rightOperand : null;
    const column = list && PrimitiveValueListNode.is(list) ? listOf(list.values) : null;
    if (column === null) {
      super.visitBinaryOperation(node);
      return;
    }
    this.visitNode(node.leftOperand);
    this.append(' = any(');
    this.appendValue(column.values);
    this.append(`::${column.type})`);
  }

  #appendRows(columns: readonly (readonly unknown[])[]): void {
    this.append('values ');
    for (let row = 0; row < lengthOf(columns); row++) {
      this.append(row === 0 ? '(' : ', (');
      for (const [at, values] of columns.entries()) {
        if (at > 0) this.append(', ');
        this.appendValue(values[row]);
      }
      this.append(')');
    }
  }

  #appendUnnest(columns: readonly Column[]): void {
    const arrays: { values: readonly unknown[]; type: string }[] = [];
    const add = (values: readonly unknown[], type: string) => `r.c${arrays.push({ values, type })}`;
    this.append('select ');
    for (const [at, column] of columns.entries()) {
      if (at > 0) this.append(', ');
      if (column.kind === 'null') this.append('null');
      else if (column.kind === 'same') {
        this.appendValue(column.value);
        this.append(`::${column.type}`);
      } else if (column.kind === 'array') this.append(add(column.values, column.type));
      else {
        const { bytes, offsets, lengths } = join(column.values);
        this.append('substring(');
        this.appendValue(bytes);
        this.append(`::bytea from ${add(offsets, 'int[]')} for ${add(lengths, 'int[]')})`);
      }
    }
    for (const [at, { values, type }] of arrays.entries()) {
      this.append(at === 0 ? UNNESTED : ', unnest(');
      this.appendValue(values);
      this.append(`::${type}) as c${at + 1}`);
    }
    this.append(') as r');
  }
}

/** The rows of `values`; null when they hold anything but plain values. */
function plainRows({ values: rows }: ValuesNode): (readonly unknown[])[] | null {
  const lists: (readonly unknown[])[] = [];
  for (const row of rows) {
    if (!PrimitiveValueListNode.is(row)) return null;
    lists.push(row.values);
  }
  return lists;
}

/** By index, as below: an iterator's steps are objects, a tenth of all that an import throws away. */
function byColumn(rows: readonly (readonly unknown[])[]): unknown[][] {
  return (rows[0] ?? []).map((_value, at) => {
    const values = new Array<unknown>(rows.length);
    for (let row = 0; row < rows.length; row++) values[row] = rows[row]?.[at];
    return values;
  });
}

/** How each column is sent; null when the rows are few, or a column is not of one kind. */
function columnsOf(lists: readonly (readonly unknown[])[]): Column[] | null {
  const rows = lengthOf(lists);
  if (rows < FROM_ROWS) return null;
  const columns: Column[] = [];
  for (const values of lists) {
    const column = columnOf(values);
    if (column === null) return null;
    columns.push(column);
  }
  const shorter = rows < SAME_FROM_ROWS ? columns : columns.map(onceIfSame);
  // Rows without a list among their columns would be one row, or none.
  if (shorter.some(isList)) return shorter;
  return columns.some(isList) ? columns : null;
}

function isList({ kind }: Column): boolean {
  return kind === 'array' || kind === 'bytes';
}

/** What all rows have alike is sent once: each element of an array costs the server as much as writing the value. */
function onceIfSame(column: Column): Column {
  if (column.kind !== 'array' && column.kind !== 'bytes') return column;
  // Bytes count as alike only where they are the same memory.
  const [value] = column.values;
  if (value === null || value === undefined) return column;
  for (let at = 1; at < column.values.length; at++) if (column.values[at] !== value) return column;
  return { kind: 'same', type: SCALAR[column.kind === 'array' ? column.type : 'bytes'], value };
}

/** The type of one value of a column. */
const SCALAR = { 'text[]': 'text', 'bigint[]': 'bigint', bytes: 'bytea' } as const;

/** The values of a list, if they are of one kind and none is null, which `in` and `any` take alike too. */
function listOf(values: readonly unknown[]): Extract<Column, { kind: 'array' }> | null {
  const column = values.length < FROM_ROWS ? null : columnOf(values);
  return column?.kind === 'array' && !values.includes(null) ? column : null;
}

/** What a column is, by its values; null when they are not of one kind. An integer fits any column of integers. */
function columnOf(values: readonly unknown[]): Column | null {
  let kind: Kind | null = null;
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (value === null || value === undefined) continue;
    const its = kindOf(value);
    if (its === null || (kind !== null && its !== kind)) return null;
    kind = its;
  }
  if (kind === null) return { kind: 'null' };
  if (kind === 'bytes') return { kind, values: values as (Uint8Array | null)[] };
  return { kind: 'array', type: kind === 'text' ? 'text[]' : 'bigint[]', values };
}

type Kind = 'text' | 'integer' | 'bytes';

function kindOf(value: unknown): Kind | null {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'bigint' || typeof value === 'boolean' || Number.isSafeInteger(value))
    return 'integer';
  return value instanceof Uint8Array ? 'bytes' : null;
}

/** Offsets count from 1; null where there are no bytes. */
function join(values: readonly (Uint8Array | null | undefined)[]): {
  bytes: Buffer;
  offsets: (number | null)[];
  lengths: (number | null)[];
} {
  let end = 1;
  const offsets = values.map((value) => {
    if (!value) return null;
    const begin = end;
    end += value.byteLength;
    return begin;
  });
  const bytes = Buffer.concat(values.filter((value) => value !== null && value !== undefined));
  return { bytes, offsets, lengths: values.map((value) => value?.byteLength ?? null) };
}
