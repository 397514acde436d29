import type pg from 'pg';
import { driver } from './pg.ts';
import { TYPES } from './postgres-values.ts';
import { type Snapshot, snapshotOn } from './snapshot.ts';
import type { ColumnKind, Row, TableShape } from './table-shape.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** Then the kernel asks whether the server lives. Not sooner: work of hours had rather outlast a short outage. */
export const SILENT_FOR_MS = 60_000;

/**
 * A connection of its own for work that takes as long as it takes: without the time limits of the pool, and with
 * every office in sight.
 */
export async function connectForLongWork(url: string): Promise<pg.Client> {
  const client = new (driver().Client)({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'malote (cópia)',
    keepAlive: true,
    keepAliveInitialDelayMillis: SILENT_FOR_MS,
    types: TYPES,
  });
  // A server that goes away is told by the statement that meets it.
  client.on('error', () => {});
  await client.connect();
  await client.query("select set_config('malote.contador', '*', false)");
  return client;
}

/** The moment of the call: one repeatable-read transaction, which blocks nobody. */
export async function snapshotPostgres(url: string): Promise<Snapshot> {
  const client = await connectForLongWork(url);
  try {
    await client.query('begin transaction isolation level repeatable read read only');
    return await snapshotOn(frozen(client));
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** A snapshot over a connection that sees what its own transaction has written; it is not closed with it. */
export function snapshotWithin(client: pg.Client): Promise<Snapshot> {
  return snapshotOn({ ...frozen(client), close: async () => {} });
}

function frozen(client: pg.Client) {
  return {
    engine: 'postgres' as const,
    async query(text: string, values: readonly unknown[]): Promise<Row[]> {
      let n = 0;
      const numbered = text.replaceAll('?', () => `$${++n}`);
      const { rows } = await client.query({ text: numbered, values: [...values], rowMode: 'array' });
      return rows as Row[];
    },
    shapes: () => shapesOf(client),
    close: () => client.end(),
  };
}

interface ColumnRow {
  table: string;
  name: string;
  type: string;
  identity: string;
  key: number | null;
}

/** Tables of the schema that unqualified names mean; one that is not logged holds nothing worth keeping. */
export async function shapesOf(client: pg.Client): Promise<TableShape[]> {
  const columns = await client.query<ColumnRow>(`
    select c.relname as table, a.attname as name, t.typname as type, a.attidentity as identity,
      array_position(i.indkey::int2[], a.attnum) as key
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    join pg_type t on t.oid = a.atttypid
    left join pg_index i on i.indrelid = c.oid and i.indisprimary
    where c.relkind in ('r', 'p') and c.relpersistence = 'p' and not c.relispartition and c.relnamespace = current_schema()::regnamespace
    order by c.relname, a.attname collate "C"`);
  // Foreign keys, and references that are checked for all rows of a statement: their trigger's argument names the other table.
  const references = await client.query<{ table: string; other: string }>(`
    select c.relname as table, f.relname as other from pg_constraint k
    join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
    where k.contype = 'f' and c.relnamespace = current_schema()::regnamespace
    union
    select c.relname, rtrim(encode(t.tgargs, 'escape'), '\\0') from pg_trigger t
    join pg_class c on c.oid = t.tgrelid
    where t.tgname like 'referencia\\_%' and c.relnamespace = current_schema()::regnamespace`);
  const tables = Map.groupBy(columns.rows, ({ table }) => table);
  return [...tables].map(([name, rows]) => ({
    name,
    columns: rows.map((row) => ({
      name: row.name,
      kind: kindOf(name, row.type),
      identity: row.identity !== '',
    })),
    key: rows
      .filter(({ key }) => key !== null)
      .sort((a, b) => Number(a.key) - Number(b.key))
      .map((row) => row.name),
    references: references.rows.filter(({ table }) => table === name).map(({ other }) => other),
  }));
}

const KINDS: Readonly<Record<string, ColumnKind>> = {
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  text: 'text',
  bytea: 'bytes',
};

function kindOf(table: string, type: string): ColumnKind {
  const kind = KINDS[type];
  if (kind === undefined) throw new Error(`table ${table} has a column of type ${type}`);
  return kind;
}
