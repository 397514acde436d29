import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { connectSqliteHere, type Database } from '../db/connect.ts';
import { migrateSqlite } from '../db/migrate.ts';
import { fateOf, formatOwner, type Owner, ownerHere, parseOwner } from './owner.ts';
import {
  abandonJob,
  BACKOFF_MS,
  claimJobs,
  finishJob,
  hasDueJob,
  type JobDb,
  LEASE_MS,
  MAX_FAILURES,
  MAX_INTERRUPTIONS,
  renewLeases,
  retryJob,
  returnJob,
  takeOverJobs,
} from './queue.ts';

const MIGRATIONS = new URL('../../../migrations', import.meta.url).pathname;
const T0 = 1_780_000_000_000;
const TIPO = 'importar';

const owner = (changes: Partial<Owner> = {}): Owner => ({
  host: 'maquina',
  pid: 100,
  processRun: 'run-1',
  threadRun: 'thread-1',
  ...changes,
});
const A = owner();
/** The process that comes after A on the same machine. */
const B = owner({ pid: 200, processRun: 'run-2', threadRun: 'thread-2' });
const nobodyLives = () => false;
const allLive = () => true;

interface Row {
  id: number;
  estado: string;
  tentativas: number;
  disponivel_em: number;
  tomado_por: string | null;
  tomado_ate: number | null;
  erro: string | null;
}

describe('job queue', () => {
  const folder = mkdtempSync(join(tmpdir(), 'malote-fila-'));
  let database: Database<Record<'job' | 'arquivo' | 'contador', Record<string, string | number | null>>>;
  let db: JobDb;
  before(() => {
    const path = join(folder, 'fila.sqlite');
    migrateSqlite(path, MIGRATIONS);
    database = connectSqliteHere(path);
    db = database.write as unknown as JobDb;
  });
  after(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    for (const table of ['job', 'arquivo', 'contador'] as const)
      await database.write.deleteFrom(table).execute();
    const contador = { id: 1, codigo_crm: '000001', nome: 'n', email: 'e', criado_em: T0 };
    await database.write.insertInto('contador').values(contador).execute();
  });

  async function addJob(id: number, disponivelEm = T0): Promise<void> {
    const arquivo = { id: `f${id}`, contador_id: 1, extensao: 'xml', tamanho_anunciado: 1, status: 's' };
    await database.write
      .insertInto('arquivo')
      .values({ ...arquivo, criado_em: T0, expira_em: T0, kid: 'k' })
      .execute();
    await database.write
      .insertInto('job')
      .values({
        id,
        tipo: TIPO,
        arquivo_id: `f${id}`,
        contador_id: 1,
        estado: 'pronto',
        disponivel_em: disponivelEm,
      })
      .execute();
  }
  const row = (id: number): Promise<Row> =>
    database.read
      .selectFrom('job')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow() as Promise<unknown> as Promise<Row>;
  /** As plain objects: rows of SQLite have no prototype. */
  const claimed = async (by: Owner, now = T0) =>
    (await claimJobs(db, { tipo: TIPO, owner: by, now, limit: 1 })).map((job) => ({ ...job }));
  const claim = async (by: Owner, now = T0, limit = 10) =>
    (await claimJobs(db, { tipo: TIPO, owner: by, now, limit })).map((job) => job.id).sort();

  it('gives due jobs out oldest first, each to one holder only', async () => {
    await addJob(1, T0 + 5);
    await addJob(2, T0 + 1);
    await addJob(3, T0 + 60_000);
    assert.equal(await hasDueJob(db, { tipo: TIPO, now: T0 }), false);
    assert.deepEqual(await claim(A, T0 + 10, 1), [2]);
    assert.deepEqual(await claim(B, T0 + 10), [1]);
    assert.deepEqual(await claim(B, T0 + 10), []);
    assert.equal(await hasDueJob(db, { tipo: TIPO, now: T0 + 10 }), false);
    assert.equal((await row(2)).tomado_por, formatOwner(A));
    assert.equal((await row(2)).tomado_ate, T0 + 10 + LEASE_MS);
  });

  it('lets only the holder end, put back or prolong a job', async () => {
    await addJob(1);
    await claim(A);
    const other = { id: 1, owner: B };
    assert.equal(await finishJob(db, other), false);
    assert.equal(await abandonJob(db, { ...other, erro: 'x' }), false);
    assert.equal(await retryJob(db, { ...other, now: T0, tentativas: 1, erro: 'x' }), false);
    assert.deepEqual(await renewLeases(db, { ids: [1], owner: B, now: T0 }), []);
    assert.deepEqual(await renewLeases(db, { ids: [1], owner: A, now: T0 + 9 }), [1]);
    assert.equal((await row(1)).tomado_ate, T0 + 9 + LEASE_MS);
    assert.equal(await finishJob(db, { id: 1, owner: A }), true);
    assert.equal((await row(1)).estado, 'feito');
    assert.equal(await finishJob(db, { id: 1, owner: A }), false, 'once');
  });

  it('waits longer after each failure and counts the tries', async () => {
    await addJob(1);
    let now = T0;
    for (const waitMs of BACKOFF_MS) {
      assert.deepEqual(await claim(A, now), [1]);
      const { tentativas } = await row(1);
      await retryJob(db, { id: 1, owner: A, now, tentativas, erro: 'falhou' });
      assert.deepEqual(await claim(A, now + waitMs - 1), []);
      now += waitMs;
    }
    assert.deepEqual(await claimed(A, now), [{ id: 1, tentativas: MAX_FAILURES }]);
  });

  it('does not count a try that was put back because the process stops', async () => {
    await addJob(1);
    await claim(A);
    await returnJob(db, { id: 1, owner: A, dueAt: T0, tentativas: 1 });
    assert.deepEqual(await claimed(B), [{ id: 1, tentativas: 1 }]);
  });

  it('takes a dead process’s jobs over at once, without counting the interrupted try', async () => {
    await addJob(1);
    await claim(A);
    assert.equal(await takeOverJobs(db, { owner: B, now: T0 + 1, isAlive: allLive }), 0, 'A lives');
    assert.equal(await takeOverJobs(db, { owner: B, now: T0 + 1, isAlive: nobodyLives }), 1);
    const freed = await row(1);
    assert.equal(freed.estado, 'pronto');
    assert.equal(freed.tentativas, 0);
    assert.deepEqual(await claim(B, T0 + 1), [1]);
  });

  it('takes a silent holder’s jobs over when their lease has lapsed, and not before', async () => {
    await addJob(1);
    await claim(owner({ host: 'outra' }));
    assert.equal(await takeOverJobs(db, { owner: B, now: T0 + LEASE_MS, isAlive: nobodyLives }), 0);
    assert.equal(await takeOverJobs(db, { owner: B, now: T0 + LEASE_MS + 1, isAlive: allLive }), 1);
  });

  it('leaves its own running jobs alone even when their lease has lapsed', async () => {
    await addJob(1);
    await claim(A);
    const late = T0 + 2 * LEASE_MS;
    assert.equal(await takeOverJobs(db, { owner: A, now: late, mine: new Set([1]), isAlive: allLive }), 0);
    assert.equal(await takeOverJobs(db, { owner: A, now: late, isAlive: allLive }), 1);
  });

  it('counts the try of a thread that died over its job', async () => {
    await addJob(1);
    const next = owner({ threadRun: 'thread-9' });
    for (let time = 1; time <= MAX_FAILURES; time++) {
      await claim(owner({ threadRun: `thread-${time}` }));
      await takeOverJobs(db, { owner: next, now: T0, isAlive: allLive });
    }
    const [again] = await claimed(next);
    assert.equal(again?.tentativas, MAX_FAILURES + 1, 'to be given up unread');
  });

  it('lets the others go first when a job was interrupted again and again', async () => {
    await addJob(1);
    for (let time = 1; time <= 4; time++) {
      await claimed(A);
      await takeOverJobs(db, { owner: B, now: T0, isAlive: nobodyLives });
      assert.equal(await hasDueJob(db, { tipo: TIPO, now: T0 }), time < 4, `interruption ${time}`);
    }
    assert.equal(await hasDueJob(db, { tipo: TIPO, now: T0 + 300 }), true);
  });

  it('suspects a job that was interrupted a hundred times in a row without progress', async () => {
    await addJob(1);
    const later = T0 + 3_000;
    for (let time = 1; time <= MAX_INTERRUPTIONS; time++) {
      const [job] = await claimed(A, later);
      assert.equal(job?.tentativas, 1, `interruption ${time}`);
      await takeOverJobs(db, { owner: B, now: T0, isAlive: nobodyLives });
    }
    const [job] = await claimed(A, later);
    assert.equal(job?.tentativas, MAX_FAILURES + 1);
  });
});

describe('the holder of a lease', () => {
  it('is written and read back', () => {
    assert.deepEqual(parseOwner(formatOwner(A)), A);
    assert.equal(parseOwner('somebody'), null);
    assert.equal(ownerHere({ processRun: 'p', threadRun: 't' }).pid, process.pid);
  });

  it('has a fate that depends on host, process and thread', () => {
    const self = owner({ pid: 100, processRun: 'run-9', threadRun: 'thread-9' });
    const fate = (changes: Partial<Owner>, isAlive = allLive) =>
      fateOf(formatOwner(owner(changes)), self, isAlive);
    assert.equal(fate({ host: 'outra' }, nobodyLives), 'unknown');
    assert.equal(fate({ pid: 7 }), 'unknown');
    assert.equal(fate({ pid: 7 }, nobodyLives), 'process_died');
    assert.equal(fate({ pid: 100 }), 'process_died', 'its pid is ours now, as in a restarted container');
    assert.equal(fate({ processRun: 'run-9', threadRun: 'thread-1' }), 'thread_died');
    assert.equal(fate({ processRun: 'run-9', threadRun: 'thread-9' }), 'unknown', 'that is us');
    assert.equal(fateOf(null, self), 'unknown');
    const here = { host: 'maquina', pid: process.pid, processRun: 'x', threadRun: 'y' };
    assert.equal(fateOf(formatOwner(here), self), 'unknown', 'this test process lives');
  });
});
