import type { Engine } from './engine.ts';
import {
  BOOKKEEPING,
  inOrderOfReferences,
  quoted,
  quotedList,
  type Row,
  type TableShape,
} from './table-shape.ts';

/** Everything a database holds at one moment, while others go on writing to it. */
export interface Snapshot {
  readonly engine: Engine;
  /** In an order in which the rows can be put in again. */
  readonly tables: readonly TableShape[];
  /** Versions of the migrations that made these tables, ascending. */
  readonly migrations: readonly number[];
  count(table: TableShape): Promise<number>;
  /**
   * All rows in the order of the primary key, in batches that are bounded in bytes.
   * @param after the key of the last row that is known already
   */
  rows(table: TableShape, after?: Row | null): AsyncIterable<Row[]>;
  close(): Promise<void>;
}

/** What a snapshot is made on: one connection that sees one moment. */
export interface FrozenConnection {
  readonly engine: Engine;
  /** Rows as arrays. `?` marks a parameter, whatever the engine. */
  query(text: string, parameters: readonly unknown[]): Promise<Row[]>;
  shapes(): Promise<TableShape[]>;
  close(): Promise<void>;
}

/** What one batch should weigh: large enough that the way to the database costs nothing. */
const BATCH_BYTES = 4_000_000;
const MAX_ROWS = 2_000;
/** Rows of the first step, when nothing is known of a table yet: a row can weigh megabytes. */
const FIRST_ROWS = 20;

/** Looks at the tables over a connection that sees one moment. @throws Error for a table without a primary key */
export async function snapshotOn(connection: FrozenConnection): Promise<Snapshot> {
  const shapes = await connection.shapes();
  const tables = inOrderOfReferences(shapes.filter(({ name }) => !BOOKKEEPING.has(name)));
  for (const { name, key } of tables)
    if (key.length === 0) throw new Error(`table ${name} has no primary key`);
  const versions = await connection.query('select versao from migracao order by versao', []);
  return {
    engine: connection.engine,
    tables,
    migrations: versions.map(([version]) => Number(version)),
    async count({ name }) {
      const [row] = await connection.query(`select count(*) from ${quoted(name)}`, []);
      return Number(row?.[0] ?? 0);
    },
    rows: (table, after = null) => pages(connection, table, after),
    close: () => connection.close(),
  };
}

async function* pages(
  connection: FrozenConnection,
  table: TableShape,
  after: Row | null,
): AsyncGenerator<Row[]> {
  const names = table.columns.map(({ name }) => name);
  const key = quotedList(table.key);
  const marks = table.key.map(() => '?').join(', ');
  const from = `select ${quotedList(names)} from ${quoted(table.name)}`;
  let limit = FIRST_ROWS;
  for (let last = after; ; ) {
    const where = last === null ? '' : ` where (${key}) > (${marks})`;
    const text = `${from}${where} order by ${key} limit ${limit}`;
    const rows = await connection.query(text, last ?? []);
    if (rows.length > 0) yield rows;
    const end = rows.at(-1);
    if (end === undefined || rows.length < limit) return;
    last = keyOf(table, end);
    limit = nextLimit(rows);
  }
}

/** The primary key of a row. */
export function keyOf(table: TableShape, row: Row): Row {
  return table.key.map((name) => row[table.columns.findIndex((column) => column.name === name)] ?? null);
}

function nextLimit(rows: readonly Row[]): number {
  let bytes = 0;
  for (const row of rows) {
    for (const value of row)
      bytes += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
  }
  const perRow = Math.max(1, bytes / rows.length);
  return Math.max(1, Math.min(MAX_ROWS, Math.floor(BATCH_BYTES / perRow)));
}
