/**
 * Many rows of one insert. Kysely makes a node of every value and a text of every number of rows: for the rows of an
 * import that cost more than the database itself. Here the rows travel as one value through the builder, and each
 * engine writes them as suits it: SQLite a row at a time through one short prepared statement (its calls are
 * synchronous, a longer statement saves nothing), PostgreSQL as one array for each column (`postgres-compiler.ts`).
 */

// Types only: the database threads need this file and nothing of Kysely, whose 255 modules each would load.
import type {
  Expression,
  InsertObject,
  InsertQueryBuilder,
  InsertResult,
  Transaction,
  ValueNode,
} from 'kysely';
import { engineOf } from './engine.ts';

/** A column that an insert returns: the value at this place of its row; null: the id that the row has got. */
export interface ReturnedColumn {
  name: string;
  at: number | null;
}

/** What travels through the builder as one value; the compiler of its engine takes it apart. */
class AsOneValue implements Expression<unknown> {
  get expressionType(): unknown {
    return undefined;
  }

  toOperationNode(): ValueNode {
    return { kind: 'ValueNode', value: this };
  }
}

/** Values by row, each row in the order of the columns. */
export class ManyRows extends AsOneValue {
  readonly rows: readonly (readonly unknown[])[];
  /** What the one who inserts them answers of each row, where the statement itself returns nothing. */
  readonly returned: readonly ReturnedColumn[] | null;

  constructor(rows: readonly (readonly unknown[])[], returned: readonly ReturnedColumn[] | null = null) {
    super();
    this.rows = rows;
    this.returned = returned;
  }
}

/** How many values a row has; they all have as many. */
export function widthOf({ rows }: ManyRows): number {
  return rows[0]?.length ?? 0;
}

/** Values by column, for PostgreSQL: a list for each row would be thrown away at once, a tenth of all garbage of an import. */
export class ManyColumns extends AsOneValue {
  readonly columns: readonly (readonly unknown[])[];

  constructor(columns: readonly (readonly unknown[])[]) {
    super();
    this.columns = columns;
  }
}

/** How many rows they make; every column has as many values. */
export function lengthOf(columns: readonly (readonly unknown[])[]): number {
  return columns[0]?.length ?? 0;
}

/**
 * `insert into … values` of at least one row, to be continued with `onConflict` and `returning`. In a transaction
 * only: on SQLite each row is a statement, and a failure in between is taken back by the transaction alone.
 * @param rows all with the columns of the first, none of them undefined
 * @param ids one for each row, for its column `id` (`reserved-ids.ts`)
 * @throws TypeError when a row lacks a value: which default was meant would depend on the engine
 */
export function insertMany<DB, T extends keyof DB & string>(
  trx: Transaction<DB>,
  table: T,
  rows: readonly InsertObject<DB, T>[],
  ids: readonly number[] = [],
): InsertQueryBuilder<DB, T, InsertResult> {
  const names = Object.keys(rows[0] ?? {});
  if (ids.length > 0 && ids.length !== rows.length)
    throw new TypeError('there are more rows than ids, or fewer');
  const values =
    engineOf(trx) === 'postgres'
      ? new ManyColumns(columnsOf(rows, names, ids))
      : new ManyRows(listsOf(rows, names, ids));
  if (ids.length > 0) names.push('id');
  return trx
    .insertInto(table)
    .columns(names as (keyof DB[T] & string)[])
    .expression(values);
}

function listsOf(rows: readonly object[], names: readonly string[], ids: readonly number[]): unknown[][] {
  const lists: unknown[][] = [];
  for (const row of rows) lists.push(valuesOf(row as Record<string, unknown>, names));
  if (ids.length > 0) for (let at = 0; at < lists.length; at++) lists[at]?.push(ids[at]);
  return lists;
}

function columnsOf(
  rows: readonly object[],
  names: readonly string[],
  ids: readonly number[],
): (readonly unknown[])[] {
  for (const row of rows)
    if (widthOfRow(row) > names.length) throw new TypeError('a row to be inserted has more columns');
  const columns: (readonly unknown[])[] = [];
  for (const name of names) columns.push(columnOf(rows, name));
  if (ids.length > 0) columns.push(ids);
  return columns;
}

/** Counts the names where they are: a list of them for each row would be thrown away at once. */
function widthOfRow(row: object): number {
  let width = 0;
  for (const _name in row) width += 1;
  return width;
}

/** By index: an iterator's steps are objects. */
function columnOf(rows: readonly object[], name: string): unknown[] {
  const values = new Array<unknown>(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const value = (rows[at] as Record<string, unknown>)[name];
    if (value === undefined) throw new TypeError(`a row to be inserted has no value for ${name}`);
    values[at] = value;
  }
  return values;
}

function valuesOf(row: Record<string, unknown>, columns: readonly string[]): unknown[] {
  // Rows are nearly always made by one literal: then the values are there in the order of the columns.
  const values = isInOrder(row, columns) ? Object.values(row) : valuesByName(row, columns);
  const missing = values.indexOf(undefined);
  if (missing >= 0) throw new TypeError(`a row to be inserted has no value for ${columns[missing]}`);
  return values;
}

/** Looks at the names where they are: a list of them for each row would be thrown away at once. */
function isInOrder(row: Record<string, unknown>, columns: readonly string[]): boolean {
  let at = 0;
  for (const name in row) {
    if (name !== columns[at]) return false;
    at += 1;
  }
  return at === columns.length;
}

function valuesByName(row: Record<string, unknown>, columns: readonly string[]): unknown[] {
  if (Object.keys(row).length > columns.length) throw new TypeError('a row to be inserted has more columns');
  return columns.map((column) => row[column]);
}
