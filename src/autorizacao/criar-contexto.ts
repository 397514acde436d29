import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { createRateLimit } from '../platform/http/limite.ts';
import { requestOrigin } from '../platform/http/origem.ts';
import type { ChavesDeEndereco } from './chaves-de-endereco.ts';
import type { AreaDeEndereco, HttpContext } from './contexto.ts';
import { requireToken } from './guard.ts';
import { type AccessTokenReader, requireOauth } from './oauth-guard.ts';
import type { TokenReader } from './tokens.ts';

/** Where the upload address lies when no setting says otherwise (contract 1). */
export const UPLOAD_PATH = '/upload';

/** Joins what every route module is given. */
export function createHttpContext(
  deps: Deps,
  parts: { tokens: TokenReader; accessTokens: AccessTokenReader; enderecos: ChavesDeEndereco },
): HttpContext {
  const rateLimit = createRateLimit({ requestsPerMinute: deps.config.requestsPerMinute });
  return {
    deps,
    requireToken: requireToken({ tokens: parts.tokens, rateLimit }),
    requireOauth: requireOauth({ tokens: parts.accessTokens, rateLimit }),
    enderecos: parts.enderecos,
    origin: (request, area) => originOf(deps, request, area),
  };
}

function originOf(deps: Pick<Deps, 'config'>, request: FastifyRequest, area: AreaDeEndereco): string {
  const { urls } = deps.config;
  if (area === 'upload') return urls.upload || `${urls.importacao || requestOrigin(request)}${UPLOAD_PATH}`;
  return (area === 'base' ? urls.base : urls.importacao) || requestOrigin(request);
}
