/**
 * Hands out what is prepared and has made what is missing. Requests for the same things share one task; what is made
 * ahead waits until nobody waits for anything else.
 */
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { officeKey } from '../../autorizacao/contexto.ts';
import type { Deps } from '../../deps.ts';
import type { Segmento } from '../../platform/gzip/membro.ts';
import { Shares } from '../../platform/threads/shares.ts';
import { endPool } from '../../platform/threads/thread-start.ts';
import { WAITED_FOR } from '../../platform/threads/waited-for.ts';
import { ENTREGA_SECONDS, VALID_SECONDS } from '../enderecos.ts';
import { Estoque } from './estoque.ts';
import type { PaginaInteira, PedidoDePaginaInteira } from './pagina-inteira.ts';
import { ENTRADAS_DO_TRECHO, type TrechoPreparado, trechoDe, type Variante } from './preparar-trechos.ts';
import type { DadosDaThread, Resultados, Tarefa } from './tarefa.ts';
import type { Vigencia } from './vigencia.ts';

/** What an address that is handed out still has of the time that it says; it works for `ENTREGA_SECONDS` more. */
export const RESTAM_SECONDS = VALID_SECONDS - ENTREGA_SECONDS;
const THREADS = 2;
/** Tasks of one office that are in work at a time, and of all: whoever comes next waits for few of them. */
const TAREFAS = { each: THREADS, capacity: 2 * THREADS };
/** Starting one takes a third of a second; whoever polls comes again within this. */
const OCIOSO_MS = 5 * 60_000;
const MEMORIA_MB = 192;
/** Documents of one task, so that two threads share a page and other requests get their turn. */
const TEXTOS_DA_TAREFA = 50;

type PreparadorDeps = Pick<Deps, 'config' | 'clock' | 'log'> & {
  enderecos: { current(): { kid: string; secret: Uint8Array } };
};

/** What a page is made of, at one state of the feed. */
export interface Intervalo {
  clienteId: number;
  variante: Variante;
  /** Whose turn its tasks take, and whose rows they see. */
  contadorId: number;
  feed: Vigencia;
  /** First and last NSU; at most `feed.ultimoNsu`. */
  de: number;
  ate: number;
  /** Whether its records go out compressed without texts. */
  comGrupos: boolean;
}

/** One for the process. */
export class Preparador {
  readonly #deps: PreparadorDeps;
  readonly #estoque = new Estoque();
  readonly #turns = new Shares(TAREFAS);
  readonly #tasks = new Map<string, Promise<unknown>>();
  #pool: Piscina<Tarefa, Resultados[Tarefa['kind']]> | null = null;
  #closed = false;

  constructor(deps: PreparadorDeps) {
    this.#deps = deps;
  }

  /** Whether nobody waits for a thread. */
  get idle(): boolean {
    return !WAITED_FOR.any;
  }

  /** What is prepared, bytes. */
  get bytes(): { trechos: number; segmentos: number } {
    return this.#estoque.bytes;
  }

  /** The stretches that hold a range, in order. @throws when a thread fails */
  async trechos(intervalo: Intervalo): Promise<TrechoPreparado[]> {
    const [first, last] = [trechoDe(intervalo.de), trechoDe(intervalo.ate)];
    const found = this.#known(intervalo, first, last);
    const missing = found.flatMap((trecho, at) => (trecho ? [] : [first + at]));
    const [de, ate] = [missing[0], missing.at(-1)];
    if (de === undefined || ate === undefined) return found.filter((trecho) => trecho !== undefined);
    const made = new Map(
      (await this.#makeTrechos(intervalo, de, ate)).map((trecho) => [trecho.indice, trecho]),
    );
    return found.flatMap((trecho, at) => made.get(first + at) ?? trecho ?? []);
  }

  #known(intervalo: Intervalo, first: number, last: number): (TrechoPreparado | undefined)[] {
    const { clienteId, variante } = intervalo;
    const { kid } = this.#deps.enderecos.current();
    const untilSeconds = this.#deps.clock.now() / 1_000 + RESTAM_SECONDS;
    return Array.from({ length: last - first + 1 }, (_, at) => {
      const trecho = this.#estoque.trecho(clienteId, variante, first + at);
      const fits = trecho && trecho.kid === kid && trecho.expiresAtSeconds >= untilSeconds;
      return fits && serves(trecho, intervalo) ? trecho : undefined;
    });
  }

  #makeTrechos(
    { clienteId, variante, contadorId, feed, comGrupos }: Intervalo,
    de: number,
    ate: number,
  ): Promise<TrechoPreparado[]> {
    const assinatura = this.#assinatura();
    const key = `trechos/${clienteId}/${de}-${ate}/${feed.ultimoNsu}.${feed.revisao}/${variante.comFinalidade}/${comGrupos}/${assinatura.kid}/${variante.origin}`;
    return this.#shared(key, async () => {
      const pedido = { clienteId, variante, de, ate, comGrupos, assinatura };
      const trechos = await this.#run({ kind: 'trechos', contadorId, ...pedido });
      for (const trecho of trechos) this.#estoque.putTrecho(clienteId, variante, trecho);
      return trechos;
    });
  }

  /** Key and deadline of what is signed now. */
  #assinatura(): PedidoDePaginaInteira['assinatura'] {
    const expiresAtSeconds = Math.floor(this.#deps.clock.now() / 1_000) + VALID_SECONDS;
    return { ...this.#deps.enderecos.current(), expiresAtSeconds };
  }

  /**
   * The page with its texts made at one go, in gzip where nobody has asked for any of them before: what is asked for
   * again is worth being kept in parts.
   * @returns bytes that nobody else has; null where the page is to be made of these, or is too large
   * @throws when a thread fails, or a document is damaged
   */
  async paginaInteira(
    { clienteId, variante, contadorId, de, ate }: Intervalo,
    { paginacao, codificacao }: Pick<PedidoDePaginaInteira, 'paginacao' | 'codificacao'>,
  ): Promise<PaginaInteira | null> {
    if (codificacao === 'gzip') {
      const inteiros = trechosInteiros(de, ate);
      if (inteiros.length === 0 || this.#estoque.pedir(clienteId, variante, inteiros)) return null;
    }
    const assinatura = this.#assinatura();
    const pedido = { clienteId, variante, de, ate, paginacao, codificacao, assinatura };
    return this.#run({ kind: 'pagina', contadorId, ...pedido });
  }

  /** The texts of versions; one that has none any more is missing. @throws when a thread fails, or a document is damaged */
  async segmentos(contadorId: number, versaoIds: readonly number[]): Promise<Map<number, Segmento>> {
    const found = new Map<number, Segmento>();
    const missing: number[] = [];
    for (const versaoId of versaoIds) {
      const segmento = this.#estoque.segmento(versaoId);
      if (segmento) found.set(versaoId, segmento);
      else missing.push(versaoId);
    }
    const tasks: Promise<Map<number, Segmento>>[] = [];
    for (let from = 0; from < missing.length; from += TEXTOS_DA_TAREFA) {
      tasks.push(this.#makeSegmentos(contadorId, missing.slice(from, from + TEXTOS_DA_TAREFA)));
    }
    for (const made of await Promise.all(tasks)) {
      for (const [versaoId, segmento] of made) found.set(versaoId, segmento);
    }
    return found;
  }

  #makeSegmentos(contadorId: number, versaoIds: readonly number[]): Promise<Map<number, Segmento>> {
    return this.#shared(`segmentos/${versaoIds.join()}`, async () =>
      this.#estoque.putSegmentos(await this.#run({ kind: 'segmentos', contadorId, versaoIds })),
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#pool) await endPool(this.#pool);
  }

  async #shared<T>(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.#tasks.get(key) as Promise<T> | undefined;
    if (known) return known;
    const task = make().finally(() => this.#tasks.delete(key));
    this.#tasks.set(key, task);
    return task;
  }

  async #run<K extends Tarefa['kind']>(tarefa: Extract<Tarefa, { kind: K }>): Promise<Resultados[K]> {
    const work = async () => (await this.#threads().run(tarefa)) as Resultados[K];
    return WAITED_FOR.during(() => this.#turns.run(officeKey(tarefa.contadorId), work));
  }

  #threads(): Piscina<Tarefa, Resultados[Tarefa['kind']]> {
    if (this.#closed) throw new Error('the server is closing');
    if (this.#pool) return this.#pool;
    const { databaseUrl, sqlitePath, conexoes } = this.#deps.config;
    this.#pool = new Piscina({
      // A path: of an address one would be made anew for each task.
      filename: fileURLToPath(new URL('./tarefa.ts', import.meta.url)),
      minThreads: 0,
      maxThreads: THREADS,
      idleTimeout: OCIOSO_MS,
      resourceLimits: { maxOldGenerationSizeMb: MEMORIA_MB },
      workerData: { banco: { databaseUrl, sqlitePath, conexoes } } satisfies DadosDaThread,
    });
    this.#pool.on('error', (err) => this.#deps.log.error({ err }, 'a thread that prepares pages failed'));
    return this.#pool;
  }
}

/** Stretches that lie in a range as a whole: those at its ends may be read from another page too, and say nothing. */
function trechosInteiros(de: number, ate: number): number[] {
  const first = Math.ceil((de - 1) / ENTRADAS_DO_TRECHO);
  const behind = Math.floor(ate / ENTRADAS_DO_TRECHO);
  return Array.from({ length: Math.max(0, behind - first) }, (_, at) => first + at);
}

/** As new as the state that was asked for, with all of the range that lies in it, and in the form that is asked for. */
function serves(trecho: TrechoPreparado, { feed, ate, comGrupos }: Intervalo): boolean {
  const end = Math.min(ate, (trecho.indice + 1) * ENTRADAS_DO_TRECHO);
  const isCurrent = trecho.revisao >= feed.revisao && trecho.ultimoNsu >= end;
  return isCurrent && (trecho.grupos !== null || !comGrupos);
}
