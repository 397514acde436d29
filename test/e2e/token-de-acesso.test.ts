/** Access tokens (JWT) of the token endpoint, with which deployed programs import and export too. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClienteOauth, revokeClienteOauth } from '../../src/autorizacao/cliente-oauth.ts';
import { fetchAccessToken, openContas } from '../support/acesso-contas.ts';
import {
  type CenarioDeExportacao,
  DOCUMENTOS,
  emitente,
  prepareCenario,
} from '../support/cenario-exportacao.ts';
import { answerOnce, servedAtMost } from '../support/espera.ts';
import {
  createEscritorio,
  fetchJson,
  imported,
  type Malote,
  startMalote,
  withDeps,
} from '../support/malote.ts';

let malote: Malote;
let cenario: CenarioDeExportacao;
let outro: { contadorId: number; codigoCrm: string; token: string };
/** Client of the one office, and of both. */
let [deUm, deDois]: [string, string] = ['', ''];

before(async () => {
  malote = await startMalote({ env: { MALOTE_LIMITE_MINUTO: '0' } });
  cenario = await prepareCenario(malote, { crm: '77' });
  outro = await createEscritorio(malote.dataFolder, { crm: '88', clientes: [emitente.id] });
  const contadorIds = [cenario.contadorId, outro.contadorId];
  deUm = (await openContas(malote, { contadorIds: contadorIds.slice(0, 1) })).token;
  deDois = (await openContas(malote, { contadorIds })).token;
});
after(() => malote[Symbol.asyncDispose]());

const bilhete = async (token: string, crm?: string) => {
  const bytes = Buffer.from(DOCUMENTOS.autorizada.bytes);
  return fetchJson(`${malote.url}/storage`, {
    token,
    json: { size: bytes.length, extension: '.xml' },
    ...(crm === undefined ? {} : { headers: { 'x-codigo-crm': crm } }),
  });
};

describe('an access token', () => {
  it('imports for the one office of its client: address, upload, status, items', async () => {
    const { status, body } = await bilhete(deUm);
    assert.equal(status, 200, JSON.stringify(body));
    const put = await fetch(body.url, { method: 'PUT', body: Buffer.from(DOCUMENTOS.autorizada.bytes) });
    assert.equal(put.status, 200);
    assert.equal((await imported(malote, { token: deUm, id: body.id })).status, 'Uploaded');
    const itens = await fetchJson(`${malote.url}/storage/arquivo/${body.id}/itens`, { token: deUm });
    assert.equal(itens.body.itens[0].resultado, 'duplicado');
    assert.equal((await fetchJson(`${malote.url}/storage/arquivo/${body.id}`, outro)).status, 404);
  });

  it('exports the same as an integration token, address by address', async () => {
    const base = cenario.base();
    const semEnderecos = (body: unknown) =>
      JSON.parse(JSON.stringify(body), (key, value) => (/^url_/.test(key) ? null : value));
    for (const path of [
      '/documentos/0/novos?Xml=true&Tamanho=3',
      '/documentos/0/novos',
      '/documentos/0/finalidade?Finalidade=true',
      '/documentos/1?Xml=true',
      `/documentos/${DOCUMENTOS.autorizada.chave}/chave`,
      '/nfe?DataInicial=2026-03-01',
      '/nfce?DataInicial=2026-03-01',
      '/nfe?DataInicial=2026-03-01&Status=Faltantes',
    ]) {
      const [integracao, acesso] = [
        await fetchJson(base + path, { token: cenario.token }),
        await fetchJson(base + path, { token: deUm }),
      ];
      assert.equal(acesso.status, 200, path);
      assert.deepEqual(semEnderecos(acesso.body), semEnderecos(integracao.body), path);
    }
  });

  it('of a client of several offices reads each by its path, and says for which it sends', async () => {
    const unsaid = await bilhete(deDois);
    assert.deepEqual([unsaid.status, unsaid.body.codigo], [403, 'crm_nao_autorizado']);
    assert.match(unsaid.body.mensagem, /X-Codigo-Crm/);
    for (const [crm, { token }] of [
      ['77', cenario],
      ['000088', outro],
    ] as const) {
      const { body } = await bilhete(deDois, crm);
      const status = `${malote.url}/storage/arquivo/${body.id}`;
      assert.equal((await fetchJson(status, { token })).status, 200, 'it is of that office');
      const headers = { 'x-codigo-crm': crm };
      assert.equal((await fetchJson(status, { token: deDois, headers })).status, 200);
      const page = `${malote.url}/api/v1/${crm}/${emitente.id}/documentos/0/novos`;
      assert.equal((await fetchJson(page, { token: deDois })).status, 200);
    }
    assert.equal((await bilhete(deUm, '88')).body.codigo, 'crm_nao_autorizado');
    assert.equal((await bilhete(deDois, '77, 88')).body.codigo, 'crm_invalido');
  });

  it('says nothing in the header with an integration token: that has one office', async () => {
    const { body } = await bilhete(cenario.token, '88');
    assert.equal((await fetchJson(`${malote.url}/storage/arquivo/${body.id}`, cenario)).status, 200);
  });

  it('is who read what, in what is kept of accesses', async () => {
    const clientId = await withDeps(malote.dataFolder, async ({ db }) => {
      const rows = await db.read
        .selectFrom('cliente_oauth')
        .select(['client_id', 'id'])
        .orderBy('id')
        .execute();
      return rows[0]?.client_id;
    });
    await answerOnce('the accesses are written', {
      ask: () =>
        withDeps(malote.dataFolder, async ({ db }) => [
          await db.read.selectFrom('acesso').select('autor').execute(),
          await db.read.selectFrom('acesso_em_lote').select('autor').execute(),
        ]),
      is: (lists) => lists.every((list) => list.some(({ autor }) => autor === `oauth:${clientId}`)),
    });
  });

  it('ends within five seconds when its client is revoked, however often a page was asked for', async () => {
    const made = await withDeps(malote.dataFolder, (deps) =>
      createClienteOauth(deps, { contadorIds: [cenario.contadorId], nome: 'Passageiro' }),
    );
    const token = await fetchAccessToken(malote, made);
    const page = `${cenario.base()}/documentos/0/novos?Xml=true`;
    for (let at = 0; at < 5; at++) assert.equal((await fetchJson(page, { token })).status, 200);
    await withDeps(malote.dataFolder, (deps) => revokeClienteOauth(deps, made));
    await servedAtMost(5_000, async () => (await fetchJson(page, { token })).status !== 401);
    assert.equal((await bilhete(token)).status, 401);
  });
});

describe('a token of the wrong kind', () => {
  const contas = () => `${malote.url}/api/contas/nfstock/contador/77/cliente`;

  it('is told which one is wanted, and is never called expired', async () => {
    const { status, headers, body } = await fetchJson(contas(), { token: cenario.token, json: {} });
    assert.deepEqual([status, body.codigo], [403, 'escopo_insuficiente']);
    assert.match(body.mensagem, /access_token/);
    assert.doesNotMatch(body.mensagem, /expir/);
    assert.match(String(headers.get('www-authenticate')), /error="insufficient_scope"/);
  });

  it('is told apart from the refresh token that came with it', async () => {
    const made = await withDeps(malote.dataFolder, (deps) =>
      createClienteOauth(deps, { contadorIds: [cenario.contadorId], nome: 'ERP' }),
    );
    const answer = await fetch(`${malote.url}/auth/realms/service/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: made.clientId,
        client_secret: made.clientSecret,
      }),
    });
    const { refresh_token: token } = (await answer.json()) as { refresh_token: string };
    for (const url of [contas(), `${malote.url}/storage`]) {
      const { status, body } = await fetchJson(url, { token, json: {} });
      assert.deepEqual([status, body.codigo], [401, 'token_invalido']);
      assert.match(body.mensagem, /Este é o refresh_token/);
    }
  });
});
