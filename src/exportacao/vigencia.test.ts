import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Tabelas } from '../banco/tabelas.ts';
import { abrirCofre, type Cofre, EMITENTE, nota, TERCEIRO } from '../documentos/cofre-testing.ts';
import type { Database } from '../platform/db/connect.ts';
import { Vigencias } from './vigencia.ts';

let cofre: Cofre;
let statements: number;
let vigencias: Vigencias;
beforeEach(async () => {
  cofre = await abrirCofre();
  statements = 0;
  const read = {
    selectFrom: (table: 'cliente' | 'token_integracao') => {
      if (table === 'cliente') statements += 1;
      return cofre.db.read.selectFrom(table);
    },
  };
  const db = { ...cofre.db, read } as unknown as Database<Tabelas>;
  vigencias = new Vigencias({ db, clock: { now: () => 1_000 } });
});
afterEach(() => cofre.db.close());

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
});
