import type { FastifyInstance } from 'fastify';

const PAGE_CSP =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Serves a static page and its style sheet; strict policy, so neither may hold anything inline. */
export function landingPage(
  app: FastifyInstance,
  page: { paths: readonly string[]; html: string; css: string },
): void {
  for (const path of page.paths) {
    app.get(path, { schema: { hide: true } }, async (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', PAGE_CSP)
        .header('cache-control', 'no-cache')
        .send(page.html),
    );
  }
  app.get('/inicio.css', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(page.css),
  );
}
