import type { FastifyInstance } from 'fastify';
import { indisponivel } from './errors.ts';
import type { Metrics } from './metricas.ts';

const RETRY_AFTER_SECONDS = 5;

/** `/healthz`, `/readyz` and `/metrics`: for orchestrators, without credentials. */
export function operationRoutes(
  app: FastifyInstance,
  options: { metrics: Metrics; checkReady: () => Promise<void> },
): void {
  // They wait for nobody's room: they tell how it goes when nothing goes.
  const route = { schema: { hide: true }, config: { answerBytes: 0 } };
  app.get('/healthz', route, async () => ({ status: 'ok' }));
  app.get('/readyz', route, async () => {
    try {
      await options.checkReady();
    } catch (error) {
      throw indisponivel(RETRY_AFTER_SECONDS, error);
    }
    return { status: 'ok' };
  });
  app.get('/metrics', route, async (_request, reply) => {
    return reply.type(options.metrics.contentType).send(await options.metrics.text());
  });
}
