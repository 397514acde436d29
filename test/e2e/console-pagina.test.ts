import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ensureConsole } from '../support/construir-console.ts';
import { type Malote, startMalote } from '../support/malote.ts';
import { send } from '../support/pedido.ts';

let malote: Malote;
before(async () => {
  ensureConsole();
  malote = await startMalote({ env: { MALOTE_MODO: 'api' } });
});
after(() => malote[Symbol.asyncDispose]());

const get = (path: string, headers: [string, string][] = []) =>
  send({ method: 'GET', url: `${malote.url}${path}`, headers });

describe('the console is served', () => {
  it('at every path of its own, from / and from links of older versions', async () => {
    const { text } = await get('/console/');
    const withoutNonce = (page: string) => page.replace(/content="[^"]{20,}=="/, '');
    for (const path of ['/console/documentos', '/console/documentos/17', '/console/convite?x=1'])
      assert.equal(withoutNonce((await get(path)).text), withoutNonce(text), path);
    for (const [from, to] of [
      ['/', '/console/'],
      ['/console', '/console/'],
      ['/convite', '/console/convite'],
    ] as const) {
      const { status, headers } = await get(from);
      assert.deepEqual([status, headers.location], [302, to], from);
    }
  });

  it('under a policy without anything inline, with a nonce of its own in each answer, kept by nobody', async () => {
    const [one, two] = [await get('/console/'), await get('/console/')];
    const policy = String(one.headers['content-security-policy']);
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    assert.equal(
      policy.replace(nonce, 'N'),
      "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-N'; img-src 'self' data: blob:; font-src 'self'; " +
        "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    );
    assert.equal(Buffer.from(nonce, 'base64').length, 16);
    assert.ok(one.text.includes(`<meta name="csp-nonce" content="${nonce}"`));
    assert.ok(!String(two.headers['content-security-policy']).includes(nonce));
    assert.doesNotMatch(one.text, /<style|style="| on\w+="|<script(?![^>]* src=)/);
    const expected = {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'strict-transport-security': undefined,
    };
    for (const [name, value] of Object.entries(expected)) assert.equal(one.headers[name], value, name);
  });

  it('tells browsers to come by https only where the public address is https', async () => {
    await using https = await startMalote({
      env: { MALOTE_MODO: 'api', MALOTE_URL_BASE: 'https://malote.exemplo' },
    });
    const { headers } = await send({ method: 'GET', url: `${https.url}/console/`, headers: [] });
    assert.equal(headers['strict-transport-security'], 'max-age=31536000');
  });

  it('with assets that are compressed beforehand and never change', async () => {
    const { text } = await get('/console/');
    const path = /src="(\/console\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? '';
    const sizes = new Map<string, number>();
    for (const encoding of ['identity', 'gzip', 'br']) {
      const { status, headers } = await get(path, [['accept-encoding', encoding]]);
      assert.equal(status, 200);
      assert.equal(headers['content-encoding'], encoding === 'identity' ? undefined : encoding);
      assert.match(String(headers['cache-control']), /max-age=31536000, immutable/);
      assert.match(String(headers['content-type']), /javascript/);
      sizes.set(encoding, Number(headers['content-length']));
    }
    const [identity = 0, gzip = 0, br = 0] = sizes.values();
    assert.ok(br < gzip && gzip < identity / 2, `${br} < ${gzip} < ${identity}`);
  });

  it('and never in the place of an API answer', async () => {
    for (const path of [
      '/console/api/nada',
      '/console/api/',
      '/console/assets/nada.js',
      '/console/assets/..%2Findex.html',
      '/console/assets/',
      '/console/assets/%00',
      '/console/assets/x%00.js',
      '/console/assets/..%5c..%5cpackage.json',
      '/console/assets/%2e%2e/%2e%2e/package.json',
      '/api/nada',
    ]) {
      const { status, headers } = await get(path);
      assert.ok(status === 404 || status === 400 || status === 401, `${path}: ${status}`);
      assert.match(String(headers['content-type']), /^application\/problem\+json/, path);
    }
    const posted = await send({ method: 'POST', url: `${malote.url}/console/api/nada`, headers: [] });
    assert.equal(posted.status, 404, 'the page for every path says nothing about other methods');
  });
});
