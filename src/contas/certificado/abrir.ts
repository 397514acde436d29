/** Opens PFX files away from the thread that serves HTTP, within bounds of time, memory and number. */
import { Worker } from 'node:worker_threads';
import { currentTenant } from '../../platform/db/tenant.ts';
import { indisponivel } from '../../platform/http/errors.ts';
import { Shares } from '../../platform/threads/shares.ts';
import type { CertificadoAberto, LeituraPfx } from './ler-pfx.ts';
import type { DaThread, PfxParaAbrir } from './thread.ts';

/** Decoded bytes; A1 files have 2 to 12 KB. */
export const PFX_MAX_BYTES = 65_536;
/**
 * A normal file takes a tenth of a second, and the budget of iterations (`cifras.ts`) holds any file to about a second of
 * work. This limit is for what no budget foresaw. It leaves room for a machine whose cores are taken, since it would be
 * worse to call a sound file broken because others were busy.
 */
const OPEN_WITHIN_MS = 15_000;
/** Loading the thread is our time, not the file's; longer means that the machine cannot do it now. */
const START_WITHIN_MS = 20_000;
const MEMORY_MB = 64;
const YOUNG_MEMORY_MB = 16;
const STACK_MB = 2;
/** Threads at once, of one office and of all; more would take the cores from everything else. */
const THREADS = { each: 2, capacity: 3 };
/** A file that waits longer is to come again. */
const WAIT_MS = 20_000;
const RETRY_AFTER_SECONDS = 5;

type Abertura =
  | { certificado: CertificadoAberto }
  | { falha: Extract<LeituraPfx, { falha: string }>['falha'] };

/** Opens files, a few at a time. One for the process. */
export class AbridorDeCertificados {
  readonly #openWithinMs: number;
  readonly #turns: Shares;
  readonly #threads = new Set<Worker>();

  constructor({ openWithinMs = OPEN_WITHIN_MS, waitMs = WAIT_MS } = {}) {
    this.#openWithinMs = openWithinMs;
    this.#turns = new Shares({ ...THREADS, waitMs });
  }

  /**
   * Opens one file in a thread that lives only for it.
   * @returns the certificate, or why there is none: a file that is too large, too slow or breaks its thread is `formato_invalido`
   * @throws indisponivel when no thread can be had @throws NoPlace when others are opened for too long
   */
  async open(input: PfxParaAbrir): Promise<Abertura> {
    if (input.bytes.length > PFX_MAX_BYTES) return { falha: 'formato_invalido' };
    return this.#turns.run(currentTenant(), () => this.#openInThread(input));
  }

  /** Ends what is still at work. */
  async close(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  #openInThread(input: PfxParaAbrir): Promise<Abertura> {
    const thread = new Worker(new URL('./thread.ts', import.meta.url), {
      name: 'certificado',
      workerData: { malote: 'certificado' },
      env: {},
      resourceLimits: {
        maxOldGenerationSizeMb: MEMORY_MB,
        maxYoungGenerationSizeMb: YOUNG_MEMORY_MB,
        stackSizeMb: STACK_MB,
      },
    });
    this.#threads.add(thread);
    return new Promise<Abertura>((resolve, reject) => {
      let started = false;
      let timer = setTimeout(() => reject(indisponivel(RETRY_AFTER_SECONDS)), START_WITHIN_MS);
      /** Before the thread works, its end is our fault; afterwards it is the file's. */
      const giveUp = (error?: unknown) =>
        started ? resolve({ falha: 'formato_invalido' }) : reject(indisponivel(RETRY_AFTER_SECONDS, error));
      thread.on('message', (message: DaThread) => {
        clearTimeout(timer);
        if (message.tipo === 'lido') {
          resolve(message.leitura);
          return;
        }
        started = true;
        timer = setTimeout(giveUp, this.#openWithinMs);
        thread.postMessage(input);
      });
      thread.on('error', giveUp);
      thread.on('exit', () => {
        clearTimeout(timer);
        giveUp();
      });
    }).finally(() => this.#end(thread));
  }

  /** Not waited for: the answer is there, and the thread ends when it comes out of what it is in. */
  #end(thread: Worker): void {
    void thread.terminate().finally(() => this.#threads.delete(thread));
  }
}
