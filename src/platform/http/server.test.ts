import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../errors.ts';
import { BlobStoreUnavailableError } from '../storage/blob-store.ts';
import { ERROS_HTTP } from './catalogo.ts';
import { admitter, createCounter, requestsInWork } from './limite.ts';
import { createLogger } from './log.ts';
import { requestOrigin } from './origem.ts';
import { createHttpServer } from './server.ts';

let app: FastifyInstance;
let port: number;

before(async () => {
  app = await createHttpServer({
    log: createLogger('silent'),
    catalogo: ERROS_HTTP,
    https: true,
    logFields: () => ({}),
    answersContinueItself: (path) => path.startsWith('/envio/'),
    forgivesSlashes: (path) => path !== '/origem',
  });
  app.post('/itens', async () => 'feito');
  app.get('/itens/:id', async (incoming) => ({ id: (incoming.params as { id: string }).id }));
  app.put(
    '/itens/:id',
    { schema: { body: Type.Object({ n: Type.Integer() }) } },
    async (incoming) => incoming.body,
  );
  app.put(
    '/envio/:id',
    {
      onRequest: async () => {
        throw new AppError({ codigo: 'indisponivel', status: 503, mensagem: 'recusado antes do corpo' });
      },
    },
    async () => '',
  );
  app.get('/origem', async (incoming) => requestOrigin(incoming));
  app.get('/grande', async () => ({ texto: 'a'.repeat(5_000) }));
  app.get('/falha', async () => {
    throw new Error('senha=segredo');
  });
  app.get('/cheio', async () => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  });
  app.get('/sem-arquivos', async () => {
    throw new BlobStoreUnavailableError('the bucket: AccessDenied');
  });
  app.get('/recusa', async () => {
    throw new AppError({
      codigo: 'indisponivel',
      status: 503,
      mensagem: 'x',
      headers: { 'retry-after': '7' },
    });
  });
  const contar = createCounter({ requestsPerMinute: 2 });
  const admit = admitter({ contar, inWork: requestsInWork(), limitWaitMs: 50 });
  const limited = (area: string) => ({
    onRequest: (_request: FastifyRequest, reply: FastifyReply) => admit({ who: 'a', area, reply }),
  });
  app.get('/limitada', limited('exportacao'), async () => 'ok');
  app.get('/limitada-na-importacao', limited('importacao'), async () => 'ok');
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
});
after(() => app.close());

/** Sends bytes as they are and returns everything that comes back until the connection closes. */
async function raw(text: string, { hangUpOn }: { hangUpOn?: RegExp } = {}): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    if (hangUpOn?.test(Buffer.concat(chunks).toString())) socket.destroy();
  });
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

const codigoOf = (answer: { json(): { codigo: string } }) => answer.json().codigo;

describe('errors', () => {
  it('are problem+json with the keys of the contract, in order', async () => {
    const answer = await app.inject({ url: '/nada?segredo=1' });
    assert.equal(answer.statusCode, 404);
    assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
    const body = answer.json();
    assert.deepEqual(Object.keys(body), [
      ...['type', 'title', 'status', 'detail', 'instance', 'codigo', 'mensagem', 'erros', 'requestId'],
    ]);
    assert.deepEqual(
      [body.type, body.status, body.instance, body.codigo, body.mensagem, body.erros],
      ['urn:malote:erro:rota_nao_encontrada', 404, '/nada', 'rota_nao_encontrada', body.detail, []],
    );
    assert.equal(body.requestId, answer.headers['x-request-id']);
  });

  it('of ours show nothing but the request id', async () => {
    const answer = await app.inject({ url: '/falha' });
    assert.equal(answer.statusCode, 500);
    assert.equal(codigoOf(answer), 'erro_interno');
    assert.doesNotMatch(answer.body, /segredo|Error:|\.ts/);
  });

  it('that pass by themselves are 503 with Retry-After', async () => {
    for (const url of ['/cheio', '/sem-arquivos']) {
      const passing = await app.inject({ url });
      assert.deepEqual([passing.statusCode, codigoOf(passing)], [503, 'indisponivel'], url);
      assert.match(String(passing.headers['retry-after']), /^\d+$/);
    }
    assert.equal((await app.inject({ url: '/recusa' })).headers['retry-after'], '7');
  });

  it('a known path with another method is 405 with Allow', async () => {
    for (const method of ['DELETE', 'POST', 'OPTIONS'] as const) {
      const answer = await app.inject({ url: '/itens/1', method });
      assert.deepEqual([answer.statusCode, codigoOf(answer)], [405, 'metodo_nao_permitido']);
      assert.equal(answer.headers.allow, 'GET, HEAD, PUT');
    }
    assert.match(
      await raw('TRACE /itens/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
      /^HTTP\/1.1 405 /,
    );
  });

  it('a body that two readers could understand differently is refused, whatever is in its texts is not', async () => {
    const put = async (payload: string | Buffer) =>
      app.inject({
        url: '/itens/1',
        method: 'PUT',
        payload,
        headers: { 'content-type': 'application/json' },
      });
    const twice = await put('{"n":1,"a":{"n":2},"b":[{"n":3},{"n":4}], "\\u006e" : 5}');
    assert.deepEqual([twice.statusCode, codigoOf(twice)], [400, 'corpo_invalido']);
    assert.match(twice.json().mensagem, /"n" está repetido/);
    const latin1 = await put(Buffer.from('{"n":1,"nome":"Padaria São"}', 'latin1'));
    assert.deepEqual(
      [latin1.statusCode, latin1.json().mensagem],
      [400, 'O corpo não está em UTF-8. Converta-o e envie de novo.'],
    );
    const texts = { n: 1, a: '"n":', b: ['n', 'n', '\\', '\\"n":{{[['], c: { n: 'São' } };
    assert.deepEqual((await put(JSON.stringify(texts, null, 2))).json(), texts);
  });

  it('an unknown path is unknown whatever its body is', async () => {
    for (const type of ['application/json', 'text/plain', 'multipart/form-data']) {
      const answer = await app.inject({
        url: '/nada',
        method: 'POST',
        payload: '{',
        headers: { 'content-type': type },
      });
      assert.equal(codigoOf(answer), 'rota_nao_encontrada', type);
    }
  });

  it('tell what is wrong with a body', async () => {
    const put = async (payload: string, type = 'application/json') =>
      codigoOf(
        await app.inject({ url: '/itens/1', method: 'PUT', payload, headers: { 'content-type': type } }),
      );
    assert.equal(await put('{'), 'corpo_invalido');
    assert.equal(await put(''), 'corpo_invalido');
    assert.equal(await put('[1]'), 'corpo_invalido');
    assert.equal(await put('{"n":1,"__proto__":{"admin":true}}'), 'corpo_invalido');
    assert.equal(await put('[[[['.repeat(100_000)), 'corpo_invalido');
    assert.equal(await put(`{"n":1,"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`), 'corpo_invalido');
    assert.equal(await put(`{"n":"${'a'.repeat(1_000_001)}"}`), 'corpo_grande_demais');
    for (const type of [
      'text/plain',
      'application/json\ta',
      'application/json garbage',
      'multipart/form-data',
    ]) {
      assert.equal(await put('{"n":1}', type), 'tipo_de_conteudo_invalido', type);
    }
    const good = await app.inject({ url: '/itens/1', method: 'PUT', payload: { n: 1 } });
    assert.deepEqual(good.json(), { n: 1 });
  });

  it('of hostile paths are 400 or 404, never ours', async () => {
    for (const [path, status] of [
      ['/itens/%00', 200],
      ['/itens/a%2Fb', 200],
      ['/itens/%zz', 400],
      ['/itens/%ff', 400],
      [`/itens/${'a'.repeat(5_000)}`, 404],
      ['/itens/', 404],
      ['//origem', 404],
      ['/itens/1/../../x', 404],
    ] as const) {
      const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      const seen = Number(answer.slice(9, 12));
      if (path === '/itens/') assert.ok(seen === 404 || seen === 200, path);
      else assert.equal(seen, status, path);
      if (seen >= 400) assert.match(answer, /application\/problem\+json/);
    }
  });

  it('of a body that is too large reach whoever writes all of it before reading', async () => {
    const bytes = 8_000_000;
    const head = `PUT /itens/1 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;
    for (let time = 0; time < 5; time++) {
      const answer = await raw(head + 'a'.repeat(bytes));
      assert.match(answer, /^HTTP\/1.1 413 .*"codigo":"corpo_grande_demais"/s);
    }
  });

  it('of a body that nobody has read reach who writes all of it and wants the connection closed', async () => {
    const bytes = 20_000_000;
    for (const type of ['multipart/form-data; boundary=x', 'text/plain']) {
      const head = `PUT /itens/1 HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nConnection: close\r\n`;
      const answer = await raw(`${head}Content-Length: ${bytes}\r\n\r\n${'a'.repeat(bytes)}`);
      assert.match(answer, /^HTTP\/1.1 415 .*"codigo":"tipo_de_conteudo_invalido"/s);
    }
  });

  it('of what is no HTTP are answered and the connection closed', async () => {
    assert.match(await raw('isto não é http\r\n\r\n'), /^HTTP\/1.1 400 .*"codigo":"requisicao_malformada"/s);
    const smuggled =
      'PUT /itens/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    assert.match(await raw(smuggled), /^HTTP\/1.1 400 /);
    const twoNames = 'GET /itens/1 HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n';
    assert.match(await raw(twoNames), /^HTTP\/1.1 400 .*"codigo":"requisicao_malformada"/s);
    const nameless = await raw('GET /itens/1 HTTP/1.1\r\nConnection: close\r\n\r\n');
    assert.match(nameless, /^HTTP\/1.1 400 .*"codigo":"requisicao_malformada"/s);
    // HTTP/1.0 needs no Host; an empty one is a name too (RFC 9112, 3.2).
    assert.match(await raw('GET /itens/1 HTTP/1.0\r\n\r\n'), /^HTTP\/1.1 200 /);
    const empty = 'GET /itens/1 HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n';
    assert.match(await raw(empty), /^HTTP\/1.1 200 /);
    const large = await raw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`);
    assert.match(large, /^HTTP\/1.1 431 .*"codigo":"cabecalhos_grandes_demais"/s);
  });
});

describe('an address with a slash too many', () => {
  it('is the one without, as of a base address that ends with a slash', async () => {
    for (const url of [
      '//itens/7',
      '/itens//7',
      '/itens/7/',
      '///itens//7//',
      '/itens/7/?a=//b/',
      '//itens/7?x',
    ]) {
      const answer = await app.inject({ url });
      assert.deepEqual([url, answer.statusCode, answer.body], [url, 200, '{"id":"7"}']);
    }
    assert.equal((await app.inject({ url: '/itens/?a=1', method: 'POST' })).body, 'feito');
    const wrong = await app.inject({ url: '//itens/7/', method: 'DELETE' });
    assert.deepEqual([wrong.statusCode, wrong.headers.allow], [405, 'GET, HEAD, PUT']);
  });

  it('is looked at before a body is asked for', async () => {
    const answer = await raw(
      'PUT //envio/1/ HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n\r\n',
      // The server leaves the sender time for the five bytes that it has announced.
      { hangUpOn: /\r\n\r\n/ },
    );
    assert.match(answer, /^HTTP\/1.1 503 /);
  });

  it('is another where a value is what lies between the slashes, and where it is not forgiven', async () => {
    const put = await app.inject({ url: '/itens/', method: 'PUT', payload: { n: 1 } });
    assert.deepEqual([put.statusCode, put.body], [200, '{"n":1}']);
    for (const url of ['//origem', '/origem/', '//nada', '/nada/']) {
      const answer = await app.inject({ url });
      assert.deepEqual(
        [answer.statusCode, codigoOf(answer), answer.json().instance],
        [404, 'rota_nao_encontrada', url],
      );
    }
  });
});

describe('a target with the name of the server before its path', () => {
  const ask = (target: string, { head = 'Host: outro.exemplo', method = 'GET' } = {}) =>
    raw(`${method} ${target} HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`, { hangUpOn: /\r\n\r\n/ });

  it('is its path, with slashes forgiven as there, in answers and errors', async () => {
    for (const target of [
      'http://a.b/itens/7',
      'HTTP://a.b:80//itens/7/',
      'https://a.b/itens//7?x=http://c/',
    ])
      assert.match(await ask(target), /^HTTP\/1.1 200 .*\{"id":"7"\}$/s, target);
    assert.match(await ask('http://a.b/nada//x'), /^HTTP\/1.1 404 .*"instance":"\/nada\/\/x"/s);
    for (const target of ['http://a.b', 'http://a.b?x=1'])
      assert.match(await ask(target), /^HTTP\/1.1 404 .*"instance":"\/"/s, target);
  });

  it('is what its caller reached, whatever Host says, and no name enters an address that is none', async () => {
    assert.match(await ask('http://Notas.Exemplo:8080/origem'), /http:\/\/notas\.exemplo:8080$/);
    assert.match(await ask('http://alguem@mau/origem'), /http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('needs a Host in all the same', async () => {
    assert.match(
      await ask('http://a.b/itens/7', { head: 'X: y' }),
      /^HTTP\/1.1 400 .*Falta o cabeçalho Host/s,
    );
  });

  it('is known for an upload before its body is asked for', async () => {
    const head = 'Host: x\r\nExpect: 100-continue\r\nContent-Length: 5';
    assert.match(await ask('http://x/envio/1', { method: 'PUT', head }), /^HTTP\/1.1 503 /);
  });
});

describe('every answer', () => {
  it('has a request id of ours and the protective headers', async () => {
    const answer = await app.inject({ url: '/itens/1', headers: { 'x-request-id': 'meu' } });
    assert.match(String(answer.headers['x-request-id']), /^[0-9a-f-]{36}$/);
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.equal(answer.headers['referrer-policy'], 'no-referrer');
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.match(String(answer.headers['content-security-policy']), /default-src 'none'/);
    assert.match(String(answer.headers['strict-transport-security']), /max-age/);
  });

  it('is compressed from 1 KiB on, when asked', async () => {
    const encoding = async (url: string) =>
      (await app.inject({ url, headers: { 'accept-encoding': 'gzip' } })).headers['content-encoding'];
    assert.equal(await encoding('/grande'), 'gzip');
    assert.equal(await encoding('/itens/1'), undefined);
  });

  it('is compressed as the caller likes it best, and never as he refuses it', async () => {
    for (const [accepted, coding] of [
      ['gzip;q=0, *', 'br'],
      ['br;q=0, *', 'gzip'],
      ['gzip;q=0, br;q=0, *', undefined],
      ['identity, gzip;q=0.5', undefined],
      ['gzip;q=0.5, br', 'br'],
    ] as const) {
      const answer = await app.inject({ url: '/grande', headers: { 'accept-encoding': accepted } });
      assert.equal(answer.headers['content-encoding'], coding, accepted);
    }
  });

  it('has the origin that the caller used, never a forwarded or impossible one', async () => {
    const origin = async (host: string) =>
      (
        await app.inject({
          url: '/origem',
          headers: { host, 'x-forwarded-host': 'mau', 'x-forwarded-proto': 'https' },
        })
      ).body;
    assert.equal(await origin('Notas.Exemplo:8080'), 'http://notas.exemplo:8080');
    assert.equal(await origin('[::1]:80'), 'http://[::1]:80');
    for (const host of ['mau exemplo', 'a/b', 'a"b', 'a@b', '<x>', 'a?b', 'a#b', '-x']) {
      assert.doesNotMatch(await origin(host), /mau|[<"@?#]|-x/, host);
    }
  });
});

describe('limits', () => {
  it('counts per key and says when to come back', async () => {
    const first = await app.inject({ url: '/limitada' });
    assert.equal(first.headers['ratelimit-policy'], '"token";q=2;w=60');
    assert.match(String(first.headers.ratelimit), /^"token";r=1;t=\d+$/);
    await app.inject({ url: '/limitada' });
    const third = await app.inject({ url: '/limitada' });
    assert.deepEqual([third.statusCode, codigoOf(third)], [429, 'limite_excedido']);
    assert.match(String(third.headers.ratelimit), /^"token";r=0;t=\d+$/);
    assert.match(String(third.headers['retry-after']), /^[1-9]\d*$/);
    const elsewhere = await app.inject({ url: '/limitada-na-importacao' });
    assert.match(String(elsewhere.headers.ratelimit), /^"token";r=1;/, 'areas are counted apart');
  });

  it('an Expect: 100-continue is answered at once, but left to the routes that look first', async () => {
    const waits = (path: string) =>
      new Promise<boolean>((resolve, reject) => {
        const headers = { expect: '100-continue', 'content-type': 'application/json', 'content-length': '7' };
        const sent = request({ port, path, method: 'PUT', headers });
        let told = false;
        sent.on('continue', () => {
          told = true;
          sent.end('{"n":1}');
        });
        sent.on('response', (answer) => {
          answer.resume();
          sent.destroy();
          resolve(told);
        });
        sent.on('error', reject);
        sent.flushHeaders();
      });
    assert.equal(await waits('/itens/1'), true);
    assert.equal(await waits('/nada'), true);
    assert.equal(await waits('/envio/1'), false);
  });

  it('answers what is asked ahead on a connection in its order, and cuts off who asks without end', async () => {
    const asked = (from: number, to: number) =>
      Array.from(
        { length: to - from },
        (_, at) => `GET /itens/${from + at} HTTP/1.1\r\nHost: x\r\n\r\n`,
      ).join('');
    const answer = await raw(
      `${asked(0, 60)}GET /itens/fim HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    const ids = [...answer.matchAll(/\{"id":"(\w+)"\}/g)].map(([, id]) => id);
    assert.deepEqual(ids, [...Array.from({ length: 60 }, (_, at) => String(at)), 'fim']);
    assert.doesNotMatch(await raw(asked(0, 1_000)), /"id":"999"/);
  });

  it('an expectation that nobody knows changes nothing', async () => {
    const answer = await raw(
      'GET /itens/1 HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n',
    );
    assert.match(answer, /^HTTP\/1.1 200 /);
  });
});
