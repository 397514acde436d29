import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Admit } from '../platform/http/limite.ts';
import { requestOrigin } from '../platform/http/origem.ts';
import type { Outgoing } from '../platform/http/outgoing.ts';
import type { ChavesDeEndereco } from './chaves-de-endereco.ts';
import type { AreaDeEndereco, AreaDoToken, HttpContext } from './contexto.ts';
import { requireOwnCrm, requireToken } from './guard.ts';
import { type AccessTokenReader, requireOauth } from './oauth-guard.ts';
import type { TokenReader } from './tokens.ts';

/** Where the upload address lies when no setting says otherwise. */
export const UPLOAD_PATH = '/upload';

/** Joins what the route modules of each area are given; they differ in what their tokens must reach. */
export function createHttpContexts(
  deps: Deps,
  parts: {
    tokens: TokenReader;
    accessTokens: AccessTokenReader;
    enderecos: ChavesDeEndereco;
    admit: Admit;
    outgoing: Outgoing;
  },
): Record<AreaDoToken, HttpContext> {
  const { tokens, accessTokens, enderecos, admit, outgoing } = parts;
  const contextOf = (area: AreaDoToken): HttpContext => ({
    deps,
    requireToken: requireToken({ deps, tokens, accessTokens, admit, area }),
    requireOwnCrm: requireOwnCrm(deps),
    requireOauth: requireOauth({ accessTokens, admit }),
    enderecos,
    outgoing,
    origin: (request, area) => originOf(deps, request, area),
  });
  return { importacao: contextOf('importacao'), exportacao: contextOf('exportacao') };
}

function originOf(deps: Pick<Deps, 'config'>, request: FastifyRequest, area: AreaDeEndereco): string {
  const { urls } = deps.config;
  if (area === 'upload') return urls.upload || `${urls.importacao || requestOrigin(request)}${UPLOAD_PATH}`;
  return (area === 'base' ? urls.base : urls.importacao) || requestOrigin(request);
}

/** Every public address, without trailing slash, for people who set programs up. */
export function enderecosPublicos(
  deps: Pick<Deps, 'config'>,
  request: FastifyRequest,
): Record<AreaDeEndereco | 'contas' | 'auth' | 'docs', string> {
  const { contas, auth } = deps.config.urls;
  const own = requestOrigin(request);
  return {
    base: originOf(deps, request, 'base'),
    importacao: originOf(deps, request, 'importacao'),
    upload: originOf(deps, request, 'upload'),
    contas: contas || own,
    auth: auth || own,
    docs: `${originOf(deps, request, 'base')}/docs`,
  };
}
