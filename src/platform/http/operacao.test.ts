import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import { ERROS_HTTP } from './catalogo.ts';
import { NotNow } from './errors.ts';
import { Metrics } from './metricas.ts';
import { operationRoutes } from './operacao.ts';
import { createHttpServer } from './server.ts';

describe('/readyz', () => {
  it('answers 503 to who asks too early, and nobody is told of an error; of a fault somebody is', async () => {
    const errors: string[] = [];
    const { log } = Fastify({ logger: { level: 'error', stream: { write: (line) => errors.push(line) } } });
    let checkReady = async () => {};
    const app = await createHttpServer({
      log,
      catalogo: ERROS_HTTP,
      https: false,
      logFields: () => ({}),
      answersContinueItself: () => false,
      operationOnly: true,
    });
    operationRoutes(app, { metrics: new Metrics({ measures: [] }), checkReady: () => checkReady() });
    const ask = async (): Promise<[number, number]> => {
      const { statusCode } = await app.inject('/readyz');
      return [statusCode, errors.length];
    };
    assert.deepEqual(await ask(), [200, 0]);
    checkReady = () => Promise.reject(new NotNow('starting'));
    assert.deepEqual(await ask(), [503, 0]);
    checkReady = () => Promise.reject(new Error('broken'));
    assert.deepEqual(await ask(), [503, 1]);
    assert.match(errors.join(''), /broken/);
    await app.close();
  });
});
