/**
 * Counts in windows of a minute, per key. In one process they lie in its memory. Where several processes serve one
 * database (PostgreSQL), they share a table: each counts what it sees, adds it there twice a second, and learns the
 * sum of all; who is asked for an exact number adds and asks at once. When the table cannot be had, counting goes on
 * alone.
 */
import type { Deps } from '../../deps.ts';
import { boundedCache } from '../bounded-cache.ts';
import { addToWindows, deleteEndedWindows, readWindows } from '../db/janelas.ts';

const WINDOW_MS = 60_000;
const KEYS = 100_000;
/** Keys come from callers: a longer one is cut, so that it costs no memory. */
const KEY_CHARACTERS = 300;
const SHARE_EVERY_MS = 500;
const SWEEP_EVERY_MS = 60_000;
/** Rows of one statement. */
const SHARED_AT_ONCE = 1_000;

export interface Contagem {
  quantos: number;
  /** Until the window ends, ms; at least 1 while anything is counted. */
  restamMs: number;
}

interface Janela {
  /** What the table had when it was last asked, this process included; in one process always 0. */
  partilhados: number;
  /** Counted here and not yet told. */
  novos: number;
  /** By a clock that only runs forward. */
  fimMs: number;
  /** When the table was last asked. */
  lidaMs: number;
}

export class Janelas {
  readonly #deps: Pick<Deps, 'db' | 'log'> | null;
  readonly #keys = boundedCache<string, Janela>(KEYS);
  readonly #untold = new Set<string>();
  readonly #timers: NodeJS.Timeout[] = [];
  #telling: Promise<void> = Promise.resolve();

  /** @param deps where to share; null: this process counts alone */
  constructor(deps: Pick<Deps, 'db' | 'log'> | null) {
    this.#deps = deps?.db.engine === 'postgres' ? deps : null;
    if (!this.#deps) return;
    this.#timers.push(
      setInterval(() => void this.#tellQuietly(), SHARE_EVERY_MS).unref(),
      setInterval(() => void this.#sweep(), SWEEP_EVERY_MS).unref(),
    );
  }

  /** Whether other processes count too. */
  get shared(): boolean {
    return this.#deps !== null;
  }

  /** Tells what is still untold and ends. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#tellQuietly();
  }

  /** Counts one. */
  add(key: string): Contagem {
    const chave = short(key);
    const janela = this.#open(chave);
    janela.novos += 1;
    if (this.#deps) this.#untold.add(chave);
    return contagemDe(janela);
  }

  /** What is counted; of other processes as of `maxAgeMs` ago at the latest. */
  async read(keys: readonly string[], maxAgeMs: number): Promise<Contagem[]> {
    const chaves = keys.map(short);
    if (this.#deps) await this.#refresh(this.#deps, chaves, maxAgeMs);
    return chaves.map((chave) => {
      const janela = this.#keys.get(chave);
      return janela && janela.fimMs > performance.now() ? contagemDe(janela) : { quantos: 0, restamMs: 0 };
    });
  }

  /** Adds what is untold to the table and learns the sums; does nothing in one process. */
  async tell(): Promise<void> {
    if (!this.#deps) return;
    // One after the other: what is being told must not be told twice.
    const before = this.#telling;
    const telling = before.then(() => this.#tellNow());
    this.#telling = telling.catch(() => {});
    await telling;
  }

  #open(chave: string): Janela {
    const known = this.#keys.get(chave);
    const nowMs = performance.now();
    if (known && known.fimMs > nowMs) return known;
    const janela = { partilhados: 0, novos: 0, fimMs: nowMs + WINDOW_MS, lidaMs: Number.NEGATIVE_INFINITY };
    this.#keys.set(chave, janela);
    return janela;
  }

  async #tellNow(): Promise<void> {
    if (!this.#deps) return;
    while (this.#untold.size > 0) {
      const some = [...this.#untold].slice(0, SHARED_AT_ONCE);
      const counts = some.map((chave) => ({ chave, quantos: this.#keys.peek(chave)?.novos ?? 0 }));
      for (const chave of some) this.#untold.delete(chave);
      try {
        this.#learn(await addToWindows(this.#deps.db.write, { counts, windowMs: WINDOW_MS }), counts);
      } catch (error) {
        for (const chave of some) this.#untold.add(chave);
        throw error;
      }
    }
  }

  async #refresh(
    { db, log }: Pick<Deps, 'db' | 'log'>,
    chaves: readonly string[],
    maxAgeMs: number,
  ): Promise<void> {
    const nowMs = performance.now();
    const old = chaves.filter((chave) => nowMs - this.#open(chave).lidaMs > maxAgeMs);
    if (old.length === 0) return;
    try {
      const found = await readWindows(db.read, { chaves: old, windowMs: WINDOW_MS });
      const known = new Set(found.map(({ chave }) => chave));
      const empty = old.filter((chave) => !known.has(chave));
      this.#learn([...found, ...empty.map((chave) => ({ chave, quantos: 0, restamMs: WINDOW_MS }))], []);
    } catch (error) {
      log.warn({ err: error }, 'contagens por minuto não foram lidas');
    }
  }

  #learn(
    found: readonly { chave: string; quantos: number; restamMs: number }[],
    told: readonly { chave: string; quantos: number }[],
  ): void {
    const nowMs = performance.now();
    const toldBy = new Map(told.map(({ chave, quantos }) => [chave, quantos]));
    for (const { chave, quantos, restamMs } of found) {
      const janela = this.#keys.peek(chave);
      if (!janela) continue;
      janela.partilhados = quantos;
      janela.novos = Math.max(0, janela.novos - (toldBy.get(chave) ?? 0));
      janela.fimMs = nowMs + restamMs;
      janela.lidaMs = nowMs;
    }
  }

  async #tellQuietly(): Promise<void> {
    try {
      await this.tell();
    } catch (error) {
      this.#deps?.log.warn({ err: error }, 'contagens por minuto não foram partilhadas');
    }
  }

  async #sweep(): Promise<void> {
    try {
      if (this.#deps) await deleteEndedWindows(this.#deps.db.write, WINDOW_MS);
    } catch (error) {
      this.#deps?.log.warn({ err: error }, 'contagens vencidas não foram apagadas');
    }
  }
}

function contagemDe({ partilhados, novos, fimMs }: Janela): Contagem {
  return { quantos: partilhados + novos, restamMs: Math.max(1, fimMs - performance.now()) };
}

function short(key: string): string {
  return key.slice(0, KEY_CHARACTERS);
}
