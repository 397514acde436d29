import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Generated, Kysely, sql } from 'kysely';
import { connectSqliteHere, connectSqliteThreads, type Database } from './connect.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { InThreadExecutor, type SqliteExecutor } from './sqlite-executor.ts';
import { runAsService, runForOffice } from './tenant.ts';

interface Tables {
  thing: {
    id: Generated<number>;
    name: string | null;
    size: number | bigint | null;
    body: Uint8Array | null;
  };
}

const WAITING_WRITES = 20;

const SHAPE =
  'create table thing (id integer primary key, name text unique, size integer, body blob) strict;';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'malote-db-'));
  path = join(folder, 'test.db');
  const executor = new InThreadExecutor({ path });
  executor.executeScript(SHAPE);
  executor.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Tells what is executed. */
class Recorder implements SqliteExecutor {
  readonly texts: string[] = [];
  readonly #inner: InThreadExecutor;
  constructor(inner: InThreadExecutor) {
    this.#inner = inner;
  }
  execute(text: string, parameters: readonly unknown[]) {
    this.texts.push(text);
    return this.#inner.execute(text, parameters);
  }
  get syncFailure(): Error | null {
    return this.#inner.syncFailure;
  }
  close(): void {
    this.#inner.close();
  }
}

const ENGINES: [string, (path: string) => Database<Tables>][] = [
  ['in this thread', (file) => connectSqliteHere<Tables>(file)],
  ['in a thread of its own', (file) => connectSqliteThreads<Tables>(file)],
];

for (const [where, connect] of ENGINES) {
  describe(`a database ${where}`, () => {
    let db: Database<Tables>;
    beforeEach(() => {
      db = connect(path);
    });
    afterEach(() => db.close());

    test('gives values back as they were put', async () => {
      const body = Buffer.from([0, 1, 255, 0]);
      const size = Number.MAX_SAFE_INTEGER;
      await db.write.insertInto('thing').values({ name: 'ação', size, body }).execute();
      const row = await db.read.selectFrom('thing').selectAll().executeTakeFirstOrThrow();
      assert.deepEqual({ ...row }, { id: 1, name: 'ação', size, body: new Uint8Array(body) });
    });

    test('takes a bigint, and refuses to give an integer that a number cannot hold', async () => {
      await db.write
        .insertInto('thing')
        .values({ name: 'ok', size: 2n ** 53n - 1n })
        .execute();
      await db.write
        .insertInto('thing')
        .values({ name: 'large', size: 2n ** 53n + 1n })
        .execute();
      const sizeOf = (name: string) =>
        db.read.selectFrom('thing').select('size').where('name', '=', name).executeTakeFirstOrThrow();
      assert.equal((await sizeOf('ok')).size, Number.MAX_SAFE_INTEGER);
      await assert.rejects(sizeOf('large'), { code: 'ERR_OUT_OF_RANGE' });
      assert.equal((await sizeOf('ok')).size, Number.MAX_SAFE_INTEGER, 'and goes on afterwards');
    });

    test('stores booleans as 0 and 1 and an absent value as null', async () => {
      const { rows } = await sql<{ t: number; f: number; n: null }>`
        select ${true} as t, ${false} as f, ${undefined} as n`.execute(db.read);
      assert.deepEqual({ ...rows[0] }, { t: 1, f: 0, n: null });
    });

    test('gives what `returning` asks for and counts what was touched', async () => {
      const rows = await db.write
        .insertInto('thing')
        .values([{ name: 'a' }, { name: 'b' }, { name: 'c' }])
        .returning('id')
        .execute();
      assert.deepEqual(
        rows.map((row) => row.id),
        [1, 2, 3],
      );
      const updated = await db.write
        .updateTable('thing')
        .set({ size: 1 })
        .where('id', '<', 3)
        .executeTakeFirstOrThrow();
      assert.equal(updated.numUpdatedRows, 2n);
      const deleted = await db.write.deleteFrom('thing').where('id', '=', 1).executeTakeFirstOrThrow();
      assert.equal(deleted.numDeletedRows, 1n);
    });

    test('tells what SQLite said of a refused statement', async () => {
      await db.write.insertInto('thing').values({ name: 'twice' }).execute();
      await assert.rejects(db.write.insertInto('thing').values({ name: 'twice' }).execute(), {
        message: /UNIQUE constraint failed: thing\.name/,
        code: 'ERR_SQLITE_ERROR',
        errcode: 2067,
      });
      await assert.rejects(sql`select x from nowhere`.execute(db.read), /no such table: nowhere/);
    });

    test('undoes a transaction whose act fails', async () => {
      const act = db.write.transaction().execute(async (trx) => {
        await trx.insertInto('thing').values({ name: 'gone' }).execute();
        throw new Error('the act failed');
      });
      await assert.rejects(act, /the act failed/);
      assert.deepEqual(await db.read.selectFrom('thing').selectAll().execute(), []);
    });

    test('parallel transactions wait their turn, in the order in which they came', async () => {
      const order: string[] = [];
      const act = (name: string) =>
        db.write.transaction().execute(async (trx) => {
          order.push(`${name} begins`);
          await trx.insertInto('thing').values({ name }).execute();
          const { n } = await trx
            .selectFrom('thing')
            .select((eb) => eb.fn.countAll<number>().as('n'))
            .executeTakeFirstOrThrow();
          order.push(`${name} is number ${n}`);
        });
      await Promise.all(['a', 'b', 'c'].map(act));
      assert.deepEqual(order, [
        'a begins',
        'a is number 1',
        'b begins',
        'b is number 2',
        'c begins',
        'c is number 3',
      ]);
    });

    test('a failed transaction lets the next one in', async () => {
      const outcomes = await Promise.allSettled(
        [true, false].map((fails) =>
          db.write.transaction().execute(async (trx) => {
            await trx.insertInto('thing').values({ name: 'one' }).execute();
            if (fails) throw new Error('no');
          }),
        ),
      );
      assert.deepEqual(
        outcomes.map((outcome) => outcome.status),
        ['rejected', 'fulfilled'],
      );
    });

    test('a reader sees a commit at once', async () => {
      for (let n = 1; n <= 20; n++) {
        await db.write
          .insertInto('thing')
          .values({ name: `n${n}` })
          .execute();
        const rows = await db.read.selectFrom('thing').select('id').execute();
        assert.equal(rows.length, n);
      }
    });

    test('can be closed without having been used, and closed twice', async () => {
      const other = connect(path);
      await other.close();
      await other.close();
      await assert.rejects(other.read.selectFrom('thing').selectAll().execute());
    });
  });
}

test('the transactions of a writer take their lock at the start, those of a reader do not', async () => {
  for (const [writes, begin] of [
    [true, 'begin immediate'],
    [false, 'begin'],
  ] as const) {
    const executor = new Recorder(new InThreadExecutor({ path }));
    const db = new Kysely<Tables>({ dialect: sqliteDialect({ executor, writes }) });
    await db.transaction().execute((trx) => trx.selectFrom('thing').select('id').execute());
    assert.deepEqual(executor.texts, [begin, 'select "id" from "thing"', 'commit']);
    await db.destroy();
  }
});

test('a limit stands in the text, where SQLite does not plan a statement anew for it', async () => {
  const executor = new Recorder(new InThreadExecutor({ path }));
  const db = new Kysely<Tables>({ dialect: sqliteDialect({ executor, writes: true }) });
  await db.insertInto('thing').values({ name: 'a' }).execute();
  const query = db.selectFrom('thing').select('name');
  assert.equal((await query.limit(1).execute()).length, 1);
  assert.equal((await query.limit(sql<number>`${0}`).execute()).length, 0);
  assert.deepEqual(executor.texts.slice(1), [
    'select "name" from "thing" limit 1',
    'select "name" from "thing" limit ?',
  ]);
  await db.destroy();
});

test('an error that ended the transaction by itself is the one that the caller sees', async () => {
  const db = connectSqliteHere<Tables>(path);
  const act = db.write.transaction().execute(async (trx) => {
    await sql`insert or rollback into thing (name, id) values ('a', 1), ('b', 1)`.execute(trx);
  });
  await assert.rejects(act, /UNIQUE constraint failed: thing\.id/);
  await db.write.insertInto('thing').values({ name: 'next' }).execute();
  await db.close();
});

test('a transaction that reads sees one state from its first statement to its last', async () => {
  const db = connectSqliteThreads<Tables>(path);
  await db.read.transaction().execute(async (trx) => {
    assert.equal((await trx.selectFrom('thing').select('id').execute()).length, 0);
    await db.write.insertInto('thing').values({ name: 'meanwhile' }).execute();
    assert.equal((await trx.selectFrom('thing').select('id').execute()).length, 0);
  });
  assert.equal((await db.read.selectFrom('thing').select('id').execute()).length, 1);
  await db.close();
});

test('of two connections that write at once the second waits for the first', async () => {
  const [one, two] = [connectSqliteThreads<Tables>(path), connectSqliteThreads<Tables>(path)];
  const add = (db: Database<Tables>, name: string) =>
    db.write.transaction().execute(async (trx) => {
      const { n } = await trx
        .selectFrom('thing')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow();
      await trx.insertInto('thing').values({ name, size: n }).execute();
    });
  const rounds = Array.from({ length: 25 }, (_, i) => i);
  await Promise.all(rounds.flatMap((i) => [add(one, `one ${i}`), add(two, `two ${i}`)]));
  const rows = await one.read.selectFrom('thing').select('size').orderBy('id').execute();
  assert.deepEqual(
    rows.map((row) => row.size),
    Array.from({ length: 50 }, (_, i) => i),
  );
  await Promise.all([one.close(), two.close()]);
});

test('who waits for the lock is not passed over for long by transactions that follow each other', async () => {
  const [busy, other] = [connectSqliteThreads<Tables>(path), connectSqliteThreads<Tables>(path)];
  const insert = (db: Pick<Database<Tables>['write'], 'insertInto'>) =>
    db.insertInto('thing').values({ size: 1 }).execute();
  let transactions = 0;
  let isOver = false;
  const following = (async () => {
    for (; !isOver; transactions++)
      await busy.write.transaction().execute(async (trx) => {
        await insert(trx);
        await sleep(5);
      });
  })();
  for (let n = 0; n < WAITING_WRITES; n++) await insert(other.write);
  isOver = true;
  await following;
  // Asking every 100 ms, as SQLite does of itself before long, it is eight and more.
  assert.ok(transactions < WAITING_WRITES * 5, String(transactions));
  await Promise.all([busy.close(), other.close()]);
});

test('offices take turns: whoever writes once does not wait for all that another has to write', async () => {
  const db = connectSqliteThreads<Tables>(path);
  const add = (name: string) => db.write.insertInto('thing').values({ name }).execute();
  const busy = Array.from({ length: 50 }, (_, n) => runForOffice(1, () => add(`one ${n}`)));
  await Promise.all([...busy, runForOffice(2, () => add('two')), runAsService(() => add('three'), 3)]);
  const rows = await db.read.selectFrom('thing').select('name').orderBy('id').limit(4).execute();
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['one 0', 'one 1', 'two', 'three'],
  );
  await db.close();
});

test('answers a text rightly however many others came in between', () => {
  const executor = new InThreadExecutor({ path: ':memory:' });
  for (let n = 0; n < 1_000; n++) {
    assert.deepEqual({ ...executor.execute(`select ${n} as n, ? as p`, [n]).rows[0] }, { n, p: n });
    assert.deepEqual({ ...executor.execute('select 0 as n, ? as p', [n]).rows[0] }, { n: 0, p: n });
  }
  executor.close();
});

test('what is committed stays in the log until it is folded into the file; then nothing is left of the log that could be cut', async () => {
  const db = connectSqliteHere<Tables>(path);
  const [before, log] = [statSync(path).size, () => statSync(`${path}-wal`).size];
  const insert = (name: string) => db.write.insertInto('thing').values({ name }).execute();
  for (let n = 0; n < 60; n++) await insert(String(n).repeat(100_000));
  assert.equal(statSync(path).size, before);
  assert.ok(log() > 6_000_000, String(log()));
  assert.equal(db.foldLog(), true);
  assert.ok(statSync(path).size > 6_000_000);
  assert.equal(log(), 0);
  await insert('the next');
  assert.ok(log() < 5_000_000, String(log()));
  assert.equal((await db.read.selectFrom('thing').select('id').execute()).length, 61);
  await db.close();
});

test('folding the log waits for nobody who reads', async () => {
  const [db, other] = [connectSqliteHere<Tables>(path), connectSqliteThreads<Tables>(path)];
  await other.read.transaction().execute(async (trx) => {
    await trx.selectFrom('thing').select('id').execute();
    await db.write.insertInto('thing').values({ name: 'meanwhile' }).execute();
    assert.equal(db.foldLog(), false, 'not all of it is in the file');
    assert.equal((await trx.selectFrom('thing').select('id').execute()).length, 0);
  });
  await Promise.all([db.close(), other.close()]);
});

test('results are not streamed', async () => {
  const db = connectSqliteHere<Tables>(path);
  const stream = db.read.selectFrom('thing').selectAll().stream();
  await assert.rejects(async () => {
    for await (const row of stream) assert.fail(String(row));
  }, /page by page/);
  await db.close();
});
