/** The issuer as programs meet it that know nothing of us. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import * as openid from 'openid-client';
import { Compile } from 'typebox/schema';
import { createClienteOauth } from '../../src/autorizacao/cliente-oauth.ts';
import { type Credencial, claimsOf } from '../../src/autorizacao/emissor/emissor-testing.ts';
import { alterado } from '../support/alterado.ts';
import { startBearerOnly } from '../support/bearer-only.ts';
import { startEmissorEstrangeiro } from '../support/emissor-estrangeiro.ts';
import {
  createEscritorio,
  fetchJson,
  type Malote,
  makeDataFolder,
  startMalote,
  withDeps,
} from '../support/malote.ts';
import { readOpenapi } from '../support/openapi.ts';

let malote: Malote;
let cliente: Credencial;
let issuer: string;
before(async () => {
  malote = await startMalote();
  cliente = await makeCliente(malote.dataFolder, '123');
  issuer = `${malote.url}/auth/realms/service`;
});
after(() => malote[Symbol.asyncDispose]());

async function makeCliente(dataFolder: string, crm: string): Promise<Credencial> {
  const { contadorId } = await createEscritorio(dataFolder, { crm });
  return withDeps(dataFolder, (deps) => createClienteOauth(deps, { contadorIds: [contadorId], nome: 'ERP' }));
}

async function grant(url: string, { clientId, clientSecret }: Credencial): Promise<Record<string, string>> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const answer = await fetch(`${url}/auth/realms/service/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  assert.equal(answer.status, 200);
  return (await answer.json()) as Record<string, string>;
}

/** A body without any field: 400 behind the credentials, 401 or 403 before them. */
const register = (url: string, token: string, crm = '123') =>
  fetchJson(`${url}/api/contas/platform/contador/${crm}/cliente`, { token, json: {} });

describe('the OpenAPI document', () => {
  it('tells what the token endpoint is asked and answers', async () => {
    const path = '/auth/realms/{realm}/protocol/openid-connect/token';
    const { post } = (await readOpenapi(malote.url)).paths[path] ?? {};
    assert.deepEqual([post.tags, post.security], [['Contas'], []]);
    const { schema } = post.requestBody.content['application/x-www-form-urlencoded'];
    assert.deepEqual(schema.required, ['grant_type']);
    const url = `${malote.url}${path.replace('{realm}', 'service')}`;
    const { clientId: client_id, clientSecret: client_secret } = cliente;
    const good = { grant_type: 'client_credentials', client_id, client_secret };
    for (const [form, status] of [
      [good, 200],
      [{ ...good, grant_type: '' }, 400],
      [{ ...good, client_secret: 'x' }, 401],
    ] as const) {
      const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
      assert.equal(answer.status, status);
      const body = await answer.json();
      const { schema } = post.responses[status].content['application/json'];
      const [isValid, faults] = Compile(schema).Errors(body);
      assert.ok(isValid, JSON.stringify(faults));
      assert.deepEqual(Object.keys(body as object), Object.keys(schema.properties));
    }
  });
});

describe('openid-client', () => {
  const methods = {
    client_secret_basic: openid.ClientSecretBasic,
    client_secret_post: openid.ClientSecretPost,
  };
  for (const [name, method] of Object.entries(methods)) {
    it(`discovers, gets tokens by ${name}, uses, refreshes, introspects and revokes them`, async () => {
      const config = await openid.discovery(
        new URL(issuer),
        cliente.clientId,
        undefined,
        method(cliente.clientSecret),
        { execute: [openid.allowInsecureRequests] },
      );
      const first = await openid.clientCredentialsGrant(config);
      assert.equal(first.expires_in, 300);
      assert.equal((await register(malote.url, first.access_token)).body.codigo, 'dados_invalidos');
      const second = await openid.refreshTokenGrant(config, first.refresh_token ?? '');
      assert.equal(second.session_state, first.session_state);
      const told = await openid.tokenIntrospection(config, second.access_token);
      assert.deepEqual([told.active, told.client_id], [true, cliente.clientId]);
      await openid.tokenRevocation(config, second.refresh_token ?? '');
      assert.equal((await openid.tokenIntrospection(config, second.access_token)).active, false);
      await assert.rejects(openid.refreshTokenGrant(config, second.refresh_token ?? ''), {
        error: 'invalid_grant',
      });
    });
  }
});

describe('keycloak-connect', () => {
  it('lets our access token in, bearer only, and nothing else', async () => {
    await using pagina = await startBearerOnly(issuer);
    const { access_token: access = '', refresh_token: refresh = '' } = await grant(malote.url, cliente);
    const enter = async (token: string) =>
      (await fetch(pagina.url, { headers: { authorization: `Bearer ${token}` } })).status;
    assert.equal(await enter(access), 200);
    assert.equal(await enter(refresh), 403);
    assert.equal(await enter(alterado(access)), 403);
    assert.equal((await fetch(pagina.url)).status, 403);
  });
});

const PYTHON = `
import json, os, sys
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
from oauthlib.oauth2 import BackendApplicationClient
from requests_oauthlib import OAuth2Session
from requests.auth import HTTPBasicAuth
token_url, resource, client_id, client_secret = sys.argv[1:]
answers = []
for auth in (None, HTTPBasicAuth(client_id, client_secret)):
    session = OAuth2Session(client=BackendApplicationClient(client_id=client_id))
    if auth is None:
        token = session.fetch_token(token_url=token_url, client_id=client_id, client_secret=client_secret, include_client_id=True)
    else:
        token = session.fetch_token(token_url=token_url, auth=auth)
    used = session.post(resource, json={})
    renewed = session.refresh_token(token_url, client_id=client_id, client_secret=client_secret)
    answers.append([token["token_type"], token["expires_in"], used.status_code, renewed["session_state"] == token["session_state"]])
print(json.dumps(answers))
`;
const DEBIAN_PYTHON = '/usr/bin/python3';
/** Why the packages of Debian cannot be asked; null when they can. */
function pythonMissing(): string | null {
  const { status, error } = spawnSync(DEBIAN_PYTHON, ['-c', 'import oauthlib, requests_oauthlib']);
  if (error) return `${DEBIAN_PYTHON} is not there`;
  return status === 0 ? null : 'python3-oauthlib and python3-requests-oauthlib are not installed';
}

describe('oauthlib and requests-oauthlib of Debian', () => {
  const missing = pythonMissing();
  it('get, use and refresh tokens unchanged', { skip: missing ?? false }, async () => {
    const resource = `${malote.url}/api/contas/platform/contador/123/cliente`;
    const token = `${issuer}/protocol/openid-connect/token`;
    // Not waited for with all else at rest: the proxy of several processes is in this one.
    const { stdout } = await promisify(execFile)(DEBIAN_PYTHON, [
      '-c',
      PYTHON,
      token,
      resource,
      cliente.clientId,
      cliente.clientSecret,
    ]);
    assert.deepEqual(JSON.parse(stdout), [
      ['Bearer', 300, 400, true],
      ['Bearer', 300, 400, true],
    ]);
  });
});

describe('oidc-provider as a foreign issuer', () => {
  it('gives tokens that the accounts area takes, each for the offices that it names', async () => {
    await using estrangeiro = await startEmissorEstrangeiro({ audience: 'malote', crm: ['123'] });
    await using outro = await startEmissorEstrangeiro({ audience: 'outro', crm: ['123'] });
    const emissores = [estrangeiro, outro].map((one) => ({
      issuer: one.issuer,
      audience: 'malote',
      algs: ['ES256'],
    }));
    await using servidor = await startMalote({ env: { MALOTE_EMISSORES: JSON.stringify(emissores) } });
    const proprio = await makeCliente(servidor.dataFolder, '123');
    const token = await estrangeiro.token();
    assert.equal(claimsOf(token).iss, estrangeiro.issuer);
    assert.equal((await register(servidor.url, token)).body.codigo, 'dados_invalidos');
    assert.equal((await register(servidor.url, token, '999')).body.codigo, 'crm_nao_autorizado');
    assert.equal((await register(servidor.url, await outro.token())).body.codigo, 'token_invalido');
    const { access_token: own = '' } = await grant(servidor.url, proprio);
    assert.equal((await register(servidor.url, own)).body.codigo, 'dados_invalidos');
  });
});

describe('a foreign issuer under the very path of the embedded one, as a Keycloak has it', () => {
  it('is asked for its own tokens', async () => {
    await using estrangeiro = await startEmissorEstrangeiro({
      audience: 'malote',
      crm: ['123'],
      path: '/auth/realms/service',
    });
    const emissores = [{ issuer: estrangeiro.issuer, audience: 'malote', algs: ['ES256'] }];
    await using servidor = await startMalote({ env: { MALOTE_EMISSORES: JSON.stringify(emissores) } });
    const proprio = await makeCliente(servidor.dataFolder, '123');
    assert.equal((await register(servidor.url, await estrangeiro.token())).body.codigo, 'dados_invalidos');
    const { access_token: own = '' } = await grant(servidor.url, proprio);
    assert.equal((await register(servidor.url, own)).body.codigo, 'dados_invalidos');
  });
});

describe('the running service', () => {
  it('keeps its keys and sessions over a restart', async () => {
    const dataFolder = makeDataFolder();
    const env = { MALOTE_URL_AUTH: 'https://contas.exemplo.com.br' };
    const first = await startMalote({ dataFolder, env });
    const credencial = await makeCliente(dataFolder, '123');
    const tokens = await grant(first.url, credencial);
    await first.kill();
    const second = await startMalote({ dataFolder, env });
    const { status } = await register(second.url, tokens.access_token ?? '');
    await second.stop();
    rmSync(dataFolder, { recursive: true });
    assert.equal(status, 400);
    assert.equal(
      claimsOf(tokens.access_token ?? '').iss,
      'https://contas.exemplo.com.br/auth/realms/service',
    );
  });

  it('does not start with issuers that cannot be read, and says which', async () => {
    for (const [env, words] of [
      [{ MALOTE_EMISSORES: '[{}]' }, /MALOTE_EMISSORES: item 1: issuer/],
      [{ MALOTE_REINO: 'a/b' }, /MALOTE_REINO deve ter/],
      [{ MALOTE_EMISSOR_EMBUTIDO: '0' }, /MALOTE_EMISSOR_EMBUTIDO=0 pede/],
    ] as const)
      await assert.rejects(startMalote({ env }), words);
  });

  it('writes no secret and no token into its log or its data', async () => {
    const tokens = await grant(malote.url, cliente);
    await register(malote.url, tokens.access_token ?? '');
    const secrets = [cliente.clientSecret, tokens.access_token, tokens.refresh_token].map((text = '') =>
      text.slice(-40),
    );
    const log = malote.log.join('\n');
    const files = readdirSync(malote.dataFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
    for (const secret of secrets) {
      assert.ok(secret.length > 30);
      assert.ok(!log.includes(secret));
      for (const bytes of files) assert.ok(!bytes.includes(secret));
    }
  });
});
