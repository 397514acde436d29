/**
 * SQLite in a thread of its own. `node:sqlite` is synchronous, so a slow disk or a long statement would stop the
 * thread that serves HTTP; there only messages are exchanged. This file is both ends: the class is the caller's,
 * the part at the bottom runs in the worker.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import {
  type ExecutedStatement,
  InThreadExecutor,
  type SqliteExecutor,
  type SqliteOptions,
} from './sqlite-executor.ts';

interface Request {
  id: number;
  sql: string;
  parameters: readonly unknown[];
}

type Response =
  | { id: number; result: ExecutedStatement }
  | { id: number; error: { message: string; code?: string } };

interface Waiting {
  resolve(result: ExecutedStatement): void;
  reject(error: Error): void;
}

/** The database refused or failed a statement; `code` is SQLite's own (`ERR_SQLITE_ERROR`, errcode in the message). */
export class DatabaseError extends Error {
  readonly code: string | undefined;
  constructor(message: string, code: string | undefined) {
    super(message);
    this.name = 'DatabaseError';
    this.code = code;
  }
}

export class ThreadExecutor implements SqliteExecutor {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #failure: Error | null = null;

  constructor(options: SqliteOptions) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: { malote: 'sqlite', options } });
    this.#worker.on('message', (response: Response) => this.#settle(response));
    this.#worker.on('error', (error) => this.#fail(error as Error));
    this.#worker.on('exit', () => this.#fail(new Error('the database thread has ended')));
    this.#worker.unref();
  }

  execute(sql: string, parameters: readonly unknown[]): Promise<ExecutedStatement> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      // Only while somebody waits does the thread keep the process alive.
      this.#worker.ref();
      this.#worker.postMessage({ id, sql, parameters } satisfies Request);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(response: Response): void {
    const waiting = this.#waiting.get(response.id);
    this.#waiting.delete(response.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (!waiting) return;
    if ('result' in response) waiting.resolve(response.result);
    else waiting.reject(new DatabaseError(response.error.message, response.error.code));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#failure);
    this.#waiting.clear();
  }
}

function serve(options: SqliteOptions): void {
  const executor = new InThreadExecutor(options);
  parentPort?.on('message', ({ id, sql, parameters }: Request) => {
    try {
      parentPort?.postMessage({ id, result: executor.execute(sql, parameters) } satisfies Response);
    } catch (error) {
      const { message, code } = error as Error & { code?: string };
      parentPort?.postMessage({
        id,
        error: code === undefined ? { message } : { message, code },
      } satisfies Response);
    }
  });
}

const start = workerData as { malote?: string; options: SqliteOptions } | null;
if (!isMainThread && start?.malote === 'sqlite') serve(start.options);
