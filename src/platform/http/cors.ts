import type { FastifyInstance, FastifyReply } from 'fastify';
import { pathOf } from './problema.ts';

/** A token goes along because a program put it there; nothing goes along by itself, as a cookie would. */
const DE_QUALQUER_PAGINA = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Content-Disposition, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Faltantes-Truncado, X-Request-Id',
};
/** A `*` does not stand for `Authorization`. */
const CABECALHOS =
  'Accept, Authorization, Content-Encoding, Content-Type, If-None-Match, X-Codigo-Crm, X-Requested-With, *';
const PREFLIGHT_SECONDS = 3_600;

/** Lets programs in a browser call some paths from any page, and read what they answer, errors too. */
export function openToPages(app: FastifyInstance, isOpen: (path: string) => boolean): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (isOpen(pathOf(request.raw.url))) reply.headers(DE_QUALQUER_PAGINA);
    done();
  });
}

/** Answers what a browser asks before it sends a request of another page. */
export function answerPreflight(reply: FastifyReply, allowed: readonly string[]): FastifyReply {
  const methods = allowed.join(', ');
  return reply
    .code(204)
    .headers({
      allow: methods,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': CABECALHOS,
      'access-control-max-age': String(PREFLIGHT_SECONDS),
    })
    .send();
}
