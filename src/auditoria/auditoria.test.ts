import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type BancoAberto, executar, openBanco } from '../../test/support/bancos.ts';
import type { Tabelas } from '../banco/tabelas.ts';
import type { Database } from '../platform/db/connect.ts';
import { ACAO, auditar } from './auditar.ts';
import { listAuditoria } from './listar.ts';
import { verifyAuditoria } from './verificar.ts';

let banco: BancoAberto;
let db: Database<Tabelas>;

beforeEach(async () => {
  banco = await openBanco();
  db = banco.db;
});
afterEach(() => banco.close());

async function write(count: number): Promise<void> {
  for (let i = 1; i <= count; i++) {
    await db.write.transaction().execute((trx) =>
      auditar(trx, {
        em: 1_000 + i,
        acao: ACAO.clienteCriado,
        contadorId: null,
        autor: 'cli',
        alvo: `cliente/${i}`,
        detalhe: { nome: 'ação "x"' },
      }),
    );
  }
}

/** What somebody with the password of the database and no scruples does. */
async function tamper(...statements: string[]): Promise<void> {
  const on = db.engine === 'postgres' ? ' on auditoria' : '';
  for (const trigger of ['auditoria_nao_muda', 'auditoria_nao_sai'])
    await executar(db.write, `drop trigger if exists ${trigger}${on}`);
  for (const statement of statements) await executar(db.write, statement);
}

describe('the audit log', () => {
  it('is numbered without holes, and an untouched one is whole', async () => {
    assert.equal((await verifyAuditoria(db.read)).quebra, null);
    await write(3);
    const { registros, fim, quebra } = await verifyAuditoria(db.read);
    assert.deepEqual([registros, fim.n, quebra], [3, 3, null]);
    const rows = await listAuditoria(db.read, { contadorId: null, limite: 2 });
    assert.deepEqual(
      rows.map(({ n, alvo, detalhe }) => [n, alvo, detalhe]),
      [
        [2, 'cliente/2', { nome: 'ação "x"' }],
        [3, 'cliente/3', { nome: 'ação "x"' }],
      ],
    );
  });

  it('takes no change and no removal', async () => {
    await write(2);
    for (const statement of [
      "update auditoria set autor = 'x' where n = 1",
      'delete from auditoria where n = 1',
      ...(db.engine === 'postgres' ? ['truncate auditoria'] : []),
    ])
      await assert.rejects(executar(db.write, statement), /append-only/);
    assert.equal((await verifyAuditoria(db.read)).registros, 2);
  });

  it('does not keep what was rolled back', async () => {
    const failing = db.write.transaction().execute(async (trx) => {
      await auditar(trx, { em: 1, acao: ACAO.clienteCriado, contadorId: null, autor: 'cli', alvo: 'x' });
      throw new Error('falhou');
    });
    await assert.rejects(failing, /falhou/);
    assert.equal((await verifyAuditoria(db.read)).registros, 0);
  });

  for (const column of ['em', 'acao', 'contador_id', 'autor', 'alvo', 'detalhe', 'hash']) {
    it(`names the row whose ${column} was changed`, async () => {
      await write(5);
      await tamper(
        `update auditoria set ${column} = ${['em', 'contador_id'].includes(column) ? 7 : "'x'"} where n = 3`,
      );
      const { quebra } = await verifyAuditoria(db.read);
      assert.deepEqual([quebra?.n, quebra?.codigo], [3, 'registro_alterado']);
    });
  }

  it('names the row that was removed, wherever it stood', async () => {
    for (const n of [5, 3, 1]) {
      await write(5);
      await tamper(`delete from auditoria where n = ${n}`);
      const { quebra } = await verifyAuditoria(db.read);
      assert.deepEqual([quebra?.n, quebra?.codigo], [n, 'registro_ausente']);
      await banco.close();
      banco = await openBanco();
      db = banco.db;
    }
  });

  it('names the row that was put behind its end', async () => {
    await write(2);
    await tamper(
      "insert into auditoria select 3, em, acao, contador_id, autor, alvo, detalhe, 'x' from auditoria where n = 2",
    );
    const { quebra } = await verifyAuditoria(db.read);
    assert.deepEqual([quebra?.n, quebra?.codigo], [3, 'registro_a_mais']);
  });

  it('whose end was noted elsewhere shows that the whole chain was written anew', async () => {
    await write(3);
    const { fim } = await verifyAuditoria(db.read);
    await write(1);
    assert.equal((await verifyAuditoria(db.read, { ancora: fim })).quebra, null);
    const forged = { n: fim.n, hash: '0'.repeat(64) };
    const { quebra } = await verifyAuditoria(db.read, { ancora: forged });
    assert.deepEqual([quebra?.n, quebra?.codigo], [3, 'ancora_divergente']);
    const cut = await verifyAuditoria(db.read, { ancora: { n: 9, hash: fim.hash } });
    assert.deepEqual([cut.quebra?.n, cut.quebra?.codigo], [5, 'registro_ausente']);
  });
});
