import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Tabelas } from '../banco/tabelas.ts';
import { CATALOGO_DE_ERROS } from '../catalogo-de-erros.ts';
import { openBancoDeTeste } from '../contas/banco-de-teste.ts';
import type { CadastroDeps } from '../contas/cadastrar.ts';
import { AbridorDeCertificados } from '../contas/certificado/abrir.ts';
import { createContador } from '../contas/contadores.ts';
import { contasRoutes } from '../contas/routes.ts';
import { makeToken } from '../platform/crypto/token-opaco.ts';
import type { Database } from '../platform/db/connect.ts';
import { createLogger } from '../platform/http/log.ts';
import { createHttpServer } from '../platform/http/server.ts';
import { createContasHttp } from './contas-http.ts';
import type { Oauth } from './contexto.ts';
import { escopoInsuficiente } from './errors.ts';
import { requireOauth } from './oauth-guard.ts';

/** Access tokens of a foreign issuer, by their text. */
const TOKENS: Record<string, Oauth> = {
  bom: { clientId: 'erp', emissor: 'https://emissor.exemplo', codigosCrm: ['000123', '000777'] },
};

let app: FastifyInstance;
let url: string;
let db: Database<Tabelas>;
let close: () => Promise<void>;
before(async () => {
  const banco = await openBancoDeTeste();
  ({ db, close } = banco);
  const clock = { now: () => Date.UTC(2026, 2, 1) };
  await createContador({ db, clock }, { codigoCrm: '123', nome: 'Um', email: 'um@exemplo.com' });
  app = await createHttpServer({
    log: createLogger('silent') as FastifyBaseLogger,
    catalogo: CATALOGO_DE_ERROS,
    https: false,
    logFields: () => ({}),
    answersContinueItself: () => false,
  });
  app.decorateRequest('oauth', null);
  const deps: CadastroDeps = {
    db,
    clock,
    vault: banco.vault,
    abridor: new AbridorDeCertificados(),
    deliverRetidos: async () => {},
  };
  const accessTokens = {
    async authenticate(token: string) {
      if (token === 'sem-papel') throw escopoInsuficiente();
      return TOKENS[token] ?? null;
    },
  };
  const guard = requireOauth({ accessTokens, admit: async () => {} });
  contasRoutes(app, createContasHttp(deps, { requireOauth: guard, catalogo: CATALOGO_DE_ERROS }));
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
after(async () => {
  await app.close();
  await close();
});

const GOOD = { cpfCnpj: '11222333000181', nomeEmpresa: 'Padaria', email: 'a@b.co' };

async function ask(input: { crm: string; token?: string; body?: string; path?: string; method?: 'PUT' }) {
  const answer = await fetch(`${url}/api/contas/platform/contador/${input.crm}/cliente${input.path ?? ''}`, {
    method: input.method ?? 'POST',
    headers: {
      'content-type': 'application/json',
      ...(input.token ? { authorization: `Bearer ${input.token}` } : {}),
    },
    body: input.body ?? JSON.stringify(GOOD),
  });
  const { codigo } = (await answer.json()) as { codigo?: string };
  return [answer.status, codigo];
}

test('the checks come in their order: credentials, syntax of the CRM, whose it is, body', async () => {
  assert.deepEqual(await ask({ crm: 'x', body: '{' }), [401, 'token_ausente']);
  assert.deepEqual(await ask({ crm: 'x', token: 'outro', body: '{' }), [401, 'token_invalido']);
  assert.deepEqual(await ask({ crm: '1234567', token: 'bom', body: '{' }), [400, 'crm_invalido']);
  assert.deepEqual(await ask({ crm: '456', token: 'bom', body: '{' }), [403, 'crm_nao_autorizado']);
  assert.deepEqual(await ask({ crm: '123', token: 'bom', body: '{' }), [400, 'corpo_invalido']);
});

test('a foreign token without the role that its issuer asks for is escopo_insuficiente', async () => {
  const wanted = [403, 'escopo_insuficiente'];
  assert.deepEqual(await ask({ crm: '123', token: 'sem-papel' }), wanted);
  assert.deepEqual(
    await ask({ crm: '123', token: 'sem-papel', method: 'PUT', path: '/11222333000181' }),
    wanted,
  );
});

test('an integration token is told which token is wanted, and never called expired', async () => {
  const integracao = makeToken('mlt');
  assert.deepEqual(await ask({ crm: 'x', token: integracao, body: '{' }), [403, 'escopo_insuficiente']);
  assert.deepEqual(await ask({ crm: '123', token: `${integracao}x` }), [401, 'token_invalido']);
});

test('any one word stands for the platform, and nothing else does', async () => {
  const post = async (plataforma: string) => {
    const path = `/api/contas/${plataforma}/contador/123/cliente`;
    const headers = { authorization: 'Bearer outro' };
    const answer = await fetch(url + path, { method: 'POST', headers });
    return ((await answer.json()) as { codigo: string }).codigo;
  };
  for (const word of ['platform', 'nfstock', 'NF-Stock_2', 'x', '0'])
    assert.equal(await post(word), 'token_invalido', word);
  for (const other of ['a.b', 'a%20b', 'a%2fb', '%C3%A9', 'a/b', '%00'])
    assert.equal(await post(other), 'rota_nao_encontrada', other);
});

test('an office that a foreign issuer names and that has no account is answered as one of somebody else', async () => {
  assert.deepEqual(await ask({ crm: '777', token: 'bom' }), [403, 'crm_nao_autorizado']);
  assert.deepEqual(await ask({ crm: '777', token: 'bom', method: 'PUT', path: '/11222333000181' }), [
    403,
    'crm_nao_autorizado',
  ]);
});

test('the audit log tells which OAuth client registered whom', async () => {
  assert.deepEqual(await ask({ crm: '000123', token: 'bom' }), [200, undefined]);
  const rows = await db.read.selectFrom('auditoria').select(['autor', 'acao', 'alvo']).execute();
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [{ autor: 'oauth:erp', acao: 'cliente.criado', alvo: 'cliente/1' }],
  );
});
