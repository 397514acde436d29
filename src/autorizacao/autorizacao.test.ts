import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type BancoAberto, openBanco } from '../../test/support/bancos.ts';
import type { Tabelas } from '../banco/tabelas.ts';
import { registerCliente } from '../contas/clientes.ts';
import { createContador } from '../contas/contadores.ts';
import { openVault } from '../platform/crypto/cofre.ts';
import type { Database } from '../platform/db/connect.ts';
import { createLogger } from '../platform/http/log.ts';
import { ChavesDeEndereco, rotateChaveDeEndereco } from './chaves-de-endereco.ts';
import { createClienteOauth, listClientesOauth } from './cliente-oauth.ts';
import type { AreaDoToken } from './contexto.ts';
import { createConvite } from './convite.ts';
import { requireCliente, requireToken } from './guard.ts';
import { createToken, listTokens, revokeToken, TokenReader } from './tokens.ts';

const folder = mkdtempSync(join(tmpdir(), 'malote-autorizacao-'));
const log = createLogger('silent');
let agora = Date.UTC(2026, 2, 1);
const clock = { now: () => agora };
let banco: BancoAberto;
let db: Database<Tabelas>;
let contadorId: number;
let codigoCrm: string;

before(async () => {
  banco = await openBanco({ path: join(folder, 'autorizacao.sqlite') });
  db = banco.db;
});
after(async () => {
  await banco.close();
  rmSync(folder, { recursive: true });
});

let crm = 0;
beforeEach(async () => {
  crm += 1;
  const input = { codigoCrm: String(crm), nome: 'Escritório', email: 'a@b.co' };
  ({ id: contadorId, codigoCrm } = await createContador({ db, clock }, input));
});

/** How many last-use marks stand in the database. */
const lastUse = async () =>
  (
    await db.read
      .selectFrom('token_integracao')
      .select('ultimo_uso_em')
      .where('contador_id', '=', contadorId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
  ).ultimo_uso_em;

describe('integration tokens', () => {
  it('say whose they are', async () => {
    const { token, finais } = await createToken({ db, clock }, { contadorId });
    assert.match(token, /^mlt_[0-9A-Za-z]{49}$/);
    assert.equal(token.slice(-4), finais);
    const auth = await new TokenReader({ db, clock, log }).authenticate(token);
    assert.deepEqual([auth?.contadorId, auth?.codigoCrm], [contadorId, codigoCrm]);
  });

  it('are kept nowhere, only their hash is', async () => {
    const { token } = await createToken({ db, clock }, { contadorId });
    const secret = token.slice(4, 40);
    const rows = await db.read.selectFrom('token_integracao').selectAll().execute();
    assert.ok(rows.length > 0 && !JSON.stringify(rows).includes(secret));
    for (const name of readdirSync(folder))
      assert.ok(!readFileSync(join(folder, name)).includes(secret), name);
  });

  it('of the main kind are revoked by the next one; additional ones stand beside it', async () => {
    const first = await createToken({ db, clock }, { contadorId });
    const extra = await createToken({ db, clock }, { contadorId, nome: 'ERP', adicional: true });
    const second = await createToken({ db, clock }, { contadorId });
    const tokens = new TokenReader({ db, clock, log });
    assert.equal(await tokens.authenticate(first.token), null);
    assert.ok(await tokens.authenticate(extra.token));
    assert.ok(await tokens.authenticate(second.token));
  });

  it('that are revoked stop working within five seconds where they were remembered', async () => {
    const { token } = await createToken({ db, clock }, { contadorId });
    const tokens = new TokenReader({ db, clock, log });
    assert.ok(await tokens.authenticate(token));
    await createToken({ db, clock }, { contadorId });
    agora += 5_000;
    assert.equal(await tokens.authenticate(token), null);
    assert.equal(await tokens.authenticate(token), null);
  });

  it('expire to the millisecond, remembered or not', async () => {
    const { token } = await createToken({ db, clock }, { contadorId });
    await db.write
      .updateTable('token_integracao')
      .set({ expira_em: agora + 1_000 })
      .where('contador_id', '=', contadorId)
      .execute();
    const tokens = new TokenReader({ db, clock, log });
    assert.ok(await tokens.authenticate(token));
    agora += 1_000;
    assert.equal(await tokens.authenticate(token), null);
  });

  it('that are none, or strangers of the right shape, are nobody', async () => {
    const tokens = new TokenReader({ db, clock, log });
    const { token } = await createToken({ db, clock }, { contadorId });
    for (const text of [
      '',
      'mlt_',
      'x'.repeat(100_000),
      token.slice(0, -1),
      `${token}0`,
      token.toUpperCase(),
    ]) {
      assert.equal(await tokens.authenticate(text), null, text.slice(0, 60));
    }
  });

  it('note their last use at most once a minute', async () => {
    const { token } = await createToken({ db, clock }, { contadorId });
    const tokens = new TokenReader({ db, clock, log });
    const start = agora;
    for (const [later, expected] of [
      [0, start],
      [59_999, start],
      [60_000, start + 60_000],
    ] as const) {
      agora = start + later;
      await tokens.authenticate(token);
      await tokens.drain();
      assert.equal(await lastUse(), expected);
    }
  });
});

describe('additional tokens', () => {
  const reader = () => new TokenReader({ db, clock, log });
  const cliente = (cpfCnpj: string) =>
    registerCliente(
      { db, clock },
      { contadorId, cpfCnpj, nome: 'Empresa', email: 'a@b.co', aoRegistrar: async () => {} },
    );

  it('may be limited to an area, to clients and in time', async () => {
    const { id } = await cliente('11222333000181');
    const limits = { contadorId, adicional: true, clienteIds: [id, id], expiraEm: agora + 1_000 };
    const { token } = await createToken({ db, clock }, limits);
    const auth = await reader().authenticate(token);
    assert.equal(auth?.escopo, 'exportacao');
    assert.deepEqual(auth?.clienteIds, new Set([id]));
    const area = await createToken({ db, clock }, { contadorId, adicional: true, escopo: 'importacao' });
    assert.equal((await reader().authenticate(area.token))?.escopo, 'importacao');
    agora += 1_000;
    assert.equal(await reader().authenticate(token), null);
  });

  it('that are limited reach no other area and no other client, which is answered as unknown', async () => {
    const [one, other] = [await cliente('11222333000181'), await cliente('11144477735')];
    const { token } = await createToken({ db, clock }, { contadorId, adicional: true, clienteIds: [one.id] });
    const request = { headers: {}, raw: { headersDistinct: { authorization: [`Bearer ${token}`] } } };
    const asked = request as unknown as FastifyRequest;
    const reply = { header: () => reply } as unknown as FastifyReply;
    const accessTokens = { authenticate: async () => null };
    const enter = (area: AreaDoToken) =>
      requireToken({ deps: { db }, tokens: reader(), accessTokens, admit: async () => {}, area })(
        asked,
        reply,
      );
    await assert.rejects(enter('importacao'), { codigo: 'escopo_insuficiente', status: 403 });
    await enter('exportacao');
    const found = (cpfCnpj: string) => requireCliente({ db }, { request: asked, cpfCnpj });
    assert.equal((await found(one.cpfCnpj)).id, one.id);
    const unknown = await found('52998224725').catch((error: Error) => error);
    assert.deepEqual(await found(other.cpfCnpj).catch((error: Error) => error), unknown);
    assert.equal((unknown as { codigo?: string }).codigo, 'cliente_nao_encontrado');
  });

  it('of other issuers may name no office, or one that has no account here: neither imports anything', async () => {
    const enter = (codigosCrm: string[], headers: Record<string, string> = {}) => {
      const request = { headers, raw: { headersDistinct: { authorization: ['Bearer a.b.c'] } } };
      const reply = { header: () => reply } as unknown as FastifyReply;
      const accessTokens = { authenticate: async () => ({ clientId: 'erp', codigosCrm, emissor: 'x' }) };
      const options = { deps: { db }, tokens: reader(), accessTokens, admit: async () => {} };
      return requireToken({ ...options, area: 'importacao' })(request as unknown as FastifyRequest, reply);
    };
    await assert.rejects(enter([]), { codigo: 'crm_nao_autorizado', message: /nenhum escritório/ });
    await assert.rejects(enter(['999999']), { codigo: 'crm_nao_autorizado' });
    await assert.rejects(enter([codigoCrm, '999999']), { message: /X-Codigo-Crm/ });
    await assert.rejects(enter([codigoCrm], { 'x-codigo-crm': '1234567' }), { codigo: 'crm_invalido' });
    await enter([codigoCrm]);
    await enter([codigoCrm], { 'x-codigo-crm': ' ' });
    await enter([codigoCrm, '999999'], { 'x-codigo-crm': String(Number(codigoCrm)) });
  });

  it('cannot have limits that contradict each other, and the main one can have none', async () => {
    for (const limits of [
      { escopo: 'importacao' },
      { expiraEm: agora + 1 },
      { clienteIds: [1] },
      { adicional: true, clienteIds: [] },
      { adicional: true, clienteIds: [1], escopo: 'importacao' },
      { adicional: true, expiraEm: agora },
    ] as const)
      await assert.rejects(createToken({ db, clock }, { contadorId, ...limits }), {
        codigo: 'dados_invalidos',
      });
  });

  it('are listed without their text, and revoked one by one', async () => {
    const { id: clienteId, cpfCnpj } = await cliente('11222333000181');
    await createToken({ db, clock }, { contadorId });
    const limits = { contadorId, nome: 'ERP', adicional: true, clienteIds: [clienteId] };
    const { id, token, finais } = await createToken({ db, clock }, limits);
    const [listed, main] = await listTokens(db.read, { contadorId });
    assert.deepEqual(listed, {
      id,
      nome: 'ERP',
      finais,
      adicional: true,
      escopo: 'exportacao',
      clientes: [cpfCnpj],
      criadoEm: agora,
      expiraEm: null,
      revogadoEm: null,
      ultimoUsoEm: null,
      ultimoUsoIp: null,
    });
    assert.deepEqual([main?.adicional, main?.escopo, main?.clientes], [false, 'tudo', null]);
    await assert.rejects(revokeToken({ db, clock }, { contadorId: contadorId + 1, id }), {
      codigo: 'token_nao_encontrado',
    });
    await revokeToken({ db, clock }, { contadorId, id });
    assert.equal(await reader().authenticate(token), null);
    await assert.rejects(revokeToken({ db, clock }, { contadorId, id }), { codigo: 'token_nao_encontrado' });
  });
});

describe('keys that sign addresses', () => {
  const vault = openVault({ chaveMestra: '', dataFolder: folder });
  const deps = () => ({ db, clock, log, vault });
  const address = { parts: ['GET', 'download', '1'], expiresAtSeconds: 1_800_000_000 };
  const opened = async () => {
    const chaves = new ChavesDeEndereco(deps());
    await chaves.start();
    chaves.stop();
    return chaves;
  };

  it('are made on the first start, and every process signs with the same', async () => {
    const [one, two] = [await opened(), await opened()];
    const signed = one.sign(address);
    assert.match(signed.kid, /^MLT[A-Z2-7]{17}$/);
    assert.deepEqual(two.sign(address), signed);
    assert.equal(two.verify({ ...address, ...signed }), true);
    assert.equal(two.verify({ ...address, ...signed, kid: 'MLTAAAAAAAAAAAAAAAAA' }), false);
    assert.deepEqual([two.knows(signed.kid), two.knows('MLTAAAAAAAAAAAAAAAAA')], [true, false]);
  });

  it('are sealed where they are stored', async () => {
    await opened();
    const rows = await db.read.selectFrom('chave_de_endereco').selectAll().execute();
    for (const { kid, selada } of rows) {
      assert.equal(vault.open(selada, `chave_de_endereco/${kid}`).length, 32);
      assert.throws(() => vault.open(selada, 'chave_de_endereco/outra'));
    }
  });

  it('rotate: the new one signs when every process can know it, the old one verifies while its addresses live', async () => {
    const chaves = await opened();
    const old = chaves.sign(address);
    agora += 3_600_000;
    const kid = await rotateChaveDeEndereco(deps(), { imediatamente: false, autor: 'cli' });
    await chaves.refresh();
    assert.equal(chaves.sign(address).kid, old.kid, 'not before other processes have read it');
    agora += 60_000;
    assert.equal(chaves.sign(address).kid, kid);
    assert.equal(chaves.verify({ ...address, ...old }), true);
    agora += 3_600_000;
    await rotateChaveDeEndereco(deps(), { imediatamente: false, autor: 'cli' });
    await chaves.refresh();
    assert.equal(chaves.verify({ ...address, ...old }), false, 'all of its addresses have lapsed');
    assert.equal(chaves.sign(address).kid, kid);
  });

  it('rotate at once: what was signed before is refused', async () => {
    const chaves = await opened();
    const old = chaves.sign(address);
    const kid = await rotateChaveDeEndereco(deps(), { imediatamente: true, autor: 'cli' });
    await chaves.refresh();
    assert.equal(chaves.verify({ ...address, ...old }), false);
    assert.equal(chaves.sign(address).kid, kid);
  });

  it('rotate by age, once, whoever looks first', async () => {
    const chaves = await opened();
    const { kid } = chaves.sign(address);
    const byAge = { imediatamente: false, autor: 'servidor', seMaisVelhaQueMs: 30 * 86_400_000 } as const;
    assert.equal(await rotateChaveDeEndereco(deps(), byAge), null);
    agora += 30 * 86_400_000 + 1;
    const made = await Promise.all([
      rotateChaveDeEndereco(deps(), byAge),
      rotateChaveDeEndereco(deps(), byAge),
    ]);
    assert.equal(made.filter((one) => one !== null).length, 1);
    agora += 60_000;
    await chaves.refresh();
    assert.equal(made.includes(chaves.sign(address).kid), true);
    assert.notEqual(chaves.sign(address).kid, kid);
  });
});

describe('other credentials', () => {
  it('an OAuth client is bound to its offices and its secret is only hashed', async () => {
    const { clientId, clientSecret } = await createClienteOauth(
      { db, clock },
      { contadorIds: [contadorId], nome: 'ERP' },
    );
    const row = await db.read
      .selectFrom('cliente_oauth')
      .innerJoin('cliente_oauth_contador', 'cliente_oauth_contador.cliente_oauth_id', 'cliente_oauth.id')
      .innerJoin('segredo_oauth', 'segredo_oauth.cliente_oauth_id', 'cliente_oauth.id')
      .select(['contador_id', 'hash'])
      .where('client_id', '=', clientId)
      .executeTakeFirstOrThrow();
    assert.equal(row.contador_id, contadorId);
    assert.match(row.hash, /^scrypt\$/);
    assert.ok(!row.hash.includes(clientSecret));
  });

  it('OAuth clients are listed with their offices, by office or all', async () => {
    const { clientId } = await createClienteOauth({ db, clock }, { contadorIds: [contadorId], nome: 'ERP' });
    const listed = await listClientesOauth(db.read, { codigoCrm });
    assert.deepEqual(listed, [
      {
        clientId,
        nome: 'ERP',
        codigosCrm: [codigoCrm],
        emiteTokens: true,
        criadoEm: agora,
        revogadoEm: null,
        ultimoUsoEm: null,
      },
    ]);
    assert.ok((await listClientesOauth(db.read)).length > 1);
    assert.deepEqual(await listClientesOauth(db.read, { codigoCrm: '999999' }), []);
  });

  it('an invitation is a link with its code behind the #, and only its hash is kept', async () => {
    const convite = { contadorId, usuarioId: await createUsuario(), email: 'a@b.co', agora };
    const { caminho, codigo, expiraEm } = await db.write
      .transaction()
      .execute((trx) => createConvite(trx, convite));
    assert.equal(caminho, `/console/convite#${codigo}`);
    assert.equal(expiraEm, agora + 7 * 86_400_000);
    const rows = await db.read.selectFrom('convite_console').selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes(codigo));
  });
});

async function createUsuario(): Promise<number> {
  const { id } = await db.write
    .insertInto('usuario')
    .values({
      contador_id: contadorId,
      email: 'a@b.co',
      email_chave: 'a@b.co',
      nome: 'Ana',
      papel: 'administrador',
      cliente_id: null,
      senha: null,
      senha_em: null,
      criado_em: agora,
      entrou_em: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
