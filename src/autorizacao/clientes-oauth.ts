import type { Deps } from '../deps.ts';
import { boundedCache } from '../platform/bounded-cache.ts';
import * as queries from './queries-oauth.ts';

/** A revoked client, or one that lost an office, may go on this long in another process. */
const REMEMBERED_MS = 4_000;
const REMEMBERED_CLIENTS = 10_000;
/** The last use is for people: a minute is exact enough. */
const LAST_USE_EVERY_MS = 60_000;

/** An OAuth client that is not revoked. */
export interface ClienteOauth {
  id: number;
  clientId: string;
  /** Each exactly six digits, ascending. */
  codigosCrm: readonly string[];
  emiteTokens: boolean;
  /** scrypt hashes of the secrets that work, newest first; `expiraEm` null is the present one. */
  segredos: readonly { hash: string; expiraEm: number | null }[];
}

interface Remembered {
  cliente: ClienteOauth;
  readAt: number;
}

/** Finds OAuth clients by their id. One for the process: it remembers them for a few seconds. */
export class ClientesOauth {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>;
  readonly #remembered = boundedCache<string, Remembered>(REMEMBERED_CLIENTS);
  readonly #lastUse = boundedCache<number, number>(REMEMBERED_CLIENTS);
  readonly #writing = new Set<Promise<void>>();

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log'>) {
    this.#deps = deps;
  }

  /** @returns null when there is none of that id, or it is revoked */
  async find(clientId: string): Promise<ClienteOauth | null> {
    const known = this.#remembered.get(clientId);
    const age = known ? this.#deps.clock.now() - known.readAt : -1;
    return known && age >= 0 && age < REMEMBERED_MS ? known.cliente : this.findAnew(clientId);
  }

  /** As it is kept now, whatever is remembered; three statements. @returns as `find` does */
  async findAnew(clientId: string): Promise<ClienteOauth | null> {
    const { db, clock } = this.#deps;
    const readAt = clock.now();
    const row = await queries.findClienteOauth(db.read, clientId);
    if (!row) {
      this.#remembered.delete(clientId);
      return null;
    }
    const [segredos, codigosCrm] = await Promise.all([
      queries.findSegredos(db.read, { clienteOauthId: row.id, agora: readAt }),
      queries.findCodigosCrm(db.read, row.id),
    ]);
    const cliente: ClienteOauth = {
      id: row.id,
      clientId: row.client_id,
      codigosCrm,
      emiteTokens: row.emite_tokens === 1,
      segredos: segredos.map(({ hash, expira_em }) => ({ hash, expiraEm: expira_em })),
    };
    this.#remembered.set(clientId, { cliente, readAt });
    return cliente;
  }

  /** Writes the last use at most once a minute, and without making the request wait. */
  noteUse({ id }: ClienteOauth): void {
    const agora = this.#deps.clock.now();
    const before = this.#lastUse.get(id);
    if (before !== undefined && Math.abs(agora - before) < LAST_USE_EVERY_MS) return;
    this.#lastUse.set(id, agora);
    const writing = queries
      .touchClienteOauth(this.#deps.db.write, { id, agora })
      .catch((error: unknown) =>
        this.#deps.log.warn({ err: error }, 'último uso do cliente OAuth não foi gravado'),
      )
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /** Waits for the last-use marks that are still being written. */
  async drain(): Promise<void> {
    await Promise.all(this.#writing);
  }
}
