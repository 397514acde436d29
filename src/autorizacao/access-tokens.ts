/**
 * Knows whose access token a text is, whichever issuer made it. A token is verified once and then known by its
 * SHA-256 until it expires; whether its session or client was ended meanwhile is asked every few seconds.
 */
import { hash } from 'node:crypto';
import { decodeJwt } from 'jose';
import type { Deps } from '../deps.ts';
import { boundedCache } from '../platform/bounded-cache.ts';
import type { Oauth } from './contexto.ts';
import type { AccessTokenReader } from './oauth-guard.ts';

const REMEMBERED_TOKENS = 10_000;
/** A revocation is effective everywhere within this. */
const CONFIRMED_MS = 4_000;

export interface TokenConferido {
  oauth: Oauth;
  /** Session of the embedded issuer; null for a foreign token. */
  sid: string | null;
  /** Milliseconds UTC. */
  expiraEm: number;
}

/** One issuer whose tokens are accepted. */
export interface EmissorDeAcesso {
  nome: string;
  recognises(iss: unknown): boolean;
  /** Signature, times, audience and kind. Null: not valid. */
  verify(token: string): Promise<TokenConferido | null>;
  /** Whether a verified token still works, and for whom. Null: ended. */
  confirm(token: TokenConferido): Promise<Oauth | null>;
}

interface Conhecido {
  emissor: EmissorDeAcesso;
  conferido: TokenConferido;
  oauth: Oauth;
  confirmadoEm: number;
}

export class AccessTokens implements AccessTokenReader {
  readonly #deps: Pick<Deps, 'clock'>;
  readonly #emissores: readonly EmissorDeAcesso[];
  readonly #known = boundedCache<string, Conhecido>(REMEMBERED_TOKENS);

  constructor(deps: Pick<Deps, 'clock'>, emissores: readonly EmissorDeAcesso[]) {
    this.#deps = deps;
    this.#emissores = emissores;
  }

  async authenticate(token: string): Promise<Oauth | null> {
    const key = hash('sha256', token, 'base64');
    const known = this.#known.get(key) ?? (await this.#verify(token));
    if (!known || !(await this.#stillWorks(known))) {
      this.#known.delete(key);
      return null;
    }
    this.#known.set(key, known);
    return known.oauth;
  }

  async #verify(token: string): Promise<Conhecido | null> {
    const iss = issuerOf(token);
    const emissor = this.#emissores.find((candidate) => candidate.recognises(iss));
    const conferido = emissor ? await emissor.verify(token) : null;
    if (!emissor || !conferido) return null;
    return { emissor, conferido, oauth: conferido.oauth, confirmadoEm: Number.NEGATIVE_INFINITY };
  }

  async #stillWorks(known: Conhecido): Promise<boolean> {
    const agora = this.#deps.clock.now();
    if (known.conferido.expiraEm <= agora) return false;
    const age = agora - known.confirmadoEm;
    if (age >= 0 && age < CONFIRMED_MS) return true;
    const oauth = await known.emissor.confirm(known.conferido);
    if (!oauth) return false;
    known.oauth = oauth;
    known.confirmadoEm = agora;
    return true;
  }
}

/** The `iss` that a token claims: only chooses whose keys it is tried with. */
function issuerOf(token: string): unknown {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
