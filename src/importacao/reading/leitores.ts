import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Logger } from '../../deps.ts';
import { sha256De } from '../../documentos/bytes/conteudo.ts';
import type { PecaLida } from '../../documentos/tipos.ts';
import { endPool } from '../../platform/threads/thread-start.ts';
import { itemAt, OverBudget, WorkWatch, workMark } from '../../platform/threads/thread-work.ts';
import {
  type Faixa,
  FICA_LENTO_MS,
  LEITOR_MEMORIA_MB,
  LEITOR_OCIOSO_MS,
  LEITURA_GRANDE_BYTES,
  LEITURAS_SEM_CULPA,
  TAREFAS_DO_LEITOR,
} from '../limites.ts';
import type { PacoteDeAutoridades } from '../standards/autoridades.ts';
import type { EntradaParaLer } from '../tipos.ts';
import { type PacoteDeLeiautes, SEM_LEIAUTES } from './leiautes-em-uso.ts';
import { judged, unreadable } from './pecas.ts';
import { type DadosDoLeitor, type Leitura, sharedNow, type TarefaDeLeitura } from './tarefa.ts';
import { Vagas } from './vagas.ts';

/** Turns entries into pieces; for each entry its pieces, in order. */
export interface Leitor {
  /** Batches that it has in work at most; the others wait. */
  readonly atOnce: number;
  /** @param dono the office that waits for it; absent: nobody's, which is an office more */
  read(entradas: readonly EntradaParaLer[], dono?: number): Promise<LoteLido>;
  close(): Promise<void>;
}

export interface LoteLido {
  pecas: PecaLida[][];
  /** What the bytes of pieces lie in: to be given back when they are stored. */
  memorias: Uint8Array[];
  segundos: number;
}

const nothingRead = (): LoteLido => ({ pecas: [], memorias: [], segundos: 0 });

type Conteudo = Extract<EntradaParaLer, { bytes: Uint8Array }>;

function hasBytes(entrada: EntradaParaLer): entrada is Conteudo {
  return 'bytes' in entrada;
}

/** Runs one task in some thread of its lane. @throws when the thread died; OverBudget when it was ended over what it was at */
export type RunTask = (tarefa: TarefaDeLeitura) => Promise<Leitura>;

export interface LeitoresOptions {
  run: RunTask;
  close(): Promise<void>;
  threads: number;
  /** Who answers for certificates, as it stands now. */
  autoridades(): PacoteDeAutoridades;
  /** Layouts that an office has taught, as they stand now; by default none. */
  leiautes?(contadorId: number): PacoteDeLeiautes;
  log: Pick<Logger, 'warn' | 'error'>;
}

/**
 * How many readers there are by default: one for each core but one. The import thread is itself at work on that, or the
 * server of PostgreSQL that it waits for: one more reader would only take turns with them (on SQLite that costs a tenth of
 * an import's time on two cores, on PostgreSQL nothing that can be measured), and 80 MB.
 */
export function readersFor(cores = availableParallelism()): number {
  return Math.max(1, cores - 1);
}

/** The real pools, one for each lane: as many threads as the setting says, or as by default; started with what there is to read. */
export function openReaders(
  config: { readerThreads: number; dataFolder: string },
  { log, autoridades, leiautes }: Pick<LeitoresOptions, 'log' | 'autoridades' | 'leiautes'>,
): Leitores {
  const threads = config.readerThreads || readersFor();
  const lanes = { rapida: openLane(), lenta: openLane() };
  function openLane() {
    const pool = new Piscina<TarefaDeLeitura, Leitura>({
      // A path: of an address one would be made anew for each task.
      filename: fileURLToPath(new URL('./leitor.ts', import.meta.url)),
      minThreads: 0,
      maxThreads: threads,
      concurrentTasksPerWorker: TAREFAS_DO_LEITOR,
      recordTiming: false,
      idleTimeout: LEITOR_OCIOSO_MS,
      resourceLimits: { maxOldGenerationSizeMb: LEITOR_MEMORIA_MB },
      workerData: { dataFolder: config.dataFolder } satisfies DadosDoLeitor,
    });
    // A thread that dies without a task (while starting) would otherwise end the process; the tasks tell by themselves.
    pool.on('error', (err) => log.error({ err }, 'a reader thread failed'));
    return { pool, watch: new WorkWatch(() => pool.threads) };
  }
  return new Leitores({
    run: (tarefa) => {
      const { pool, watch } = lanes[tarefa.faixa];
      const transferList = [tarefa.pacote.buffer as ArrayBuffer];
      return watch.during(tarefa.marca, pool.run(tarefa, { transferList }));
    },
    close: async () => {
      await Promise.all([endPool(lanes.rapida.pool), endPool(lanes.lenta.pool)]);
    },
    threads,
    autoridades,
    ...(leiautes && { leiautes }),
    log,
  });
}

/** A thread has died with a task. */
class ThreadDied extends Error {
  /** Of its contents the one that it was at; null: it was at those of another task. */
  readonly at: number | null;
  readonly faixa: Faixa;

  constructor(cause: unknown, { at, faixa }: { at: number | null; faixa: Faixa }) {
    super('a reader died', { cause });
    this.at = at;
    this.faixa = faixa;
  }
}

/**
 * The readers behind a bound: a few tasks at once for each thread, offices in turn, and those whose documents are slow in a
 * lane of their own. What takes long is handed back in parts. A document over which a thread dies, or that takes too long for
 * the quick lane, is read again in the slow one, where each thread has one task: if that happens there too, it is told as
 * `documento_nao_processavel`. Whatever else the thread had is read again.
 *
 * A batch that has to wait for them is hashed here meanwhile: on few cores an import takes as long as its readers do, and
 * where the processor has no instructions for it SHA-256 is a tenth of their work.
 */
export class Leitores implements Leitor {
  readonly #options: LeitoresOptions;
  readonly atOnce: number;
  readonly #turns: Readonly<Record<Faixa, Vagas>>;
  /** Of each office in the slow lane, until when. */
  readonly #lentos = new Map<number, number>();
  #closed = false;

  constructor(options: LeitoresOptions) {
    this.#options = options;
    this.atOnce = options.threads * TAREFAS_DO_LEITOR;
    this.#turns = { rapida: new Vagas(this.atOnce), lenta: new Vagas(options.threads) };
  }

  async read(entradas: readonly EntradaParaLer[], dono = 0): Promise<LoteLido> {
    const conteudos = entradas.filter(hasBytes);
    const lidos = await this.#readAll(conteudos, dono);
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

  async #readAll(conteudos: readonly Conteudo[], dono: number): Promise<LoteLido> {
    const lido = nothingRead();
    const add = ({ pecas, memorias, segundos }: LoteLido) => {
      lido.pecas.push(...pecas);
      lido.memorias.push(...memorias);
      lido.segundos += segundos;
    };
    const refused = new Map<Conteudo, ThreadDied>();
    let most = conteudos.length;
    for (let semCulpa = 0; lido.pecas.length < conteudos.length; ) {
      const rest = conteudos.slice(lido.pecas.length, lido.pecas.length + most);
      const [first] = rest;
      const why = first && refused.get(first);
      if (why) {
        add(this.#refused(first, why));
        continue;
      }
      const at = rest.findIndex((conteudo) => refused.has(conteudo));
      const next = at < 0 ? rest : rest.slice(0, at);
      try {
        const part = await this.#run(next, dono);
        // What took long goes on in parts that are about as long: memory for all of them would be taken each time.
        if (part.pecas.length > 0 && part.pecas.length < next.length) most = 2 * part.pecas.length;
        add(part);
        semCulpa = 0;
      } catch (error) {
        const died = this.#diedOver(error, next);
        const culprit = died.at === null ? undefined : next[died.at];
        if (!culprit) {
          if (++semCulpa > LEITURAS_SEM_CULPA) throw died.cause;
        } else if (died.faixa === 'rapida') this.#foundSlow(dono);
        else if (next.length === 1 || died.cause instanceof OverBudget) refused.set(culprit, died);
        // Its neighbours may have taken the memory: they come before it, then it comes alone.
        else most = Math.max(1, died.at ?? 0);
      }
    }
    return lido;
  }

  /** @throws what is no death of a thread, and everything while the readers are being closed */
  #diedOver(error: unknown, conteudos: readonly Conteudo[]): ThreadDied {
    if (!(error instanceof ThreadDied)) throw error;
    if (this.#closed) throw error.cause;
    const caminho = error.at === null ? null : (conteudos[error.at]?.caminho ?? null);
    this.#options.log.warn(
      { err: error.cause, documentos: conteudos.length, caminho, faixa: error.faixa },
      'a batch of documents failed in its reader',
    );
    return error;
  }

  #refused(conteudo: Conteudo, { cause: err }: ThreadDied): LoteLido {
    const { caminho, bytes } = conteudo;
    this.#options.log.error({ err, caminho, bytes: bytes.length }, 'a document brings its reader down');
    return { ...nothingRead(), pecas: [[unreadable(conteudo)]] };
  }

  #foundSlow(dono: number): void {
    this.#lentos.set(dono, performance.now() + FICA_LENTO_MS);
  }

  #faixaDe(conteudos: readonly Conteudo[], dono: number): Faixa {
    const until = this.#lentos.get(dono);
    if (until !== undefined && until > performance.now()) return 'lenta';
    this.#lentos.delete(dono);
    return conteudos.some(({ bytes }) => bytes.length > LEITURA_GRANDE_BYTES) ? 'lenta' : 'rapida';
  }

  /** A turn in the lane that is right when it comes. */
  async #turn(conteudos: readonly Conteudo[], dono: number): Promise<{ faixa: Faixa; release: () => void }> {
    for (;;) {
      const faixa = this.#faixaDe(conteudos, dono);
      const release = await this.#turns[faixa].take(1, dono);
      if (faixa === this.#faixaDe(conteudos, dono)) return { faixa, release };
      release();
    }
  }

  /** Reads the first of some contents, and as many of the others as there is time for. @throws ThreadDied */
  async #run(conteudos: readonly Conteudo[], dono: number): Promise<LoteLido> {
    const autoridades = this.#options.autoridades();
    const leiautes = this.#options.leiautes?.(dono) ?? SEM_LEIAUTES;
    const waits = this.#turns[this.#faixaDe(conteudos, dono)].free < 1;
    const hashes = waits ? conteudos.map(({ bytes }) => sha256De(bytes)) : [];
    const { faixa, release } = await this.#turn(conteudos, dono);
    const marca = workMark();
    try {
      const leitura = await this.#options.run({
        ...packed(conteudos, hashes),
        ...{ autoridades, leiautes, marca, faixa, dono, em: sharedNow() },
      });
      const { pecas, memoria, segundos, lenta, excecoes } = leitura;
      if (lenta) this.#foundSlow(dono);
      else if (pecas.length === 0) throw new Error('a reader has read nothing of its batch');
      for (const { caminho, erro } of excecoes)
        this.#options.log.error(
          { caminho, erro },
          'a document could not be read because of an error of ours',
        );
      return { pecas, memorias: [memoria], segundos };
    } catch (error) {
      throw new ThreadDied(error, { at: itemAt(marca), faixa });
    } finally {
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
): Pick<TarefaDeLeitura, 'pacote' | 'partes'> {
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
