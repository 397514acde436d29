import { sql } from 'kysely';
import { connectPostgres, type Database } from './connect.ts';
import { isDirectAddress } from './own-sessions.ts';

/** Where names of a shadow's connection are looked for, and nowhere else: without its tables it finds none. */
const SHADOW_PATH = 'pg_temp,pg_catalog';
/** Far from all that is given out elsewhere: locks that are told apart by an id (`locks.ts`) are nobody else's. */
const FIRST_ID = 1_000_000_000;

/**
 * A database that is nobody's: the tables of another, empty, as temporary ones of a single connection. They have its
 * indexes and checks, but neither triggers nor policies; with the connection they are gone, however that ends. Nobody else
 * sees them, and they cannot be taken for the real ones, since those are not found by their names here.
 * @throws where no temporary tables may be made, or the server is away, or a pooler stands before it: a session that it gave
 *   to others afterwards would show them these tables instead of the real ones, and documents would be written there
 */
export async function openShadow<T>(url: string): Promise<Database<T>> {
  if (!(await isDirectAddress(url))) throw new Error('there is a pooler before the server');
  const tables = await tablesOf(url);
  const db = connectPostgres<T>({ url, connections: 1, searchPath: SHADOW_PATH });
  try {
    await refuseIfFound(db, tables);
    await sql.raw(tables.map(createTable).join('')).execute(db.write);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

interface Table {
  /** As SQL writes them. */
  schema: string;
  name: string;
  /** Whether its column `id` is numbered by the database. */
  numbered: boolean;
}

async function tablesOf(url: string): Promise<Table[]> {
  const db = connectPostgres({ url, connections: 1 });
  try {
    const { rows } = await sql<{ schema: string; name: string; numbered: number }>`
      select quote_ident(n.nspname) as schema, quote_ident(c.relname) as name, exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'id' and a.attidentity <> ''
      )::int as numbered
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = current_schema() and c.relkind = 'r'`.execute(db.read);
    return rows.map((row) => ({ ...row, numbered: row.numbered === 1 }));
  } finally {
    await db.close();
  }
}

/** As it is now, so it is when the connection is lost and the next one has no tables: what is written must go nowhere. */
async function refuseIfFound<T>(db: Database<T>, tables: readonly Table[]): Promise<void> {
  const names = tables.map(({ name }) => name);
  const { rows } = await sql<{ found: number }>`
    select count(to_regclass(name))::int as found from unnest(${names}::text[]) as name`.execute(db.read);
  if (rows[0]?.found !== 0) throw new Error('the real tables are found by their names');
}

function createTable({ schema, name, numbered }: Table): string {
  const created = `create temporary table ${name} (like ${schema}.${name} including all);`;
  return numbered ? `${created} alter table ${name} alter column id restart with ${FIRST_ID};` : created;
}
