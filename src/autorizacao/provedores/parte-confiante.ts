/**
 * The relying party's side of OpenID Connect with the code flow and PKCE. Everything that ties an answer to its question
 * (state, nonce, PKCE's verifier) is made from one secret, which only the browser's cookie holds.
 * @fonte OpenID Connect Core 1.0, 3.1; RFC 7636; RFC 9700, 2.1
 */
import { createHash } from 'node:crypto';
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Deps } from '../../deps.ts';
import { fetchDocument, isUnreachable, readBounded, remoteKeys, Unreachable } from '../emissor-externo.ts';
import type { Provedor } from './ler-provedores.ts';

const TOKEN_TIMEOUT_MS = 10_000;
/** What a discovery document says is believed for so long. */
const METADATA_MS = 3_600_000;
const SKEW_SECONDS = 60;
const ALGORITHMS = ['RS256', 'PS256', 'ES256'];

/** Why nobody came of it; the first three are the provider's or the person's doing, the last nobody's. */
type FalhaDoProvedor = 'recusado' | 'resposta_invalida' | 'email_nao_confirmado' | 'indisponivel';

export class ProvedorFalhou extends Error {
  readonly falha: FalhaDoProvedor;

  constructor(falha: FalhaDoProvedor, why: string, options?: ErrorOptions) {
    super(why, options);
    this.falha = falha;
  }
}

/** Whom a provider vouches for. */
interface Identidade {
  emissor: string;
  sub: string;
  /** An address that is verified, as the provider writes it. */
  email: string;
}

interface Metadata {
  authorizationEndpoint: string;
  tokenEndpoint: string;
  /** The secret travels in the form where the provider takes it so; else in the Authorization header. */
  secretInForm: boolean;
  keys: JWTVerifyGetKey;
}

const derived = (purpose: string, secret: string) =>
  createHash('sha256').update(`${purpose}/${secret}`).digest('base64url');
export const stateDe = (secret: string) => derived('state', secret);
const nonceDe = (secret: string) => derived('nonce', secret);
const verifierDe = (secret: string) => derived('pkce', secret);

/** One provider; one for the process. */
export class ParteConfiante {
  readonly provedor: Provedor;
  readonly #deps: Pick<Deps, 'clock' | 'log'>;
  #metadata: { em: number; value: Promise<Metadata> } | undefined;

  constructor(deps: Pick<Deps, 'clock' | 'log'>, provedor: Provedor) {
    this.#deps = deps;
    this.provedor = provedor;
  }

  /** Where the browser is sent. @throws ProvedorFalhou `indisponivel` */
  async authorizationUrl({ secret, redirectUri }: { secret: string; redirectUri: string }): Promise<string> {
    const { clientId, scope } = this.provedor;
    const url = new URL((await this.#discovered()).authorizationEndpoint);
    const challenge = createHash('sha256').update(verifierDe(secret)).digest('base64url');
    for (const [name, value] of Object.entries({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope,
      state: stateDe(secret),
      nonce: nonceDe(secret),
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }))
      url.searchParams.set(name, value);
    return url.href;
  }

  /** Turns the code of the way back into who it was given for. @throws ProvedorFalhou */
  async identify(input: { secret: string; redirectUri: string; code: string }): Promise<Identidade> {
    const { secret } = input;
    const metadata = await this.#discovered();
    const idToken = await this.#exchange(metadata, input);
    const payload = await this.#verify(metadata, idToken);
    if (payload.nonce !== nonceDe(secret)) throw new ProvedorFalhou('resposta_invalida', 'another nonce');
    return this.#identityOf(payload);
  }

  #identityOf(payload: JWTPayload): Identidade {
    const { issuer, claimEmail, confiaNoEmail, dominios } = this.provedor;
    const { sub } = payload;
    const email = payload[claimEmail];
    if (typeof sub !== 'string' || sub === '') throw new ProvedorFalhou('resposta_invalida', 'no sub');
    if (typeof email !== 'string' || !email.includes('@'))
      throw new ProvedorFalhou('email_nao_confirmado', `no address in the claim "${claimEmail}"`);
    if (payload.email_verified !== true && !confiaNoEmail)
      throw new ProvedorFalhou('email_nao_confirmado', 'email_verified is not true');
    const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
    if (dominios && !dominios.includes(domain))
      throw new ProvedorFalhou('email_nao_confirmado', 'an address of another domain');
    return { emissor: issuer, sub, email };
  }

  async #verify({ keys }: Metadata, idToken: string): Promise<JWTPayload> {
    const { issuer, clientId } = this.provedor;
    try {
      const { payload } = await jwtVerify(idToken, keys, {
        issuer,
        audience: clientId,
        algorithms: ALGORITHMS,
        clockTolerance: SKEW_SECONDS,
        currentDate: new Date(this.#deps.clock.now()),
        requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
      });
      const alone = !Array.isArray(payload.aud) || payload.aud.length === 1;
      if (!alone && payload.azp !== clientId)
        throw new ProvedorFalhou('resposta_invalida', 'for another client');
      return payload;
    } catch (error) {
      if (isUnreachable(error)) throw new ProvedorFalhou('indisponivel', 'keys', { cause: error });
      if (error instanceof errors.JOSEError)
        throw new ProvedorFalhou('resposta_invalida', 'the id_token does not hold', { cause: error });
      throw error;
    }
  }

  async #exchange(
    metadata: Metadata,
    { secret, redirectUri, code }: { secret: string; redirectUri: string; code: string },
  ): Promise<string> {
    const { clientId, clientSecret } = this.provedor;
    const inForm = metadata.secretInForm;
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifierDe(secret),
      ...(inForm ? { client_id: clientId, client_secret: clientSecret } : {}),
    });
    const basic = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
    const { status, text } = await this.#post(metadata.tokenEndpoint, {
      body: form,
      headers: {
        accept: 'application/json',
        ...(inForm ? {} : { authorization: `Basic ${Buffer.from(basic).toString('base64')}` }),
      },
    });
    if (status >= 500) throw new ProvedorFalhou('indisponivel', `the token endpoint answered ${status}`);
    if (status !== 200)
      throw new ProvedorFalhou('recusado', `the token endpoint answered ${status}: ${text}`);
    const idToken = parsed(text)?.id_token;
    if (typeof idToken !== 'string') throw new ProvedorFalhou('resposta_invalida', 'no id_token');
    return idToken;
  }

  async #post(address: string, init: RequestInit): Promise<{ status: number; text: string }> {
    const signal = AbortSignal.timeout(TOKEN_TIMEOUT_MS);
    try {
      const answer = await fetch(address, { ...init, method: 'POST', redirect: 'error', signal });
      return { status: answer.status, text: await readBounded(answer) };
    } catch (error) {
      throw new ProvedorFalhou('indisponivel', 'the token endpoint could not be asked', { cause: error });
    }
  }

  /** One question for all who ask meanwhile; one that failed is asked anew by the next. */
  async #discovered(): Promise<Metadata> {
    const em = this.#deps.clock.now();
    if (!this.#metadata || em - this.#metadata.em > METADATA_MS) {
      const made = { em, value: this.#discover() };
      this.#metadata = made;
      made.value.catch(() => {
        if (this.#metadata === made) this.#metadata = undefined;
      });
    }
    return this.#metadata.value;
  }

  async #discover(): Promise<Metadata> {
    const { issuer, id } = this.provedor;
    try {
      const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
      const found = (await (await fetchDocument(address, {})).json()) as Record<string, unknown>;
      if (found.issuer !== issuer) throw new Unreachable(`${address} is of the issuer ${found.issuer}`);
      const methods = found.token_endpoint_auth_methods_supported;
      return {
        authorizationEndpoint: endpoint(found.authorization_endpoint),
        tokenEndpoint: endpoint(found.token_endpoint),
        secretInForm: Array.isArray(methods) && methods.includes('client_secret_post'),
        keys: remoteKeys(endpoint(found.jwks_uri)),
      };
    } catch (error) {
      this.#deps.log.warn({ err: error, provedor: id }, 'o provedor de identidade não respondeu');
      throw new ProvedorFalhou('indisponivel', 'discovery failed', { cause: error });
    }
  }
}

function endpoint(value: unknown): string {
  const url = URL.parse(String(value));
  if (!url || !/^https?:$/.test(url.protocol)) throw new Unreachable(`${value} is no address`);
  return url.href;
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
