/**
 * A PostgreSQL that goes away, cuts connections or has none left: statements fail as passing, the process lives, and
 * the next statement after the server is back works. On a server of its own, which the tests may stop.
 */
import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import pg from 'pg';
import { MIGRATIONS } from '../../src/banco/migrations.ts';
import type { Tabelas } from '../../src/banco/tabelas.ts';
import { connectForServer, connectPostgres, type Database } from '../../src/platform/db/connect.ts';
import { DatabaseAwayError, isDatabasePassing } from '../../src/platform/db/faults.ts';
import { insertMany } from '../../src/platform/db/many-rows.ts';
import { migratePostgres } from '../../src/platform/db/migrate-postgres.ts';
import { migrationFiles } from '../../src/platform/db/migration-files.ts';
import { connectForLongWork } from '../../src/platform/db/snapshot-postgres.ts';
import { runForOffice } from '../../src/platform/db/tenant.ts';
import { until } from '../support/espera.ts';
import { type BancoDePostgres, createBanco } from '../support/postgres/banco.ts';
import { findBinarios } from '../support/postgres/binarios.ts';
import { iniciar, type Servidor } from '../support/postgres/servidor.ts';

const [binarios] = findBinarios();
/** For what is told by a time limit of seconds: without one it is never told, and a busy machine is late. */
const TOLD_WITHIN_MS = 40_000;

describe('a server that fails', { skip: binarios ? false : 'no programs of PostgreSQL' }, () => {
  let servidor: Extract<Servidor, { mandar: unknown }>;
  let banco: BancoDePostgres;
  let db: Database<Tabelas>;
  before(async () => {
    assert.ok(binarios);
    const started = await iniciar(binarios);
    assert.ok(started.url !== null, JSON.stringify(started));
    servidor = started;
    banco = await createBanco({ servidor: servidor.url });
    db = connectForServer<Tabelas>({ databaseUrl: banco.url, sqlitePath: '', conexoes: 4 });
    await sql`create table counter (id int primary key, n int not null)`.execute(db.write);
    await sql`insert into counter values (1, 0), (2, 0)`.execute(db.write);
  });
  after(async () => {
    await db?.close();
    await servidor?.stop();
  });

  const ask = () => sql<{ one: number }>`select 1 as one`.execute(db.read);
  const add = (database: Database<Tabelas>, ids: readonly number[], between: () => Promise<unknown>) =>
    database.write.transaction().execute(async (trx) => {
      for (const id of ids) {
        await sql`update counter set n = n + 1 where id = ${id}`.execute(trx);
        await between();
      }
    });
  const total = async () => {
    const { rows } = await sql<{ n: number }>`select sum(n) as n from counter`.execute(db.read);
    return rows[0]?.n;
  };

  /** Ends the connections of the service as an administrator does. @returns how many */
  async function terminate(): Promise<number> {
    const client = new pg.Client({ connectionString: servidor.url });
    await client.connect();
    const { rowCount } = await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'malote'",
    );
    await client.end();
    return rowCount ?? 0;
  }

  /** How many connections of the service are in a statement that sleeps. */
  async function sleepers(): Promise<number> {
    const client = new pg.Client({ connectionString: servidor.url });
    await client.connect();
    const { rowCount } = await client.query(
      "select from pg_stat_activity where application_name = 'malote' and state = 'active' and query like '%pg_sleep(600)%'",
    );
    await client.end();
    return rowCount ?? 0;
  }

  it('ends idle connections: the next statement has another one', async () => {
    for (let round = 0; round < 5; round++) {
      await Promise.all([ask(), ask(), ask()]);
      assert.ok((await terminate()) > 0);
      for (let tries = 0; ; tries++) {
        const outcome = await ask().catch((error: unknown) => error);
        if (!(outcome instanceof Error)) break;
        // The end of a connection may still be under way when the next statement takes it.
        assert.ok(isDatabasePassing(outcome), String(outcome));
        assert.ok(tries < 5);
      }
    }
  });

  it('changes a table that it has prepared a statement for: a fault that passes, and the next statement fits', async () => {
    await sql`create table widened (n int not null)`.execute(db.write);
    const rows = [1, 2, 3, 4].map((n) => ({ n }));
    const insert = () =>
      db.write.transaction().execute((trx) =>
        insertMany(trx as unknown as Transaction<{ widened: { n: number } }>, 'widened', rows)
          .returning('n')
          .execute(),
      );
    for (let turn = 0; turn < 8; turn++) assert.equal((await insert()).length, rows.length);
    await sql`alter table widened alter n type bigint`.execute(db.write);
    const outcome = await insert().catch((error: unknown) => error);
    assert.ok(isDatabasePassing(outcome), String(outcome));
    assert.deepEqual(
      (await insert()).map((row) => ({ ...row })),
      rows,
    );
  });

  it('ends a connection in the middle of a statement and of a transaction: nothing of it has happened', async () => {
    const before = await total();
    const slow = sql`select pg_sleep(600)`.execute(db.read);
    const transaction = db.write.transaction().execute(async (trx) => {
      await sql`update counter set n = n + 1`.execute(trx);
      await sql`select pg_sleep(600)`.execute(trx);
    });
    const outcomes = Promise.allSettled([slow, transaction]);
    while ((await sleepers()) < 2) await sleep(20);
    assert.ok((await terminate()) >= 2);
    for (const outcome of await outcomes) {
      assert.equal(outcome.status, 'rejected');
      assert.ok(outcome.status === 'rejected' && isDatabasePassing(outcome.reason), String(outcome));
    }
    assert.equal(await total(), before);
  });

  const asks = (count: number) => Promise.allSettled(Array.from({ length: count }, ask));
  const isAway = (outcome: PromiseSettledResult<unknown>) =>
    outcome.status === 'rejected' && outcome.reason instanceof DatabaseAwayError;
  const answers = () =>
    ask().then(
      () => true,
      () => false,
    );

  /** Works while the server is cut off; whatever comes of it, others find it running. */
  async function whileAway(act: () => Promise<unknown>): Promise<void> {
    await servidor.mandar('parar');
    try {
      // Each connection that nobody used has its end under way: who takes it then is told by the server, all others by us.
      await until('it is known to be away', async () => {
        const outcomes = await asks(20);
        for (const outcome of outcomes)
          assert.ok(outcome.status === 'rejected' && isDatabasePassing(outcome.reason), String(outcome));
        return outcomes.every(isAway);
      });
      await act();
    } finally {
      await servidor.mandar('iniciar');
    }
  }

  it('is away: whoever asks is told within two seconds, and it works again when it is back', async () => {
    await whileAway(async () => {
      const start = performance.now();
      assert.ok((await asks(20)).every(isAway));
      assert.ok(performance.now() - start < TOLD_WITHIN_MS);
    });
    await until('it answers', answers);
  });

  it('hangs: whoever asks is told within ten seconds, then at once, and it works again when it goes on', {
    skip: process.platform === 'linux' ? false : 'the server is stopped by what only Linux tells',
  }, async () => {
    await Promise.all([ask(), ask()]);
    await servidor.mandar('congelar');
    try {
      const start = performance.now();
      assert.ok((await asks(20)).every(isAway));
      const firstMs = performance.now() - start;
      assert.ok(firstMs < TOLD_WITHIN_MS);
      const again = performance.now();
      await assert.rejects(ask(), DatabaseAwayError);
      assert.ok(performance.now() - again < firstMs / 2);
    } finally {
      await servidor.mandar('descongelar');
    }
    await until('it answers', answers);
  });

  it('is not said to hang because a statement takes long', async () => {
    const { rows } = await sql<{ one: number }>`select 1 as one from pg_sleep(6)`.execute(db.read);
    assert.equal(rows[0]?.one, 1);
  });

  it('restarts while it is asked: what is asked then waits for it', async () => {
    // A server that takes longer to start than anybody waits is no fault of who has asked: it is restarted again.
    await until('what was asked meanwhile is answered', async () => {
      let asked: ReturnType<typeof asks> | undefined;
      await whileAway(async () => {
        asked = asks(1);
      });
      const [outcome] = (await asked) ?? [];
      assert.ok(outcome?.status === 'fulfilled' || (outcome && isAway(outcome)), String(outcome));
      await until('it answers', answers);
      return outcome.status === 'fulfilled' && outcome.value.rows[0]?.one === 1;
    });
  });

  it('finds a deadlock: both transactions happen all the same, once each', async () => {
    const before = (await total()) ?? 0;
    let both = 0;
    const meet = async () => {
      both += 1;
      const limit = performance.now() + TOLD_WITHIN_MS;
      while (both < 2 && performance.now() < limit) await sleep(5);
    };
    await Promise.all([add(db, [1, 2], meet), add(db, [2, 1], meet)]);
    assert.ok(both > 4, 'one of them began anew');
    assert.equal(await total(), before + 4);
  });

  it('rolls back a transaction that hides a failed statement: the commit says so', async () => {
    const before = await total();
    const hiding = db.write.transaction().execute(async (trx) => {
      await sql`update counter set n = n + 1`.execute(trx);
      await sql`select 1 / 0`.execute(trx).catch(() => {});
    });
    await assert.rejects(hiding, /rolled back/);
    assert.equal(await total(), before);
  });

  it('has fewer connections than are wanted: who is too many waits in line', async () => {
    const client = new pg.Client({ connectionString: servidor.url });
    await client.connect();
    const { rows } = await sql<{ n: number }>`select n from counter where id = 1`.execute(db.read);
    const before = rows[0]?.n ?? 0;
    await db.close();
    await client.query('alter role malote_teste connection limit 3');
    const three = [1, 2, 3].map(() => connectPostgres<Tabelas>({ url: banco.url, connections: 4 }));
    try {
      const work = three.flatMap((database) =>
        Array.from({ length: 6 }, () => add(database, [1], async () => {})),
      );
      await Promise.all(work);
      assert.equal(
        await sql<{ n: number }>`select n from counter where id = 1`
          .execute(three[0]?.read ?? db.read)
          .then(({ rows }) => rows[0]?.n),
        before + work.length,
      );
    } finally {
      await Promise.all(three.map((database) => database.close()));
      await client.query('alter role malote_teste connection limit -1');
      await client.end();
      db = connectForServer<Tabelas>({ databaseUrl: banco.url, sqlitePath: '', conexoes: 4 });
    }
  });

  it('lends no office all of its connections: those of others are served while its own wait', async () => {
    const release = Promise.withResolvers<void>();
    const slow = (tenant: number) =>
      runForOffice(tenant, () => db.write.transaction().execute(() => release.promise));
    const held = Array.from({ length: 4 }, () => slow(1));
    try {
      const { rows } = await runForOffice(2, ask);
      assert.equal(rows[0]?.one, 1);
    } finally {
      release.resolve();
    }
    await Promise.all(held);
  });

  it('may be gone without a word: connections ask whether it lives, long before the two hours of the kernel', async (t) => {
    const asked = t.mock.method(Socket.prototype, 'setKeepAlive').mock;
    const other = connectPostgres<Tabelas>({ url: banco.url, connections: 1 });
    await sql`select 1`.execute(other.read);
    await other.close();
    const long = await connectForLongWork(banco.url);
    await long.end();
    await migratePostgres(banco.url, migrationFiles(MIGRATIONS, 'postgres'));
    const delaysMs = asked.calls.filter(({ arguments: [on] }) => on).map(({ arguments: [, ms] }) => ms ?? 0);
    assert.equal(delaysMs.length, 3);
    // Below a second the kernel's own hours are meant.
    for (const ms of delaysMs) assert.ok(ms >= 1_000 && ms <= 60_000, String(ms));
  });

  it('a password that is wrong is no passing fault, and is named nowhere', async () => {
    const other = connectPostgres<Tabelas>({
      url: banco.url.replace('/malote_teste_', '/nao_existe_'),
      connections: 1,
    });
    await assert.rejects(sql`select 1`.execute(other.read), (error: Error) => {
      assert.ok(!isDatabasePassing(error));
      assert.match(error.message, /does not exist/);
      return true;
    });
    await other.close();
  });
});
