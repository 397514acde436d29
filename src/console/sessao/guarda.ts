/**
 * The order of checks on every route of the console: the path exists → a session (401) → what changes something comes
 * from our own page and says so (403) → the role (403) → parameters and body (400) → the client (404) → the thing.
 */
import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { actForOffice } from '../../platform/db/tenant.ts';
import type { Admit } from '../../platform/http/limite.ts';
import { acessoDe, mayCall } from '../acesso.ts';
import { type HookDoConsole, requireClienteDaSessao } from '../contexto.ts';
import { csrfInvalido, origemRecusada, papelInsuficiente, sessaoAusente } from '../errors.ts';
import { readCookie } from './cookie.ts';
import type { Sessoes } from './sessoes.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
/** `1`: a screen asks again by itself, and nobody may be there any more. */
const REPETICAO = 'x-malote-repeticao';

/**
 * Makes the hook that keeps who is limited to some clients from all others that a path or filter names, on every route:
 * whatever the route itself does with the name, nothing of it runs. @throws cliente_nao_encontrado
 */
export function guardaDoAlcance(deps: Pick<Deps, 'db'>): HookDoConsole {
  return async (request) => {
    const { sessao } = request;
    if (sessao === null || sessao.alcance === null) return;
    const { cpfCnpj } = request.params as { cpfCnpj?: string };
    const { cliente } = request.query as { cliente?: string };
    for (const named of [cpfCnpj, cliente])
      if (named) await requireClienteDaSessao(deps, { sessao, cpfCnpj: named });
  };
}

/** Makes the hook that stands before every route of the console, and sets `request.sessao`. */
export function guardaDoConsole(options: {
  config: Pick<Config, 'urls'>;
  sessoes: Sessoes;
  admit: Admit;
}): HookDoConsole {
  const { config, sessoes, admit } = options;
  return async (request, reply) => {
    reply.header('vary', 'accept-encoding, cookie');
    const route = { method: request.method, url: request.routeOptions.url ?? '' };
    const acesso = acessoDe(route);
    const changes = !SAFE.has(request.method);
    if (acesso === 'publica') {
      if (changes) refuseForeignPage(request, config);
      return;
    }
    const secret = readCookie(request, config);
    const semGente = !changes && request.headers[REPETICAO] === '1';
    const sessao = secret === null ? null : await sessoes.find(secret, { semGente });
    if (!sessao) throw sessaoAusente();
    request.sessao = sessao;
    actForOffice(sessao.contadorId);
    await admit({ who: `sessao/${sessao.id}`, area: 'console', reply });
    if (changes) {
      refuseForeignPage(request, config);
      if (!isSame(request.headers['x-csrf-token'], sessao.csrf)) throw csrfInvalido();
    }
    const { alcance, usuario } = sessao;
    if (!mayCall({ papel: usuario.papel, alcance }, route)) throw papelInsuficiente();
  };
}

/** What browsers say of where a request comes from. Programs say nothing, and hold no cookie of anybody's. */
function refuseForeignPage({ headers }: FastifyRequest, { urls }: Pick<Config, 'urls'>): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw origemRecusada();
  const { origin } = headers;
  if (origin === undefined) return;
  const host = URL.parse(origin)?.host;
  const own = [headers.host?.toLowerCase(), URL.parse(urls.base)?.host];
  if (host === undefined || !own.includes(host)) throw origemRecusada();
}

function isSame(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false;
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
