/** Verifies access tokens of one foreign issuer. Keys come from the configured addresses and from nowhere else. */
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import type { Deps } from '../deps.ts';
import { indisponivel } from '../platform/http/errors.ts';
import type { EmissorDeAcesso, TokenConferido } from './access-tokens.ts';
import type { Oauth } from './contexto.ts';
import { SKEW_SECONDS } from './emissor/tempos.ts';
import type { EmissorExterno } from './emissores-externos.ts';
import { escopoInsuficiente } from './errors.ts';

const FETCH_TIMEOUT_MS = 5_000;
/** A key set or a discovery document has a few KB. */
const DOCUMENT_BYTES = 1_000_000;
const KEYS_REMEMBERED_MS = 600_000;
/** After an unknown `kid` the keys are asked for again, at most this often. */
const KEYS_COOLDOWN_MS = 30_000;
/** An issuer that could not be reached is left alone for a moment. */
const RETRY_MS = 5_000;
const CLIENT_CLAIMS = ['azp', 'client_id', 'clientId', 'sub'];
/** Kinds of JWT that are no access token, as their issuers mark them. */
const ACCESS_HEADER = /^(?:application\/)?(?:at\+)?jwt$/i;

/** The issuer cannot be asked now: its tokens can be neither accepted nor refused. */
export class Unreachable extends Error {}

export class EmissorEstrangeiro implements EmissorDeAcesso {
  readonly nome: string;
  readonly #deps: Pick<Deps, 'clock' | 'log'>;
  readonly #emissor: EmissorExterno;
  #keys: JWTVerifyGetKey | undefined;
  #discovering: Promise<JWTVerifyGetKey> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: Pick<Deps, 'clock' | 'log'>, emissor: EmissorExterno) {
    this.nome = emissor.issuer;
    this.#deps = deps;
    this.#emissor = emissor;
    if ('jwksUri' in emissor.chaves) this.#keys = remoteKeys(emissor.chaves.jwksUri);
  }

  recognises(iss: unknown): boolean {
    return iss === this.#emissor.issuer;
  }

  /** @throws escopo_insuficiente without the role, indisponivel when the issuer's keys cannot be read */
  async verify(token: string): Promise<TokenConferido | null> {
    const payload = await this.#verifySignature(token);
    if (!payload) return null;
    const { claimCliente, clientes, papel, claimCrm } = this.#emissor;
    const clientId = clientOf(payload, claimCliente);
    if (clientId === null || (clientes && !clientes.includes(clientId))) return null;
    if (papel && !listOf(claimAt(payload, papel.claim)).includes(papel.nome)) throw escopoInsuficiente();
    const oauth: Oauth = {
      clientId,
      codigosCrm: codesOf(claimAt(payload, claimCrm)),
      emissor: this.nome,
    };
    return { oauth, sid: null, expiraEm: (Number(payload.exp) + SKEW_SECONDS) * 1_000 };
  }

  /** A foreign issuer is not asked again: its tokens live until they expire. */
  async confirm(token: TokenConferido): Promise<Oauth | null> {
    return token.oauth;
  }

  async #verifySignature(token: string): Promise<JWTPayload | null> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, await this.#keySet(), {
        issuer: this.#emissor.issuer,
        audience: [...this.#emissor.audience],
        algorithms: [...this.#emissor.algs],
        clockTolerance: SKEW_SECONDS,
        currentDate: new Date(this.#deps.clock.now()),
        requiredClaims: ['exp'],
      });
      const access =
        ACCESS_HEADER.test(protectedHeader.typ ?? 'JWT') && (payload.typ ?? 'Bearer') === 'Bearer';
      return access ? payload : null;
    } catch (error) {
      if (isUnreachable(error)) {
        this.#deps.log.warn({ err: error, emissor: this.nome }, 'emissor externo não respondeu');
        throw indisponivel(RETRY_MS / 1_000, error);
      }
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  async #keySet(): Promise<JWTVerifyGetKey> {
    if (this.#keys) return this.#keys;
    if (performance.now() - this.#failedAt < RETRY_MS) throw new Unreachable('asked a moment ago');
    this.#discovering ??= this.#discover().finally(() => {
      this.#discovering = undefined;
    });
    return this.#discovering;
  }

  /** Reads the discovery document once; what it says of the issuer must be what was configured. */
  async #discover(): Promise<JWTVerifyGetKey> {
    const { chaves, issuer } = this.#emissor;
    try {
      const address = 'discovery' in chaves ? chaves.discovery : '';
      const found = (await (await fetchDocument(address, {})).json()) as Record<string, unknown>;
      if (found.issuer !== issuer) throw new Unreachable(`${address} is of the issuer ${found.issuer}`);
      const jwksUri = URL.parse(String(found.jwks_uri));
      if (!jwksUri || !/^https?:$/.test(jwksUri.protocol)) throw new Unreachable('no jwks_uri');
      this.#keys = remoteKeys(jwksUri.href);
      return this.#keys;
    } catch (error) {
      this.#failedAt = performance.now();
      throw error instanceof Unreachable ? error : new Unreachable('discovery failed', { cause: error });
    }
  }
}

export function remoteKeys(address: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(address), {
    timeoutDuration: FETCH_TIMEOUT_MS,
    cacheMaxAge: KEYS_REMEMBERED_MS,
    cooldownDuration: KEYS_COOLDOWN_MS,
    [customFetch]: fetchDocument,
  });
}

/** Fetches a small document; redirects lead nowhere, since only configured addresses are trusted. */
export async function fetchDocument(
  address: string,
  options: { headers?: Headers; signal?: AbortSignal },
): Promise<Response> {
  const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
  try {
    const answer = await fetch(address, {
      headers: options.headers ?? { accept: 'application/json' },
      redirect: 'error',
      signal,
    });
    if (answer.status !== 200) throw new Unreachable(`${address} answered ${answer.status}`);
    return new Response(await readBounded(answer), { status: 200 });
  } catch (error) {
    throw error instanceof Unreachable
      ? error
      : new Unreachable(`${address} could not be read`, { cause: error });
  }
}

export async function readBounded(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > DOCUMENT_BYTES) throw new Unreachable('the document is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** jose has no class of its own for a key set that is no JSON. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof Unreachable || error instanceof errors.JWKSTimeout) return true;
  if (error instanceof errors.JWKSInvalid) return true;
  return error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC';
}

function claimAt(payload: JWTPayload, path: readonly string[]): unknown {
  let value: unknown = payload;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

function clientOf(payload: JWTPayload, path: readonly string[] | null): string | null {
  const values = path ? [claimAt(payload, path)] : CLIENT_CLAIMS.map((name) => claimAt(payload, [name]));
  const found = values.find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : null;
}

/** An array, or a text with blanks or commas between. */
function listOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'string' ? value.split(/[\s,]+/).filter((part) => part !== '') : [];
}

/** Codes of 1 to 6 digits, padded; anything else in the claim gives no right. */
function codesOf(value: unknown): string[] {
  return listOf(value).flatMap((text) => (/^[0-9]{1,6}$/.test(text) ? [text.padStart(6, '0')] : []));
}
