/** Connections to PostgreSQL: how many, how long they may take, and what is done when the server goes away. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Place, Shares } from '../threads/shares.ts';
import { DatabaseAwayError, isDatabasePassing } from './faults.ts';
import { driver } from './pg.ts';
import { TYPES } from './postgres-values.ts';
import { PostgresWatch } from './postgres-watch.ts';
import { currentTurn, isOffice } from './tenant.ts';

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
/** Later than the server's own limit: a statement that it has forgotten. One that hangs is found sooner (`postgres-watch.ts`). */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 10_000;
/** For who asks whether the server is there at all: to connect, and for the answer. With what it waits before, less than ten. */
const ASK_WITHIN_MS = 4_500;
/**
 * A network that is gone without a word is found out by asking: after so long without a packet, ten times, once a second.
 * Without a number the kernel first asks after two hours.
 */
const SILENT_FOR_MS = 10_000;
/** For the wait until a connection is free, and for one attempt to connect. */
const CONNECT_TIMEOUT_MS = 5_000;
/** A server that takes no more connections will take one as soon as another ends. */
const FULL_RETRY_MS = 6_000;
/** A server that restarts is back within a second; who waits longer is told to come again. */
const AWAY_RETRY_MS = 1_000;
const RETRY_EVERY_MS = 50;
/**
 * A connection that nobody uses is closed, but for one or a few. That happens sooner than another process that finds the
 * server full gives up: else a process that has had many connections would starve one that has none.
 */
const IDLE_MS = 1_000;
const KEPT_CONNECTIONS = 1;

/** So many of all connections one office leaves to others, whatever it asks for; at least one, where there are more. */
const LEFT_BY_AN_OFFICE = 1 / 4;

/** What one office may hold of them. */
function mostOfAnOffice(connections: number): number {
  return Math.max(1, connections - Math.max(1, Math.floor(connections * LEFT_BY_AN_OFFICE)));
}

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
 * Joins the settings of the address with ours. node-postgres lets the address overrule what stands beside it, so what the
 * address says of a session is put before ours, of which the later counts. A process of ours is known by its name
 * (`refuseIfOthers`).
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
  readonly #watch: PostgresWatch;
  /** How often the server had been away when each connection was made. */
  readonly #madeAfter = new WeakMap<pg.PoolClient, number>();
  /** Whose turn it is: a connection that becomes free goes to the next office, whichever asks more often. */
  readonly #turns: Shares;
  readonly #places = new WeakMap<pg.PoolClient, Place>();
  #closed: Promise<void> | null = null;

  constructor(options: PostgresOptions) {
    const { connectionString, options: fromAddress } = partsOf(options.url);
    const settings = sessionSettings();
    const connection = {
      connectionString,
      ...settings,
      options: `${fromAddress} ${settings.options}`.trim(),
      application_name: 'malote',
    };
    const { connections } = options;
    const each = (tenant: string) => (isOffice(tenant) ? mostOfAnOffice(connections) : connections);
    this.#turns = new Shares({ capacity: connections, each, waitMs: CONNECT_TIMEOUT_MS });
    this.#watch = new PostgresWatch({ ask: (processIds) => askServer(connection, processIds) });
    this.#pool = new (driver().Pool)({
      ...connection,
      max: connections,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: IDLE_MS,
      min: Math.min(options.kept ?? KEPT_CONNECTIONS, connections),
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: SILENT_FOR_MS,
      types: TYPES,
      // What has no answer to wait for is sent in front of the statement that it is for (`postgres-dialect.ts`).
      pipeline: true,
      allowExitOnIdle: true,
    });
    // Without a listener, the end of the server (57P01) would be the end of this process. Whoever uses the
    // connection is told by its own statement.
    this.#pool.on('error', ignore);
    this.#pool.on('connect', (client) => {
      client.on('error', ignore);
      this.#madeAfter.set(client, this.#watch.outages);
    });
  }

  /** A connection, to be given back with `release`. @throws DatabaseAwayError when none can be had in time */
  async acquire(): Promise<pg.PoolClient> {
    const place = await this.#turns.enter(currentTurn()).catch((error: unknown) => {
      throw new DatabaseAwayError(error);
    });
    try {
      const client = await this.#connect();
      this.#places.set(client, place);
      return client;
    } catch (error) {
      place.release();
      throw error;
    }
  }

  /** Gives a connection back. @param broken nobody is to have it again */
  release(client: pg.PoolClient, broken: boolean): void {
    client.release(broken);
    this.#places.get(client)?.release();
  }

  /** Follows a statement on a connection of this pool: it fails when the server hangs. */
  during<T>(client: pg.PoolClient, statement: Promise<T>): Promise<T> {
    return this.#watch.during(client, statement);
  }

  /** Waits for statements in work. Closing again is harmless. */
  close(): Promise<void> {
    this.#closed ??= this.#pool.end().finally(() => this.#watch.close());
    return this.#closed;
  }

  async #connect(): Promise<pg.PoolClient> {
    const start = performance.now();
    for (;;) {
      this.#watch.requireAnswering();
      try {
        const client = await this.#pool.connect();
        if (this.#madeAfter.get(client) === this.#watch.outages) return client;
        // It may lead nowhere.
        client.release(true);
        continue;
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

/**
 * Asks the server something on a connection of its own. An error that it says itself is an answer as well.
 * @returns which of these processes of it have nothing in work @throws when no answer came in time
 */
async function askServer(
  connection: pg.ClientConfig,
  processIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const client = new (driver().Client)({
    ...connection,
    connectionTimeoutMillis: ASK_WITHIN_MS,
    query_timeout: ASK_WITHIN_MS,
  });
  client.on('error', ignore);
  const late = setTimeout(() => void client.end().catch(ignore), ASK_WITHIN_MS).unref();
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      "select pid from pg_stat_activity where pid = any($1) and state like 'idle%'",
      [processIds],
    );
    return new Set(rows.map(({ pid }) => pid));
  } catch (error) {
    if (error instanceof driver().DatabaseError) return new Set();
    throw error;
  } finally {
    clearTimeout(late);
    client.end().catch(ignore);
  }
}

function ignore(): void {}
