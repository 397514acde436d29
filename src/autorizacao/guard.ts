/**
 * The order of checks on every route (contract 2): the path exists → credentials (401) → syntax of `codigoCrm`
 * (400) → it is the token's own (403) → other parameters and the body (400) → the client (404) → the thing (404).
 * The first three are `onRequest` hooks, so that no body is read for a stranger; the client is looked up in the
 * handler, after validation.
 */
import type { FastifyRequest } from 'fastify';
import { type Cliente, findCliente } from '../contas/clientes.ts';
import { clienteNaoEncontrado } from '../contas/errors.ts';
import type { Deps } from '../deps.ts';
import { actForOffice } from '../platform/db/tenant.ts';
import type { Admit } from '../platform/http/limite.ts';
import { type AreaDoToken, authOf, type OnRequestHook, tokenKey } from './contexto.ts';
import {
  credencialRepetida,
  crmInvalido,
  crmNaoAutorizado,
  escopoInsuficiente,
  tokenAusente,
  tokenInvalido,
} from './errors.ts';
import type { TokenReader } from './tokens.ts';

const BEARER = /^Bearer +(\S+) *$/i;
/** Without a token, or with what another scheme asks for, is as if nothing had come (RFC 6750, 3.1). */
const OF_BEARER = /^Bearer +\S/i;

/** Makes the hook of one area that knows whose token a request carries, and lets it in when it is its turn. */
export function requireToken(options: {
  tokens: TokenReader;
  admit: Admit;
  area: AreaDoToken;
}): OnRequestHook {
  return async (request, reply) => {
    reply.header('vary', 'accept-encoding, authorization');
    const auth = await options.tokens.authenticate(bearerOf(request), request.ip);
    if (!auth) throw tokenInvalido();
    request.auth = auth;
    actForOffice(auth.contadorId);
    await options.admit({ who: tokenKey(auth.tokenId), area: options.area, reply });
    if (auth.escopo !== 'tudo' && auth.escopo !== options.area) throw escopoInsuficiente();
  };
}

/**
 * Takes the bearer token from the header; anywhere else it is ignored.
 * @throws credencial_repetida, token_ausente, token_invalido
 */
export function bearerOf(request: FastifyRequest): string {
  const headers = request.raw.headersDistinct.authorization ?? [];
  if (headers.length > 1) throw credencialRepetida();
  const header = (headers[0] ?? '').trim();
  if (!OF_BEARER.test(header)) throw tokenAusente();
  const token = BEARER.exec(header)?.[1];
  if (token === undefined) throw tokenInvalido();
  return token;
}

/** Hook behind `requireToken`: the `codigoCrm` of the path is the token's own. Never asks whether another exists. */
export const requireOwnCrm: OnRequestHook = async (request) => {
  const { codigoCrm } = request.params as { codigoCrm: string };
  if (!/^[0-9]{6}$/.test(codigoCrm)) throw crmInvalido();
  if (codigoCrm !== authOf(request).codigoCrm) throw crmNaoAutorizado();
};

/**
 * The client that the path names, under the token's own office. One that the token does not reach is answered as
 * one that is not there (trust S30).
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
