/** A shadow of a database on PostgreSQL, on which imports are rehearsed: of its shape, and nobody's. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Tabelas } from '../../src/banco/tabelas.ts';
import { ensaiar } from '../../src/importacao/ensaio.ts';
import { countingReader } from '../../src/importacao/ensaio-testing.ts';
import type { Leitor } from '../../src/importacao/leitores.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/db/connect.ts';
import { openShadow } from '../../src/platform/db/shadow-postgres.ts';
import { until } from '../support/espera.ts';
import { type BancoDePostgres, criarBanco, semPostgres } from '../support/postgres/banco.ts';

const motivo = await semPostgres();
const FIRST_ID = 1_000_000_000;
const CONTADOR = { codigo_crm: '000001', nome: 'n', email: 'e', criado_em: 1 };

const inserir = (db: Database<Tabelas>) =>
  db.write.insertInto('contador').values(CONTADOR).returning('id').execute();
const contadores = (db: Database<Tabelas>) => db.read.selectFrom('contador').select('id').execute();

describe('a shadow of a database', { skip: motivo ?? false }, () => {
  let banco: BancoDePostgres;
  let client: pg.Client;
  before(async () => {
    banco = await criarBanco();
    client = new pg.Client(banco.urlDoAdministrador);
    await client.connect();
  });
  after(async () => {
    await client.end();
    await banco.drop();
  });

  /** How many rows each real table has. */
  async function linhas(): Promise<Record<string, number>> {
    const { rows } = await client.query<{ relname: string }>(
      "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
    );
    const counts: Record<string, number> = {};
    for (const { relname } of rows) {
      const { rows: found } = await client.query(`select count(*)::int as n from public.${relname}`);
      counts[relname] = found[0].n;
    }
    return counts;
  }

  async function cutConnections(): Promise<void> {
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  }

  it('has its tables, empty, with ids that nothing else has; nobody else sees what is written there', async () => {
    const antes = await linhas();
    assert.ok(Object.keys(antes).length > 30);
    const [uma, outra] = [await openShadow<Tabelas>(banco.url), await openShadow<Tabelas>(banco.url)];
    try {
      assert.deepEqual(await inserir(uma), [{ id: FIRST_ID }]);
      await assert.rejects(inserir(uma), /duplicate key/);
      assert.deepEqual(await contadores(uma), [{ id: FIRST_ID }]);
      assert.deepEqual(await contadores(outra), []);
    } finally {
      await uma.close();
      await outra.close();
    }
    assert.deepEqual(await linhas(), antes);
  });

  it('has no tables at all once its connection is lost: what is written then goes nowhere', async () => {
    const antes = await linhas();
    const db = await openShadow<Tabelas>(banco.url);
    try {
      await inserir(db);
      await cutConnections();
      let told: unknown = null;
      for (let n = 0; n < 20 && !/does not exist/.test(String(told)); n++)
        told = await inserir(db).then(() => null, String);
      assert.match(String(told), /relation "contador" does not exist/);
    } finally {
      await db.close();
    }
    assert.deepEqual(await linhas(), antes);
  });

  for (const options of ['-c work_mem=8MB', '-c search_path=public', '-csearch_path=public -c jit=on']) {
    it(`finds no other tables either where the address has settings of its own (${options})`, async () => {
      const antes = await linhas();
      const db = await openShadow<Tabelas>(`${banco.url}?options=${encodeURIComponent(options)}`);
      try {
        await inserir(db);
        // While nobody uses it: the pool has another one then, and nobody is told.
        await cutConnections();
        await delay(100);
        await assert.rejects(inserir(db), /relation "contador" does not exist/);
      } finally {
        await db.close();
      }
      assert.deepEqual(await linhas(), antes);
    });
  }

  /** @returns what the rehearsal says of itself */
  async function rehearse(leitor: Leitor): Promise<string[]> {
    const told: string[] = [];
    const log = { debug: (fields: unknown, text: string) => void told.push(text ?? String(fields)) };
    await ensaiar({
      leitor,
      clock: systemClock,
      log: log as never,
      databaseUrl: banco.url,
      ocupado: () => false,
      atendendo: () => false,
      parou: () => false,
      rodadas: 2,
    });
    return told;
  }

  it('whose connection is lost in the middle of a rehearsal ends it', async () => {
    const antes = await linhas();
    const leitor = countingReader([]);
    const read: Leitor['read'] = async (entradas) => {
      await cutConnections();
      return leitor.read(entradas);
    };
    assert.deepEqual(await rehearse({ ...leitor, read }), ['imports could not be rehearsed']);
    assert.deepEqual(await linhas(), antes);
  });

  it('is where imports are rehearsed, and leaves nothing', async () => {
    const antes = await linhas();
    const told = await rehearse(countingReader([]));
    assert.deepEqual(told, ['imports were rehearsed']);
    assert.deepEqual(await linhas(), antes);
    await until('its tables are gone', async () => {
      const { rows } = await client.query(
        "select from pg_class where relpersistence = 't' and relkind = 'r'",
      );
      return rows.length === 0;
    });
  });
});
