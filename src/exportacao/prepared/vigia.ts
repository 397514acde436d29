/**
 * Prepares ahead what somebody is about to read: feeds that were read lately are looked at twice a second, and what is
 * new in them is made ready while nobody waits for anything else. That is all it does: what is served is judged by each
 * request itself.
 */
import { LRUCache } from 'lru-cache';
import type { Logger } from '../../deps.ts';
import type { Preparador } from './preparador.ts';
import { ENTRADAS_DO_TRECHO, type Variante } from './preparar-trechos.ts';
import type { Vigencia, Vigencias } from './vigencia.ts';

const LOOK_EVERY_MS = 500;
/** Whoever polls comes at least this often. */
const FORGET_MS = 30 * 60_000;
const FEEDS = 1_000;
/** Entries prepared ahead, of one feed and of all that have something new at once: the store of segments holds no more. */
const AHEAD_OF_ONE = 5_000;
const AHEAD_OF_ALL = 9_000;
/** Entries of one step, between two looks at whether somebody waits. */
const STEP = 4 * ENTRADAS_DO_TRECHO;

export interface Leitura {
  contadorId: number;
  clienteId: number;
  variante: Variante;
  comXml: boolean;
  /** See `Intervalo`. */
  comGrupos: boolean;
  /** The last NSU that was answered. */
  ate: number;
}

interface Visto extends Leitura {
  /** What was prepared, at which state. */
  pronto: { ate: number; revisao: number };
}

interface VigiaParts {
  vigencias: Pick<Vigencias, 'ask'>;
  preparador: Pick<Preparador, 'idle' | 'trechos' | 'segmentos'>;
  log: Pick<Logger, 'debug'>;
}

export class Vigia {
  readonly #parts: VigiaParts;
  readonly #vistos = new LRUCache<number, Visto>({
    max: FEEDS,
    ttl: FORGET_MS,
    updateAgeOnGet: true,
    // Else it sets a timer for every millisecond in which a page is read.
    ttlResolution: LOOK_EVERY_MS,
  });
  #timer: NodeJS.Timeout | null = null;
  #working: Promise<void> | null = null;
  #stopped = false;

  constructor(parts: VigiaParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  }

  /** Somebody has read a feed. */
  lido(leitura: Leitura): void {
    const known = this.#vistos.get(leitura.clienteId);
    if (!known) {
      this.#vistos.set(leitura.clienteId, { ...leitura, pronto: { ate: leitura.ate, revisao: -1 } });
      return;
    }
    known.variante = leitura.variante;
    known.ate = leitura.ate;
    // Who once read with texts will again; who reads without may be another program.
    known.comXml ||= leitura.comXml;
    known.comGrupos ||= leitura.comGrupos;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearInterval(this.#timer);
    await this.#working;
  }

  /** Prepares what there is to prepare now; what is under way already is waited for. */
  look(): Promise<void> {
    this.#working ??= this.#prepare()
      .catch((err: unknown) => this.#parts.log.debug({ err }, 'pages could not be prepared ahead'))
      .finally(() => {
        this.#working = null;
      });
    return this.#working;
  }

  async #prepare(): Promise<void> {
    const news: { visto: Visto; feed: Vigencia }[] = [];
    await Promise.all(
      [...this.#vistos.values()].map(async (visto) => {
        const { feed } = await this.#parts.vigencias.ask(visto.clienteId);
        const { ate, revisao } = visto.pronto;
        if (feed && (feed.ultimoNsu > ate || feed.revisao > revisao)) news.push({ visto, feed });
      }),
    );
    const each = Math.min(AHEAD_OF_ONE, Math.ceil(AHEAD_OF_ALL / Math.max(1, news.length)));
    for (const { visto, feed } of news) {
      const ate = await this.#prepareFeed(visto, { feed, most: each });
      // Its reader may have read on meanwhile; and what was not reached is the next look's.
      const now = this.#vistos.peek(visto.clienteId) ?? visto;
      now.pronto = { ate, revisao: feed.revisao };
    }
  }

  /** From where its reader stands. @returns how far it came */
  async #prepareFeed(visto: Visto, { feed, most }: { feed: Vigencia; most: number }): Promise<number> {
    const { contadorId, clienteId, variante, comXml, comGrupos } = visto;
    const same = feed.revisao === visto.pronto.revisao;
    const from = Math.max(same ? visto.pronto.ate : visto.ate, feed.ultimoNsu - most);
    for (let de = from + 1; de <= feed.ultimoNsu; de += STEP) {
      if (this.#stopped || !this.#parts.preparador.idle) return de - 1;
      const ate = Math.min(feed.ultimoNsu, de + STEP - 1);
      const intervalo = { contadorId, clienteId, variante, feed, de, ate, comGrupos };
      const trechos = await this.#parts.preparador.trechos(intervalo);
      if (!comXml) continue;
      const versaoIds = trechos.flatMap(({ registros }) =>
        registros
          .filter(({ nsu }) => nsu >= de && nsu <= ate)
          .flatMap(({ textos }) => textos.map(({ versaoId }) => versaoId)),
      );
      await this.#parts.preparador.segmentos(contadorId, [...new Set(versaoIds)]);
    }
    return feed.ultimoNsu;
  }
}
