import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify';
import { NO_COMPILERS } from './no-compilers.ts';
import { pathOf } from './problema.ts';

/**
 * Makes the program's logger: one JSON line per event on standard error, so that standard output stays for
 * people. It comes out of the web framework, which brings the log library, so that both write alike.
 */
export function createLogger(level: string): FastifyBaseLogger {
  return Fastify({
    logger: {
      level,
      base: null,
      timestamp: () => `,"quando":"${new Date().toISOString()}"`,
      stream: process.stderr,
    },
    schemaController: NO_COMPILERS,
  }).log;
}

/**
 * Writes one line per request: who, what, how long. The path goes without its query string, because signed
 * addresses carry secrets there; JSON escaping keeps line breaks and terminal codes of a path harmless.
 */
export function logRequests(
  app: FastifyInstance,
  options: { fields: (request: FastifyRequest) => Record<string, unknown> },
): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        path: pathOf(request.raw.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...options.fields(request),
      },
      'requisição',
    );
  });
}
