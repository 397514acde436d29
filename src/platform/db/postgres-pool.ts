/** Connections to PostgreSQL: how many, how long they may take, and what is done when the server goes away. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseAwayError, isDatabasePassing } from './faults.ts';
import { TYPES } from './postgres-values.ts';

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  url: string;
  /** At most this many connections. */
  connections: number;
  /** This many stay open while nobody uses them. */
  kept?: number;
}

/** A statement of ours takes milliseconds, a batch or a page of the check a second; longer helps nobody who waits. */
const STATEMENT_TIMEOUT_MS = 60_000;
/** Locks are held for one batch, about a second; a longer wait is a lock that somebody forgot. */
const LOCK_TIMEOUT_MS = 30_000;
/** A transaction whose client has gone silent (a stopped machine) must not hold an office's lock for good. */
const IDLE_TRANSACTION_MS = 60_000;
/** When the network swallows packets no answer ever comes: later than the server's own limit. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 10_000;
/**
 * A network that is gone without a word is found out by asking: after so long without a packet, ten times, once a second.
 * Without a number the kernel first asks after two hours.
 */
const SILENT_FOR_MS = 10_000;
/** For the wait in the queue of the pool, and for one attempt to connect. */
const CONNECT_TIMEOUT_MS = 5_000;
/** A server that takes no more connections will take one as soon as another ends. */
const FULL_RETRY_MS = 6_000;
/** A server that restarts is back within a second; who waits longer is told to come again. */
const AWAY_RETRY_MS = 1_000;
const RETRY_EVERY_MS = 50;
/** Requests that wait for a connection; the next one is told at once to come again. */
const MAX_WAITING = 500;
/**
 * A connection that nobody uses goes, but for one or a few, sooner than another process that finds the server full gives
 * up: else one that has had many would starve one that has none.
 */
const IDLE_MS = 1_000;
const KEPT_CONNECTIONS = 1;

/** SQLSTATE of a server that has no connection left. */
const TOO_MANY_CONNECTIONS = '53300';

/** What a connection tells the server when it begins. Each is a setting that a pooler has to let pass. */
export function sessionSettings() {
  return {
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    // Statements here take milliseconds: compiled to machine code, they would take tens more, and 30 MB a connection.
    options: '-c jit=off',
  };
}

/**
 * An address overrules what node-postgres is told beside it. What it says of a session goes before ours instead, of which
 * the later counts; and a process of ours is known by its name (`refuseIfOthers`).
 */
function partsOf(url: string): { connectionString: string; options: string } {
  const [address = '', query] = splitAtFirst(url, '?');
  if (query === undefined) return { connectionString: address, options: '' };
  const settings = new URLSearchParams(query);
  const options = settings.getAll('options').join(' ');
  for (const name of ['options', 'application_name']) settings.delete(name);
  return { connectionString: `${address}?${settings}`, options };
}

function splitAtFirst(text: string, mark: string): string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** One pool. A broken connection is thrown away and replaced when one is wanted; it never ends the process. */
export class PostgresPool {
  readonly #pool: pg.Pool;
  #waiting = 0;
  #closed: Promise<void> | null = null;

  constructor(options: PostgresOptions) {
    const { connectionString, options: fromAddress } = partsOf(options.url);
    const settings = sessionSettings();
    this.#pool = new pg.Pool({
      connectionString,
      max: options.connections,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: IDLE_MS,
      min: Math.min(options.kept ?? KEPT_CONNECTIONS, options.connections),
      ...settings,
      options: `${fromAddress} ${settings.options}`.trim(),
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: SILENT_FOR_MS,
      application_name: 'malote',
      types: TYPES,
      allowExitOnIdle: true,
    });
    // Without a listener, the end of the server (57P01) would be the end of this process. Whoever uses the
    // connection is told by its own statement.
    this.#pool.on('error', ignore);
    this.#pool.on('connect', (client) => client.on('error', ignore));
  }

  /** A connection, to be given back with `release`. @throws DatabaseAwayError when none can be had in time */
  async acquire(): Promise<pg.PoolClient> {
    if (this.#waiting >= MAX_WAITING)
      throw new DatabaseAwayError(new Error('too many wait for a connection'));
    this.#waiting += 1;
    try {
      return await this.#connect();
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Waits for statements in work. Closing again is harmless. */
  close(): Promise<void> {
    this.#closed ??= this.#pool.end();
    return this.#closed;
  }

  async #connect(): Promise<pg.PoolClient> {
    const start = performance.now();
    for (;;) {
      try {
        return await this.#pool.connect();
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        const limit = code === TOO_MANY_CONNECTIONS ? FULL_RETRY_MS : AWAY_RETRY_MS;
        if (this.#closed || performance.now() - start > limit) throw connectFault(error);
        if (!isDatabasePassing(connectFault(error))) throw error;
      }
      await sleep(RETRY_EVERY_MS);
    }
  }
}

/** Server answers that no waiting changes: a wrong password, no such database, no right to connect. */
const REFUSED_SQLSTATE = /^(28...|3D000|42501)$/;

/** A failed attempt to connect as the rest of the program sees it. */
function connectFault(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && REFUSED_SQLSTATE.test(code) ? error : new DatabaseAwayError(error);
}

function ignore(): void {}
