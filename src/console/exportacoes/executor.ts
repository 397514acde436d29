/**
 * Makes mass exports beside the work: one at a time in each process, into the blob store, for 24 hours. What a process
 * leaves behind when it ends is told as `interrompida`, and nothing of it stays.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../../deps.ts';
import { LOCK, lockFor } from '../../platform/db/locks.ts';
import { Shares } from '../../platform/threads/shares.ts';
import { linhasDaLista } from '../documentos/lista.ts';
import { exportacoesDemais } from '../errors-documentos.ts';
import { blobDaExportacao, releaseExpired, storeZip } from './arquivos.ts';
import { ExportacaoGrandeDemais } from './documentos.ts';
import type { EscreverDeps, PedidoDeExportacao } from './escrever.ts';
import { motivoDaFalha } from './falhas.ts';
import * as queries from './queries-exportacoes.ts';
import { VidaDasExportacoes } from './vida.ts';

/** Below the data folder: what is needed while an export is made. */
export const EXPORTACOES_FOLDER = 'exportacoes';
const VALE_MS = 24 * 3_600_000;
const LIMPEZA_MS = 10 * 60_000;
const PROGRESSO_MS = 1_000;
/** Exports of one user that wait or are in work: nobody else waits behind more. */
const VIVAS_MAX = 5;
/** Before the next try to tell that an export failed. */
const CONTAR_DE_NOVO_MS = 1_000;

export interface ExecutorDeps extends Pick<Deps, 'clock' | 'log' | 'storage'>, EscreverDeps {
  dataFolder: string;
}

interface Tarefa {
  id: string;
  pedido: PedidoDeExportacao;
  autor: string;
  abort: AbortController;
  /** Documents written. */
  feitos: number;
  /** When that was last told, on a clock that never jumps. */
  contadoEm: number;
}

/** It is nobody's any more: there is no row to tell anything to. */
class Perdida extends Error {}

export class ExecutorDeExportacoes {
  readonly #deps: ExecutorDeps;
  readonly #folder: string;
  readonly #vida: VidaDasExportacoes;
  /** Waiting, and the one in work. */
  readonly #fila = new Map<string, Tarefa>();
  /** Offices take turns. */
  readonly #turns = new Shares({ capacity: 1, each: 1 });
  #working: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(deps: ExecutorDeps) {
    this.#deps = deps;
    this.#folder = join(deps.dataFolder, EXPORTACOES_FOLDER);
    this.#vida = new VidaDasExportacoes(deps, {
      minhas: () => [...this.#fila.keys()],
      onPerdida: (id) => this.#drop(id),
      // It may have stored its file, and died before it could say so.
      onInterrompida: (id) => deps.storage.delete(blobDaExportacao(id)),
    });
  }

  /** Tells what was interrupted and removes what belongs to nothing. */
  async start(): Promise<void> {
    await this.#vida.start();
    await this.#cleanUp();
    this.#timer = setInterval(() => void this.#cleanUp(), LIMPEZA_MS).unref();
  }

  /** Ends what is in work; it is told as interrupted. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearInterval(this.#timer);
    const parada = new Error('the service stops');
    for (const tarefa of this.#fila.values()) tarefa.abort.abort(parada);
    await this.#working;
    await this.#vida.stop();
  }

  /** Writes an export down and makes it when its turn comes. @returns its id @throws exportacoes_demais */
  async add(input: {
    contadorId: number;
    usuarioId: number;
    clienteId: number | null;
    pedido: PedidoDeExportacao;
    autor: string;
  }): Promise<string> {
    const { db, clock } = this.#deps;
    const { pedido, autor } = input;
    const id = randomUUID();
    const agora = clock.now();
    await db.write.transaction().execute(async (trx) => {
      // Those that come at once are counted one by one.
      await lockFor(trx, LOCK.exportacoes, [input.usuarioId]);
      if ((await queries.countVivas(trx, input)) >= VIVAS_MAX) throw exportacoesDemais(VIVAS_MAX);
      await queries.insertExportacao(trx, {
        id,
        contador_id: input.contadorId,
        usuario_id: input.usuarioId,
        cliente_id: input.clienteId,
        tipo: pedido.tipo,
        pedido: JSON.stringify(pedido),
        estado: 'na_fila',
        processo: this.#vida.processo,
        total: null,
        bytes: null,
        erro: null,
        criado_em: agora,
        fim_em: null,
        expira_em: agora + VALE_MS,
      });
    });
    const tarefa = { id, pedido, autor, abort: new AbortController(), feitos: 0, contadoEm: 0 };
    this.#fila.set(id, tarefa);
    // Each goes on for the office that asked for it, and so does the database (`platform/db/tenant.ts`).
    const turn = this.#turns.run(String(input.contadorId), () => this.#turn(tarefa));
    this.#working = Promise.allSettled([this.#working, turn]);
    return id;
  }

  /**
   * Ends it if it is in work, here or in another process, and removes row and file.
   * @throws BlobStoreUnavailableError; then the file is not offered any more, and removed later
   */
  async remove({ id, blob }: { id: string; blob: string | null }): Promise<void> {
    const { db, storage } = this.#deps;
    this.#drop(id);
    if (blob !== null) {
      await db.write.transaction().execute((trx) => queries.discard(trx, id));
      await storage.delete(blob);
    }
    await db.write.transaction().execute((trx) => queries.deleteExportacao(trx, id));
  }

  #drop(id: string): void {
    this.#fila.get(id)?.abort.abort(new Perdida('cancelled'));
  }

  async #turn(tarefa: Tarefa): Promise<void> {
    try {
      if (!tarefa.abort.signal.aborted) await this.#make(tarefa);
    } catch (error) {
      await this.#fail(tarefa, error);
    } finally {
      this.#fila.delete(tarefa.id);
    }
  }

  async #make(tarefa: Tarefa): Promise<void> {
    const { db, clock, storage } = this.#deps;
    const { id, pedido, autor, abort } = tarefa;
    const total = await linhasDaLista(db.read, pedido.filtro);
    if (!(await this.#update(id, { estado: 'em_andamento', total }))) return;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const rascunhos: string[] = [];
    const rascunho = (nome: string) => {
      const path = join(this.#folder, `${id}.${nome}`);
      rascunhos.push(path);
      return path;
    };
    const blob = blobDaExportacao(id);
    const { writeExportacao } = await import('./escrever.ts');
    try {
      const bytes = await storeZip(storage, {
        blob,
        signal: abort.signal,
        escrever: (out) =>
          writeExportacao(this.#deps, out, {
            pedido,
            autor,
            rascunho,
            signal: abort.signal,
            onDocumentos: (more) => this.#count(tarefa, more),
          }),
      });
      const { feitos } = tarefa;
      const fim = { estado: 'pronta', feitos, total: feitos, bytes, blob, fim_em: clock.now() } as const;
      if (!(await this.#update(id, fim))) await storage.delete(blob);
    } finally {
      for (const path of rascunhos) await rm(path, { force: true });
    }
  }

  /** Progress is written at most once a second. */
  #count(tarefa: Tarefa, more: number): void {
    tarefa.feitos += more;
    const agora = performance.now();
    if (agora - tarefa.contadoEm < PROGRESSO_MS) return;
    tarefa.contadoEm = agora;
    this.#update(tarefa.id, { feitos: tarefa.feitos }).then(
      (held) => {
        if (!held) this.#drop(tarefa.id);
      },
      // The next second tells it.
      () => {},
    );
  }

  async #fail({ id, pedido, abort }: Tarefa, error: unknown): Promise<void> {
    if (abort.signal.aborted) return;
    if (!(error instanceof ExportacaoGrandeDemais)) {
      this.#deps.log.error({ err: error, exportacao: id, tipo: pedido.tipo }, 'an export failed');
    }
    const fim = { estado: 'falhou', erro: motivoDaFalha(error), fim_em: this.#deps.clock.now() } as const;
    // What made it fail may keep the row from being written too. Who asked is told all the same, once it can be: nobody
    // else would ever end it, and a database that is away lets the next one wait anyhow.
    for (const { signal } = abort; !signal.aborted; await pausa(CONTAR_DE_NOVO_MS, signal)) {
      const ended = await this.#update(id, fim).catch(() => null);
      if (ended === null) continue;
      // Stored, perhaps, when it was only the row that could not be written.
      if (ended) await this.#deps.storage.delete(blobDaExportacao(id)).catch(() => {});
      return;
    }
  }

  #update(id: string, set: Parameters<typeof queries.updateViva>[1]['set']): Promise<boolean> {
    const { processo } = this.#vida;
    return this.#deps.db.write.transaction().execute((trx) => queries.updateViva(trx, { id, processo, set }));
  }

  /** Files of expired exports go; so does what an export needed that nobody is making any more. */
  async #cleanUp(): Promise<void> {
    if (this.#stopped) return;
    try {
      await releaseExpired(this.#deps);
      const names = await readdir(this.#folder).catch(() => []);
      if (names.length === 0) return;
      // Asked after the names were read: a file that is there has a row by then.
      const vivas = new Set((await queries.findVivas(this.#deps.db.read)).map(({ id }) => id));
      for (const name of names) {
        if (!vivas.has(name.split('.')[0] ?? '')) await rm(join(this.#folder, name), { force: true });
      }
    } catch (err) {
      this.#deps.log.error({ err }, 'old exports could not be removed');
    }
  }
}

/** Until it is over, or something else ends it. */
async function pausa(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {});
}
