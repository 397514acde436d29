/**
 * Whether what was prepared still stands. Every request asks, and is answered by a statement that began after it had
 * arrived, so that nobody is shown what was true a moment before; but all that arrive while one statement runs share
 * the next one, so many readers cost the database as much as one. Where it can be told at once that nothing at all was
 * committed since a statement was answered (`Database.commits`), that answer holds.
 */
import type { Deps } from '../../deps.ts';
import { runAsService } from '../../platform/db/tenant.ts';
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

export interface Pergunta {
  clienteId: number;
  tokenId: number | null;
  /** Runs as the service, whoever asks. May not throw: others wait behind it. */
  resolve(resposta: Resposta): void;
  reject(error: unknown): void;
}

/** Asked about in one statement; the rest in the next one. */
const MOST_AT_ONCE = 200;

/** What was read last, and when. */
interface Lidas {
  /** Before the statement began: until then this is as new as can be. */
  commits: number | null;
  feeds: Map<number, Vigencia>;
  /** When each that is not revoked expires, ms UTC; 0 for never. */
  tokens: Map<number, number>;
}

/** Clients and tokens that are known at one state; more begin anew. */
const MOST_KNOWN = 20_000;

/** One for the process. */
export class Vigencias {
  readonly #deps: Pick<Deps, 'db' | 'clock'>;
  /** Since the last look. */
  #novas: Pergunta[] = [];
  /** Wait for the next statement. */
  #perguntas: Pergunta[] = [];
  #running = false;
  #lidas: Lidas = { commits: null, feeds: new Map(), tokens: new Map() };

  constructor(deps: Pick<Deps, 'db' | 'clock'>) {
    this.#deps = deps;
  }

  ask(clienteId: number, tokenId: number | null = null): Promise<Resposta> {
    return new Promise((resolve, reject) => this.put({ clienteId, tokenId, resolve, reject }));
  }

  put(pergunta: Pergunta): void {
    this.#novas.push(pergunta);
    // All requests that have arrived with this one are asked about together.
    if (this.#novas.length === 1) setImmediate(() => runAsService(() => this.#look()));
  }

  #look(): void {
    const novas = this.#novas;
    this.#novas = [];
    const commits = this.#deps.db.commits();
    const stands = commits !== null && commits === this.#lidas.commits;
    for (const pergunta of novas) {
      const known = stands ? this.#known(pergunta) : null;
      if (known) pergunta.resolve(known);
      else this.#perguntas.push(pergunta);
    }
    if (this.#running || this.#perguntas.length === 0) return;
    this.#running = true;
    void this.#run();
  }

  #known({ clienteId, tokenId }: Pergunta): Resposta | null {
    const feed = this.#lidas.feeds.get(clienteId);
    const expiraEm = tokenId === null ? 0 : this.#lidas.tokens.get(tokenId);
    if (!feed || expiraEm === undefined) return null;
    return { feed, tokenVive: vive(expiraEm, this.#deps.clock.now()) };
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
    const commits = this.#deps.db.commits();
    const feeds = new Map<number, Vigencia>();
    const tokens = new Map<number, number>();
    const agora = this.#deps.clock.now();
    for (const row of await findVigentes(this.#deps.db.read, { clienteIds, tokenIds })) {
      if (row.que === 'cliente') feeds.set(row.id, { ultimoNsu: row.ultimo, revisao: row.revisao });
      else tokens.set(row.id, row.ultimo);
    }
    this.#remember({ commits, feeds, tokens });
    for (const { clienteId, tokenId, resolve } of perguntas) {
      const expiraEm = tokenId === null ? 0 : tokens.get(tokenId);
      const tokenVive = expiraEm !== undefined && vive(expiraEm, agora);
      resolve({ feed: feeds.get(clienteId) ?? null, tokenVive });
    }
  }

  #remember({ commits, feeds, tokens }: Lidas): void {
    const { commits: before, feeds: known, tokens: knownTokens } = this.#lidas;
    if (commits === null || commits !== before || known.size + knownTokens.size > MOST_KNOWN) {
      this.#lidas = { commits, feeds, tokens };
      return;
    }
    for (const [id, feed] of feeds) known.set(id, feed);
    for (const [id, expiraEm] of tokens) knownTokens.set(id, expiraEm);
  }
}

function vive(expiraEm: number, agora: number): boolean {
  return expiraEm === 0 || expiraEm > agora;
}
