/** The tables A1 and A2 of the protocol: status, body with the order of its keys, headers. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { hashSecret } from '../../platform/crypto/segredo.ts';
import {
  type Bancada,
  basic,
  type Credencial,
  claimsOf,
  ISSUER,
  makeCliente,
  openBancada,
  type Pergunta,
  TOKEN,
} from './emissor-testing.ts';

let bancada: Bancada;
let cliente: Credencial;
let outro: Credencial;
let consulta: Credencial;
let especial: Credencial;
let tokens: Record<string, string>;

before(async () => {
  bancada = await openBancada();
  cliente = await makeCliente(bancada);
  outro = await makeCliente(bancada);
  consulta = await makeCliente(bancada, { emiteTokens: false });
  especial = { ...(await makeCliente(bancada)), clientSecret: 'a/b=c?d' };
  await bancada.deps.db.write
    .updateTable('segredo_oauth')
    .set({ hash: await hashSecret('a/b=c?d') })
    .where('cliente_oauth_id', '=', 4)
    .execute();
  tokens = (await bancada.grant(cliente)).body;
});
after(() => bancada[Symbol.asyncDispose]());

const REALM = '/auth/realms/service';
const INTROSPECT = `${TOKEN}/introspect`;
const REVOKE = `${REALM}/protocol/openid-connect/revoke`;
const CERTS = `${REALM}/protocol/openid-connect/certs`;
const DISCOVERY = `${REALM}/.well-known/openid-configuration`;

const post = (form: Record<string, string> | string, more: Partial<Pergunta> = {}): Pergunta => ({
  url: TOKEN,
  form,
  ...more,
});
const own = (more: Record<string, string> = {}) => ({
  grant_type: 'client_credentials',
  client_id: cliente.clientId,
  client_secret: cliente.clientSecret,
  ...more,
});
const auth = (authorization: string) => ({ headers: { authorization } });
const CHALLENGE = { 'www-authenticate': 'Basic realm="service"' };
const oauth = (error: string, error_description: string) => ({ error, error_description });
const BAD_CLIENT = oauth('invalid_client', 'Invalid client or Invalid client credentials');
const TOKEN_KEYS = [
  'access_token',
  'expires_in',
  'refresh_expires_in',
  'refresh_token',
  'token_type',
  'not-before-policy',
  'session_state',
  'scope',
];

interface Caso {
  ask: () => Pergunta;
  status: number;
  /** The whole body, in this order. */
  body?: Record<string, unknown>;
  /** Only its keys, in this order. */
  keys?: readonly string[];
  headers?: Record<string, string | undefined>;
}

const CASES: Record<string, Caso> = {
  'client credentials in the form': { ask: () => post(own()), status: 200, keys: TOKEN_KEYS },
  'client credentials by Basic': {
    ask: () => post({ grant_type: 'client_credentials' }, auth(basic(cliente))),
    status: 200,
    keys: TOKEN_KEYS,
  },
  'a scheme name in another case': {
    ask: () => post({ grant_type: 'client_credentials' }, auth(basic(cliente).replace('Basic', 'bASIC'))),
    status: 200,
    keys: TOKEN_KEYS,
  },
  'a secret of special characters, form-encoded in Basic': {
    ask: () => post({ grant_type: 'client_credentials' }, auth(basic(especial))),
    status: 200,
    keys: TOKEN_KEYS,
  },
  'a secret of special characters, bare in Basic': {
    ask: () =>
      post(
        { grant_type: 'client_credentials' },
        auth(`Basic ${Buffer.from(`${especial.clientId}:${especial.clientSecret}`).toString('base64')}`),
      ),
    status: 200,
    keys: TOKEN_KEYS,
  },
  'a secret of special characters in the form': {
    ask: () => post({ ...own(), client_id: especial.clientId, client_secret: especial.clientSecret }),
    status: 200,
    keys: TOKEN_KEYS,
  },
  'Basic and form that agree': {
    ask: () => post(own(), auth(basic(cliente))),
    status: 200,
    keys: TOKEN_KEYS,
  },
  'Basic and form of two clients': {
    ask: () => post(own(), auth(basic(outro))),
    status: 400,
    body: oauth('invalid_request', 'Multiple client authentication methods'),
  },
  'another scheme beside a client in the form': {
    ask: () => post(own(), auth('Bearer x')),
    status: 200,
    keys: TOKEN_KEYS,
  },
  'the known scopes': { ask: () => post(own({ scope: 'openid profile' })), status: 200, keys: TOKEN_KEYS },
  'a type with charset': {
    ask: () =>
      post(own(), { headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' } }),
    status: 200,
    keys: TOKEN_KEYS,
  },
  'no grant_type': {
    ask: () => post({ client_id: 'x' }),
    status: 400,
    body: oauth('invalid_request', 'Missing form parameter: grant_type'),
  },
  'an empty body': {
    ask: () => ({ url: TOKEN }),
    status: 400,
    body: oauth('invalid_request', 'Missing form parameter: grant_type'),
  },
  'a JSON body that says it is a form': {
    ask: () => post(JSON.stringify(own())),
    status: 400,
    body: oauth('invalid_request', 'Missing form parameter: grant_type'),
  },
  'an unknown grant_type, before the client is looked at': {
    ask: () => post({ grant_type: 'password', client_id: 'nobody' }),
    status: 400,
    body: oauth('unsupported_grant_type', 'Unsupported grant_type'),
  },
  'a grant_type that every object has': {
    ask: () => post(own({ grant_type: 'constructor' })),
    status: 400,
    body: oauth('unsupported_grant_type', 'Unsupported grant_type'),
  },
  'an unknown client in the form': {
    ask: () => post(own({ client_id: 'nobody' })),
    status: 401,
    body: BAD_CLIENT,
    headers: { 'www-authenticate': undefined },
  },
  'an unknown client by Basic': {
    ask: () =>
      post({ grant_type: 'client_credentials' }, auth(basic({ clientId: 'nobody', clientSecret: 'x' }))),
    status: 401,
    body: BAD_CLIENT,
    headers: CHALLENGE,
  },
  'a wrong secret': { ask: () => post(own({ client_secret: 'x' })), status: 401, body: BAD_CLIENT },
  'no secret': { ask: () => post(own({ client_secret: '' })), status: 401, body: BAD_CLIENT },
  'no client_id anywhere': {
    ask: () => post({ grant_type: 'client_credentials' }),
    status: 401,
    body: oauth('invalid_client', 'Missing client_id parameter'),
  },
  'a bad Authorization header and no client_id': {
    ask: () => post({ grant_type: 'client_credentials' }, auth('Basic ???')),
    status: 401,
    body: BAD_CLIENT,
    headers: CHALLENGE,
  },
  'a grant that the client may not use': {
    ask: () => post({ ...own(), client_id: consulta.clientId, client_secret: consulta.clientSecret }),
    status: 401,
    body: oauth('unauthorized_client', 'Client not enabled to retrieve service account'),
  },
  'a duplicated parameter': {
    ask: () => post(`${new URLSearchParams(own())}&scope=email&scope=email`),
    status: 400,
    body: oauth('invalid_request', 'duplicated parameter'),
  },
  'a duplicated parameter of a client that is none: the client is looked at first': {
    ask: () => post(`${new URLSearchParams(own({ client_secret: 'x' }))}&scope=email&scope=email`),
    status: 401,
    body: BAD_CLIENT,
  },
  'a bad scope': {
    ask: () => post(own({ scope: 'x' })),
    status: 400,
    body: oauth('invalid_scope', 'Invalid scopes: x'),
  },
  'a bad scope of characters that no description may hold': {
    ask: () => post(own({ scope: '"\\é' })),
    status: 400,
    body: oauth('invalid_scope', 'Invalid scopes: ???'),
  },
  'a foreign Content-Type': {
    ask: () => post('{}', { headers: { 'content-type': 'application/json' } }),
    status: 415,
    body: oauth('invalid_request', 'The content-type header value did not match the value in @Consumes'),
  },
  'a malformed Content-Type': {
    ask: () => post(own(), { headers: { 'content-type': 'application/x-www-form-urlencoded;;=' } }),
    status: 400,
    body: oauth('invalid_request', 'Missing or malformed Content-Type header'),
  },
  'a body of no Content-Type': {
    ask: () => post(own(), { headers: { 'content-type': '' } }),
    status: 400,
    body: oauth('invalid_request', 'Missing or malformed Content-Type header'),
  },
  'an unknown realm': {
    ask: () => ({ url: TOKEN.replace('service', 'Service') }),
    status: 404,
    body: { error: 'Realm does not exist' },
  },
  'an unknown realm, any verb, any path': {
    ask: () => ({ method: 'DELETE', url: '/auth/realms/nenhum/a/b' }),
    status: 404,
    body: { error: 'Realm does not exist' },
  },
  'an unknown path': {
    ask: () => ({ method: 'GET', url: `${REALM}/protocol/openid-connect/nada` }),
    status: 404,
    body: { error: 'HTTP 404 Not Found' },
  },
  'GET on the token endpoint': {
    ask: () => ({ method: 'GET', url: TOKEN }),
    status: 405,
    body: { error: 'HTTP 405 Method Not Allowed' },
    headers: { allow: 'POST, OPTIONS', 'cache-control': 'no-store', pragma: 'no-cache' },
  },
  'a missing refresh token': {
    ask: () => post(own({ grant_type: 'refresh_token' })),
    status: 400,
    body: oauth('invalid_request', 'No refresh token'),
  },
  'a bad refresh token': {
    ask: () => post(own({ grant_type: 'refresh_token', refresh_token: 'x.y.z' })),
    status: 400,
    body: oauth('invalid_grant', 'Invalid refresh token'),
  },
  'an access token in place of a refresh token': {
    ask: () => post(own({ grant_type: 'refresh_token', refresh_token: tokens.access_token ?? '' })),
    status: 400,
    body: oauth('invalid_grant', 'Invalid refresh token'),
  },
  'a refresh token of another client': {
    ask: () =>
      post({
        grant_type: 'refresh_token',
        client_id: outro.clientId,
        client_secret: outro.clientSecret,
        refresh_token: tokens.refresh_token ?? '',
      }),
    status: 400,
    body: oauth('invalid_grant', 'Invalid refresh token'),
  },
  'a form that is too large': {
    ask: () => post(own({ scope: 'x'.repeat(70_000) })),
    status: 413,
    body: oauth('invalid_request', 'Malformed request'),
  },
  'introspection without credentials': {
    ask: () => ({ url: INTROSPECT, form: { token: 'x' } }),
    status: 401,
    body: oauth('invalid_client', 'Missing client_id parameter'),
  },
  'introspection by a bad client': {
    ask: () => ({ url: INTROSPECT, form: { token: 'x', client_id: 'nobody', client_secret: 'x' } }),
    status: 401,
    body: BAD_CLIENT,
  },
  'introspection of nothing': {
    ask: () => ({ url: INTROSPECT, form: {}, ...auth(basic(consulta)) }),
    status: 400,
    body: oauth('invalid_request', 'Token not provided.'),
  },
  'introspection of an unknown token': {
    ask: () => ({ url: INTROSPECT, form: { token: 'x' }, ...auth(basic(consulta)) }),
    status: 200,
    body: { active: false },
    headers: { 'cache-control': 'no-cache' },
  },
  'revocation of nothing': {
    ask: () => ({ url: REVOKE, form: {}, ...auth(basic(cliente)) }),
    status: 400,
    body: oauth('invalid_request', 'Token not provided'),
  },
  'revocation of an unknown token': {
    ask: () => ({ url: REVOKE, form: { token: 'x' }, ...auth(basic(cliente)) }),
    status: 200,
    body: oauth('invalid_token', 'Invalid token'),
  },
  'revocation of another client’s token': {
    ask: () => ({ url: REVOKE, form: { token: tokens.access_token ?? '' }, ...auth(basic(outro)) }),
    status: 400,
    body: oauth('invalid_request', 'Unmatching clients'),
  },
  'a CORS preflight': {
    ask: () => ({ method: 'OPTIONS', url: TOKEN, headers: { origin: 'https://x.example' } }),
    status: 200,
    headers: { 'access-control-allow-methods': 'POST, OPTIONS', 'access-control-allow-origin': '*' },
  },
};

/** On every answer of the issuer. */
const HEADERS = {
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'x-robots-tag': 'none',
};

describe('what Keycloak 26 answers, case by case', () => {
  for (const [name, { ask, status, body, keys, headers }] of Object.entries(CASES)) {
    it(name, async () => {
      const question = ask();
      const answer = await bancada.ask(question);
      assert.equal(answer.status, status, answer.text);
      if (body) assert.equal(answer.text, JSON.stringify(body));
      if (keys) assert.deepEqual(Object.keys(answer.body), keys);
      if (answer.text !== '') assert.equal(answer.headers['content-type'], 'application/json');
      const posted = (question.method ?? 'POST') === 'POST' && question.url === TOKEN;
      const store = posted ? { 'cache-control': 'no-store', pragma: 'no-cache' } : {};
      for (const [header, value] of Object.entries({ ...HEADERS, ...store, ...headers }))
        assert.equal(answer.headers[header], value, header);
    });
  }
});

describe('what a token answer holds', () => {
  it('300 and 1800 seconds, a session that both tokens name, and the claims of Keycloak', async () => {
    const { body } = await bancada.grant(cliente);
    const { access_token: _access, refresh_token: _refresh, session_state, ...rest } = body;
    assert.deepEqual(rest, {
      expires_in: 300,
      refresh_expires_in: 1800,
      token_type: 'Bearer',
      'not-before-policy': 0,
      scope: 'email profile',
    });
    assert.match(session_state, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const { exp, iat, jti, sub, clientHost, clientAddress, ...claims } = claimsOf(body.access_token);
    assert.equal(Number(exp) - Number(iat), 300);
    assert.match(String(jti), /^[0-9a-f-]{36}$/);
    assert.match(String(sub), /^[0-9a-f-]{36}$/);
    assert.match(String(clientHost), /^10\./);
    assert.equal(clientAddress, clientHost);
    assert.deepEqual(claims, {
      iss: ISSUER,
      aud: 'malote',
      typ: 'Bearer',
      azp: cliente.clientId,
      session_state,
      acr: '1',
      scope: 'email profile',
      sid: session_state,
      clientId: cliente.clientId,
      client_id: cliente.clientId,
      preferred_username: `service-account-${cliente.clientId}`,
      codigosCrm: ['000123'],
    });
    assert.equal(claimsOf(body.refresh_token).sid, session_state);
  });

  it('a header of alg, typ and the kid of a published key, whose certificate is its own', async () => {
    const header = JSON.parse(Buffer.from(tokens.access_token?.split('.')[0] ?? '', 'base64url').toString());
    const { body, headers } = await bancada.ask({ method: 'GET', url: CERTS });
    const [key] = body.keys;
    assert.deepEqual(header, { alg: 'RS256', typ: 'JWT', kid: key.kid });
    assert.deepEqual(Object.keys(key), ['kid', 'kty', 'alg', 'use', 'x5c', 'x5t', 'x5t#S256', 'n', 'e']);
    const certificate = new X509Certificate(Buffer.from(key.x5c[0], 'base64'));
    assert.ok(certificate.verify(certificate.publicKey));
    assert.deepEqual(certificate.publicKey.export({ format: 'jwk' }), { kty: 'RSA', n: key.n, e: key.e });
    assert.equal(certificate.subject, 'CN=service');
    assert.equal(certificate.fingerprint256.replaceAll(':', ''), hexOf(key['x5t#S256']));
    assert.equal(certificate.fingerprint.replaceAll(':', ''), hexOf(key.x5t));
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal(headers['access-control-allow-origin'], '*');
  });
});

const hexOf = (base64url: string) => Buffer.from(base64url, 'base64url').toString('hex').toUpperCase();

describe('the other endpoints', () => {
  it('discovery names them all, below the public address', async () => {
    const { body, headers } = await bancada.ask({ method: 'GET', url: DISCOVERY });
    assert.equal(headers['cache-control'], 'no-cache, must-revalidate, no-transform, no-store');
    assert.deepEqual(Object.keys(body), [
      'issuer',
      'token_endpoint',
      'jwks_uri',
      'introspection_endpoint',
      'revocation_endpoint',
      'grant_types_supported',
      'token_endpoint_auth_methods_supported',
      'introspection_endpoint_auth_methods_supported',
      'revocation_endpoint_auth_methods_supported',
      'response_types_supported',
      'subject_types_supported',
      'id_token_signing_alg_values_supported',
      'scopes_supported',
      'claims_supported',
    ]);
    assert.equal(body.issuer, ISSUER);
    assert.equal(body.revocation_endpoint, `${ISSUER}/protocol/openid-connect/revoke`);
    assert.deepEqual(body.grant_types_supported, ['client_credentials', 'refresh_token']);
  });

  it('introspection tells the claims of a live access token and of a live refresh token', async () => {
    const granted = (await bancada.grant(cliente)).body;
    for (const [token, type] of [
      [granted.access_token, 'Bearer'],
      [granted.refresh_token, 'Refresh'],
    ]) {
      const { body } = await bancada.ask({ url: INTROSPECT, form: { token }, ...auth(basic(consulta)) });
      const claims = claimsOf(token);
      const username = `service-account-${cliente.clientId}`;
      assert.deepEqual(body, {
        ...claims,
        client_id: cliente.clientId,
        username,
        token_type: type,
        active: true,
      });
      assert.equal(Object.keys(body).at(-1), 'active');
    }
  });

  it('revocation answers an empty body, and nothing of the session works any more', async () => {
    const granted = (await bancada.grant(cliente)).body;
    assert.equal((await bancada.use(granted.access_token)).status, 200);
    const form = { token: granted.refresh_token };
    const revoked = await bancada.ask({ url: REVOKE, form, ...auth(basic(cliente)) });
    assert.deepEqual([revoked.status, revoked.text], [200, '']);
    for (const token of [granted.access_token, granted.refresh_token]) {
      const { body } = await bancada.ask({ url: INTROSPECT, form: { token }, ...auth(basic(consulta)) });
      assert.deepEqual(body, { active: false });
    }
    const { status, body } = await bancada.refresh(cliente, granted.refresh_token);
    assert.deepEqual([status, body], [400, oauth('invalid_grant', 'Session not active')]);
    bancada.wait(5_000);
    assert.equal((await bancada.use(granted.access_token)).status, 401);
  });
});
