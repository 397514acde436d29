import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryResult,
} from 'kysely';
import type pg from 'pg';
import { DatabaseAwayError } from './faults.ts';
import { BulkQueryCompiler, isInsertOfRows } from './postgres-compiler.ts';
import type { PostgresPool } from './postgres-pool.ts';
import { toPostgres } from './postgres-values.ts';
import { currentTenant } from './tenant.ts';

export interface PostgresDialectOptions {
  pool: PostgresPool;
  /** Transactions of a reader see one moment and can change nothing. */
  writes: boolean;
}

/** Each statement sees what was committed before it: what must not be decided twice is locked (`locks.ts`). */
const BEGIN_WRITING = 'begin isolation level read committed read write';
const BEGIN_READING = 'begin isolation level repeatable read read only';

/** Joins Kysely and node-postgres. */
export function postgresDialect(options: PostgresDialectOptions): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PostgresDriver(options),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new BulkQueryCompiler(),
  };
}

class PostgresDriver implements Driver {
  readonly #options: PostgresDialectOptions;

  constructor(options: PostgresDialectOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresConnection> {
    const connection = new PostgresConnection(this.#options.pool, await this.#options.pool.acquire());
    connection.actFor(currentTenant());
    return connection;
  }

  async beginTransaction(connection: PostgresConnection): Promise<void> {
    // What follows and writes must not be sent before it is known to be part of the transaction.
    if (this.#options.writes) await connection.executeQuery(CompiledQuery.raw(BEGIN_WRITING));
    else connection.sendAhead(BEGIN_READING);
  }

  async commitTransaction(connection: PostgresConnection): Promise<void> {
    await connection.commit();
  }

  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw('rollback'));
    } catch {
      // The server rolls back what a lost connection leaves; the caller is to see what went wrong before.
      connection.discard();
    }
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    connection.release();
  }

  /** The pool is shared and closed by who made it. */
  async destroy(): Promise<void> {}
}

/** The office that each open connection works for. The server is told only when it changes. */
const ACTING = new WeakMap<pg.PoolClient, string>();

/** Texts that a connection has prepared, or has seen. A text beyond these is read and planned each time. */
const PREPARED_STATEMENTS = 64;
const SEEN_STATEMENTS = 256;

/**
 * Prepares inserts of many rows by name when their text comes again, so that the server reads and plans them once. Rows to
 * be inserted have one plan. Nothing else is prepared: a plan that was made while a table was empty would be kept while it
 * grows, and a filter leaves more or fewer rows from value to value.
 */
class PreparedInserts {
  readonly #names = new Map<string, string>();
  readonly #seen = new Set<string>();

  /** The name of a text; none at its first time, or when there are enough. */
  nameOf(text: string): string | undefined {
    if (!isInsertOfRows(text)) return undefined;
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= PREPARED_STATEMENTS) return known;
    if (!this.#seen.has(text)) {
      if (this.#seen.size >= SEEN_STATEMENTS) this.#seen.clear();
      this.#seen.add(text);
      return undefined;
    }
    const name = `malote_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}
const PREPARED = new WeakMap<pg.PoolClient, PreparedInserts>();

function preparedOf(client: pg.PoolClient): PreparedInserts {
  const prepared = PREPARED.get(client) ?? new PreparedInserts();
  PREPARED.set(client, prepared);
  return prepared;
}

/** SQLSTATE of a prepared statement whose tables have changed since: a migration has run meanwhile. */
const PLAN_OUTDATED = '0A000';

class PostgresConnection implements DatabaseConnection {
  readonly #pool: PostgresPool;
  readonly #client: pg.PoolClient;
  /** Sent without waiting for the answer, which comes with that of the next statement: one round trip for both. */
  #ahead: Promise<unknown>[] = [];
  #broken = false;

  constructor(pool: PostgresPool, client: pg.PoolClient) {
    this.#pool = pool;
    this.#client = client;
  }

  /** Outside of a transaction only: a rollback would take it back. */
  actFor(tenant: string): void {
    if (ACTING.get(this.#client) === tenant) return;
    ACTING.delete(this.#client);
    const told = this.sendAhead("select set_config('malote.contador', $1, false)", [tenant]);
    told.then(() => ACTING.set(this.#client, tenant), ignore);
  }

  /** What has no answer to wait for. Should it fail, the next statement says so, and its own answer counts for nothing. */
  sendAhead(text: string, values: unknown[] = []): Promise<unknown> {
    const sent = this.#client.query({ text, values });
    sent.catch(ignore);
    this.#ahead.push(sent);
    return sent;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, rowCount } = await this.#query(query.sql, query.parameters.map(toPostgres));
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) };
  }

  // biome-ignore lint/correctness/useYield: pages are bounded on both engines, so nothing is streamed.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('results are read page by page, not streamed');
  }

  /** @throws also when the server rolled back, which it does without an error after a statement that failed */
  async commit(): Promise<void> {
    const { command } = await this.#query('commit', []);
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back by a statement that failed');
  }

  discard(): void {
    this.#broken = true;
  }

  release(): void {
    this.#pool.release(this.#client, this.#broken || this.#ahead.length > 0);
  }

  /** Waits for a statement and what was sent ahead of it. @throws the first fault; nothing is in work then */
  async #answersOf(statement: Promise<unknown>): Promise<void> {
    const ahead = this.#ahead;
    this.#ahead = [];
    const answers = await Promise.allSettled([...ahead, statement]);
    const at = answers.findIndex(({ status }) => status === 'rejected');
    if (at < 0) return;
    if (at < ahead.length) this.#broken = true;
    throw (answers[at] as PromiseRejectedResult).reason;
  }

  async #query(text: string, values: unknown[]): Promise<pg.QueryResult> {
    try {
      const name = preparedOf(this.#client).nameOf(text);
      const query = name === undefined ? { text, values } : { name, text, values };
      const sent = this.#client.query(query);
      await this.#pool.during(this.#client, this.#answersOf(sent));
      return await sent;
    } catch (error) {
      // A value that cannot be sent or read is no fault of the connection.
      if (error instanceof RangeError || error instanceof TypeError) throw error;
      // What the server itself said has a severity; the rest is a connection that is gone or out of step.
      const { severity, code } = error as { severity?: string; code?: string };
      if (severity !== 'ERROR' || code === PLAN_OUTDATED) this.#broken = true;
      throw severity === undefined || code === PLAN_OUTDATED ? new DatabaseAwayError(error) : error;
    }
  }
}

function ignore(): void {}
