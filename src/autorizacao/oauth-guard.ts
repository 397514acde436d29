/**
 * Credentials of the accounts area: a JWT of the embedded issuer or of a configured one (contract 2, trust A2). Order
 * on its routes: the path exists → `requireOauth` (401) → `ownCrmOf` (400, 403) → body (400) → client (404).
 */
import type { FastifyRequest } from 'fastify';
import type { Admit } from '../platform/http/limite.ts';
import { type Oauth, type OnRequestHook, oauthOf } from './contexto.ts';
import { crmInvalidoNasContas, crmNaoAutorizado, tokenInvalido } from './errors.ts';
import { bearerOf } from './guard.ts';

/** Knows whose access token a text is, whichever issuer made it. */
export interface AccessTokenReader {
  /**
   * @returns null when the token is not valid: shape, signature, issuer, audience, time, kind, revoked
   * @throws escopo_insuficiente when it lacks the role that its issuer's entry asks for
   */
  authenticate(token: string): Promise<Oauth | null>;
}

/** Makes the hook that sets `request.oauth`, or answers 401, and lets the request in when it is its client's turn. */
export function requireOauth(options: { tokens: AccessTokenReader; admit: Admit }): OnRequestHook {
  return async (request, reply) => {
    reply.header('vary', 'accept-encoding, authorization');
    const oauth = await options.tokens.authenticate(bearerOf(request));
    if (!oauth) throw tokenInvalido();
    request.oauth = oauth;
    await options.admit({ who: `oauth/${oauth.emissor}/${oauth.clientId}`, area: 'contas', reply });
  };
}

/**
 * The `codigoCrm` that a path of the accounts area names, padded, when it is one of the token's own. Never asks
 * whether another one exists. Call it in an `onRequest` hook behind `requireOauth`, before a body is read.
 * @throws crm_invalido, crm_nao_autorizado
 */
export function ownCrmOf(request: FastifyRequest, crm: string): string {
  const { codigosCrm } = oauthOf(request);
  if (!/^[0-9]{1,6}$/.test(crm)) throw crmInvalidoNasContas();
  const codigoCrm = crm.padStart(6, '0');
  if (!codigosCrm.includes(codigoCrm)) throw crmNaoAutorizado();
  return codigoCrm;
}
