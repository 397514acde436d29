import type { Dialect, Kysely } from 'kysely';
import type { Config } from '../../config.ts';
import type { Engine } from './engine.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { type PostgresOptions, PostgresPool } from './postgres-pool.ts';
import { RetryingKysely } from './retry.ts';
import { SqliteCommits } from './sqlite-commits.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { InThreadExecutor, type SqliteExecutor } from './sqlite-executor.ts';
import { ThreadExecutor } from './sqlite-thread.ts';

/**
 * Two doors to one database. `read` sees every commit made before its statement, and its transactions see one
 * moment; `write` opens its transactions so that the second writer waits. On SQLite they are two connections, on
 * PostgreSQL two views of one pool.
 */
export interface Database<T> {
  engine: Engine;
  read: Kysely<T>;
  write: Kysely<T>;
  close(): Promise<void>;
  /**
   * A number that stays the same as long as nothing at all was committed, by whomever. It is told at once. Null where it
   * cannot be: on PostgreSQL, and where one connection both reads and writes.
   */
  commits(): number | null;
  /**
   * For moments at which nothing is written: `InThreadExecutor.foldLog`. Nothing is done on PostgreSQL, which does so itself,
   * nor in the thread that serves.
   * @returns whether what was committed is beyond what a damaged log could take back
   */
  foldLog(): boolean;
  /**
   * The first commit that the disk did not keep, for the readiness check. Always null on PostgreSQL, which ends and
   * recovers by itself then.
   */
  readonly syncFailure: Error | null;
}

/** Which database, by the settings: an address of PostgreSQL, else a file. */
export type DatabaseSettings = Pick<Config, 'databaseUrl' | 'sqlitePath' | 'conexoes'>;

/** A command or an import thread writes one batch at a time; beside it leases are renewed and states are read. */
const CONNECTIONS_HERE = 4;
/**
 * One connection for the batches and one for the leases stay open. Else each import would open new ones, for which the
 * server reads and plans every statement anew (a twentieth of the time of 5,000 documents).
 */
const KEPT_HERE = 2;

/**
 * Page cache of a thread that only reads. It holds the inner pages of the trees. What hangs below them is hardly ever read
 * twice by the same thread, and lies in the system's cache. The usual size would keep 32 MB for each thread, for good.
 */
const CACHE_TO_READ_KIB = 6_144;
/** Page cache of each of the server's two threads; the system's cache holds the rest of a large database. */
const CACHE_OF_SERVER_KIB = 16_384;

/** For the thread that serves HTTP, which must never wait for a disk: nothing connects before the first statement. */
export function connectForServer<T>(settings: DatabaseSettings): Database<T> {
  const { databaseUrl: url, conexoes: connections } = settings;
  return url === '' ? connectSqliteThreads<T>(settings.sqlitePath) : connectPostgres<T>({ url, connections });
}

/** For a worker thread or a command. */
export function connectHere<T>(settings: DatabaseSettings): Database<T> {
  const { databaseUrl: url, conexoes } = settings;
  if (url === '') return connectSqliteHere<T>(settings.sqlitePath);
  return connectPostgres<T>({ url, connections: Math.min(conexoes, CONNECTIONS_HERE), kept: KEPT_HERE });
}

/** The same for a thread that only reads, one statement after the other. */
export function connectToRead<T>(settings: DatabaseSettings): Database<T> {
  const { databaseUrl: url, sqlitePath: path } = settings;
  if (url === '')
    return openSqlite<T>(new InThreadExecutor({ path, readOnly: true, cacheKib: CACHE_TO_READ_KIB }));
  return connectPostgres<T>({ url, connections: 1 });
}

/** Both connections live in threads of their own and only messages go to and fro. */
export function connectSqliteThreads<T>(path: string): Database<T> {
  const writer = new ThreadExecutor({ path, cacheKib: CACHE_OF_SERVER_KIB });
  const reader = new ThreadExecutor({ path, readOnly: true, cacheKib: CACHE_OF_SERVER_KIB });
  const commits = new SqliteCommits(path);
  return {
    engine: 'sqlite',
    read: kyselyOverSqlite(reader, { writes: false }),
    write: kyselyOverSqlite(writer, { writes: true }),
    commits: () => commits.now(),
    // The import thread does, whose commits fill it.
    foldLog: () => false,
    get syncFailure() {
      return writer.syncFailure;
    },
    async close() {
      // The writer last: the one that closes last folds the log into the database file, and a reader cannot.
      commits.close();
      await reader.close();
      await writer.close();
    },
  };
}

/** One connection in this very thread. */
export function connectSqliteHere<T>(path: string): Database<T> {
  return openSqlite(new InThreadExecutor({ path }));
}

/** Over a connection that is open already: the only way to a database that lives in memory. */
export function openSqlite<T>(executor: InThreadExecutor): Database<T> {
  const db = kyselyOverSqlite<T>(executor, { writes: true });
  return {
    engine: 'sqlite',
    read: db,
    write: db,
    commits: () => null,
    foldLog: () => executor.foldLog(),
    get syncFailure() {
      return executor.syncFailure;
    },
    close: async () => executor.close(),
  };
}

/** One pool of connections; transactions over `read` cannot write. */
export function connectPostgres<T>(options: PostgresOptions): Database<T> {
  const pool = new PostgresPool(options);
  return {
    engine: 'postgres',
    read: kyselyOver<T>(postgresDialect({ pool, writes: false })),
    write: kyselyOver<T>(postgresDialect({ pool, writes: true })),
    commits: () => null,
    foldLog: () => true,
    syncFailure: null,
    close: () => pool.close(),
  };
}

/** Kysely destroys a driver only if it was used once, so the executors are closed by who made them. */
function kyselyOverSqlite<T>(executor: SqliteExecutor, { writes }: { writes: boolean }): Kysely<T> {
  return kyselyOver<T>(sqliteDialect({ executor, writes }));
}

function kyselyOver<T>(dialect: Dialect): Kysely<T> {
  return new RetryingKysely<T>({ dialect });
}
