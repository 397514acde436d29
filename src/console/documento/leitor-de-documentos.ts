/** The threads in which documents are read and drawn for the console, with a bound in time and memory, and turns of offices. */
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Logger } from '../../deps.ts';
import { currentTenant } from '../../platform/db/tenant.ts';
import { Shares } from '../../platform/threads/shares.ts';
import { endPool } from '../../platform/threads/thread-start.ts';
import { OverBudget, WorkWatch, workMark } from '../../platform/threads/thread-work.ts';
import type { Resultados, Tarefa, TarefaComPrazo } from './tarefa.ts';

/** Of processor time, waiting not counted. A document of 10 MB with a thousand items takes a few seconds. */
const PRAZO_MS = 20_000;
const MEMORIA_MB = 384;
const OCIOSO_MS = 30_000;
/** One office has two of them at most, so that another one always finds one. */
const THREADS = 3;
const DE_UM = 2;
/** Who waits longer is told to try again. */
const ESPERA_MS = 30_000;

/** A document that could not be read or drawn in its time and memory. */
export class DocumentoIlegivel extends Error {
  /** It took longer than it may. */
  readonly demorou: boolean;
  constructor(cause: unknown, { demorou = false }: { demorou?: boolean } = {}) {
    super('a document could not be shown', { cause });
    this.name = 'DocumentoIlegivel';
    this.demorou = demorou;
  }
}

/** Runs one task in some thread. @throws when the thread died over it */
type RunTask = (tarefa: TarefaComPrazo) => Promise<Resultados[Tarefa['kind']]>;

export class LeitorDeDocumentos {
  readonly #log: Pick<Logger, 'warn' | 'error'>;
  readonly #prazoMs: number;
  readonly #run: RunTask;
  readonly #turns = new Shares({ capacity: THREADS, each: DE_UM, waitMs: ESPERA_MS });
  #pool: Piscina<TarefaComPrazo, Resultados[Tarefa['kind']]> | null = null;
  readonly #watch = new WorkWatch(() => this.#pool?.threads ?? []);

  /** @param options.run only tests replace it */
  constructor(log: Pick<Logger, 'warn' | 'error'>, options: { prazoMs?: number; run?: RunTask } = {}) {
    this.#log = log;
    this.#prazoMs = options.prazoMs ?? PRAZO_MS;
    this.#run = options.run ?? ((tarefa) => this.#threads().run(tarefa));
  }

  /**
   * Its time is what it takes of its thread: it waits for its turn, and for a core, as long as it must.
   * @throws DocumentoIlegivel when the document hangs, takes too much memory or brings its thread down
   * @throws NoPlace when its turn did not come
   */
  run<K extends Tarefa['kind']>(tarefa: Extract<Tarefa, { kind: K }>): Promise<Resultados[K]> {
    return this.#turns.run(currentTenant(), () => this.#runNow(tarefa));
  }

  async #runNow<K extends Tarefa['kind']>(tarefa: Extract<Tarefa, { kind: K }>): Promise<Resultados[K]> {
    const marca = workMark();
    try {
      const work = this.#run({ ...tarefa, marca, prazoMs: this.#prazoMs });
      return (await this.#watch.during(marca, work)) as Resultados[K];
    } catch (error) {
      this.#log.warn(
        { err: error, tarefa: tarefa.kind, bytes: tarefa.bytes.length },
        'a document could not be shown',
      );
      throw new DocumentoIlegivel(error, { demorou: error instanceof OverBudget });
    }
  }

  async close(): Promise<void> {
    if (this.#pool) await endPool(this.#pool);
  }

  /** Started with the first document that somebody looks at. */
  #threads(): Piscina<TarefaComPrazo, Resultados[Tarefa['kind']]> {
    if (this.#pool) return this.#pool;
    this.#pool = new Piscina({
      // A path: of an address one would be made anew for each task.
      filename: fileURLToPath(new URL('./tarefa.ts', import.meta.url)),
      minThreads: 0,
      maxThreads: THREADS,
      idleTimeout: OCIOSO_MS,
      resourceLimits: { maxOldGenerationSizeMb: MEMORIA_MB },
    });
    this.#pool.on('error', (err) => this.#log.error({ err }, 'a thread that shows documents failed'));
    return this.#pool;
  }
}
