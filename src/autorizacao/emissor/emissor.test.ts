/** Sessions, keys, secrets and limits of the embedded issuer. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { revokeClienteOauth, rotateSegredo } from '../cliente-oauth.ts';
import { rotateChaves } from './chaves.ts';
import {
  type Bancada,
  basic,
  type Credencial,
  claimsOf,
  makeCliente,
  openBancada,
  TOKEN,
} from './emissor-testing.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;

describe('refresh tokens', () => {
  let bancada: Bancada;
  let cliente: Credencial;
  before(async () => {
    bancada = await openBancada();
    cliente = await makeCliente(bancada);
  });
  after(() => bancada[Symbol.asyncDispose]());

  it('rotate: the session stays, both tokens are new', async () => {
    const first = (await bancada.grant(cliente)).body;
    const second = (await bancada.refresh(cliente, first.refresh_token)).body;
    assert.equal(second.session_state, first.session_state);
    assert.equal(second.refresh_expires_in, 1_800);
    assert.notEqual(second.refresh_token, first.refresh_token);
    assert.deepEqual(Object.keys(second), Object.keys(first));
    assert.equal((await bancada.use(second.access_token)).status, 200);
    const third = await bancada.refresh(cliente, second.refresh_token);
    assert.equal(third.status, 200);
  });

  it('used a second time end the session and every token under it', async () => {
    const first = (await bancada.grant(cliente)).body;
    const second = (await bancada.refresh(cliente, first.refresh_token)).body;
    const replay = await bancada.refresh(cliente, first.refresh_token);
    assert.deepEqual([replay.status, replay.body.error], [400, 'invalid_grant']);
    const next = await bancada.refresh(cliente, second.refresh_token);
    assert.deepEqual(next.body, { error: 'invalid_grant', error_description: 'Session not active' });
    bancada.wait(5_000);
    for (const { access_token } of [first, second])
      assert.equal((await bancada.use(access_token)).status, 401);
  });

  it('used twice at the same time: one wins and then the session is over', async () => {
    const { refresh_token: token } = (await bancada.grant(cliente)).body;
    const answers = await Promise.all([bancada.refresh(cliente, token), bancada.refresh(cliente, token)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
    const won = answers.find(({ status }) => status === 200);
    assert.equal((await bancada.refresh(cliente, won?.body.refresh_token)).status, 400);
  });

  it('do not prolong the session beyond its 1800 seconds', async () => {
    const first = (await bancada.grant(cliente)).body;
    bancada.wait(1_000_000);
    const second = (await bancada.refresh(cliente, first.refresh_token)).body;
    assert.equal(second.refresh_expires_in, 800);
    bancada.wait(801_000);
    const late = await bancada.refresh(cliente, second.refresh_token);
    assert.deepEqual([late.status, late.body.error], [400, 'invalid_grant']);
  });

  it('leave no rows behind when their sessions are over', async () => {
    const { body } = await bancada.grant(cliente);
    await bancada.refresh(cliente, body.refresh_token);
    const count = async () =>
      (await bancada.deps.db.read.selectFrom('sessao_oauth').select('sid').execute()).length;
    assert.ok((await count()) > 0);
    bancada.wait(2 * HOUR);
    await bancada.emissores.sweep();
    assert.equal(await count(), 0);
  });
});

describe('signing keys', () => {
  const kids = async (bancada: Bancada) => {
    const url = TOKEN.replace(/token$/, 'certs');
    const { body } = await bancada.ask({ method: 'GET', url });
    return body.keys.map(({ kid }: { kid: string }) => kid);
  };
  const kidOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;

  it('rotate with overlap: published at once, signing a minute later, the old one until its tokens lapse', async () => {
    await using bancada = await openBancada();
    const cliente = await makeCliente(bancada);
    bancada.wait(HOUR);
    const before = (await bancada.grant(cliente)).body;
    const [old] = await kids(bancada);
    const kid = await rotateChaves({ ...bancada.deps, reino: 'service' }, { imediatamente: false });
    await bancada.emissores.refreshKeys();
    assert.deepEqual(await kids(bancada), [kid, old]);
    assert.equal(kidOf((await bancada.grant(cliente)).body.access_token), old);
    bancada.wait(MINUTE);
    const after = (await bancada.grant(cliente)).body;
    assert.equal(kidOf(after.access_token), kid);
    for (const { access_token } of [before, after])
      assert.equal((await bancada.use(access_token)).status, 200);
    assert.equal((await bancada.refresh(cliente, before.refresh_token)).status, 200);
    bancada.wait(HOUR);
    assert.deepEqual(await kids(bancada), [kid]);
  });

  it('made by another process are known when one of their tokens comes', async () => {
    await using bancada = await openBancada();
    const cliente = await makeCliente(bancada);
    const { access_token: old } = (await bancada.grant(cliente)).body;
    await rotateChaves({ ...bancada.deps, reino: 'service' }, { imediatamente: true });
    bancada.wait(2_000);
    assert.equal((await bancada.use(`${old.slice(0, 30)}x${old.slice(31)}`)).status, 401);
    await bancada.emissores.refreshKeys();
    assert.equal((await bancada.use(old)).status, 401, 'what deleted keys signed is refused');
    assert.equal((await bancada.use((await bancada.grant(cliente)).body.access_token)).status, 200);
  });

  it('lie sealed in the database, and no token, secret or key lies there bare', async () => {
    await using bancada = await openBancada();
    const cliente = await makeCliente(bancada);
    const { access_token, refresh_token } = (await bancada.grant(cliente)).body;
    await bancada.refresh(cliente, refresh_token);
    const { kid, selada } = await bancada.deps.db.read
      .selectFrom('chave_do_emissor')
      .select(['kid', 'selada'])
      .executeTakeFirstOrThrow();
    const pkcs8 = bancada.deps.vault.open(selada, `chave_do_emissor/${kid}`);
    assert.throws(() => bancada.deps.vault.open(selada, 'chave_do_emissor/outra'));
    const secrets = [
      // Bytes behind the modulus, since the certificate has that too.
      pkcs8.subarray(-200, -160),
      ...[cliente.clientSecret, access_token, refresh_token].map((text) => Buffer.from(text.slice(-40))),
    ];
    for (const name of readdirSync(bancada.folder).filter((file) => file.startsWith('malote.sqlite'))) {
      const bytes = readFileSync(join(bancada.folder, name));
      for (const secret of secrets) assert.ok(!bytes.includes(secret), name);
    }
  });
});

describe('client secrets', () => {
  it('rotate with overlap, and the old one stops at its time', async () => {
    await using bancada = await openBancada();
    const cliente = await makeCliente(bancada);
    const { clientSecret } = await rotateSegredo(bancada.deps, { clientId: cliente.clientId, horas: 1 });
    const renewed = { ...cliente, clientSecret };
    for (const one of [cliente, renewed]) assert.equal((await bancada.grant(one)).status, 200);
    bancada.wait(HOUR);
    assert.equal((await bancada.grant(cliente)).status, 401);
    assert.equal((await bancada.grant(renewed)).status, 200);
  });

  it('work at once when they are new, though the client was read a moment ago, and that is no failed try', async () => {
    await using bancada = await openBancada();
    const cliente = await makeCliente(bancada);
    assert.equal((await bancada.grant(cliente)).status, 200);
    const wrong = { ...cliente, clientSecret: 'errado' };
    for (let n = 0; n < 9; n++) assert.equal((await bancada.grant(wrong)).status, 401);
    for (const turn of ['first', 'second']) {
      const { clientSecret } = await rotateSegredo(bancada.deps, cliente);
      assert.equal((await bancada.grant({ ...cliente, clientSecret })).status, 200, `${turn} rotation`);
    }
    assert.equal((await bancada.grant(cliente)).status, 200, 'the one before works on');
    assert.equal((await bancada.grant(await makeCliente(bancada))).status, 200, 'and that of a new client');
  });

  it('that are wrong show a revocation at once to the process that looked', async () => {
    await using bancada = await openBancada();
    const cliente = await makeCliente(bancada);
    assert.equal((await bancada.grant(cliente)).status, 200);
    await revokeClienteOauth(bancada.deps, cliente);
    assert.equal((await bancada.grant({ ...cliente, clientSecret: 'errado' })).status, 401);
    assert.equal((await bancada.grant(cliente)).status, 401);
  });

  it('without overlap stop within five seconds, remembered or not', async () => {
    await using bancada = await openBancada();
    const cliente = await makeCliente(bancada);
    assert.equal((await bancada.grant(cliente)).status, 200);
    await rotateSegredo(bancada.deps, { clientId: cliente.clientId, horas: 0 });
    bancada.wait(5_000);
    assert.equal((await bancada.grant(cliente)).status, 401);
  });

  it('of a revoked client stop within five seconds, and its tokens too', async () => {
    await using bancada = await openBancada();
    const cliente = await makeCliente(bancada);
    const { access_token } = (await bancada.grant(cliente)).body;
    assert.equal((await bancada.use(access_token)).status, 200);
    await revokeClienteOauth(bancada.deps, cliente);
    bancada.wait(5_000);
    assert.equal((await bancada.grant(cliente)).status, 401);
    assert.equal((await bancada.use(access_token)).status, 401);
    await assert.rejects(revokeClienteOauth(bancada.deps, cliente), {
      codigo: 'cliente_oauth_nao_encontrado',
    });
  });
});

describe('brute force', () => {
  const wrong = (clientId: string) => ({ clientId, clientSecret: 'errado' });
  const ask = (bancada: Bancada, credencial: Credencial, address?: string) =>
    bancada.ask(
      {
        url: TOKEN,
        form: { grant_type: 'client_credentials' },
        headers: { authorization: basic(credencial) },
      },
      address,
    );

  /** The minute in which failures are counted does not end, however long they take; the pause of the slow lane is passed over. */
  function stopClock(t: TestContext): { passPause(): void } {
    let now = 1_000;
    t.mock.method(performance, 'now', () => now);
    return {
      passPause: () => {
        now += 1_000;
      },
    };
  }

  it('is answered 429 after ten failures of a client, from wherever, and the right secret is not', async (t) => {
    const { passPause } = stopClock(t);
    await using bancada = await openBancada();
    const cliente = await makeCliente(bancada);
    for (let n = 0; n < 10; n++)
      assert.equal((await ask(bancada, wrong(cliente.clientId), `192.0.2.${n}`)).status, 401);
    const held = await ask(bancada, wrong(cliente.clientId), '192.0.2.77');
    assert.equal(held.status, 429);
    assert.match(String(held.headers['retry-after']), /^[1-9]\d?$/);
    assert.equal(held.headers['cache-control'], 'no-store');
    assert.deepEqual(Object.keys(held.body), ['error', 'error_description']);
    assert.equal(held.body.error, 'temporarily_unavailable');
    passPause();
    for (const turn of ['in the slow lane', 'remembered'])
      assert.equal((await ask(bancada, cliente)).status, 200, turn);
    assert.equal((await bancada.grant(await makeCliente(bancada))).status, 200, 'another client goes on');
  });

  it('is answered 429 after ten failures of an address, whatever the client, and the right secret is not', async (t) => {
    const { passPause } = stopClock(t);
    await using bancada = await openBancada();
    const cliente = await makeCliente(bancada);
    for (let n = 0; n < 10; n++)
      assert.equal((await ask(bancada, wrong(`ninguem-${n}`), '192.0.2.7')).status, 401);
    assert.equal((await ask(bancada, wrong('outro'), '192.0.2.7')).status, 429);
    passPause();
    assert.equal((await ask(bancada, cliente, '192.0.2.7')).status, 200);
    assert.equal((await ask(bancada, wrong('outro'), '192.0.2.8')).status, 401);
  });

  it('that goes on does not keep the owner of a secret out', async () => {
    await using bancada = await openBancada();
    const cliente = await makeCliente(bancada);
    let [goesOn, n] = [true, 0];
    const flood = Array.from({ length: 4 }, async () => {
      while (goesOn)
        await ask(bancada, { clientId: cliente.clientId, clientSecret: `errado-${n++}` }, '192.0.2.7');
    });
    while (n < 20) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal((await ask(bancada, cliente, '192.0.2.8')).status, 200);
    goesOn = false;
    await Promise.all(flood);
  });

  it('all at once gets no more than ten tries and the two under way', async (t) => {
    stopClock(t);
    await using bancada = await openBancada();
    const cliente = await makeCliente(bancada);
    // The client is known by now: none of the tries comes later than the others because of it.
    assert.equal((await ask(bancada, wrong(cliente.clientId), '192.0.2.9')).status, 401);
    // Nobody gives up waiting, however long the others take.
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const tries = Array.from({ length: 30 }, (_, n) =>
      ask(bancada, { clientId: cliente.clientId, clientSecret: `errado-${n}` }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    t.mock.timers.reset();
    const tried = 1 + statuses.filter((status) => status === 401).length;
    assert.ok(tried >= 10 && tried <= 12, String(tried));
    assert.equal(statuses.filter((status) => status === 429).length, 31 - tried);
  });

  it('does not count who succeeds, however often', async () => {
    await using bancada = await openBancada();
    const cliente = await makeCliente(bancada);
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(bancada, cliente, '192.0.2.9')));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  });
});

describe('behind a proxy', () => {
  const PROXY = '10.1.1.1';
  const form = { grant_type: 'client_credentials' };
  const from = (address: string, credencial: Credencial) => ({
    url: TOKEN,
    form,
    headers: { authorization: basic(credencial), 'x-forwarded-for': address },
  });

  it('counts the failures of the address that the trusted proxy names, and of nobody’s invention', async () => {
    await using bancada = await openBancada({ MALOTE_PROXIES: PROXY });
    const cliente = await makeCliente(bancada);
    const wrong = (n: number) => ({ clientId: `ninguem-${n}`, clientSecret: 'errado' });
    for (let n = 0; n < 10; n++) await bancada.ask(from('192.0.2.50', wrong(n)), PROXY);
    assert.equal((await bancada.ask(from('192.0.2.50', wrong(10)), PROXY)).status, 429);
    assert.equal(
      (await bancada.ask(from('192.0.2.51', wrong(11)), PROXY)).status,
      401,
      'not the proxy’s own',
    );
    const stranger = '198.51.100.9';
    for (let n = 0; n < 10; n++) await bancada.ask(from(`192.0.2.${n}`, wrong(n)), stranger);
    assert.equal((await bancada.ask(from('203.0.113.1', wrong(12)), stranger)).status, 429, 'a stranger');
    assert.equal((await bancada.ask(from('203.0.113.1', cliente), stranger)).status, 200);
  });

  it('gives tokens over https only, when that is asked for, and believes only the proxy about it', async () => {
    await using bancada = await openBancada({ MALOTE_PROXIES: PROXY, MALOTE_EXIGIR_HTTPS: '1' });
    const cliente = await makeCliente(bancada);
    const ask = (proto: string, address: string) =>
      bancada.ask(
        { url: TOKEN, form, headers: { authorization: basic(cliente), 'x-forwarded-proto': proto } },
        address,
      );
    assert.equal((await ask('https', PROXY)).status, 200);
    for (const refused of [await ask('http', PROXY), await ask('https', '198.51.100.9')]) {
      assert.equal(refused.status, 403);
      assert.deepEqual(refused.body, { error: 'invalid_request', error_description: 'HTTPS required' });
    }
  });
});

describe('a realm of another name', () => {
  it('stands in addresses and tokens, and tokens of the realm before are refused', async () => {
    await using bancada = await openBancada({ MALOTE_REINO: 'Contas_1' });
    const cliente = await makeCliente(bancada);
    assert.equal((await bancada.grant(cliente)).status, 404);
    const form = { grant_type: 'client_credentials' };
    const headers = { authorization: basic(cliente) };
    const url = TOKEN.replace('service', 'Contas_1');
    const { access_token } = (await bancada.ask({ url, form, headers })).body;
    assert.match(String(claimsOf(access_token).iss), /\/auth\/realms\/Contas_1$/);
    assert.equal((await bancada.use(access_token)).status, 200);
  });
});
