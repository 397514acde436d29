import { LRUCache } from 'lru-cache';
import type { Deps } from '../deps.ts';
import { hashToken, isTokenShaped, makeToken } from '../platform/crypto/token-opaco.ts';
import type { Auth } from './contexto.ts';
import * as queries from './queries.ts';

/** `mlt_` + 43 random characters + 6 of checksum (trust S22). */
export const TOKEN_PREFIX = 'mlt';
/** A revoked token may still serve this long in another process; longer would break the promise of S23 (≤ 5 s). */
const REMEMBERED_MS = 4_000;
const REMEMBERED_TOKENS = 10_000;
/** The last use is for people: a minute is exact enough, and a write a request would not be. */
const LAST_USE_EVERY_MS = 60_000;
const SHOWN_CHARACTERS = 4;

/**
 * Makes an integration token of an office. The main one revokes the main one before it; an additional one stands
 * beside it. The token is returned this once and kept nowhere, only its SHA-256 is.
 */
export async function createToken(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: { contadorId: number; nome?: string; adicional?: boolean },
): Promise<{ token: string; finais: string }> {
  const token = makeToken(TOKEN_PREFIX);
  const finais = token.slice(-SHOWN_CHARACTERS);
  const agora = deps.clock.now();
  await deps.db.write.transaction().execute(async (trx) => {
    if (!input.adicional) await queries.revokeMainTokens(trx, { contadorId: input.contadorId, agora });
    await queries.insertToken(trx, {
      contador_id: input.contadorId,
      nome: input.nome ?? 'Integração',
      hash: hashToken(token),
      finais,
      adicional: input.adicional ? 1 : 0,
      criado_em: agora,
      expira_em: null,
      revogado_em: null,
      ultimo_uso_em: null,
    });
  });
  return { token, finais };
}

interface Remembered {
  auth: Auth;
  expiraEm: number | null;
  readAt: number;
}

/** Finds whose token a text is. One for the process: it remembers tokens for a few seconds. */
export class TokenReader {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>;
  readonly #remembered = new LRUCache<string, Remembered>({ max: REMEMBERED_TOKENS });
  readonly #lastUse = new LRUCache<number, number>({ max: REMEMBERED_TOKENS });
  readonly #writing = new Set<Promise<void>>();

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log'>) {
    this.#deps = deps;
  }

  /** @returns null when the token is unknown, revoked or expired */
  async authenticate(token: string): Promise<Auth | null> {
    if (!isTokenShaped(token, TOKEN_PREFIX)) return null;
    const hash = hashToken(token);
    const found = this.#recall(hash) ?? (await this.#read(hash));
    const agora = this.#deps.clock.now();
    if (!found || (found.expiraEm !== null && found.expiraEm <= agora)) return null;
    this.#noteUse(found.auth.tokenId, agora);
    return found.auth;
  }

  /** Waits for the last-use marks that are still being written. */
  async drain(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #recall(hash: string): Remembered | null {
    const known = this.#remembered.get(hash);
    if (!known) return null;
    const age = this.#deps.clock.now() - known.readAt;
    return age >= 0 && age < REMEMBERED_MS ? known : null;
  }

  async #read(hash: string): Promise<Remembered | null> {
    const readAt = this.#deps.clock.now();
    const row = await queries.findTokenByHash(this.#deps.db.read, hash);
    if (!row) {
      this.#remembered.delete(hash);
      return null;
    }
    const auth = { contadorId: row.contador_id, codigoCrm: row.codigo_crm, tokenId: row.id };
    const found = { auth, expiraEm: row.expira_em, readAt };
    this.#remembered.set(hash, found);
    if (row.ultimo_uso_em !== null && !this.#lastUse.has(row.id))
      this.#lastUse.set(row.id, row.ultimo_uso_em);
    return found;
  }

  /** Writes the last use at most once a minute, and without making the request wait. */
  #noteUse(tokenId: number, agora: number): void {
    const before = this.#lastUse.get(tokenId);
    if (before !== undefined && Math.abs(agora - before) < LAST_USE_EVERY_MS) return;
    this.#lastUse.set(tokenId, agora);
    const writing = queries
      .touchToken(this.#deps.db.write, { id: tokenId, agora })
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'último uso do token não foi gravado'))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }
}
