/** Who is believed when it says on whose behalf it asks, and what is made of it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { describe, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { readConfig } from '../../config.ts';
import { ERROS_HTTP } from './catalogo.ts';
import { createLogger } from './log.ts';
import { requestOrigin } from './origem.ts';
import { letConnectionsEnd } from './parada.ts';
import { createHttpServer } from './server.ts';

interface Seen {
  ip: string;
  origem: string;
}

/** A server that tells what it knows of the caller. */
async function open(proxies: readonly string[], stopping = () => false): Promise<FastifyInstance> {
  const app = await createHttpServer({
    log: createLogger('silent'),
    catalogo: ERROS_HTTP,
    https: false,
    proxies,
    stopping,
    logFields: () => ({}),
    answersContinueItself: () => false,
  });
  app.get('/quem', async (request): Promise<Seen> => ({ ip: request.ip, origem: requestOrigin(request) }));
  app.post('/quem', async () => ({}));
  return app;
}

const FORWARDED = {
  host: 'interno:8080',
  'x-forwarded-for': '203.0.113.7',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'notas.exemplo.com.br',
};

async function seenBy(app: FastifyInstance, remoteAddress: string, headers: Record<string, string>) {
  return (await app.inject({ url: '/quem', remoteAddress, headers })).json() as Seen;
}

describe('forwarding headers', () => {
  it('are ignored when nobody is trusted', async () => {
    await using app = disposable(await open([]));
    const seen = await seenBy(app.app, '10.0.0.1', FORWARDED);
    assert.deepEqual(seen, { ip: '10.0.0.1', origem: 'http://interno:8080' });
  });

  it('are ignored from anybody but the trusted, who could else be anyone', async () => {
    await using app = disposable(await open(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']));
    for (const stranger of ['11.0.0.1', '192.0.2.2', '2001:db9::1']) {
      const seen = await seenBy(app.app, stranger, FORWARDED);
      assert.deepEqual(seen, { ip: stranger, origem: 'http://interno:8080' }, stranger);
    }
  });

  it('tell address, protocol and host when they come from a trusted proxy', async () => {
    await using app = disposable(await open(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']));
    for (const proxy of ['10.9.8.7', '192.0.2.1', '2001:db8::5', '::ffff:10.1.1.1']) {
      const seen = await seenBy(app.app, proxy, FORWARDED);
      assert.deepEqual(seen, { ip: '203.0.113.7', origem: 'https://notas.exemplo.com.br' }, proxy);
    }
  });

  it('count from the right: what a caller put there before the proxy did is not believed', async () => {
    await using app = disposable(await open(['10.0.0.0/8']));
    const chain = { ...FORWARDED, 'x-forwarded-for': '198.51.100.1, 203.0.113.7, 10.0.0.2' };
    assert.equal((await seenBy(app.app, '10.0.0.1', chain)).ip, '203.0.113.7');
  });

  it('never put anything but a host name and http(s) into a link', async () => {
    await using app = disposable(await open(['10.0.0.0/8']));
    const evil = { ...FORWARDED, 'x-forwarded-host': 'a"><script>', 'x-forwarded-proto': 'javascript' };
    assert.match((await seenBy(app.app, '10.0.0.1', evil)).origem, /^http:\/\/[0-9.:]+$/);
  });

  it('are trusted by IP addresses and networks only', () => {
    assert.deepEqual(readConfig({ MALOTE_PROXIES: ' 10.0.0.0/8, ::1 ' }).proxies, ['10.0.0.0/8', '::1']);
    assert.deepEqual(readConfig({}).proxies, []);
    for (const wrong of ['proxy.local', '10.0.0.0/33', '10.0.0.0/8/8', '::1/129', '10.0.0', '*']) {
      assert.throws(() => readConfig({ MALOTE_PROXIES: wrong }), /MALOTE_PROXIES/, wrong);
    }
  });
});

describe('a server that is about to stop', () => {
  it('still answers, and ends each connection with its answer', async () => {
    let stopping = false;
    await using app = disposable(await open([], () => stopping));
    const ask = async () => (await app.app.inject({ url: '/quem' })).headers.connection;
    assert.notEqual(await ask(), 'close');
    stopping = true;
    assert.equal(await ask(), 'close');
  });
});

describe('a server that stops', () => {
  it('takes no new connection, and answers once more on those that are there', async () => {
    let stopping = false;
    await using app = disposable(await open([], () => stopping));
    await app.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.app.server.address() as AddressInfo;
    const kept = connect(port, '127.0.0.1');
    const ask = async () => {
      kept.write('GET /quem HTTP/1.1\r\nHost: x\r\n\r\n');
      const [chunk] = (await once(kept, 'data')) as [Buffer];
      return chunk.toString();
    };
    assert.match(await ask(), /^HTTP\/1.1 200 .*keep-alive/s);
    stopping = true;
    const ended = letConnectionsEnd(app.app, 60_000);
    const refused = connect(port, '127.0.0.1');
    const [error] = (await once(refused, 'error')) as [NodeJS.ErrnoException];
    assert.equal(error.code, 'ECONNREFUSED');
    assert.match(await ask(), /^HTTP\/1.1 200 .*connection: close/is);
    await ended;
  });

  it('does not wait for ever for one that nobody uses', async () => {
    await using app = disposable(await open([]));
    await app.app.listen({ host: '127.0.0.1', port: 0 });
    const idle = connect((app.app.server.address() as AddressInfo).port, '127.0.0.1');
    await once(idle, 'connect');
    await letConnectionsEnd(app.app, 20);
    idle.destroy();
  });
});

describe('a body that is dribbled', () => {
  // Far below the 150 s that any request may take: it is the half minute that ends this one.
  it('ends with its connection within half a minute', { timeout: 120_000 }, async (t) => {
    await using app = disposable(await open([]));
    const looked = Promise.withResolvers<void>();
    app.app.addHook('preParsing', async () => looked.resolve());
    await app.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.app.server.address() as AddressInfo;
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const slow = connect(port, '127.0.0.1');
    slow.write(
      'POST /quem HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"a":',
    );
    await looked.promise;
    t.mock.timers.tick(30_000);
    slow.on('error', () => {});
    slow.resume();
    await once(slow, 'close');
  });
});

function disposable(app: FastifyInstance) {
  return { app, [Symbol.asyncDispose]: () => app.close() };
}
