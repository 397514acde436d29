/**
 * The import thread as the main thread sees it: started, watched, started again when it dies, woken when a file has
 * come, stopped. What it logs and counts comes back in messages. `thread.ts` is the other end.
 */
import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Deps } from '../../deps.ts';
import { WAITED_FOR } from '../../platform/threads/waited-for.ts';
import { emptyMetrics, recordMetrics } from '../metrics.ts';
import type { ConfigDaThread, FromThread, ToThread } from './thread.ts';

export interface ImportWorker {
  /**
   * Lets the thread work. Resolves when it does, or has failed for the first time: it is started again by itself, and a
   * server that answers reads is better than none.
   */
  begin(): Promise<void>;
  /** There may be something to do. */
  wake(): void;
  /** Whether the thread works; false while it is being started again. */
  healthy(): boolean;
  /** Finishes the running transaction, puts the rest back into the queue, ends the thread. */
  stop(): Promise<void>;
}

/** After a death; doubles up to the second value, so that a thread that cannot start does not spin. */
const RESTART_FROM_MS = 500;
const RESTART_UP_TO_MS = 30_000;
/** A thread that worked this long has started well. */
const SOUND_AFTER_MS = 60_000;
/** The transaction that runs when a stop comes takes a second at most; then the thread is ended. */
const STOP_WITHIN_MS = 5_000;
/** V8 heap of the import thread: what is in flight is bounded (limites.ts) and lies mostly outside of it. */
const THREAD_MEMORY_MB = 768;
/** Made once per process start: tells leases of this process from those of an earlier one with the same pid. */
const PROCESS_RUN = randomUUID();

let running: Supervised | null = null;

/**
 * Starts the import thread of this process; one per process. It makes itself ready beside whatever else starts, and touches
 * no upload before it is let: the service may still find that it cannot serve.
 */
export function openWorker(deps: Pick<Deps, 'config' | 'log'>): ImportWorker {
  if (running) throw new Error('the import thread of this process is already running');
  running = new Supervised(deps);
  return running;
}

/** Tells the import thread of this process, if it has one, that a file has come. */
export function wakeImportWorker(): void {
  running?.wake();
}

/** Whether the import thread of this process works; false where there is none. */
export function isImportWorkerHealthy(): boolean {
  return running?.healthy() ?? false;
}

class Supervised implements ImportWorker {
  readonly #deps: Pick<Deps, 'config' | 'log'>;
  /** It works, or has died for the first time. */
  readonly #started = Promise.withResolvers<void>();
  #begun = false;
  #worker: Worker | null = null;
  #restart: NodeJS.Timeout | null = null;
  #waitMs = RESTART_FROM_MS;
  #ready = false;
  /** Stays so over a restart of the thread. */
  #diskFailed = false;
  #stopping = false;

  constructor(deps: Pick<Deps, 'config' | 'log'>) {
    this.#deps = deps;
    this.#start();
  }

  begin(): Promise<void> {
    this.#begun = true;
    this.#send({ tipo: 'comecar' });
    return this.#started.promise;
  }

  wake(): void {
    this.#send({ tipo: 'acordar' });
  }

  healthy(): boolean {
    return this.#ready && !this.#diskFailed;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    running = null;
    if (this.#restart) clearTimeout(this.#restart);
    const worker = this.#worker;
    if (!worker) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => void worker.terminate(), STOP_WITHIN_MS);
      worker.once('exit', () => {
        clearTimeout(timer);
        resolve();
      });
      this.#send({ tipo: 'parar' });
    });
  }

  #start(): void {
    const { dataFolder, sqlitePath, databaseUrl, conexoes, arquivos, readerThreads } = this.#deps.config;
    const { homologacao, compactarEnvios } = this.#deps.config;
    const config: ConfigDaThread = {
      malote: 'importacao',
      dataFolder,
      sqlitePath,
      databaseUrl,
      conexoes,
      arquivos,
      homologacao,
      compactarEnvios,
      waitedFor: WAITED_FOR.shared,
      readerThreads,
      processRun: PROCESS_RUN,
    };
    const startedAt = performance.now();
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      name: 'importacao',
      workerData: config,
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB },
    });
    this.#worker = worker;
    worker.on('message', (message: FromThread) => this.#receive(message));
    worker.on('error', (err) => this.#deps.log.error({ err }, 'the import thread failed'));
    worker.on('exit', (code) => this.#afterExit(code, performance.now() - startedAt));
    if (this.#begun) this.#send({ tipo: 'comecar' });
  }

  #afterExit(code: number, livedMs: number): void {
    this.#ready = false;
    this.#worker = null;
    this.#started.resolve();
    if (this.#stopping) return;
    if (livedMs > SOUND_AFTER_MS) this.#waitMs = RESTART_FROM_MS;
    this.#deps.log.error({ code, waitMs: this.#waitMs }, 'the import thread ended and is started again');
    recordMetrics({ ...emptyMetrics(), reinicios: 1 });
    this.#restart = setTimeout(() => this.#start(), this.#waitMs);
    this.#waitMs = Math.min(this.#waitMs * 2, RESTART_UP_TO_MS);
  }

  #receive(message: FromThread): void {
    switch (message.tipo) {
      case 'pronta':
        this.#ready = true;
        this.#started.resolve();
        break;
      case 'disco_falhou':
        this.#diskFailed = true;
        break;
      case 'registro':
        this.#deps.log[message.nivel](message.campos, message.texto);
        break;
      case 'metricas':
        recordMetrics(message.delta);
        break;
    }
  }

  #send(message: ToThread): void {
    this.#worker?.postMessage(message);
  }
}
