import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { IN_A_ROW } from './accept-first.ts';
import { ERROS_HTTP } from './catalogo.ts';
import { createLogger } from './log.ts';
import { createHttpServer } from './server.ts';

let app: FastifyInstance;
let port: number;
/** How many connections had been taken when each request was looked at, and its path. */
let looked: { path: string; taken: number }[] = [];
let taken = 0;

before(async () => {
  app = await createHttpServer({
    log: createLogger('silent'),
    catalogo: ERROS_HTTP,
    https: false,
    logFields: () => ({}),
    answersContinueItself: () => false,
  });
  app.get('/:program/:request', async ({ url }) => {
    looked.push({ path: url, taken });
    return url;
  });
  app.server.on('connection', () => taken++);
  await app.listen({ host: '127.0.0.1', port: 0, backlog: 1_000 });
  port = (app.server.address() as AddressInfo).port;
});
after(() => app.close());

/** Within this the kernel has taken what connects, on a busy machine too. */
const KERNEL_MS = 100;

/** Programs that connect in the same moment, each sends two requests at one go. @returns what each was answered */
function atOnce(programs: number): Promise<string[]> {
  [looked, taken] = [[], 0];
  const answers = Array.from({ length: programs }, (_, program) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /${program}/1 HTTP/1.1\r\nhost: a\r\n\r\n`);
    socket.write(`GET /${program}/2 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
    return text(socket);
  });
  // Behind the connecting itself: the server, which lives in this thread, finds all of them there.
  process.nextTick(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, KERNEL_MS));
  return Promise.all(answers);
}

describe('connections that come at once', () => {
  it('are all taken before the first of their requests is looked at', async () => {
    const answers = await atOnce(IN_A_ROW / 2);
    for (const [program, answer] of answers.entries())
      assert.match(answer, new RegExp(`/${program}/1[^]*/${program}/2$`));
    assert.equal(looked.length, IN_A_ROW);
    for (const request of looked) assert.equal(request.taken, IN_A_ROW / 2, request.path);
  });

  it('let those that were taken have their turn when there are very many', async () => {
    const answers = await atOnce(IN_A_ROW * 3);
    assert.ok(answers.every((answer) => answer.startsWith('HTTP/1.1 200 ')));
    const first = looked[0]?.taken ?? 0;
    assert.ok(first >= IN_A_ROW && first <= IN_A_ROW + 1, `the first one waited for ${first}`);
  });
});
