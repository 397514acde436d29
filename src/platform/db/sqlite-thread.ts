/**
 * SQLite in a thread of its own. `node:sqlite` is synchronous, so a slow disk or a long statement would stop the
 * thread that serves HTTP; there only messages are exchanged. This file is both ends: the class is the caller's,
 * the part at the bottom runs in the worker.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { collectGarbage } from '../threads/collect-garbage.ts';
import { ManyRows } from './many-rows.ts';
import {
  type ExecutedStatement,
  InThreadExecutor,
  isSyncFailure,
  type SqliteExecutor,
  type SqliteOptions,
} from './sqlite-executor.ts';

type Request = { id: number; sql: string; parameters: readonly unknown[] } | { close: true };

type Response = { id: number; result: ExecutedStatement } | { id: number; error: Fault };

interface Fault {
  message: string;
  code?: string;
  errcode?: number;
}

interface Waiting {
  resolve(result: ExecutedStatement): void;
  reject(error: Error): void;
}

/**
 * The database refused or failed a statement. `code` is Node's (`ERR_SQLITE_ERROR`, `ERR_OUT_OF_RANGE` …),
 * `errcode` SQLite's extended result code (2067 = a unique index was violated), where there is one.
 */
export class DatabaseError extends Error {
  readonly code: string | undefined;
  readonly errcode: number | undefined;
  constructor({ message, code, errcode }: Fault) {
    super(message);
    this.name = 'DatabaseError';
    this.code = code;
    this.errcode = errcode;
  }
}

/** The near end: sends statements to the thread, in order, and waits for its answers. */
export class ThreadExecutor implements SqliteExecutor {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ended: Promise<void>;
  #nextId = 1;
  #closing = false;
  #failure: Error | null = null;
  #syncFailure: Error | null = null;

  constructor(options: SqliteOptions) {
    this.#worker = new Worker(new URL(import.meta.url), {
      workerData: { malote: 'sqlite', options },
    });
    this.#worker.on('message', (response: Response) => this.#settle(response));
    this.#worker.on('error', (error) => this.#fail(error as Error));
    this.#ended = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#fail(ended());
        resolve();
      });
    });
    this.#worker.unref();
  }

  get syncFailure(): Error | null {
    return this.#syncFailure;
  }

  execute(sql: string, parameters: readonly unknown[]): Promise<ExecutedStatement> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      // First the message, which throws for a value that cannot be sent: nobody waits for its answer then.
      this.#worker.postMessage({ id, sql, parameters: parameters.map(toMessage) } satisfies Request);
      this.#waiting.set(id, { resolve, reject });
      // Only while somebody waits does the thread keep the process alive.
      this.#worker.ref();
    });
  }

  /** Lets the statements that were sent before finish; later ones are refused. Closing again is harmless. */
  async close(): Promise<void> {
    this.#failure ??= ended();
    this.#closing = true;
    this.#worker.ref();
    this.#worker.postMessage({ close: true } satisfies Request);
    await this.#ended;
  }

  #settle(response: Response): void {
    const waiting = this.#waiting.get(response.id);
    this.#waiting.delete(response.id);
    if (this.#waiting.size === 0 && !this.#closing) this.#worker.unref();
    if (!waiting) return;
    if ('result' in response) {
      waiting.resolve(response.result);
      return;
    }
    const error = new DatabaseError(response.error);
    if (isSyncFailure(error)) this.#syncFailure ??= error;
    waiting.reject(error);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#failure);
    this.#waiting.clear();
  }
}

/** An `Error` of this very message is answered as passing (503). */
function ended(): Error {
  return new Error('the database thread has ended');
}

/** A view of a shared pool would take the whole pool along; classes do not travel. */
function toMessage(value: unknown): unknown {
  if (value instanceof ManyRows)
    return { rows: value.rows.map((row) => row.map(toMessage)), returned: value.returned };
  return value instanceof Uint8Array && value.byteLength < value.buffer.byteLength
    ? new Uint8Array(value)
    : value;
}

/** No other value of a statement is an object with rows. */
function fromMessage(value: unknown): unknown {
  const many = typeof value === 'object' && value !== null && 'rows' in value;
  if (!many) return value;
  const { rows, returned } = value as Pick<ManyRows, 'rows' | 'returned'>;
  return new ManyRows(rows, returned);
}

function serve(options: SqliteOptions): void {
  const executor = new InThreadExecutor(options);
  collectGarbage();
  parentPort?.on('message', (request: Request) => {
    if ('close' in request) {
      executor.close();
      parentPort?.close();
      return;
    }
    const { id, sql, parameters } = request;
    try {
      parentPort?.postMessage({
        id,
        result: executor.execute(sql, parameters.map(fromMessage)),
      } satisfies Response);
    } catch (error) {
      parentPort?.postMessage({ id, error: faultOf(error as Error) } satisfies Response);
    }
  });
}

function faultOf({ message, code, errcode }: Error & { code?: string; errcode?: number }): Fault {
  return { message, ...(code === undefined ? {} : { code }), ...(errcode === undefined ? {} : { errcode }) };
}

const start = workerData as { malote?: string; options: SqliteOptions } | null;
if (!isMainThread && start?.malote === 'sqlite') serve(start.options);
