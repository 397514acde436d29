/**
 * Credentials of the accounts area: a JWT of the embedded issuer or of a configured one. Order
 * on its routes: the path exists → `requireOauth` (401) → `ownCrmOf` (400, 403) → body (400) → client (404).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';
import type { Admit } from '../platform/http/limite.ts';
import { bearerOf } from './bearer.ts';
import { readCodigoCrm } from './caminhos.ts';
import { type Oauth, type OnRequestHook, oauthOf } from './contexto.ts';
import {
  crmInvalido,
  crmNaoAutorizado,
  pedeOAccessToken,
  pedeTokenDeAcesso,
  tokenInvalido,
} from './errors.ts';
import { isTokenDeIntegracao } from './tokens.ts';

/** Knows whose access token a text is, whichever issuer made it. */
export interface AccessTokenReader {
  /**
   * @returns null when the token is not valid: shape, signature, issuer, audience, time, kind, revoked
   * @throws escopo_insuficiente when it lacks the role that its issuer's entry asks for
   */
  authenticate(token: string): Promise<Oauth | null>;
}

/** Makes the hook that sets `request.oauth`, or answers 401, and lets the request in when it is its client's turn. */
export function requireOauth(options: { accessTokens: AccessTokenReader; admit: Admit }): OnRequestHook {
  return async (request, reply) => {
    reply.header('vary', 'accept-encoding, authorization');
    const bearer = bearerOf(request);
    if (isTokenDeIntegracao(bearer)) throw pedeTokenDeAcesso();
    request.oauth = await requireAccessToken(options, { bearer, area: 'contas', reply });
  };
}

/** Whose access token it is, once it is its turn. @throws token_invalido, escopo_insuficiente, limite_excedido */
export async function requireAccessToken(
  options: { accessTokens: AccessTokenReader; admit: Admit },
  { bearer, area, reply }: { bearer: string; area: string; reply: FastifyReply },
): Promise<Oauth> {
  const oauth = await options.accessTokens.authenticate(bearer);
  if (!oauth) throw isRefreshToken(bearer) ? pedeOAccessToken() : tokenInvalido();
  await options.admit({ who: `oauth/${oauth.emissor}/${oauth.clientId}`, area, reply });
  return oauth;
}

/** What a JWT says of itself, which nobody has checked: enough to say which of two to send. */
function isRefreshToken(bearer: string): boolean {
  try {
    return decodeJwt(bearer).typ === 'Refresh';
  } catch {
    return false;
  }
}

/** A code padded to its six digits. @throws crm_invalido */
export function requireCodigoCrm(text: string): string {
  const codigoCrm = readCodigoCrm(text);
  if (codigoCrm === null) throw crmInvalido();
  return codigoCrm;
}

/**
 * The `codigoCrm` that a path of the accounts area names, padded, when it is one of the token's own. Never asks
 * whether another one exists. Call it in an `onRequest` hook behind `requireOauth`, before a body is read.
 * @throws crm_invalido, crm_nao_autorizado
 */
export function ownCrmOf(request: FastifyRequest, crm: string): string {
  const { codigosCrm } = oauthOf(request);
  const codigoCrm = requireCodigoCrm(crm);
  if (!codigosCrm.includes(codigoCrm)) throw crmNaoAutorizado();
  return codigoCrm;
}
