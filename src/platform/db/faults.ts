/** Which errors of a database say nothing about the statement: the database is away, full or busy, and waiting helps. */

/** No connection to the database could be had, or it broke. What was sent before may or may not have happened. */
export class DatabaseAwayError extends Error {
  constructor(cause: unknown) {
    super('the database is away', { cause });
    this.name = 'DatabaseAwayError';
  }
}

/**
 * SQLSTATEs of PostgreSQL that pass: connection (class 08), disk, memory or connections exhausted (53), cancelled by a
 * time limit (57014) or after too long in a transaction (25P03, 25P04), shut down or starting (57P01–57P05), lock not had
 * in time (55P03), serialization and deadlock (40001, 40P01), a server that only reads because another has taken over
 * (25006), an I/O error (58030).
 */
const PASSING_SQLSTATE = /^(08...|53...|57P0[1-5]|57014|55P03|25P0[34]|40001|40P01|25006|58030)$/;
/** SQLSTATE of PostgreSQL: no room left where it keeps the database. */
export const POSTGRES_FULL = '53100';
/** What PostgreSQL asks to be tried again at once: nothing of the transaction has happened. */
const RETRY_SQLSTATE = /^(40001|40P01)$/;
/** `node:sqlite` and the thread around it tell by message. */
const PASSING_SQLITE =
  /database is locked|disk is full|disk I\/O error|unable to open|readonly database|database thread has ended/;
const SQLITE_FULL = /disk is full/;

/** Whether the database, not the statement, is to blame. */
export function isDatabasePassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseAwayError) return true;
  const { code } = error as NodeJS.ErrnoException;
  if (isFromPostgres(error)) return code !== undefined && PASSING_SQLSTATE.test(code);
  const fromSqlite = error.name === 'DatabaseError' || code === 'ERR_SQLITE_ERROR' || code === undefined;
  return fromSqlite && PASSING_SQLITE.test(error.message);
}

/** Whether its disk is full: a fault that passes only when somebody makes room. */
export function isDatabaseFull(error: unknown): boolean {
  if (!isDatabasePassing(error)) return false;
  const { code, message } = error as NodeJS.ErrnoException;
  return isFromPostgres(error) ? code === POSTGRES_FULL : SQLITE_FULL.test(message);
}

/** Whether the very same transaction is worth another try at once. */
export function isRetriable(error: unknown): boolean {
  return isFromPostgres(error) && RETRY_SQLSTATE.test((error as NodeJS.ErrnoException).code ?? '');
}

/** `DatabaseError` of node-postgres: it carries the severity that the server sent. */
function isFromPostgres(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && 'routine' in error;
}
