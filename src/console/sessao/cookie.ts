/**
 * The cookie that carries a session. Browsers keep a `Secure` cookie only where the page came over https or from this
 * very machine; elsewhere the session travels in a weaker one, and the health page says so.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';

/** `__Host-`: bound to exactly this host, path `/`, https. */
export const COOKIE_SEGURO = '__Host-malote';
const COOKIE_SIMPLES = 'malote_sessao';

const LOOPBACK = /^(?:localhost|[a-z0-9-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** Whether the caller's browser keeps a `Secure` cookie of ours. */
export function isConexaoSegura(request: FastifyRequest, { urls }: Pick<Config, 'urls'>): boolean {
  if (request.protocol === 'https' || urls.base.startsWith('https:')) return true;
  if (LOOPBACK.test(request.headers.host ?? '')) return true;
  // A proxy may have ended https: then the page's own origin tells, where the browser sends it.
  return request.headers.origin?.startsWith('https://') === true;
}

/**
 * The session's secret that a request carries. The weaker cookie counts only where the stricter one cannot be had: a page
 * of another host below the same domain, or somebody on the line, could give it to a browser that has none.
 */
export function readCookie(request: FastifyRequest, config: Pick<Config, 'urls'>): string | null {
  const { cookies } = request;
  const simples = isConexaoSegura(request, config) ? undefined : cookies[COOKIE_SIMPLES];
  return cookies[COOKIE_SEGURO] ?? simples ?? null;
}

/** Hands a session's secret to the browser; it lives as long as the browser does, or the session. */
export function storeCookie(
  reply: FastifyReply,
  input: { valor: string; segura: boolean; expiraEm: number },
): void {
  const { valor, segura, expiraEm } = input;
  reply.setCookie(segura ? COOKIE_SEGURO : COOKIE_SIMPLES, valor, {
    ...options(segura),
    expires: new Date(expiraEm),
  });
}

const EXTERNO_SEGURO = '__Host-malote-externo';
const EXTERNO_SIMPLES = 'malote_externo';
const EXTERNO_SECONDS = 10 * 60;

/** What the browser holds while its person is at an identity provider. It comes back from another site: not `strict`. */
export function storeCookieExterno(
  reply: FastifyReply,
  input: { valor: string; request: FastifyRequest; config: Pick<Config, 'urls'> },
): void {
  const segura = isConexaoSegura(input.request, input.config);
  reply.setCookie(segura ? EXTERNO_SEGURO : EXTERNO_SIMPLES, input.valor, {
    ...options(segura),
    sameSite: 'lax',
    maxAge: EXTERNO_SECONDS,
  });
}

export function readCookieExterno(request: FastifyRequest, config: Pick<Config, 'urls'>): string | null {
  const name = isConexaoSegura(request, config) ? EXTERNO_SEGURO : EXTERNO_SIMPLES;
  return request.cookies[name] ?? null;
}

export function eraseCookieExterno(reply: FastifyReply): void {
  reply.clearCookie(EXTERNO_SEGURO, { ...options(true), sameSite: 'lax' });
  reply.clearCookie(EXTERNO_SIMPLES, { ...options(false), sameSite: 'lax' });
}

/** Takes both cookies away. */
export function eraseCookie(reply: FastifyReply): void {
  reply.clearCookie(COOKIE_SEGURO, options(true));
  reply.clearCookie(COOKIE_SIMPLES, options(false));
}

function options(secure: boolean) {
  return { path: '/', httpOnly: true, secure, sameSite: 'strict' } as const;
}
