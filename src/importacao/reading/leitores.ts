import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { Logger } from '../../deps.ts';
import { sha256De } from '../../documentos/bytes/conteudo.ts';
import type { PecaLida } from '../../documentos/tipos.ts';
import { endPool } from '../../platform/threads/thread-start.ts';
import { LEITOR_MEMORIA_MB, LEITOR_OCIOSO_MS, LEITURA_PRAZO_MS, TAREFAS_DO_LEITOR } from '../limites.ts';
import type { PacoteDeAutoridades } from '../standards/autoridades.ts';
import type { EntradaParaLer } from '../tipos.ts';
import type { DadosDoLeitor, Leitura, TarefaDeLeitura } from './leitor.ts';
import { judged, unreadable } from './pecas.ts';
import { Vagas } from './vagas.ts';

/** Turns entries into pieces; for each entry its pieces, in order. */
export interface Leitor {
  /** Batches that it has in work at most; the others wait. */
  readonly atOnce: number;
  read(entradas: readonly EntradaParaLer[]): Promise<LoteLido>;
  close(): Promise<void>;
}

export interface LoteLido {
  pecas: PecaLida[][];
  segundos: number;
}

const nothingRead = (): LoteLido => ({ pecas: [], segundos: 0 });

type Conteudo = Extract<EntradaParaLer, { bytes: Uint8Array }>;

function hasBytes(entrada: EntradaParaLer): entrada is Conteudo {
  return 'bytes' in entrada;
}

/** Runs one task in some thread. @throws when the thread died or the signal fired */
export type RunTask = (tarefa: TarefaDeLeitura, signal: AbortSignal) => Promise<Leitura>;

export interface LeitoresOptions {
  run: RunTask;
  close(): Promise<void>;
  threads: number;
  /** Who answers for certificates, as it stands now. */
  autoridades(): PacoteDeAutoridades;
  prazoMs?: number;
  log: Pick<Logger, 'warn' | 'error'>;
}

type Balancer = NonNullable<NonNullable<ConstructorParameters<typeof Piscina>[0]>['loadBalancer']>;

/**
 * A task goes to the thread that has the fewest. Piscina's own balancer gives no second one to a thread that has one which
 * can be aborted (its usage is then told as infinite): the readers would stand still while the thread that hands tasks out
 * is in a commit.
 */
export const leastBusy: Balancer = (_task, workers) => {
  let [chosen, fewest]: [(typeof workers)[number] | null, number] = [null, TAREFAS_DO_LEITOR];
  for (const worker of workers) {
    const tasks = worker.currentUsage === Infinity ? 1 : worker.currentUsage;
    if (tasks < fewest) [chosen, fewest] = [worker, tasks];
  }
  return chosen;
};

/**
 * How many readers there are by default: one for each core but one. The import thread is itself at work on that, or the
 * server of PostgreSQL that it waits for: one more reader would only take turns with them (on SQLite that costs a tenth of
 * an import's time on two cores, on PostgreSQL nothing that can be measured), and 80 MB.
 */
export function readersFor(cores = availableParallelism()): number {
  return Math.max(1, cores - 1);
}

/** The real pool: as many threads as the setting says, or as by default. */
export function openReaders(
  config: { readerThreads: number; dataFolder: string },
  { log, autoridades }: Pick<LeitoresOptions, 'log' | 'autoridades'>,
): Leitores {
  const threads = config.readerThreads || readersFor();
  const pool = new Piscina<TarefaDeLeitura, Leitura>({
    filename: new URL('./leitor.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    concurrentTasksPerWorker: TAREFAS_DO_LEITOR,
    loadBalancer: leastBusy,
    idleTimeout: LEITOR_OCIOSO_MS,
    resourceLimits: { maxOldGenerationSizeMb: LEITOR_MEMORIA_MB },
    workerData: { dataFolder: config.dataFolder } satisfies DadosDoLeitor,
  });
  // A thread that dies without a task (while starting) would otherwise end the process; the tasks tell by themselves.
  pool.on('error', (err) => log.error({ err }, 'a reader thread failed'));
  return new Leitores({
    run: (tarefa, signal) =>
      pool.run(tarefa, { transferList: [tarefa.pacote.buffer as ArrayBuffer], signal }),
    close: () => endPool(pool),
    threads,
    autoridades,
    log,
  });
}

/**
 * The readers behind a bound: a few tasks at once for each thread. When a thread dies or hangs over a batch, or over one
 * that it had before, each document of the batch is tried alone, with nothing beside it, so that the deadline counts its
 * own time only; the one that does it again is told as `documento_nao_processavel`, its neighbours go on.
 *
 * A batch that has to wait for them is hashed here meanwhile: on few cores an import takes as long as its readers do, and
 * where the processor has no instructions for it SHA-256 is a tenth of their work.
 */
export class Leitores implements Leitor {
  readonly #options: LeitoresOptions;
  readonly atOnce: number;
  readonly #turns: Vagas;
  #closed = false;

  constructor(options: LeitoresOptions) {
    this.#options = options;
    this.atOnce = options.threads * TAREFAS_DO_LEITOR;
    this.#turns = new Vagas(this.atOnce);
  }

  async read(entradas: readonly EntradaParaLer[]): Promise<LoteLido> {
    const conteudos = entradas.filter(hasBytes);
    const lidos = conteudos.length === 0 ? nothingRead() : await this.#readAll(conteudos);
    const pecas: PecaLida[][] = [];
    let read = 0;
    for (const entrada of entradas)
      pecas.push(hasBytes(entrada) ? (lidos.pecas[read++] ?? []) : [judged(entrada)]);
    return { ...lidos, pecas };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#options.close();
  }

  async #readAll(conteudos: readonly Conteudo[]): Promise<LoteLido> {
    try {
      return await this.#run(conteudos);
    } catch (err) {
      if (this.#closed) throw err;
      this.#options.log.warn(
        { err, documentos: conteudos.length },
        'a batch of documents failed in its reader',
      );
    }
    const alone = nothingRead();
    for (const conteudo of conteudos) {
      const { pecas, segundos } = await this.#readAlone(conteudo);
      alone.pecas.push(...pecas);
      alone.segundos += segundos;
    }
    return alone;
  }

  async #readAlone(conteudo: Conteudo): Promise<LoteLido> {
    try {
      return await this.#run([conteudo], this.atOnce);
    } catch (err) {
      if (this.#closed) throw err;
      // Before the document is blamed, a reader must be able to start at all; else this is a failure of ours.
      await this.#run([], this.atOnce);
      const { caminho, bytes } = conteudo;
      this.#options.log.error({ err, caminho, bytes: bytes.length }, 'a document brings its reader down');
      return { ...nothingRead(), pecas: [[unreadable(conteudo)]] };
    }
  }

  /** @param turns of those that there are; with all of them nothing else runs */
  async #run(conteudos: readonly Conteudo[], turns = 1): Promise<LoteLido> {
    const autoridades = this.#options.autoridades();
    const hashes = this.#turns.free < turns ? conteudos.map(({ bytes }) => sha256De(bytes)) : [];
    const release = await this.#turns.take(turns);
    const deadline = new AbortController();
    const timer = setTimeout(
      () => deadline.abort(new Error('a reader took too long')),
      this.#options.prazoMs ?? LEITURA_PRAZO_MS,
    );
    try {
      const leitura = await this.#options.run({ ...packed(conteudos, hashes), autoridades }, deadline.signal);
      const { pecas, segundos, excecoes } = leitura;
      for (const { caminho, erro } of excecoes)
        this.#options.log.error(
          { caminho, erro },
          'a document could not be read because of an error of ours',
        );
      return { pecas, segundos };
    } finally {
      clearTimeout(timer);
      release();
    }
  }
}

/**
 * Contents may be views into the upload: they are copied into one block, which the thread then owns.
 * @param hashes of the contents, or none
 */
function packed(
  conteudos: readonly Conteudo[],
  hashes: readonly string[],
): Omit<TarefaDeLeitura, 'autoridades'> {
  let length = 0;
  for (const { bytes } of conteudos) length += bytes.length;
  const pacote = Buffer.allocUnsafeSlow(length);
  const partes: TarefaDeLeitura['partes'] = [];
  let inicio = 0;
  for (const [at, { caminho, bytes }] of conteudos.entries()) {
    const fim = inicio + bytes.length;
    pacote.set(bytes, inicio);
    partes.push({ caminho, inicio, fim, sha256: hashes[at] ?? null });
    inicio = fim;
  }
  return { pacote, partes };
}
