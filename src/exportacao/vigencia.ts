/**
 * Whether what was prepared still stands. Every request asks, and is answered by a statement that began after it had
 * arrived, so that nobody is shown what was true a moment before; but all that arrive while one statement runs share
 * the next one, so many readers cost the database as much as one.
 */
import type { Deps } from '../deps.ts';
import { runAsService } from '../platform/db/tenant.ts';
import { findVigentes } from './queries-vigencia.ts';

/** State of a client's feed: pages that were made at the same state show the same. */
export interface Vigencia {
  /** How many entries there are. */
  ultimoNsu: number;
  /** Grows when an entry shows something else than before. */
  revisao: number;
}

/** Null for a client that is not there. */
export interface Resposta {
  feed: Vigencia | null;
  /** False when the token was revoked; true when none was asked about. */
  tokenVive: boolean;
}

interface Pergunta {
  clienteId: number;
  tokenId: number | null;
  resolve(resposta: Resposta): void;
  reject(error: unknown): void;
}

/** Asked about in one statement; the rest in the next one. */
const MOST_AT_ONCE = 200;

/** One for the process. */
export class Vigencias {
  readonly #deps: Pick<Deps, 'db' | 'clock'>;
  #perguntas: Pergunta[] = [];
  #running = false;

  constructor(deps: Pick<Deps, 'db' | 'clock'>) {
    this.#deps = deps;
  }

  ask(clienteId: number, tokenId: number | null = null): Promise<Resposta> {
    return new Promise((resolve, reject) => {
      this.#perguntas.push({ clienteId, tokenId, resolve, reject });
      if (this.#running) return;
      this.#running = true;
      // After all requests that have arrived with this one.
      setImmediate(() => void runAsService(() => this.#run()));
    });
  }

  async #run(): Promise<void> {
    while (this.#perguntas.length > 0) {
      const some = this.#perguntas.splice(0, MOST_AT_ONCE);
      try {
        await this.#answer(some);
      } catch (error) {
        for (const { reject } of some) reject(error);
      }
    }
    this.#running = false;
  }

  async #answer(perguntas: readonly Pergunta[]): Promise<void> {
    const clienteIds = [...new Set(perguntas.map(({ clienteId }) => clienteId))];
    const tokenIds = [...new Set(perguntas.flatMap(({ tokenId }) => tokenId ?? []))];
    const feeds = new Map<number, Vigencia>();
    const tokens = new Set<number>();
    const agora = this.#deps.clock.now();
    for (const row of await findVigentes(this.#deps.db.read, { clienteIds, tokenIds })) {
      if (row.que === 'cliente') feeds.set(row.id, { ultimoNsu: row.ultimo, revisao: row.revisao });
      else if (row.ultimo === 0 || row.ultimo > agora) tokens.add(row.id);
    }
    for (const { clienteId, tokenId, resolve } of perguntas) {
      resolve({ feed: feeds.get(clienteId) ?? null, tokenVive: tokenId === null || tokens.has(tokenId) });
    }
  }
}
