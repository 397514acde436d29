import { Kysely } from 'kysely';
import { sqliteDialect } from './sqlite-dialect.ts';
import { InThreadExecutor } from './sqlite-executor.ts';
import { ThreadExecutor } from './sqlite-thread.ts';

/**
 * Two doors to one database. `read` sees every commit made before its statement; `write` opens its transactions
 * so that the second writer waits. On SQLite they are two connections; on PostgreSQL one pool can serve both.
 */
export interface Database<T> {
  read: Kysely<T>;
  write: Kysely<T>;
  close(): Promise<void>;
}

/** For the thread that serves HTTP: both connections live in threads of their own and only messages go to and fro. */
export function connectSqliteThreads<T>(path: string): Database<T> {
  const write = new Kysely<T>({
    dialect: sqliteDialect({ executor: new ThreadExecutor({ path }), writes: true }),
  });
  const read = new Kysely<T>({
    dialect: sqliteDialect({ executor: new ThreadExecutor({ path, readOnly: true }), writes: false }),
  });
  return {
    read,
    write,
    async close() {
      await Promise.all([read.destroy(), write.destroy()]);
    },
  };
}

/** For a worker thread or a command that may block: one connection in this very thread. */
export function connectSqliteHere<T>(path: string): Database<T> {
  const db = new Kysely<T>({
    dialect: sqliteDialect({ executor: new InThreadExecutor({ path }), writes: true }),
  });
  return { read: db, write: db, close: () => db.destroy() };
}
