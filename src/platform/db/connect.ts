import { Kysely } from 'kysely';
import { sqliteDialect } from './sqlite-dialect.ts';
import { InThreadExecutor, type SqliteExecutor } from './sqlite-executor.ts';
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
  const writer = new ThreadExecutor({ path });
  const reader = new ThreadExecutor({ path, readOnly: true });
  return {
    read: kyselyOver(reader, { writes: false }),
    write: kyselyOver(writer, { writes: true }),
    async close() {
      // The writer last: the one that closes last folds the log into the database file, and a reader cannot.
      await reader.close();
      await writer.close();
    },
  };
}

/** For a worker thread or a command that may block: one connection in this very thread. */
export function connectSqliteHere<T>(path: string): Database<T> {
  const executor = new InThreadExecutor({ path });
  const db = kyselyOver<T>(executor, { writes: true });
  return { read: db, write: db, close: async () => executor.close() };
}

/** Kysely destroys a driver only if it was used once, so the executors are closed by who made them. */
function kyselyOver<T>(executor: SqliteExecutor, { writes }: { writes: boolean }): Kysely<T> {
  return new Kysely<T>({ dialect: sqliteDialect({ executor, writes }) });
}
