import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Tabelas } from '../../banco/tabelas.ts';
import { type Cofre, EMITENTE, nota, openCofre, TERCEIRO } from '../../documentos/cofre-testing.ts';
import type { Database } from '../../platform/db/connect.ts';
import { currentTenant, newScope, runInScope } from '../../platform/db/tenant.ts';
import { Vigencias } from './vigencia.ts';

let cofre: Cofre;
let statements: number;
let vigencias: Vigencias;
beforeEach(async () => {
  cofre = await openCofre();
  statements = 0;
  vigencias = new Vigencias({ db: counting(() => null), clock: { now: () => 1_000 } });
});
afterEach(() => cofre.db.close());

/** The database, which counts statements. */
function counting(commits: () => number | null, onStatement = () => {}): Database<Tabelas> {
  const read = {
    selectFrom: (table: 'cliente' | 'token_integracao') => {
      if (table === 'cliente') {
        statements += 1;
        onStatement();
      }
      return cofre.db.read.selectFrom(table);
    },
  };
  return { ...cofre.db, read, commits } as unknown as Database<Tabelas>;
}

async function token(fields: { revogado_em?: number; expira_em?: number }): Promise<number> {
  const { id } = await cofre.db.write
    .insertInto('token_integracao')
    .values({
      contador_id: cofre.contadorId,
      nome: 'teste',
      hash: String(Math.random()),
      finais: 'abcd',
      criado_em: 1,
      ...fields,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

describe('the state of a feed', () => {
  test('is what stood when the request came, or newer, and many who ask at once share a statement', async () => {
    const clienteId = await cofre.registrar(EMITENTE);
    const outro = await cofre.registrar(TERCEIRO);
    for (let numero = 1; numero <= 5; numero++) {
      await cofre.gravar(nota({ numero }));
      statements = 0;
      const asked = await Promise.all(
        Array.from({ length: 40 }, (_, at) => vigencias.ask(at % 2 === 0 ? clienteId : outro)),
      );
      assert.equal(statements, 1);
      for (const [at, { feed }] of asked.entries()) assert.equal(feed?.ultimoNsu, at % 2 === 0 ? numero : 0);
    }
  });

  test('never comes from a statement that had begun before', async () => {
    const clienteId = await cofre.registrar(EMITENTE);
    const first = vigencias.ask(clienteId);
    await new Promise(setImmediate);
    await cofre.gravar(nota());
    assert.equal((await vigencias.ask(clienteId)).feed?.ultimoNsu, 1);
    await first;
  });

  test('is null for a client that is not there, and tells which tokens still live', async () => {
    const clienteId = await cofre.registrar(EMITENTE);
    assert.equal((await vigencias.ask(clienteId + 99)).feed, null);
    const lives = async (fields: Parameters<typeof token>[0]) =>
      (await vigencias.ask(clienteId, await token(fields))).tokenVive;
    assert.equal(await lives({}), true);
    assert.equal(await lives({ expira_em: 1_001 }), true);
    assert.equal(await lives({ expira_em: 1_000 }), false);
    assert.equal(await lives({ revogado_em: 500 }), false);
    assert.equal((await vigencias.ask(clienteId, 99_999)).tokenVive, false);
  });

  test('that cannot be read is a fault for those who asked, and for nobody after them', async () => {
    const clienteId = await cofre.registrar(EMITENTE);
    const { read } = cofre.db;
    let fails = true;
    const db = {
      ...cofre.db,
      get read() {
        if (fails) throw new Error('not now');
        return read;
      },
    } as unknown as Database<Tabelas>;
    const shaky = new Vigencias({ db, clock: { now: () => 0 } });
    await assert.rejects(shaky.ask(clienteId), /not now/);
    fails = false;
    assert.equal((await shaky.ask(clienteId)).feed?.ultimoNsu, 0);
  });

  test('is read once while nothing is committed, and again after that', async () => {
    const clienteId = await cofre.registrar(EMITENTE);
    const outro = await cofre.registrar(TERCEIRO);
    const [vivo, vence] = [await token({}), await token({ expira_em: 2_000 })];
    let [commits, agora] = [1, 1_000];
    const told = new Vigencias({ db: counting(() => commits), clock: { now: () => agora } });
    const feed = { ultimoNsu: 0, revisao: 0 };
    const asked = async (cliente: number, tokenId: number) => {
      statements = 0;
      return [await told.ask(cliente, tokenId), statements];
    };
    assert.deepEqual(await asked(clienteId, vivo), [{ feed, tokenVive: true }, 1]);
    assert.deepEqual(await asked(clienteId, vivo), [{ feed, tokenVive: true }, 0]);
    // Nobody has asked about these yet; what is known of others stays.
    assert.deepEqual(await asked(outro, vence), [{ feed, tokenVive: true }, 1]);
    assert.deepEqual(await asked(clienteId, vence), [{ feed, tokenVive: true }, 0]);
    agora = 2_000;
    assert.deepEqual(await asked(clienteId, vence), [{ feed, tokenVive: false }, 0]);

    await cofre.gravar(nota());
    commits += 1;
    assert.deepEqual(await asked(clienteId, vivo), [
      { feed: { ultimoNsu: 1, revisao: 0 }, tokenVive: true },
      1,
    ]);
    assert.deepEqual(await asked(clienteId, vivo), [
      { feed: { ultimoNsu: 1, revisao: 0 }, tokenVive: true },
      0,
    ]);
    // Nothing is known of another client at this state.
    assert.deepEqual(await asked(outro, vivo), [{ feed, tokenVive: true }, 1]);
  });

  test('is told as the service, whichever office asked first', async () => {
    const clienteId = await cofre.registrar(EMITENTE);
    const told = new Vigencias({ db: counting(() => 1), clock: { now: () => 1_000 } });
    // By a statement, and out of what the statement before has read.
    for (const _ of [1, 2]) {
      const tenants = await new Promise<string[]>((resolve, reject) => {
        const found: string[] = [];
        const put = () =>
          told.put({
            clienteId,
            tokenId: null,
            resolve: () => found.push(currentTenant()) === 2 && resolve(found),
            reject,
          });
        runInScope({ ...newScope(), tenant: '77' }, put);
        put();
      });
      assert.deepEqual(tenants, ['*', '*']);
    }
  });

  test('that was read while somebody committed is read again for the next', async () => {
    const clienteId = await cofre.registrar(EMITENTE);
    let commits = 1;
    const told = new Vigencias({
      db: counting(
        () => commits,
        () => {
          commits += 1;
        },
      ),
      clock: { now: () => 1_000 },
    });
    for (const _ of [1, 2, 3]) {
      statements = 0;
      assert.equal((await told.ask(clienteId)).feed?.ultimoNsu, 0);
      assert.equal(statements, 1);
    }
  });
});
