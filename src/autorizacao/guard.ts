/**
 * The order of checks on every route: the path exists → credentials (401) → syntax of `codigoCrm`
 * (400) → it is the token's own (403) → other parameters and the body (400) → the client (404) → the thing (404).
 * The first three are `onRequest` hooks, so that no body is read for a stranger; the client is looked up in the
 * handler, after validation.
 */
import type { FastifyRequest } from 'fastify';
import { type Cliente, findCliente } from '../contas/clientes.ts';
import { clienteNaoEncontrado } from '../contas/errors.ts';
import { findContadorByCrm } from '../contas/queries.ts';
import type { Deps } from '../deps.ts';
import { actForOffice } from '../platform/db/tenant.ts';
import type { Admit } from '../platform/http/limite.ts';
import { bearerOf } from './bearer.ts';
import { type AreaDoToken, authOf, type OnRequestHook, oauthOf, tokenKey } from './contexto.ts';
import { crmNaoAutorizado, crmNaoEscolhido, escopoInsuficiente, tokenInvalido } from './errors.ts';
import { type AccessTokenReader, requireAccessToken, requireCodigoCrm } from './oauth-guard.ts';
import type { TokenReader } from './tokens.ts';

/** Three parts with dots between: an access token (JWT). Integration tokens have no dot. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;
/** Names the office where a path does not, and an OAuth client acts for several. */
const CABECALHO_DO_CRM = 'x-codigo-crm';

interface GuardaDoToken {
  deps: Pick<Deps, 'db'>;
  tokens: TokenReader;
  accessTokens: AccessTokenReader;
  admit: Admit;
  area: AreaDoToken;
}

/** Makes the hook of one area that knows whose token a request carries, and lets it in when it is its turn. */
export function requireToken(options: GuardaDoToken): OnRequestHook {
  return async (request, reply) => {
    reply.header('vary', 'accept-encoding, authorization');
    const bearer = bearerOf(request);
    if (JWT.test(bearer)) {
      request.oauth = await requireAccessToken(options, { bearer, area: options.area, reply });
      // In the export area the path says which of its offices is meant.
      if (options.area === 'importacao') await actFor(options.deps, request, crmSemCaminho(request));
      return;
    }
    const auth = await options.tokens.authenticate(bearer, request.ip);
    if (!auth) throw tokenInvalido();
    request.auth = auth;
    actForOffice(auth.contadorId);
    await options.admit({ who: tokenKey(auth.tokenId), area: options.area, reply });
    if (auth.escopo !== 'tudo' && auth.escopo !== options.area) throw escopoInsuficiente();
  };
}

/** The office that an OAuth client means on a route whose path names none. @throws crm_invalido, crm_nao_autorizado */
function crmSemCaminho(request: FastifyRequest): string {
  const { codigosCrm } = oauthOf(request);
  const given = String(request.headers[CABECALHO_DO_CRM] ?? '').trim();
  if (given !== '') return requireCodigoCrm(given);
  const [only, ...others] = codigosCrm;
  if (only === undefined || others.length > 0) throw crmNaoEscolhido(codigosCrm.length);
  return only;
}

/** Makes an OAuth client act for one of its offices. @throws crm_nao_autorizado also when a foreign issuer names one that has no account here */
async function actFor(deps: Pick<Deps, 'db'>, request: FastifyRequest, codigoCrm: string): Promise<void> {
  const { clientId, codigosCrm } = oauthOf(request);
  const contador = codigosCrm.includes(codigoCrm) ? await findContadorByCrm(deps.db.read, codigoCrm) : null;
  if (!contador) throw crmNaoAutorizado();
  request.auth = {
    contadorId: contador.id,
    codigoCrm,
    tokenId: null,
    autor: `oauth:${clientId}`,
    escopo: 'tudo',
    clienteIds: null,
  };
  actForOffice(contador.id);
}

/** Makes the hook behind `requireToken`: the `codigoCrm` of the path is the token's own. Never asks whether another exists. */
export function requireOwnCrm(deps: Pick<Deps, 'db'>): OnRequestHook {
  return async (request) => {
    const codigoCrm = requireCodigoCrm((request.params as { codigoCrm: string }).codigoCrm);
    if (request.oauth) await actFor(deps, request, codigoCrm);
    else if (codigoCrm !== authOf(request).codigoCrm) throw crmNaoAutorizado();
  };
}

/**
 * The client that the path names, under the token's own office. One that the token does not reach is answered as
 * one that is not there.
 * @throws cliente_nao_encontrado
 */
export async function requireCliente(
  deps: Pick<Deps, 'db'>,
  input: { request: FastifyRequest; cpfCnpj: string },
): Promise<Cliente> {
  const { contadorId, clienteIds } = authOf(input.request);
  const cliente = await findCliente(deps.db.read, { contadorId, cpfCnpj: input.cpfCnpj });
  if (!cliente || (clienteIds && !clienteIds.has(cliente.id))) throw clienteNaoEncontrado();
  return cliente;
}
