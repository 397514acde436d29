import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createLogger } from '../../platform/http/log.ts';
import { ParteConfiante, ProvedorFalhou } from './parte-confiante.ts';

const AGORA = Date.UTC(2026, 5, 1);
const SECRET = 's'.repeat(43);
const redirectUri = 'http://127.0.0.1/volta';

let server: Server;
let issuer: string;
let keys: { mine: CryptoKey; other: CryptoKey };
let idToken: unknown;
let status = 200;

before(async () => {
  const mine = await generateKeyPair('ES256', { extractable: true });
  keys = { mine: mine.privateKey, other: (await generateKeyPair('ES256')).privateKey };
  const jwk = { ...(await exportJWK(mine.publicKey)), alg: 'ES256', use: 'sig' };
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', issuer);
    const answers: Record<string, unknown> = {
      '/.well-known/openid-configuration': {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
      },
      '/jwks': { keys: [jwk] },
      '/token': { id_token: idToken },
    };
    response.writeHead(pathname === '/token' ? status : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answers[pathname]));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

function parteConfiante() {
  const deps = { clock: { now: () => AGORA }, log: createLogger('silent') };
  return new ParteConfiante(deps as ConstructorParameters<typeof ParteConfiante>[0], {
    id: 'um',
    nome: 'Um',
    issuer,
    clientId: 'malote',
    clientSecret: 'x',
    scope: 'openid',
    claimEmail: 'email',
    confiaNoEmail: false,
    dominios: null,
  });
}

/** A token that would do, but for what is changed. */
async function tokenCom(changed: object, by: 'mine' | 'other' = 'mine'): Promise<string> {
  const url = new URL(await parteConfiante().authorizationUrl({ secret: SECRET, redirectUri }));
  const claims = {
    iss: issuer,
    aud: 'malote',
    sub: 'um',
    iat: AGORA / 1_000,
    exp: AGORA / 1_000 + 300,
    nonce: url.searchParams.get('nonce'),
    email: 'ana@exemplo.com.br',
    email_verified: true,
    ...changed,
  };
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(keys[by]);
}

const falhaDe = (token: unknown) => {
  idToken = token;
  return parteConfiante()
    .identify({ secret: SECRET, redirectUri, code: 'c' })
    .then(
      ({ email }) => email,
      (error: unknown) => {
        if (error instanceof ProvedorFalhou) return error.falha;
        throw error;
      },
    );
};

describe('what a provider answers', () => {
  it('is believed when all of it holds', async () => {
    assert.equal(await falhaDe(await tokenCom({})), 'ana@exemplo.com.br');
  });

  it('is not when it is for another client, question, time or issuer, or signed by somebody else', async () => {
    for (const changed of [
      { aud: 'outro' },
      { aud: ['malote', 'outro'] },
      { nonce: 'outro' },
      { nonce: undefined },
      { exp: AGORA / 1_000 - 300 },
      { iss: 'https://outro.exemplo.com.br' },
      { sub: '' },
    ])
      assert.equal(await falhaDe(await tokenCom(changed)), 'resposta_invalida', JSON.stringify(changed));
    assert.equal(await falhaDe(await tokenCom({}, 'other')), 'resposta_invalida');
    const [, body] = (await tokenCom({})).split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    assert.equal(await falhaDe(`${none}.${body}.`), 'resposta_invalida');
    assert.equal(await falhaDe(undefined), 'resposta_invalida');
  });

  it('says nothing of who it is without a verified address', async () => {
    for (const changed of [{ email_verified: false }, { email_verified: 'true' }, { email: undefined }])
      assert.equal(await falhaDe(await tokenCom(changed)), 'email_nao_confirmado', JSON.stringify(changed));
  });

  it('is a refusal, or no answer, by its status', async () => {
    for (const [given, expected] of [
      [400, 'recusado'],
      [503, 'indisponivel'],
    ] as const) {
      status = given;
      assert.equal(await falhaDe(await tokenCom({})), expected);
    }
    status = 200;
  });
});
