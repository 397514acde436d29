import { type Kysely, sql } from 'kysely';
import { engineOf } from './engine.ts';

/**
 * The database's clock (ms UTC), for what several hosts must agree on. SQLite has none of its own: there the
 * caller's is as good, since all processes are on one host.
 */
export async function databaseNow<T>(db: Kysely<T>, hostNow: number): Promise<number> {
  if (engineOf(db) === 'sqlite') return hostNow;
  const { rows } = await sql<{ agora: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as agora`.execute(db);
  return Number(rows[0]?.agora ?? hostNow);
}
