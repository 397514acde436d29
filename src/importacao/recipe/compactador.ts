/**
 * Has the recipes of uploads made (`compactar.ts`), now and then, in a thread that lives as long as there are some to be
 * made and nothing else is to be done. What one upload costs, be it its memory, is that thread's: the import thread only
 * looks whether there is one, and ends a thread that does not come to an end.
 */
import { Worker } from 'node:worker_threads';
import type { Deps } from '../../deps.ts';
import { aCompactar, type CompactarDeps } from './compactar.ts';
import type { ConfigDasReceitas, DasReceitas } from './compactar-thread.ts';

const OLHAR_A_CADA_MS = 5_000;
/** How soon the thread is told that there is other work. */
const CEDER_EM_MS = 20;
/** What one upload may take: thirty times what one of 30 MB does. It is less than another process waits for this one (`TENTADA_POR_MS`). */
const PRAZO_MS = 5 * 60_000;
/** V8 heap: the versions of an upload by their hashes are some megabytes, what is made of them lies outside of it. */
const MEMORIA_MB = 256;

export interface CompactadorDeps extends Pick<Deps, 'db' | 'clock' | 'log'>, Pick<CompactarDeps, 'isAtRest'> {
  /** Settings of the thread, but for the sign that it may go on. */
  config: Omit<ConfigDasReceitas, 'malote' | 'vez'>;
  /** Only tests replace it. */
  olharACadaMs?: number;
}

export class Compactador {
  readonly #deps: CompactadorDeps;
  readonly #livre: () => boolean;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | null = null;
  #stopped = false;

  constructor(deps: CompactadorDeps, livre: () => boolean) {
    this.#deps = deps;
    this.#livre = () => !this.#stopped && livre();
    this.#timer = setInterval(() => {
      this.#running ??= this.#look().finally(() => {
        this.#running = null;
      });
    }, deps.olharACadaMs ?? OLHAR_A_CADA_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #look(): Promise<void> {
    try {
      // A look first: a thread costs more than the statement that mostly finds nothing to be done.
      if (this.#livre() && (await aCompactar(this.#deps)) && this.#livre()) await this.#run();
    } catch (err) {
      this.#deps.log.error({ err }, 'no recipe of an upload could be made');
    }
  }

  /** Resolves when the thread has ended, whatever it has come to. */
  async #run(): Promise<void> {
    const { config, log } = this.#deps;
    const vez = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    Atomics.store(vez, 0, 1);
    const thread = new Worker(new URL('./compactar-thread.ts', import.meta.url), {
      name: 'receitas',
      workerData: { ...config, malote: 'receitas', vez: vez.buffer } satisfies ConfigDasReceitas,
      resourceLimits: { maxOldGenerationSizeMb: MEMORIA_MB },
    });
    const ceding = setInterval(() => {
      if (!this.#livre()) Atomics.store(vez, 0, 0);
    }, CEDER_EM_MS);
    let prazo: NodeJS.Timeout | undefined;
    thread.on('message', (message: DasReceitas) => {
      if (message.tipo === 'desistiu') {
        const { arquivo } = message;
        log.warn({ arquivo }, 'the recipe of an upload was begun twice and never ended: it stays as it came');
        return;
      }
      clearTimeout(prazo);
      prazo = setTimeout(() => {
        log.error({}, 'the recipe of an upload takes too long and is broken off');
        void thread.terminate();
      }, PRAZO_MS);
    });
    thread.on('error', (err) => log.error({ err }, 'the recipe of an upload could not be made'));
    await new Promise<void>((resolve) => thread.once('exit', () => resolve()));
    clearInterval(ceding);
    clearTimeout(prazo);
  }
}
