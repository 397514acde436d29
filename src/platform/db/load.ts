import type pg from 'pg';
import { toPostgres } from './postgres-values.ts';
import type { InThreadExecutor } from './sqlite-executor.ts';
import { quoted, quotedList, type Row, type TableShape } from './table-shape.ts';

/** Puts rows into tables, many at a time, in a transaction that the caller holds. */
export interface Loader {
  /** @param columns names of the values of each row, in their order */
  insert(table: TableShape, columns: readonly string[], rows: readonly Row[]): Promise<void>;
}

/** Row by row: in this thread that costs no more than many at once. */
export function sqliteLoader(executor: InThreadExecutor): Loader {
  return {
    async insert(table, columns, rows) {
      const marks = columns.map(() => '?').join(', ');
      const text = `insert into ${quoted(table.name)} (${quotedList(columns)}) values (${marks})`;
      for (const row of rows) executor.execute(text, row);
    },
  };
}

const TYPES = { integer: 'bigint', text: 'text', bytes: 'bytea' } as const;

/** One array for each column, unnested side by side (`postgres-compiler.ts`): one short text, however many rows. */
export function postgresLoader(client: pg.Client): Loader {
  return {
    async insert(table, columns, rows) {
      const kinds = columns.map((name) => {
        const column = table.columns.find((one) => one.name === name);
        if (!column) throw new Error(`table ${table.name} has no column ${name}`);
        return column.kind;
      });
      const values = kinds.map((kind, at) => `unnest($${at + 1}::${TYPES[kind]}[])`).join(', ');
      await client.query({
        text: `insert into ${quoted(table.name)} (${quotedList(columns)}) select ${values}`,
        values: columns.map((_, at) => rows.map((row) => forArray(row[at] ?? null))),
      });
    },
  };
}

function forArray(value: Row[number]): unknown {
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.length)
    : toPostgres(value);
}

/** Numbers that the database gives out go on behind the highest that is there. */
export async function continueIdentities(client: pg.Client, tables: readonly TableShape[]): Promise<void> {
  for (const { name, columns } of tables) {
    for (const column of columns) {
      if (!column.identity) continue;
      await client.query(
        `select setval(pg_get_serial_sequence($1, $2), coalesce(max(${quoted(column.name)}), 1), max(${quoted(column.name)}) is not null) from ${quoted(name)}`,
        [name, column.name],
      );
    }
  }
}
