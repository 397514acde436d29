import { sql, type Transaction } from 'kysely';
import { engineOf } from './engine.ts';

/** null: the engine gives them as it inserts (SQLite, which is asked for nothing else meanwhile). */
export type ReservedIds = readonly number[] | null;

/**
 * Reserves ids for rows that are about to be inserted, ascending, as many for each table. On PostgreSQL they come from the
 * sequence of the column `id`. So what refers to a row can be on its way before the row is there, and ids are in an order
 * that `returning` does not promise. Ids that are not used leave gaps.
 */
export async function reserveIds<DB, T extends keyof DB & string>(
  trx: Transaction<DB>,
  tables: readonly T[],
  count: number,
): Promise<Record<T, ReservedIds>> {
  const none = Object.fromEntries(tables.map((table) => [table, null])) as Record<T, ReservedIds>;
  if (engineOf(trx) === 'sqlite' || count === 0) return none;
  const columns = tables.map(
    (table) => sql`(select string_agg(nextval(sequence)::text, ',')
      from (select pg_get_serial_sequence(${table}, 'id')::regclass as sequence offset 0) as one,
        generate_series(1, ${count}::int)) as ${sql.ref(table)}`,
  );
  const { rows } = await sql<Record<T, string>>`select ${sql.join(columns)}`.execute(trx);
  const reserved = tables.map((table) => [table, ascending(rows[0]?.[table] ?? '')]);
  return Object.fromEntries(reserved) as Record<T, ReservedIds>;
}

function ascending(text: string): number[] {
  return text
    .split(',')
    .map(Number)
    .sort((a, b) => a - b);
}
