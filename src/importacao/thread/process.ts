/**
 * One file's way through the import thread: bytes → entries → batches → pieces → commits. Batches are read by
 * several threads at once and committed in the order of the file. The steps:
 *
 * 1. `storage.get`: the upload as it came
 * 2. `entradasDe`: a zip is unpacked, entry by entry (unpack.ts); committed entries are left out
 * 3. `emLotes`: about 32 entries or 1 MB
 * 4. `leitor.read`: kind, fields, schema, signature (leitor.ts, in the reader threads)
 * 5. `gravador.add`: documents, events, NSUs, items, progress, final status (gravar.ts, documentos/store/store.ts)
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Deps } from '../../deps.ts';
import { releaseBytes } from '../../platform/bytes/release-bytes.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { ITENS_MAX, LOTE_LENTO_S, LOTES_A_FRENTE, TAREFAS_DO_LEITOR } from '../limites.ts';
import type { MetricasDaImportacao } from '../metrics.ts';
import type { Leitor, LoteLido } from '../reading/leitores.ts';
import { Vagas } from '../reading/vagas.ts';
import type { ArquivoAberto, Gravador } from '../storing/gravar.ts';
import type { EntradaParaLer } from '../tipos.ts';
import { emLotes, entradasDe, type LoteDeEntradas, loteDosQueSobram } from '../unpack/entradas.ts';

export interface ProcessDeps extends Pick<Deps, 'storage'> {
  leitor: Leitor;
  gravador: Gravador;
  /** Bytes between unpacking and commit, of all files that share this room. */
  emVoo: Vagas;
  /** One for each file that unpacks a batch or waits in that room with it; null where few files are in work anyway. */
  descompactando: Vagas | null;
  metricas: MetricasDaImportacao;
}

/**
 * Imports a file from where its last commit left it to its final status.
 * @throws what a step threw, or the signal's reason; everything committed until then stays
 */
export async function processFile(
  deps: ProcessDeps,
  { arquivo, signal }: { arquivo: ArquivoAberto; signal: AbortSignal },
): Promise<void> {
  const bytes = await deps.storage.get(arquivo.tarefa.blob);
  failpoint('arquivo_aberto');
  const entradas = entradasDe({ bytes, prontas: arquivo.entradas });
  try {
    await processEntradas(deps, { entradas, arquivo, signal });
  } finally {
    releaseBytes(bytes);
  }
}

/** The same of entries, wherever they come from. */
export async function processEntradas(
  deps: Omit<ProcessDeps, 'storage'>,
  input: { entradas: AsyncIterable<EntradaParaLer>; arquivo: ArquivoAberto; signal: AbortSignal },
): Promise<void> {
  const { entradas, signal } = input;
  const flow = new Flow(deps, input.arquivo);
  const batches = emLotes(entradas);
  try {
    for (;;) {
      const read = await flow.room();
      if (signal.aborted || flow.failed) break;
      const { contadorId } = input.arquivo.tarefa;
      const next = await (flow.itens > ITENS_MAX
        ? leaveRest(deps, contadorId)
        : unpackNext(deps, batches, contadorId));
      if (!next) break;
      if (signal.aborted || flow.failed) {
        next.release();
        break;
      }
      flow.submit(next.batch, { read, release: next.release });
      if (next.batch.ultimo) break;
      // Readers answer by messages: between two batches the thread looks at them.
      await nextTurn();
    }
  } finally {
    await flow.settled();
  }
  flow.throwIfFailed();
  signal.throwIfAborted();
}

/** The next batch, once there is room for it until it is committed; null behind the last one. */
async function unpackNext(
  { descompactando, emVoo, metricas }: Omit<ProcessDeps, 'storage'>,
  batches: AsyncGenerator<LoteDeEntradas>,
  contadorId: number,
): Promise<{ batch: LoteDeEntradas; release: () => void } | null> {
  const turn = await descompactando?.take(1, contadorId);
  try {
    const startedAt = performance.now();
    const { value: batch, done } = await batches.next();
    metricas.segundos.descompactar += (performance.now() - startedAt) / 1000;
    if (done) return null;
    failpoint('lote_descompactado');
    return { batch, release: await emVoo.take(batch.pesoBytes, contadorId) };
  } finally {
    turn?.();
  }
}

/** The batch that ends a file with too many items. */
async function leaveRest(
  { emVoo }: Pick<ProcessDeps, 'emVoo'>,
  contadorId: number,
): Promise<{ batch: LoteDeEntradas; release: () => void }> {
  const batch = loteDosQueSobram();
  return { batch, release: await emVoo.take(batch.pesoBytes, contadorId) };
}

/** How many batches of a file may be unpacked and not read. What waits here is in the room of other files. */
function aheadOf({ atOnce }: Pick<Leitor, 'atOnce'>, { segundos }: Pick<LoteLido, 'segundos'>): number {
  return segundos > LOTE_LENTO_S ? Math.ceil(atOnce / TAREFAS_DO_LEITOR) + 1 : atOnce + LOTES_A_FRENTE;
}

/** The batches of one file on their way: read in any order, committed in theirs. */
class Flow {
  readonly #deps: Omit<ProcessDeps, 'storage'>;
  readonly #arquivo: ArquivoAberto;
  /** For batches that are unpacked and not read yet. */
  readonly #unread: Vagas;
  readonly #commits: Promise<void>[] = [];
  /** Items of what has been read. */
  itens = 0;
  #tail: Promise<void> = Promise.resolve();
  #failure: { error: unknown } | null = null;

  constructor(deps: Omit<ProcessDeps, 'storage'>, arquivo: ArquivoAberto) {
    this.#deps = deps;
    this.#arquivo = arquivo;
    this.#unread = new Vagas(aheadOf(deps.leitor, { segundos: 0 }));
  }

  get failed(): boolean {
    return this.#failure !== null;
  }

  throwIfFailed(): void {
    if (this.#failure) throw this.#failure.error;
  }

  /** Resolves when the readers are near enough for one more batch to be unpacked. @returns says that it has been read */
  room(): Promise<() => void> {
    return this.#unread.take(1);
  }

  /** Sends a batch to the readers at once, and to the writer when all batches before it have gone there. */
  submit(batch: LoteDeEntradas, { read, release }: { read: () => void; release: () => void }): void {
    const reading = this.#read(batch);
    const arrived = this.#deps.gravador.expect(batch.entradas.length);
    // The same of this one.
    reading.then(read, read);
    this.#tail = this.#tail.then(async () => {
      try {
        const lido = await reading;
        if (this.failed) return release();
        this.#commits.push(this.#commit({ batch, lido, release }));
      } catch (error) {
        release();
        this.#failure ??= { error };
      } finally {
        arrived();
      }
    });
  }

  async #read({ entradas }: LoteDeEntradas): Promise<LoteLido> {
    const { contadorId } = this.#arquivo.tarefa;
    const lido = await this.#deps.leitor.read(entradas, contadorId);
    this.#unread.resize(aheadOf(this.#deps.leitor, lido));
    this.itens += lido.pecas.reduce((sum, pecas) => sum + pecas.length, 0);
    for (const entrada of entradas) if ('bytes' in entrada) releaseBytes(entrada.bytes);
    return lido;
  }

  async settled(): Promise<void> {
    await this.#tail;
    await Promise.all(this.#commits);
  }

  async #commit(input: { batch: LoteDeEntradas; lido: LoteLido; release: () => void }): Promise<void> {
    const { batch, lido, release } = input;
    const arquivo = this.#arquivo;
    this.#deps.metricas.segundos.ler += lido.segundos;
    try {
      failpoint('lote_lido', () => batch.entradas.map(({ caminho }) => caminho).join());
      await this.#deps.gravador.add({ arquivo, entradas: lido.pecas, ultima: batch.ultimo });
    } catch (error) {
      this.#failure ??= { error };
    } finally {
      for (const memoria of lido.memorias) releaseBytes(memoria);
      release();
    }
  }
}
