/** Tokens of any issuer on a protected route: what is accepted, and everything that is refused. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { alterado } from '../../test/support/alterado.ts';
import {
  AUTH,
  type Bancada,
  type Credencial,
  claimsOf,
  ISSUER,
  makeCliente,
  openBancada,
  T0,
} from './emissor/emissor-testing.ts';
import { CONGELADOS, EMISSOR_CONGELADO, JWKS_CONGELADO } from './tokens-congelados-de-teste.ts';

const NOW = T0 / 1_000;
const header = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A server of documents that a foreign issuer publishes; it notes what is asked for. */
class Vizinho {
  readonly asked: string[] = [];
  readonly documents = new Map<string, { status?: number; location?: string; body: unknown }>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      this.asked.push(request.url ?? '');
      const found = this.documents.get(request.url ?? '');
      const moved = found?.location === undefined ? {} : { location: found.location };
      response.writeHead(found?.status ?? (found ? 200 : 404), {
        'content-type': 'application/json',
        ...moved,
      });
      response.end(typeof found?.body === 'string' ? found.body : JSON.stringify(found?.body ?? {}));
    });
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

describe('a token of the embedded issuer', () => {
  let bancada: Bancada;
  let cliente: Credencial;
  let good: string;
  let refresh: string;
  before(async () => {
    bancada = await openBancada();
    cliente = await makeCliente(bancada);
    const { body } = await bancada.grant(cliente);
    good = body.access_token;
    refresh = body.refresh_token;
  });
  after(() => bancada[Symbol.asyncDispose]());

  const keys = async () => {
    const url = '/auth/realms/service/protocol/openid-connect/certs';
    return (await bancada.ask({ method: 'GET', url })).body.keys;
  };
  /** Signed by the issuer's own key, which only the issuer has. */
  const signed = async (claims: JWTPayload, head: Partial<JWTHeaderParameters> = {}) => {
    const { selada, kid } = await bancada.deps.db.read
      .selectFrom('chave_do_emissor')
      .select(['kid', 'selada'])
      .executeTakeFirstOrThrow();
    const pkcs8 = bancada.deps.vault.open(selada, `chave_do_emissor/${kid}`);
    const key = await crypto.subtle.importKey(
      'pkcs8',
      new Uint8Array(pkcs8),
      { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
      false,
      ['sign'],
    );
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid, ...head }).sign(key);
  };

  it('says which client came and for which offices it acts; shorter codes are padded', async () => {
    for (const crm of ['000123', '123']) {
      const { status, body } = await bancada.use(good, crm);
      assert.equal(status, 200);
      assert.deepEqual(body, {
        codigoCrm: '000123',
        oauth: { clientId: cliente.clientId, codigosCrm: ['000123'], emissor: 'embutido' },
      });
    }
  });

  it('of another office is 403, the same whether that office exists or not; what is no code is 400', async () => {
    await bancada.deps.db.write
      .insertInto('contador')
      .values({ codigo_crm: '000456', nome: 'Outro', email: 'x@y.co', criado_em: 0 })
      .execute();
    for (const crm of ['456', '999999']) {
      const { status, body, headers } = await bancada.use(good, crm);
      assert.deepEqual([status, body.codigo], [403, 'crm_nao_autorizado']);
      assert.match(String(headers['www-authenticate']), /error="insufficient_scope"/);
    }
    for (const crm of ['1234567', '12a', '٣'])
      assert.equal((await bancada.use(good, encodeURIComponent(crm))).body.codigo, 'crm_invalido');
  });

  it('that is absent is 401 without error, a bad one 401 with it', async () => {
    const absent = await bancada.ask({ method: 'GET', url: '/prova/123?access_token=x' });
    assert.deepEqual([absent.status, absent.body.codigo], [401, 'token_ausente']);
    assert.equal(absent.headers['www-authenticate'], 'Bearer realm="malote"');
    const otherScheme = await bancada.ask({
      method: 'GET',
      url: '/prova/123',
      headers: { authorization: 'Basic eDp5' },
    });
    assert.equal(otherScheme.headers['www-authenticate'], 'Bearer realm="malote"');
    const bad = await bancada.use('x');
    assert.deepEqual([bad.status, bad.body.codigo], [401, 'token_invalido']);
    assert.equal(bad.headers['www-authenticate'], 'Bearer realm="malote", error="invalid_token"');
  });

  it('works until its last second and not longer, remembered or not', async () => {
    await using one = await openBancada();
    const { access_token: token } = (await one.grant(await makeCliente(one))).body;
    assert.equal((await one.use(token)).status, 200);
    one.wait(299_000);
    assert.equal((await one.use(token)).status, 200);
    one.wait(1_000);
    assert.equal((await one.use(token)).status, 401);
  });

  it('follows its client: another office is there within five seconds', async () => {
    await using one = await openBancada();
    const { access_token: token } = (await one.grant(await makeCliente(one))).body;
    assert.equal((await one.use(token, '789')).status, 403);
    await one.deps.db.write
      .insertInto('contador')
      .values({ id: 7, codigo_crm: '000789', nome: 'Outro', email: 'x@y.co', criado_em: 0 })
      .execute();
    await one.deps.db.write
      .insertInto('cliente_oauth_contador')
      .values({ cliente_oauth_id: 1, contador_id: 7 })
      .execute();
    one.wait(5_000);
    assert.equal((await one.use(token, '789')).status, 200);
  });

  it('forged in any way is refused, and no address in its header is asked', async () => {
    const vizinho = new Vizinho();
    await vizinho.start();
    const claims = claimsOf(good) as JWTPayload;
    const [published] = await keys();
    const [head = '', payload = '', signature = ''] = good.split('.');
    const own = await generateKeyPair('RS256', { extractable: true });
    const foreign = (extra: Partial<JWTHeaderParameters>) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', ...extra }).sign(own.privateKey);
    const spki = await crypto.subtle.importKey(
      'jwk',
      published,
      { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
      true,
      ['verify'],
    );
    const hmac = (secret: string) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: published.kid }).sign(Buffer.from(secret));
    const { exp: _exp, ...everlasting } = claims;
    const { aud: _aud, ...toNobody } = claims;
    const bad: Record<string, string> = {
      'alg none': `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
      'alg none with the kid': `${encode({ alg: 'None', kid: published.kid })}.${payload}.${signature}`,
      'HS256 with the public key as PEM': await hmac(await exportSPKI(spki)),
      'HS256 with the modulus': await hmac(published.n),
      'a key of somebody, named as ours': await foreign({ kid: published.kid }),
      'jwk in the header': await foreign({ jwk: await exportJWK(own.publicKey) }),
      'jku in the header': await foreign({ kid: 'x', jku: `${vizinho.url}/jwks` }),
      'x5u in the header': await foreign({ kid: 'x', x5u: `${vizinho.url}/cert` }),
      'kid of a path': await foreign({ kid: '../../../../dev/null' }),
      'kid of SQL': await foreign({ kid: "x' union select 'AA==' --" }),
      'kid of every object': await foreign({ kid: 'constructor' }),
      'no kid': await foreign({}),
      'an unknown crit': await signed(claims, { crit: ['x'], x: 1 }).catch(() => 'x.y.z'),
      'another issuer': await signed({ ...claims, iss: 'https://x.example/auth/realms/service' }),
      'another realm': await signed({ ...claims, iss: `${AUTH}/auth/realms/outro` }),
      'another audience': await signed({ ...claims, aud: 'account' }),
      'no audience': await signed(toNobody),
      'azp of nobody': await signed({ ...claims, azp: 'nobody' }),
      expired: await signed({ ...claims, exp: NOW - 1 }),
      'no expiry': await signed(everlasting),
      'not yet valid': await signed({ ...claims, nbf: NOW + 60 }),
      'typ Refresh': await signed({ ...claims, typ: 'Refresh' }),
      'typ ID': await signed({ ...claims, typ: 'ID' }),
      'a header typ of something else': await signed(claims, { typ: 'logout+jwt' }),
      'the refresh token': refresh,
      'a changed payload': `${head}.${encode({ ...claims, azp: 'x' })}.${signature}`,
      'a changed signature': `${head}.${payload}.${alterado(signature, 0)}`,
      'no signature': `${head}.${payload}.`,
      'five parts': `${good}.x.y`,
      'a dot': '.',
    };
    for (const [name, token] of Object.entries(bad)) {
      const { status, body } = await bancada.use(token);
      assert.deepEqual([status, body.codigo], [401, 'token_invalido'], name);
    }
    assert.deepEqual(vizinho.asked, []);
    vizinho.stop();
    assert.equal((await bancada.use(await signed(claims, { typ: 'at+jwt' }))).status, 200);
    assert.equal(header(good).alg, 'RS256');
  });
});

describe('a token of a foreign issuer', () => {
  const vizinho = new Vizinho();
  let pair: Awaited<ReturnType<typeof generateKeyPair>>;
  let issuer: string;
  before(async () => {
    await vizinho.start();
    pair = await generateKeyPair('ES256', { extractable: true });
    issuer = `${vizinho.url}/realms/escritorio`;
    vizinho.documents.set('/realms/escritorio/.well-known/openid-configuration', {
      body: { issuer, jwks_uri: `${vizinho.url}/jwks` },
    });
    vizinho.documents.set('/jwks', {
      body: { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }] },
    });
  });
  after(() => vizinho.stop());

  const open = (entry: object = {}, env: Record<string, string> = {}) =>
    openBancada({
      MALOTE_EMISSORES: JSON.stringify([{ issuer, audience: 'malote', algs: ['ES256'], ...entry }]),
      ...env,
    });
  const sign = (claims: object = {}, head: object = {}) =>
    new SignJWT({
      iss: issuer,
      aud: ['account', 'malote'],
      exp: NOW + 300,
      azp: 'erp',
      codigosCrm: ['123'],
      ...claims,
    })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1', ...head })
      .sign(pair.privateKey);

  it('is accepted beside those of the embedded one, its keys found by discovery', async () => {
    await using bancada = await open();
    const { status, body } = await bancada.use(await sign());
    assert.equal(status, 200);
    assert.deepEqual(body.oauth, { clientId: 'erp', codigosCrm: ['000123'], emissor: issuer });
    const own = (await bancada.grant(await makeCliente(bancada))).body.access_token;
    assert.equal((await bancada.use(own)).status, 200);
  });

  it('in the form of Keycloak or of RFC 9068, with the codes where the entry says', async () => {
    await using bancada = await open({ claimCrm: 'malote.crm', claimCliente: '/https://x.example/cliente' });
    const claims = { malote: { crm: '7, 123' }, 'https://x.example/cliente': 'z', typ: 'Bearer' };
    const { body } = await bancada.use(await sign(claims, { typ: 'at+jwt' }));
    assert.deepEqual(body.oauth, { clientId: 'z', codigosCrm: ['000007', '000123'], emissor: issuer });
    assert.equal((await bancada.use(await sign({ ...claims, malote: { crm: 'abc' } }))).status, 403);
    assert.equal((await bancada.use(await sign({ ...claims, malote: 'abc' }))).status, 403);
  });

  it('is refused when anything of it is not as configured; clocks may differ by 30 seconds', async () => {
    await using bancada = await open({ clientes: ['erp'] });
    const bad: Record<string, string> = {
      'another audience': await sign({ aud: 'account' }),
      'another issuer': await sign({ iss: `${issuer}/` }),
      'another client': await sign({ azp: 'outro' }),
      'no expiry': await sign({ exp: undefined }),
      'expired for 31 s': await sign({ exp: NOW - 31 }),
      'valid in 31 s': await sign({ nbf: NOW + 31 }),
      'a refresh token': await sign({ typ: 'Refresh' }),
      'an ID token': await sign({ typ: 'ID' }),
      'an unknown kid': await sign({}, { kid: 'k2' }),
    };
    for (const [name, token] of Object.entries(bad))
      assert.equal((await bancada.use(token)).body.codigo, 'token_invalido', name);
    for (const claims of [{ exp: NOW - 29 }, { nbf: NOW + 29 }])
      assert.equal((await bancada.use(await sign(claims))).status, 200, JSON.stringify(claims));
  });

  it('without the role that the entry asks for is 403', async () => {
    await using bancada = await open({ claimPapel: 'realm_access.roles', papel: 'integrador' });
    const refused = await bancada.use(await sign({ realm_access: { roles: ['outro'] } }));
    assert.deepEqual([refused.status, refused.body.codigo], [403, 'escopo_insuficiente']);
    const token = await sign({ realm_access: { roles: ['outro', 'integrador'] } });
    assert.equal((await bancada.use(token)).status, 200);
  });

  it('is 503 while its issuer cannot be asked: not found, not JSON, another issuer’s, elsewhere', async () => {
    const faults: Record<string, { status?: number; location?: string; body: unknown }> = {
      '/a': { status: 500, body: {} },
      '/b': { body: 'x' },
      '/c': { body: { issuer: 'https://x.example', jwks_uri: `${vizinho.url}/jwks` } },
      '/d': { status: 302, location: '/jwks', body: {} },
      '/e': { body: 'x'.repeat(2_000_000) },
    };
    for (const [path, document] of Object.entries(faults)) {
      vizinho.documents.set(path, document);
      await using bancada = await open({ discovery: vizinho.url + path });
      const { status, body, headers } = await bancada.use(await sign());
      assert.deepEqual([status, body.codigo], [503, 'indisponivel'], path);
      assert.match(String(headers['retry-after']), /^\d+$/);
    }
    await using bancada = await open({ jwksUri: `${vizinho.url}/b` });
    assert.equal((await bancada.use(await sign())).status, 503);
  });

  it('is asked of its issuer once, and then known', async () => {
    await using bancada = await open({ jwksUri: `${vizinho.url}/jwks` });
    const before = vizinho.asked.length;
    for (let n = 0; n < 3; n++) assert.equal((await bancada.use(await sign({ jti: String(n) }))).status, 200);
    assert.deepEqual(vizinho.asked.slice(before), ['/jwks']);
  });

  it('may be the only one: then the embedded issuer is off', async () => {
    await using bancada = await open({}, { MALOTE_EMISSOR_EMBUTIDO: '0' });
    assert.equal((await bancada.use(await sign())).status, 200);
    const { status } = await bancada.ask({
      method: 'GET',
      url: `${new URL(ISSUER).pathname}/protocol/openid-connect/certs`,
    });
    assert.equal(status, 404);
    assert.equal((await bancada.use(await sign({ iss: ISSUER }))).status, 401);
    await assert.rejects(openBancada({ MALOTE_EMISSOR_EMBUTIDO: '0' }), /pede ao menos um emissor/);
  });
});

describe('frozen tokens of a Keycloak', () => {
  it('are read as they always were', async () => {
    const vizinho = new Vizinho();
    await vizinho.start();
    vizinho.documents.set('/certs', { body: JWKS_CONGELADO });
    const entry = {
      issuer: EMISSOR_CONGELADO,
      jwksUri: `${vizinho.url}/certs`,
      audience: 'malote',
      claimCrm: 'codigoCrm',
      claimPapel: 'realm_access.roles',
      papel: 'integrador',
    };
    await using bancada = await openBancada({ MALOTE_EMISSORES: JSON.stringify([entry]) });
    const expected: Record<keyof typeof CONGELADOS, number> = {
      acesso: 200,
      acessoAntigo: 200,
      semPapel: 403,
      outraAudiencia: 401,
      id: 401,
      offline: 401,
      vencido: 401,
    };
    for (const [name, token] of Object.entries(CONGELADOS)) {
      const { status, body } = await bancada.use(token);
      assert.equal(status, expected[name as keyof typeof CONGELADOS], name);
      if (status === 200)
        assert.deepEqual(body.oauth, {
          clientId: 'erp-exemplo',
          codigosCrm: ['000123'],
          emissor: EMISSOR_CONGELADO,
        });
    }
    vizinho.stop();
  });
});
