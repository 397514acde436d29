import type { QueryExecutorProvider } from 'kysely';

/** The two databases that the store can lie in. */
export type Engine = 'sqlite' | 'postgres';

/** Which engine a connection or transaction speaks to: the few statements with two texts ask here. */
export function engineOf(db: QueryExecutorProvider): Engine {
  // By Kysely's adapters only PostgreSQL has transactional DDL.
  return db.getExecutor().adapter.supportsTransactionalDdl ? 'postgres' : 'sqlite';
}
