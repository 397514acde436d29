/**
 * The one writer of the import: pieces of all files that are ready go into one transaction (a commit costs an
 * fsync, whatever is in it), and with them everything that says how far each file is. If the process dies, the
 * transaction has happened whole or not at all, and a second try goes on behind it.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../../deps.ts';
import { dentroDoAlcance } from '../../documentos/store/alcance.ts';
import { storeLotes } from '../../documentos/store/store.ts';
import type { PecaGravada, PecaLida, Trx } from '../../documentos/tipos.ts';
import { engineOf } from '../../platform/db/engine.ts';
import { DatabaseAwayError } from '../../platform/db/faults.ts';
import { together } from '../../platform/db/together.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { formatOwner, type Owner } from '../../platform/jobs/owner.ts';
import { finishJob } from '../../platform/jobs/queue.ts';
import {
  JUNTAR_MS,
  JUNTAR_PECAS,
  JUNTAR_PECAS_NO_FIM,
  JUNTAR_PECAS_NO_INICIO,
  TRANSACAO_PECAS,
  VEZ_DOS_OUTROS_MS,
} from '../limites.ts';
import type { MetricasDaImportacao } from '../metrics.ts';
import {
  countByResultado,
  countItens,
  findProblemas,
  insertItens,
  markFinished,
  type Tarefa,
  updateProgress,
} from '../queries.ts';
import type { Leitor } from '../reading/leitores.ts';
import { concluir } from '../resumo.ts';
import { holdAEnsinar } from './guardar-a-ensinar.ts';
import { joinProtocolos, pesoDe } from './juntar.ts';
import { joinEventos } from './juntar-eventos.ts';
import { provadasPelaFonte, provarDuplicados } from './prova-da-fonte.ts';

/** More lines than these cannot fit into a log. */
const PROBLEMAS_NO_LOG = 200;

/** Another worker has the job now: whatever this one still does for it must not be committed. */
export class LeaseLost extends Error {
  constructor(jobId: number) {
    super(`the lease of job ${jobId} was lost`);
    this.name = 'LeaseLost';
  }
}

/** How far a file is: always as committed. */
export interface ArquivoAberto {
  readonly tarefa: Tarefa;
  /** Number of the last item. */
  itens: number;
  /** Entries whose pieces are all committed, and the items up to their end. */
  entradas: number;
  itensNaFronteira: number;
  /** Pieces of the next entry that an earlier try has committed. */
  aPular: number;
  /** This try has committed something: what failed before does not speak against the file any more. */
  progrediu: boolean;
  /** Set with the first failure; nothing of the file is written afterwards. */
  falha: Error | null;
}

/** Some pieces of a file, as many as go into one transaction at most. */
interface Fatia {
  arquivo: ArquivoAberto;
  pecas: PecaLida[];
  /** Weight of its pieces together (`pesoDe`). */
  peso: number;
  /** Entries that end in this slice, and how many of its pieces stand before the last such end. */
  entradasFechadas: number;
  pecasAteFronteira: number;
  ultima: boolean;
  resolve(): void;
  reject(error: Error): void;
}

type GravadorDeps = Pick<Deps, 'db' | 'clock'> & {
  owner: Owner;
  homologacao: boolean;
  metricas: MetricasDaImportacao;
  /** Reads what is put together of pieces of several files. */
  leitor: Pick<Leitor, 'read'>;
  storeLotes?: typeof storeLotes;
};

export class Gravador {
  readonly #deps: GravadorDeps;
  /** A commit on SQLite is this thread's own work; on PostgreSQL the next batches go on meanwhile. */
  readonly #holdsThread: boolean;
  /** Pieces of one transaction, at most. */
  readonly #maxPecas: number;
  readonly #fila: Fatia[] = [];
  #gravando = false;
  /** Batches that are being read, and their entries. */
  #aCaminho = 0;
  #entradasACaminho = 0;
  /** Pieces that are worth a commit: the first of an import, those behind it, and the next one. */
  readonly #juntarNoInicio: number;
  readonly #juntarDepois: number;
  readonly #juntarNoFim: number;
  #juntar: number;
  /** Ends the wait for more; null while nobody waits. */
  #enough: (() => void) | null = null;

  constructor(deps: GravadorDeps) {
    this.#deps = deps;
    const engine = engineOf(deps.db.write);
    this.#holdsThread = engine === 'sqlite';
    this.#maxPecas = TRANSACAO_PECAS[engine];
    this.#juntarNoInicio = JUNTAR_PECAS_NO_INICIO[engine];
    this.#juntarDepois = JUNTAR_PECAS[engine];
    this.#juntarNoFim = JUNTAR_PECAS_NO_FIM[engine];
    this.#juntar = this.#juntarNoInicio;
  }

  /** Opens a file where its last commit left it. */
  async open(tarefa: Tarefa): Promise<ArquivoAberto> {
    const itens = await countItens(this.#deps.db.read, tarefa.arquivoNumero);
    return {
      tarefa,
      itens,
      entradas: tarefa.entradasProntas,
      itensNaFronteira: tarefa.itensProntos,
      aPular: itens - tarefa.itensProntos,
      progrediu: false,
      falha: null,
    };
  }

  /** Entries are being read, and worth waiting for. @returns says that they have been added, or never will be */
  expect(entradas: number): () => void {
    if (this.#aCaminho === 0 && !this.#gravando) this.#juntar = this.#juntarNoInicio;
    this.#aCaminho += 1;
    this.#entradasACaminho += entradas;
    let arrived = false;
    return () => {
      if (arrived) return;
      arrived = true;
      this.#aCaminho -= 1;
      this.#entradasACaminho -= entradas;
      this.#look();
    };
  }

  /**
   * Queues the pieces of some entries, behind those that were queued before. `ultima`: with them the file is done.
   * Resolves when they are committed, and nothing looks at them any more. @throws what made the transaction fail, or LeaseLost
   */
  async add(input: { arquivo: ArquivoAberto; entradas: PecaLida[][]; ultima: boolean }): Promise<void> {
    const entradas = provadasPelaFonte(input.entradas, input.arquivo.tarefa.fonte);
    const commits = fatiar({ ...input, entradas }, this.#maxPecas).map(
      (fatia) =>
        new Promise<void>((resolve, reject) => {
          this.#fila.push({ ...fatia, resolve, reject });
        }),
    );
    this.#look();
    void this.#run();
    // All of them: the memory of their pieces is given back then.
    await Promise.allSettled(commits);
    await Promise.all(commits);
  }

  async #run(): Promise<void> {
    if (this.#gravando) return;
    this.#gravando = true;
    try {
      while (this.#fila.length > 0) {
        // Readers answer by messages, which this thread sees only between two turns of its event loop: now, so
        // that everything that is ready shares the commit.
        await nextTurn();
        if (!this.#complete) await this.#gather();
        if (this.#holdsThread) await this.#letOthersBegin();
        const { encontros } = await this.#commitGroup(this.#takeGroup());
        // Documents were read and stored once more within the transaction: whoever else wants to write has waited long.
        if (this.#holdsThread && encontros > 0) await sleep(VEZ_DOS_OUTROS_MS);
        this.#juntar = Math.min(2 * this.#juntar, this.#juntarDepois);
      }
    } finally {
      this.#gravando = false;
    }
  }

  /** Nothing is to be waited for: much is there, or nothing comes, or a file is done, whose sender may be waiting. */
  get #complete(): boolean {
    if (this.#aCaminho === 0 || this.#fila.some(({ ultima }) => ultima)) return true;
    const bastam = Math.min(this.#juntar, Math.max(this.#juntarNoFim, this.#entradasACaminho));
    return this.#fila.reduce((sum, { peso }) => sum + peso, 0) >= bastam;
  }

  async #gather(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, JUNTAR_MS);
      this.#enough = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#enough = null;
  }

  /** A commit holds this thread: before it, as much is unpacked and handed out as may be, so that readers have work. */
  async #letOthersBegin(): Promise<void> {
    for (let before = -1; before !== this.#aCaminho; ) {
      before = this.#aCaminho;
      await nextTurn();
      await nextTurn();
    }
  }

  #look(): void {
    if (this.#complete) this.#enough?.();
  }

  #takeGroup(): Fatia[] {
    let total = 0;
    let count = 0;
    for (const { peso } of this.#fila) {
      if (count > 0 && total + peso > this.#maxPecas) break;
      total += peso;
      count += 1;
    }
    return this.#fila.splice(0, count);
  }

  /**
   * When a group fails, each of its files is tried alone, so that one file's fault stays its own. When the database went
   * away over it, it may have been committed all the same: each file is then to be opened anew, where it really is.
   * @returns how many protocols have met their document in all that was committed
   */
  async #commitGroup(group: Fatia[]): Promise<{ encontros: number }> {
    const byFile = [...Map.groupBy(group, (fatia) => fatia.arquivo)];
    const sound = byFile.filter(([arquivo, fatias]) => {
      if (arquivo.falha) for (const fatia of fatias) fatia.reject(arquivo.falha);
      return arquivo.falha === null;
    });
    const deTodos = await this.#commit(sound);
    if (deTodos.falha === null) return deTodos;
    const asItIs = sound.length === 1 || deTodos.falha instanceof DatabaseAwayError;
    let encontros = 0;
    for (const entry of sound) {
      const own = asItIs ? deTodos : await this.#commit([entry]);
      if (own.falha === null) {
        encontros += own.encontros;
        continue;
      }
      const [arquivo, fatias] = entry;
      arquivo.falha = own.falha;
      for (const fatia of fatias) fatia.reject(own.falha);
    }
    return { encontros };
  }

  async #commit(byFile: [ArquivoAberto, Fatia[]][]): Promise<Desfecho> {
    if (byFile.length === 0) return { falha: null, encontros: 0 };
    const startedAt = performance.now();
    try {
      const { gravadas, encontros } = await this.#deps.db.write
        .transaction()
        .execute((trx) => this.#write(trx, byFile));
      for (const [index, [arquivo, fatias]] of byFile.entries()) {
        this.#advance(arquivo, fatias, gravadas[index] ?? EMPTY);
        for (const fatia of fatias) fatia.resolve();
      }
      const last = byFile.some(([, fatias]) => fatias.at(-1)?.ultima);
      failpoint(last ? 'ultimo_lote_depois_do_commit' : 'lote_depois_do_commit');
      return { falha: null, encontros };
    } catch (error) {
      return { falha: error as Error };
    } finally {
      this.#deps.metricas.segundos.gravar += (performance.now() - startedAt) / 1000;
    }
  }

  /** The transaction. @returns for each file what it did, and how many protocols have met their document */
  async #write(
    trx: Trx,
    byFile: [ArquivoAberto, Fatia[]][],
  ): Promise<{ gravadas: Gravadas[]; encontros: number }> {
    const agora = this.#deps.clock.now();
    const { homologacao, owner } = this.#deps;
    const lotes = [];
    for (const [{ tarefa, itens }, fatias] of byFile) {
      const { arquivoNumero, contadorId, alcance } = tarefa;
      const lidas = fatias.flatMap((fatia) => fatia.pecas);
      const pecas = await dentroDoAlcance(trx, { contadorId, alcance, pecas: lidas });
      lotes.push({ arquivoNumero, contadorId, primeiraOrdem: itens + 1, pecas });
    }
    const gravadas = await (this.#deps.storeLotes ?? storeLotes)(trx, { lotes, agora, homologacao });
    for (const [index, [{ tarefa }]] of byFile.entries())
      await provarDuplicados(trx, {
        ...{ tarefa, agora },
        pecas: lotes[index]?.pecas ?? [],
        gravadas: gravadas[index] ?? [],
      });
    const { leitor } = this.#deps;
    const comProtocolos = await joinProtocolos(trx, { lotes, gravadas, agora, homologacao, leitor });
    const juntas = await joinEventos(trx, {
      ...{ lotes, agora, homologacao, leitor },
      gravadas: comProtocolos.gravadas,
    });
    const guardadas = await holdAEnsinar(trx, { lotes, agora, gravadas: juntas.gravadas });
    const written: Gravadas[] = [];
    for (const [index, [arquivo, fatias]] of byFile.entries()) {
      const { arquivoNumero, jobId } = arquivo.tarefa;
      const pecas = guardadas[index] ?? [];
      const { entradas, itensNaFronteira } = frontierAfter(arquivo, fatias);
      const tomadoPor = formatOwner(owner);
      const progress = { jobId, tomadoPor, entradasProntas: entradas, itensProntos: itensNaFronteira };
      const primeiraOrdem = arquivo.itens + 1;
      const [held] = await together(trx, [
        () => updateProgress(trx, progress),
        () => insertItens(trx, { arquivoNumero, primeiraOrdem, pecas }),
      ]);
      if (!held) throw new LeaseLost(jobId);
      const status = fatias.at(-1)?.ultima ? await this.#finish(trx, { arquivo, agora }) : null;
      written.push({ pecas, status });
    }
    failpoint(written.some(({ status }) => status) ? 'ultimo_lote_antes_do_commit' : 'lote_antes_do_commit');
    return { gravadas: written, encontros: comProtocolos.encontros + juntas.encontros };
  }

  async #finish(trx: Trx, input: { arquivo: ArquivoAberto; agora: number }): Promise<string> {
    const { arquivoId, arquivoNumero, jobId } = input.arquivo.tarefa;
    const quantidades = await countByResultado(trx, arquivoNumero);
    const problemas = await findProblemas(trx, { arquivoNumero, limite: PROBLEMAS_NO_LOG });
    const { status, log } = concluir({ quantidades, problemas });
    await markFinished(trx, { arquivoId, status, log, agora: input.agora });
    if (!(await finishJob(trx, { id: jobId, owner: this.#deps.owner }))) throw new LeaseLost(jobId);
    return status;
  }

  #advance(arquivo: ArquivoAberto, fatias: readonly Fatia[], gravadas: Gravadas): void {
    Object.assign(arquivo, frontierAfter(arquivo, fatias));
    arquivo.itens += gravadas.pecas.length;
    arquivo.progrediu = true;
    const { itens, arquivos } = this.#deps.metricas;
    for (const { resultado } of gravadas.pecas) itens[resultado] = (itens[resultado] ?? 0) + 1;
    if (gravadas.status) arquivos[gravadas.status] = (arquivos[gravadas.status] ?? 0) + 1;
  }
}

interface Gravadas {
  pecas: PecaGravada[];
  /** Final status, when the file is done. */
  status: string | null;
}
const EMPTY: Gravadas = { pecas: [], status: null };

/** What became of a transaction: what went wrong, or how many protocols have met their document in it. */
type Desfecho = { falha: Error } | { falha: null; encontros: number };

/** Where the last whole entry ends once these slices are in. */
function frontierAfter(
  arquivo: ArquivoAberto,
  fatias: readonly Fatia[],
): Pick<ArquivoAberto, 'entradas' | 'itensNaFronteira'> {
  let { entradas, itensNaFronteira, itens } = arquivo;
  for (const fatia of fatias) {
    if (fatia.entradasFechadas > 0) {
      entradas += fatia.entradasFechadas;
      itensNaFronteira = itens + fatia.pecasAteFronteira;
    }
    itens += fatia.pecas.length;
  }
  return { entradas, itensNaFronteira };
}

/** Cuts the pieces of some entries into slices of at most one transaction; an entry may stretch over several. */
function fatiar(
  input: { arquivo: ArquivoAberto; entradas: PecaLida[][]; ultima: boolean },
  maxPecas: number,
): Omit<Fatia, 'resolve' | 'reject'>[] {
  const { arquivo } = input;
  const begin = () => ({
    arquivo,
    pecas: [] as PecaLida[],
    peso: 0,
    entradasFechadas: 0,
    pecasAteFronteira: 0,
    ultima: false,
  });
  let current = begin();
  const slices = [current];
  for (const entrada of input.entradas) {
    const pecas = entrada.slice(arquivo.aPular);
    arquivo.aPular = Math.max(0, arquivo.aPular - entrada.length);
    for (const peca of pecas) {
      const peso = pesoDe(peca);
      if (current.peso > 0 && current.peso + peso > maxPecas) {
        current = begin();
        slices.push(current);
      }
      current.pecas.push(peca);
      current.peso += peso;
    }
    current.entradasFechadas += 1;
    current.pecasAteFronteira = current.pecas.length;
    // Should a reading give fewer pieces than the one before the restart, the rest of the entry is done.
    arquivo.aPular = 0;
  }
  current.ultima = input.ultima;
  return slices;
}
