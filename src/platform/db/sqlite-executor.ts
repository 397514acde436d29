import { accessSync, closeSync, constants, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { ManyRows, type ReturnedColumn } from './many-rows.ts';

export interface ExecutedStatement {
  rows: Record<string, unknown>[];
  /** Rows that an insert, update or delete touched. */
  changes: number;
}

/** Runs one compiled statement, for each row where a parameter is `ManyRows`: in this very thread, or in another one (`sqlite-thread.ts`). */
export interface SqliteExecutor {
  execute(sql: string, parameters: readonly unknown[]): ExecutedStatement | Promise<ExecutedStatement>;
  close(): void | Promise<void>;
  /** The first fsync of the log that failed: a disk that lost data once is not to be trusted with more. */
  readonly syncFailure: Error | null;
}

/** Extended result codes of a failed fsync, of a file and of its folder (`SQLITE_IOERR_FSYNC`, `…_DIR_FSYNC`). */
const SYNC_FAILED: ReadonlySet<unknown> = new Set([1034, 1290]);

/** Whether a statement failed because the disk did not keep what it was given. */
export function isSyncFailure(error: unknown): error is Error {
  return error instanceof Error && SYNC_FAILED.has((error as Error & { errcode?: unknown }).errcode);
}

export interface SqliteOptions {
  path: string;
  readOnly?: boolean;
  /** For a file that is to be nobody else's: its journal is left as it is, and somebody else's lock is told at once. */
  alone?: boolean;
  /** Page cache; the usual one where it is left out. */
  cacheKib?: number;
}

/** A writer waits this long for another one before it fails; a commit takes milliseconds, so this is a dead lock. */
const BUSY_TIMEOUT_MS = 60_000;
/** SQLite's code of a lock that another connection holds. */
const BUSY = 5;
/** Within it SQLite asks three times: after 1, 2 and 5 ms. */
const ASK_AGAIN_MS = 8;
/** Who wants a file alone does not wait for a server to end. */
const ALONE_TIMEOUT_MS = 500;
/** Prepared statements kept; more texts than the program has would mean that values are glued into SQL. */
const PREPARED_STATEMENTS = 400;
const IN_MEMORY = ':memory:';
const OWNER_ONLY = 0o600;
/** Page size of a new file; one that is there keeps its own. With 2,048 a file is as large, and an import 7 % slower. */
const PAGE_BYTES = 4_096;
/** Page cache, KiB: the inner pages of a large database and what an import writes at once; filled, it stays. */
const CACHE_KIB = 32_768;
/**
 * Pages of the log: those of a whole import of 5,000 documents. Folding the log into the file holds up the writer, and a
 * page that several commits have written is then folded once. Mostly `foldLog` comes first, when nothing is written.
 */
const LOG_PAGES = 8_000;
/** What stays of the log's file once it begins anew. */
const LOG_KEPT_BYTES = 4_194_304;

/**
 * Makes a new file its owner's alone, and with it what SQLite puts beside it: others may be able to read the folder. A file
 * that is there is not even opened. When a process closes any descriptor of a file, POSIX lets go of all locks that the
 * process has on it; SQLite's locks among them keep other programs away from the log of a file in use.
 * @fonte https://sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
 */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', OWNER_ONLY));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Said here it names file and cause, which SQLite does not.
    accessSync(path, constants.R_OK | constants.W_OK);
  }
}

/**
 * Opens a SQLite file as the embedded default wants it: WAL, and `synchronous=FULL`, since NORMAL acknowledges
 * commits that a power loss takes back.
 */
export class InThreadExecutor implements SqliteExecutor {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();
  /** Others write too, and are waited for. */
  readonly #isPatient: boolean;
  #syncFailure: Error | null = null;

  constructor(options: SqliteOptions) {
    this.#isPatient = !options.readOnly && !options.alone;
    if (!options.readOnly && options.path !== IN_MEMORY) makePrivate(options.path);
    this.#database = new DatabaseSync(options.path, {
      readOnly: options.readOnly ?? false,
      timeout: options.alone ? ALONE_TIMEOUT_MS : BUSY_TIMEOUT_MS,
    });
    if (!options.readOnly) this.#database.exec(`pragma page_size = ${PAGE_BYTES}`);
    if (!options.readOnly && !options.alone) {
      this.#database.exec(
        `pragma journal_mode = wal; pragma wal_autocheckpoint = ${LOG_PAGES}; pragma journal_size_limit = ${LOG_KEPT_BYTES}`,
      );
    }
    this.#database.exec(
      `pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -${options.cacheKib ?? CACHE_KIB}; pragma temp_store = memory`,
    );
  }

  get syncFailure(): Error | null {
    return this.#syncFailure;
  }

  execute(sql: string, parameters: readonly unknown[]): ExecutedStatement {
    try {
      return this.#run(sql, parameters);
    } catch (error) {
      if (isSyncFailure(error)) this.#syncFailure ??= error;
      throw error;
    }
  }

  #run(sql: string, parameters: readonly unknown[]): ExecutedStatement {
    const prepared = this.#prepare(sql);
    const at = parameters.findIndex((value) => value instanceof ManyRows);
    const many = parameters[at];
    if (!(many instanceof ManyRows)) return this.#runAlone(prepared, parameters);
    const [before, after] = [parameters.slice(0, at), parameters.slice(at + 1)];
    const rows: Record<string, unknown>[] = [];
    let changes = 0;
    for (const row of many.rows) {
      const alone = before.length + after.length === 0;
      const values = bindable(alone ? row : [...before, ...row, ...after]);
      if (!prepared.returns) {
        const done = prepared.statement.run(...values);
        changes += Number(done.changes);
        if (many.returned) rows.push(returnedRow(many.returned, row, done.lastInsertRowid));
        continue;
      }
      // One row is inserted, or none.
      const returned = prepared.statement.get(...values);
      if (returned) rows.push(returned);
      changes += returned ? 1 : 0;
    }
    return { rows, changes };
  }

  /**
   * Runs a statement; one that may be the first to need the lock asks for it often. SQLite asks less and less often, at
   * last every 100 ms: who came late would be passed over by writers that follow each other.
   */
  #runAlone(prepared: Prepared, parameters: readonly unknown[]): ExecutedStatement {
    const needsLock = !prepared.returns && this.#isPatient && !this.inTransaction;
    if (!needsLock) return runOnce(prepared, parameters);
    const end = performance.now() + BUSY_TIMEOUT_MS;
    this.#database.exec(`pragma busy_timeout = ${ASK_AGAIN_MS}`);
    try {
      for (;;) {
        try {
          return runOnce(prepared, parameters);
        } catch (error) {
          if ((error as { errcode?: unknown }).errcode !== BUSY || performance.now() > end) throw error;
        }
      }
    } finally {
      this.#database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  /** The rows of a query as arrays, for tables that are copied whole. */
  executeArrays(sql: string, parameters: readonly unknown[]): unknown[][] {
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    return statement.all(...parameters.map(toSqlite)) as unknown as unknown[][];
  }

  /**
   * Writes what the log holds into the file, as far as nobody reads what stood there before, and empties the log. It waits for
   * nobody. A commit is durable as soon as it is in the log, but a damaged byte of the log takes all commits behind it along; a
   * damaged byte of the file takes only those of its page. A log that has been folded and still is there does harm too: cut, its
   * older pages would stand before newer ones of the file. Within a transaction nothing is done.
   * @returns whether the file has all that was committed, and the log nothing
   */
  foldLog(): boolean {
    if (!this.#database.isOpen || this.inTransaction) return false;
    const [done] = this.execute('pragma wal_checkpoint(passive)', []).rows;
    if (done?.busy !== 0 || done.log !== done.checkpointed) return false;
    return this.#withoutWaiting(
      () => this.execute('pragma wal_checkpoint(truncate)', []).rows[0]?.busy === 0,
    );
  }

  #withoutWaiting(act: () => boolean): boolean {
    this.#database.exec('pragma busy_timeout = 0');
    try {
      return act();
    } finally {
      this.#database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  /** Runs several statements of plain SQL, for migrations. */
  executeScript(sql: string): void {
    this.#database.exec(sql);
  }

  /** False also when SQLite has ended a transaction by itself, as a full disk makes it do. */
  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** Closing again is harmless. */
  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  #prepare(sql: string): Prepared {
    const statement = this.#statements.get(sql) ?? prepared(this.#database, sql);
    // Taken out and put back, so that the first of the map is the one that was not used for the longest time.
    this.#statements.delete(sql);
    this.#statements.set(sql, statement);
    if (this.#statements.size > PREPARED_STATEMENTS) {
      const [oldest] = this.#statements.keys();
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    return statement;
  }
}

/** What `returning` would have told of a row that was inserted. */
function returnedRow(
  columns: readonly ReturnedColumn[],
  row: readonly unknown[],
  id: number | bigint,
): Record<string, unknown> {
  const returned: Record<string, unknown> = {};
  for (const { name, at } of columns) returned[name] = at === null ? Number(id) : toSqlite(row[at]);
  return returned;
}

interface Prepared {
  statement: StatementSync;
  /** A statement that returns no column is a write without `returning`. */
  returns: boolean;
}

function prepared(database: DatabaseSync, sql: string): Prepared {
  const statement = database.prepare(sql);
  return { statement, returns: statement.columns().length > 0 };
}

function runOnce({ statement, returns }: Prepared, parameters: readonly unknown[]): ExecutedStatement {
  const values = bindable(parameters);
  if (!returns) return { rows: [], changes: Number(statement.run(...values).changes) };
  const rows = statement.all(...values) as Record<string, unknown>[];
  return { rows, changes: rows.length };
}

/** The parameters themselves, where nothing is to be changed: a copy of each row is felt in an import. */
function bindable(parameters: readonly unknown[]): readonly SQLInputValue[] {
  // By place: the results of an iterator are felt as well.
  for (let at = 0; at < parameters.length; at++) {
    const value = parameters[at];
    if (typeof value === 'boolean' || value === undefined) return parameters.map(toSqlite);
  }
  return parameters as readonly SQLInputValue[];
}

/** `node:sqlite` refuses booleans and undefined; the two engines agree on 0 and 1 and on null. */
function toSqlite(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === undefined) return null;
  return value as SQLInputValue;
}
