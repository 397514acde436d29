/**
 * The import thread's loop: takes files from the queue, several at once, keeps their leases alive, and decides what
 * becomes of one that failed. A file ends in one of three ways: done (`Uploaded` or `Com Erro` by its documents);
 * given up (`Com Erro`, an error of ours, after three failures); or put back: the process stops, the disk is full.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../../deps.ts';
import { failpoint } from '../../platform/failpoint.ts';
import type { Owner } from '../../platform/jobs/owner.ts';
import {
  abandonJob,
  type ClaimInput,
  claimJobs,
  hasDueJob,
  isLight,
  isSuspect,
  MAX_FAILURES,
  retryJob,
  returnJob,
  SURROUNDINGS_RETRY_MS,
} from '../../platform/jobs/queue.ts';
import { HEARTBEAT_MS, LeaseWatch, renewLeases, takeOverJobs } from '../../platform/jobs/takeover.ts';
import {
  ARQUIVOS_BYTES_DE_QUEM_CHEGA,
  ARQUIVOS_BYTES_EM_MEMORIA,
  ARQUIVOS_SIMULTANEOS,
  CONSULTA_MS,
  DOBRAR_LOG_MS,
  EM_DESCOMPACTACAO_LEVES,
  EM_VOO_LEVES_BYTES,
  EXPIRAR_A_CADA_MS,
  emVooBytes,
  LOG_DEIXA_LIVRE_BYTES,
} from '../limites.ts';
import type { MetricasDaImportacao } from '../metrics.ts';
import { countByResultado, findTarefas, markFinished, markStarted, type Tarefa } from '../queries.ts';
import type { Leitor } from '../reading/leitores.ts';
import { Vagas } from '../reading/vagas.ts';
import { logDeDesistencia } from '../resumo.ts';
import { expireLapsed, forgetLapsed } from '../status.ts';
import { type ArquivoAberto, Gravador, LeaseLost } from '../storing/gravar.ts';
import { isSurroundings } from '../storing/surroundings.ts';
import { JOB_IMPORTAR, STATUS_ARQUIVO } from '../tipos.ts';
import { type ProcessDeps, processFile } from './process.ts';

export interface ImportadorDeps extends Pick<Deps, 'db' | 'storage' | 'clock' | 'log'> {
  leitor: Leitor;
  owner: Owner;
  homologacao: boolean;
  metricas: MetricasDaImportacao;
  /** Bytes on the disk that SQLite's log lies on. */
  espacoLivre(): Promise<number>;
  /** Only tests replace these. */
  gravador?: Gravador;
  watch?: LeaseWatch;
}

interface EmTrabalho {
  abort: AbortController;
  done: Promise<void>;
  /** A thread died while it was in work. */
  suspeito: boolean;
  contadorId: number;
  /** 0 of light ones. */
  pesoBytes: number;
  /** It has the room of offices that come anew. */
  novo: boolean;
}

/** The process is stopping: files are put back where they are. */
class Stopping extends Error {}

export class Importador {
  readonly #deps: ImportadorDeps;
  readonly #gravador: Gravador;
  readonly #watch: LeaseWatch;
  readonly #emVoo: Vagas;
  readonly #emVooLeves = new Vagas(EM_VOO_LEVES_BYTES);
  readonly #descompactandoLeves = new Vagas(EM_DESCOMPACTACAO_LEVES);
  readonly #running = new Map<number, EmTrabalho>();
  readonly #timers: NodeJS.Timeout[] = [];
  #folding: NodeJS.Timeout | null = null;
  #wake = new AbortController();
  #stopping = false;
  #loop: Promise<void> | null = null;

  constructor(deps: ImportadorDeps) {
    this.#deps = deps;
    this.#gravador = deps.gravador ?? new Gravador(deps);
    this.#watch = deps.watch ?? new LeaseWatch();
    this.#emVoo = new Vagas(emVooBytes(deps.db.engine, 0));
  }

  /** Takes over what dead processes held, then works until `stop`. */
  start(): void {
    this.#loop = this.#work();
    this.#timers.push(
      setInterval(() => void this.#guarded('heartbeat', () => this.#heartbeat()), HEARTBEAT_MS),
      setInterval(() => void this.#guarded('expire', () => this.#tendTickets()), EXPIRAR_A_CADA_MS),
    );
  }

  /** Nothing is in work. */
  get idle(): boolean {
    return this.#running.size === 0;
  }

  /** There may be something to do right now. */
  wake(): void {
    this.#wake.abort();
  }

  /**
   * Finishes the running transaction, puts unfinished files back, ends the loop. `cutReaders` ends reading that
   * nobody waits for any more, so that a slow document does not hold up the stop.
   */
  async stop(cutReaders: () => Promise<void> = async () => {}): Promise<void> {
    this.#stopping = true;
    for (const timer of this.#timers) clearInterval(timer);
    if (this.#folding) clearTimeout(this.#folding);
    for (const { abort } of this.#running.values()) abort.abort(new Stopping());
    this.wake();
    await cutReaders();
    await this.#loop;
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  /** Works off what is due now and waits for it; for tests and for commands that import once. */
  async drain(): Promise<void> {
    await this.#takeOver();
    while ((await this.#claimAndRun()) > 0 || this.#running.size > 0) {
      await Promise.all([...this.#running.values()].map(({ done }) => done));
    }
  }

  async #work(): Promise<void> {
    await this.#guarded('take over', () => this.#takeOver());
    while (!this.#stopping) {
      let claimed = 0;
      await this.#guarded('claim', async () => {
        claimed = await this.#claimAndRun();
      });
      if (claimed === 0) await this.#rest();
    }
  }

  /** Until somebody calls, a file is done, or a second has gone by. */
  async #rest(): Promise<void> {
    await sleep(CONSULTA_MS, undefined, { signal: this.#wake.signal }).catch(() => {});
    if (this.#wake.signal.aborted) this.#wake = new AbortController();
  }

  async #takeOver(): Promise<void> {
    const { db, clock, owner, log } = this.#deps;
    const mine = new Set(this.#running.keys());
    const jobs = await takeOverJobs(db.write, { owner, now: clock.now(), watch: this.#watch, mine });
    if (jobs > 0) failpoint('job_retomado');
    if (jobs > 0) log.info({ jobs }, 'imports of an interrupted run are taken up');
  }

  async #heartbeat(): Promise<void> {
    const { db, owner } = this.#deps;
    const ids = [...this.#running.keys()];
    const held = new Set(await renewLeases(db.write, { ids, owner }));
    for (const id of ids) if (!held.has(id)) this.#running.get(id)?.abort.abort(new LeaseLost(id));
    await this.#takeOver();
  }

  async #claimAndRun(): Promise<number> {
    const limit = ARQUIVOS_SIMULTANEOS - this.#running.size;
    // Beside a job that a thread died over nothing runs: should it happen again, only that one is to blame.
    const guarded = [...this.#running.values()].some(({ suspeito }) => suspeito);
    if (limit <= 0 || this.#stopping || guarded) return 0;
    const tarefas = await this.#claim(limit);
    if (tarefas.length > 0) failpoint('job_tomado');
    for (const { tarefa, novo } of tarefas) {
      const abort = new AbortController();
      // The stop came while the queue was asked: it has ended what was in work then, and the readers are going.
      if (this.#stopping) abort.abort(new Stopping());
      const done = this.#import(tarefa, abort.signal).finally(() => {
        this.#running.delete(tarefa.jobId);
        this.#shareMemory();
        void this.#guarded('fold log', () => this.#foldLogInTime());
        this.wake();
      });
      this.#running.set(tarefa.jobId, {
        abort,
        done,
        suspeito: isSuspect(tarefa.erroAnterior),
        contadorId: tarefa.contadorId,
        pesoBytes: isLight(tarefa.tamanho) ? 0 : tarefa.tamanho,
        novo,
      });
      this.#shareMemory();
    }
    return tarefas.length;
  }

  /**
   * The log has grown with the commits; folding it while files wait would cost them the time. Where the disk has little
   * room it is folded after each file all the same: it would be itself what nobody finds room beside.
   */
  async #foldLogInTime(): Promise<void> {
    const { db, espacoLivre } = this.#deps;
    if (this.#folding) clearTimeout(this.#folding);
    this.#folding = setTimeout(() => {
      if (this.idle && !this.#stopping) void this.#guarded('fold log', async () => void db.foldLog());
    }, DOBRAR_LOG_MS).unref();
    if ((await espacoLivre()) < LOG_DEIXA_LIVRE_BYTES && !this.#stopping) db.foldLog();
  }

  async #claim(limit: number): Promise<{ tarefa: Tarefa; novo: boolean }[]> {
    const { db, clock, owner } = this.#deps;
    const now = clock.now();
    // A look first: an idle second must not take the lock that writers share.
    const due = await hasDueJob(db.read, { tipo: JOB_IMPORTAR, now });
    if (!due) return [];
    const mine = new Set(this.#running.keys());
    const room = roomBeside([...this.#running.values()]);
    return db.write.transaction().execute(async (trx) => {
      const jobs = await claimJobs(trx, { tipo: JOB_IMPORTAR, owner, now, limit, mine, ...room });
      if (jobs.length === 0) return [];
      const novos = new Set(jobs.flatMap(({ id, novo }) => (novo ? [id] : [])));
      const tarefas = await findTarefas(
        trx,
        jobs.map(({ id }) => id),
      );
      await markStarted(trx, { arquivoIds: tarefas.map(({ arquivoId }) => arquivoId), agora: now });
      return tarefas.map((tarefa) => ({ tarefa, novo: novos.has(tarefa.jobId) }));
    });
  }

  /** Never throws: whatever happens ends in the queue or, if even that fails, with the lapse of the lease. */
  async #import(tarefa: Tarefa, signal: AbortSignal): Promise<void> {
    let arquivo: ArquivoAberto | null = null;
    try {
      signal.throwIfAborted();
      if (tarefa.tentativas > MAX_FAILURES) return await this.#giveUp(tarefa);
      arquivo = await this.#gravador.open(tarefa);
      await processFile(this.#processDeps(tarefa.tamanho), { arquivo, signal });
    } catch (error) {
      await this.#guarded('put back', () => this.#afterFailure({ tarefa, arquivo, signal, error }));
    }
  }

  /** For a file of so many bytes. */
  #processDeps(bytes: number): ProcessDeps {
    const { leitor, metricas, storage } = this.#deps;
    const salas = isLight(bytes)
      ? { emVoo: this.#emVooLeves, descompactando: this.#descompactandoLeves }
      : { emVoo: this.#emVoo, descompactando: null };
    return { leitor, metricas, storage, gravador: this.#gravador, ...salas };
  }

  /** What files leave of the memory is for the entries in flight. All the light ones together are not worth counting. */
  #shareMemory(): void {
    const envios = sumOf([...this.#running.values()]);
    this.#emVoo.resize(emVooBytes(this.#deps.db.engine, envios));
  }

  async #afterFailure(input: {
    tarefa: Tarefa;
    arquivo: ArquivoAberto | null;
    signal: AbortSignal;
    error: unknown;
  }): Promise<void> {
    const { tarefa, error } = input;
    const { db, clock, owner, log, metricas } = this.#deps;
    const job = { id: tarefa.jobId, owner };
    const now = clock.now();
    const tentativas = input.arquivo?.progrediu ? 1 : tarefa.tentativas;
    if (error instanceof LeaseLost || input.signal.reason instanceof LeaseLost) {
      log.warn({ arquivo: tarefa.arquivoId }, 'the lease of an import was lost');
    } else if (input.signal.reason instanceof Stopping) {
      await returnJob(db.write, { ...job, now, waitMs: 0, tentativas });
    } else if (isSurroundings(error)) {
      log.error({ err: error, arquivo: tarefa.arquivoId }, 'an import waits for disk or database');
      await returnJob(db.write, { ...job, now, waitMs: SURROUNDINGS_RETRY_MS, tentativas });
    } else {
      metricas.falhas += 1;
      log.error({ err: error, arquivo: tarefa.arquivoId, tentativas }, 'an import failed');
      if (tentativas >= MAX_FAILURES) return this.#giveUp(tarefa, String(error));
      await retryJob(db.write, { ...job, now, tentativas, erro: String(error) });
    }
  }

  /** What was committed stays; the file says `Com Erro` and never more about the reason than its id. */
  async #giveUp(tarefa: Tarefa, erro = tarefa.erroAnterior ?? 'desconhecido'): Promise<void> {
    const { db, clock, owner, metricas } = this.#deps;
    const { arquivoId, arquivoNumero, jobId } = tarefa;
    await db.write.transaction().execute(async (trx) => {
      if (!(await abandonJob(trx, { id: jobId, owner, erro }))) throw new LeaseLost(jobId);
      const log = logDeDesistencia({ arquivoId, quantidades: await countByResultado(trx, arquivoNumero) });
      await markFinished(trx, { arquivoId, status: STATUS_ARQUIVO.comErro, log, agora: clock.now() });
    });
    metricas.arquivos[STATUS_ARQUIVO.comErro] = (metricas.arquivos[STATUS_ARQUIVO.comErro] ?? 0) + 1;
  }

  async #tendTickets(): Promise<void> {
    await expireLapsed(this.#deps);
    await forgetLapsed(this.#deps);
  }

  /** Background work must go on when one turn of it fails, a full disk for example. */
  async #guarded(what: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#deps.log.error({ err: error, what }, 'a turn of the import failed');
    }
  }
}

function sumOf(files: readonly Pick<EmTrabalho, 'pesoBytes'>[]): number {
  return files.reduce((sum, { pesoBytes }) => sum + pesoBytes, 0);
}

/** What of places and memory is left beside the files that are in work, and who has what of it. */
function roomBeside(files: readonly EmTrabalho[]): Pick<ClaimInput, 'roomBytes' | 'inWork' | 'shares'> {
  const [novos, outros] = [files.filter(({ novo }) => novo), files.filter(({ novo }) => !novo)];
  const pesados = outros.some(({ pesoBytes }) => pesoBytes > 0);
  const porDono = Map.groupBy(files, ({ contadorId }) => contadorId);
  return {
    roomBytes: ARQUIVOS_BYTES_EM_MEMORIA - sumOf(outros),
    inWork: files.length === 0 ? 'nothing' : pesados ? 'heavy' : 'light',
    shares: {
      jobsOf: (contadorId) => porDono.get(contadorId)?.length ?? 0,
      hasHeavy: (contadorId) => sumOf(porDono.get(contadorId) ?? []) > 0,
      newRoomBytes: ARQUIVOS_BYTES_DE_QUEM_CHEGA - sumOf(novos),
    },
  };
}
