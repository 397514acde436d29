/** What stands between Malote and PostgreSQL must leave each connection its session. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MIGRATIONS } from '../../src/banco/migrations.ts';
import type { Tabelas } from '../../src/banco/tabelas.ts';
import { ConfigError } from '../../src/config.ts';
import { connectPostgres } from '../../src/platform/db/connect.ts';
import { isPostgresMigrated, migratePostgres } from '../../src/platform/db/migrate-postgres.ts';
import { migrationFiles } from '../../src/platform/db/migration-files.ts';
import { type BancoDePostgres, createBanco, semPostgres } from '../support/postgres/banco.ts';
import { openPooler, semPooler } from '../support/postgres/pooler.ts';

const MIGRACOES = migrationFiles(MIGRATIONS, 'postgres');
const motivo = (await semPostgres()) ?? semPooler;
/** As the message tells it whose pooler refuses them. */
const AJUSTES =
  'extra_float_digits, statement_timeout, lock_timeout, idle_in_transaction_session_timeout, options';

describe('a pooler before PostgreSQL', { skip: motivo ?? false }, () => {
  let banco: BancoDePostgres;
  before(async () => {
    banco = await createBanco();
  });
  after(() => banco.drop());

  for (const modo of ['transaction', 'statement'] as const) {
    it(`is refused where sessions go round (${modo})`, async () => {
      await using pooler = await openPooler(banco, { modo, ignora: AJUSTES });
      const refused = (error: unknown) =>
        error instanceof ConfigError && /modo de sessão/.test(error.message);
      await assert.rejects(migratePostgres(pooler.url, MIGRACOES), refused);
      await assert.rejects(isPostgresMigrated(pooler.url), refused);
    });
  }

  it('is as good as the server where each connection keeps its session', async () => {
    await using pooler = await openPooler(banco, { modo: 'session', ignora: AJUSTES });
    assert.deepEqual(await migratePostgres(pooler.url, MIGRACOES), []);
    assert.equal(await isPostgresMigrated(pooler.url), true);
    const db = connectPostgres<Tabelas>({ url: pooler.url, connections: 2 });
    const contador = { codigo_crm: '000001', nome: 'n', email: 'e', criado_em: 1 };
    await db.write.insertInto('contador').values(contador).execute();
    assert.equal((await db.read.selectFrom('contador').select('id').execute()).length, 1);
    await db.close();
  });

  it('that refuses the settings of a connection is told of with what to write where', async () => {
    await using pooler = await openPooler(banco, { modo: 'session' });
    await assert.rejects(
      migratePostgres(pooler.url, MIGRACOES),
      (error) =>
        error instanceof ConfigError && error.message.includes(`ignore_startup_parameters = ${AJUSTES}`),
    );
  });
});
