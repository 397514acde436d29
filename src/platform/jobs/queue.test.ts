import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Kysely, SqliteQueryCompiler, sql } from 'kysely';
import { type BancoAberto, openBanco } from '../../../test/support/bancos.ts';
import type { Database } from '../db/connect.ts';
import { fateOf, formatOwner, machineHere, type Owner, ownerHere, parseOwner } from './owner.ts';
import {
  abandonJob,
  addJob,
  BACKOFF_MS,
  type ClaimInput,
  claimJobs,
  countOpenJobs,
  finishJob,
  hasDueJob,
  type JobDb,
  LIGHT_BYTES,
  MAX_FAILURES,
  retryJob,
  returnJob,
} from './queue.ts';
import { LEASE_MS, LeaseWatch, MAX_INTERRUPTIONS, renewLeases, takeOverJobs } from './takeover.ts';

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
  batida: number;
  vez: number;
  erro: string | null;
}

describe('job queue', () => {
  let banco: BancoAberto;
  let database: Database<Record<'job' | 'arquivo' | 'contador', Record<string, string | number | null>>>;
  let db: JobDb;
  /** Milliseconds of the clock that watches leases. */
  let monotonic = 0;
  const newWatch = () => new LeaseWatch(() => monotonic);
  before(async () => {
    banco = await openBanco();
    database = banco.db as unknown as typeof database;
    db = database.write as unknown as JobDb;
    // The tests give ids themselves; those that the engine gives lie elsewhere.
    if (database.engine === 'postgres')
      await sql`alter table job alter column id restart with 1000000`.execute(database.write);
  });
  after(async () => {
    await banco.close();
  });
  beforeEach(async () => {
    for (const table of ['job', 'arquivo', 'contador'] as const)
      await database.write.deleteFrom(table).execute();
    monotonic = 0;
    for (const id of [1, 2, 3]) {
      const contador = { id, codigo_crm: `00000${id}`, nome: 'n', email: 'e', criado_em: T0 };
      await database.write.insertInto('contador').values(contador).execute();
    }
  });

  const arquivoDe = (name: string, contadorId: number) => ({
    id: name,
    contador_id: contadorId,
    extensao: 'xml',
    tamanho_anunciado: 1,
    status: 's',
    criado_em: T0,
    expira_em: T0,
    kid: 'k',
  });
  /** A job of an office in line, under an id that the test chooses. */
  async function add(id: number, contadorId = 1, pesoBytes = 0): Promise<void> {
    const arquivoId = `f${id}`;
    await database.write.insertInto('arquivo').values(arquivoDe(arquivoId, contadorId)).execute();
    await addJob(db, { tipo: TIPO, arquivoId, contadorId, pesoBytes, now: T0 });
    await database.write.updateTable('job').set({ id }).where('arquivo_id', '=', arquivoId).execute();
  }
  const row = (id: number): Promise<Row> =>
    database.read
      .selectFrom('job')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow() as Promise<unknown> as Promise<Row>;
  const ROOM = { tipo: TIPO, roomBytes: 1_000_000, inWork: 'nothing' } as const;
  /** As plain objects: rows of SQLite have no prototype. */
  const claimed = async (by: Owner, now = T0) =>
    (await claimJobs(db, { ...ROOM, owner: by, now, limit: 1 })).map((job) => ({ ...job }));
  const claim = async (by: Owner, now = T0, limit = 10) =>
    (await claimJobs(db, { ...ROOM, owner: by, now, limit })).map((job) => job.id).sort((a, b) => a - b);
  const takeOver = (
    by: Owner,
    options: { now?: number; isAlive?: () => boolean; watch?: LeaseWatch; mine?: Set<number> } = {},
  ) => takeOverJobs(db, { owner: by, now: T0, watch: newWatch(), isAlive: allLive, ...options });

  it('gives the jobs of an office out oldest first, each to one holder only', async () => {
    for (const id of [5, 3, 4]) await add(id);
    assert.equal(await hasDueJob(db, { tipo: TIPO, now: T0 }), true);
    assert.deepEqual(await claim(A, T0, 1), [5]);
    assert.deepEqual(await claim(B, T0, 1), [3]);
    assert.deepEqual(await claim(B), [4]);
    assert.deepEqual(await claim(B), []);
    assert.equal(await hasDueJob(db, { tipo: TIPO, now: T0 }), false);
    assert.equal((await row(5)).tomado_por, formatOwner(A));
  });

  it('lets offices take turns, however many files one of them has sent', async () => {
    for (let id = 1; id <= 6; id++) await add(id, 1);
    await add(7, 2);
    await add(8, 2);
    await add(9, 3);
    assert.deepEqual(await claim(A, T0, 3), [1, 7, 9], 'the first of each office');
    assert.deepEqual(await claim(A, T0, 2), [2, 8]);
    await add(10, 3);
    assert.deepEqual(await claim(A, T0, 1), [10], 'who comes now is not behind what waits');
    assert.deepEqual(await claim(A, T0, 10), [3, 4, 5, 6]);
  });

  it('does not let an office that has caught up go before the others for ever', async () => {
    for (let id = 1; id <= 20; id++) await add(id, 1);
    await claim(A, T0, 10);
    for (let id = 101; id <= 110; id++) await add(id, 2);
    const order: number[] = [];
    for (let turn = 0; turn < 10; turn++) order.push(...(await claim(A, T0, 1)));
    const ofSecond = order.filter((id) => id > 100).length;
    assert.ok(ofSecond >= 5 && ofSecond <= 6, `half of the places: ${order}`);
  });

  it('starts the file of an office among the next ones although 10,000 of another wait', async () => {
    await fill(10_000);
    await add(20_000, 2);
    assert.deepEqual(await claim(A, T0, 2), [1, 20_000]);
    const texts: string[] = [];
    await claimJobs(watched(db, texts), { ...ROOM, owner: A, now: T0, limit: 5 });
    await addJob(watched(db, texts), {
      tipo: TIPO,
      arquivoId: 'f20000b',
      contadorId: 2,
      pesoBytes: 0,
      now: T0,
    }).catch(() => {});
    await hasDueJob(watched(db, texts), { tipo: TIPO, now: T0 });
    await countOpenJobs(watched(db, texts), { upTo: 5 });
    await countOpenJobs(watched(db, texts), { upTo: 5, contadorId: 1 });
    // What PostgreSQL does depends on statistics; the indexes are the same.
    if (database.engine === 'postgres') return;
    for (const plan of await plansOf(texts)) {
      assert.doesNotMatch(plan, /SCAN job(?! USING (COVERING )?INDEX)|TEMP B-TREE/, plan);
    }
  });

  it('counts open jobs no further than it is asked to', async () => {
    await fill(50);
    await add(60, 2);
    await claim(A, T0, 3);
    assert.equal(await countOpenJobs(db, { upTo: 1_000 }), 51);
    assert.equal(await countOpenJobs(db, { upTo: 20 }), 20);
    assert.equal(await countOpenJobs(db, { upTo: 1_000, contadorId: 2 }), 1);
  });

  const MB = 1_000_000;
  const HEAVY = 7 * LIGHT_BYTES;
  const claimBeside = async (inWork: ClaimInput['inWork'], changes: Partial<ClaimInput> = {}) => {
    const jobs = await claimJobs(db, { ...ROOM, owner: A, now: T0, limit: 9, inWork, ...changes });
    return jobs.map(({ id }) => id).sort((a, b) => a - b);
  };

  it('takes no more bytes than there is room for, and lets no heavy job overtake a heavier one', async () => {
    await add(1, 1, HEAVY - 1);
    await add(2, 1, HEAVY);
    await add(3, 1, LIGHT_BYTES + 1);
    assert.deepEqual(await claim(A), [1], 'the second does not fit');
    assert.deepEqual(await claimBeside('heavy', { roomBytes: HEAVY - 1 }), []);
    assert.deepEqual(await claimBeside('nothing', { roomBytes: 0, limit: 1 }), [2], 'alone it may');
  });

  it('lets light jobs pass heavy ones that wait for their room, wherever they stand', async () => {
    for (let id = 1; id <= 12; id++) await add(id, 1, 20 * MB);
    await add(13, 1, LIGHT_BYTES);
    await add(14, 2, LIGHT_BYTES + 1);
    await add(15, 2, 1);
    assert.deepEqual(await claimBeside('nothing'), [1, 13, 15]);
    await add(16, 3, 1);
    await add(17, 3, 1);
    assert.deepEqual(
      await claimBeside('heavy', { roomBytes: 0, limit: 1 }),
      [16],
      'no more than are asked for',
    );
    assert.deepEqual(await claimBeside('heavy', { roomBytes: 0, mine: new Set([17]) }), []);
  });

  it('keeps places and room for offices that have nothing in work', async () => {
    for (let id = 1; id <= 8; id++) await add(id, 1, 1);
    const shares = (inWork: number, newRoomBytes = 0) => ({
      jobsOf: (contadorId: number) => (contadorId === 1 ? inWork : 0),
      hasHeavy: (contadorId: number) => contadorId === 1,
      newRoomBytes,
    });
    assert.deepEqual(await claimBeside('nothing', { limit: 6, shares: shares(0) }), [1, 2, 3]);
    await add(9, 2, 1);
    assert.deepEqual(
      await claimBeside('light', { limit: 3, shares: shares(3) }),
      [9],
      'one office has half of it',
    );
    await add(10, 1, 3 * MB);
    await add(11, 3, 3 * MB);
    await add(12, 3, 3 * MB);
    const beside = { limit: 3, roomBytes: 0, shares: shares(3, 5 * MB) };
    assert.deepEqual(await claimBeside('heavy', beside), [11], 'and no more than there is room for');
    assert.deepEqual(await claimBeside('heavy', { ...beside, shares: shares(3, 0) }), []);
  });

  it('starts a heavy job beside light ones, which take none of its room', async () => {
    await add(1, 1, 1);
    await add(2, 1, 20 * MB);
    await add(3, 1, LIGHT_BYTES);
    await add(4, 1, 20 * MB);
    assert.deepEqual(await claimBeside('light'), [1, 2, 3]);
  });

  it('finds the light jobs behind ten thousand heavy ones by an index', async () => {
    await fill(10_000);
    await database.write.updateTable('job').set({ peso: MB }).execute();
    await add(20_000, 1, 1);
    const texts: string[] = [];
    const beside = { ...ROOM, owner: A, now: T0, limit: 5, roomBytes: 0, inWork: 'heavy' } as const;
    const [light] = await claimJobs(watched(db, texts), beside);
    assert.equal(light?.id, 20_000);
    // What PostgreSQL does depends on statistics; the index is the same.
    if (database.engine === 'postgres') return;
    const plans = await plansOf(texts);
    assert.equal(plans.filter((plan) => /SCAN job USING (COVERING )?INDEX job_leve/.test(plan)).length, 1);
    for (const plan of plans) assert.doesNotMatch(plan, /TEMP B-TREE/, plan);
  });

  it('never gives a holder a second time what it still has in work', async () => {
    await add(1);
    const again = { ...ROOM, owner: A, now: T0, limit: 9, mine: new Set([1]) };
    assert.deepEqual(await claimJobs(db, again), []);
    assert.deepEqual(await claim(B), [1]);
  });

  it('lets only the holder end, put back or prolong a job', async () => {
    await add(1);
    await claim(A);
    const other = { id: 1, owner: B };
    assert.equal(await finishJob(db, other), false);
    assert.equal(await abandonJob(db, { ...other, erro: 'x' }), false);
    assert.equal(await retryJob(db, { ...other, now: T0, tentativas: 1, erro: 'x' }), false);
    assert.deepEqual(await renewLeases(db, { ids: [1], owner: B }), []);
    const { batida } = await row(1);
    assert.deepEqual(await renewLeases(db, { ids: [1], owner: A }), [1]);
    assert.equal((await row(1)).batida, batida + 1);
    assert.equal(await finishJob(db, { id: 1, owner: A }), true);
    assert.equal((await row(1)).estado, 'feito');
    assert.equal(await finishJob(db, { id: 1, owner: A }), false, 'once');
  });

  it('waits longer after each failure and counts the tries', async () => {
    await add(1);
    let now = T0;
    for (const waitMs of BACKOFF_MS) {
      assert.deepEqual(await claim(A, now), [1]);
      const { tentativas } = await row(1);
      await retryJob(db, { id: 1, owner: A, now, tentativas, erro: 'falhou' });
      assert.equal(await hasDueJob(db, { tipo: TIPO, now: now + waitMs - 1 }), false);
      assert.deepEqual(await claim(A, now + waitMs - 1), []);
      now += waitMs;
      assert.equal(await hasDueJob(db, { tipo: TIPO, now }), true);
    }
    assert.deepEqual(await claimed(A, now), [{ id: 1, tentativas: MAX_FAILURES }]);
  });

  it('is not held up by a due time that a clock two hours ahead wrote', async () => {
    await add(1);
    const ahead = T0 + 7_200_000;
    await claim(A, ahead);
    await retryJob(db, { id: 1, owner: A, now: ahead, tentativas: 1, erro: 'falhou' });
    assert.equal(await hasDueJob(db, { tipo: TIPO, now: T0 }), true);
    assert.deepEqual(await claim(B, T0), [1]);
  });

  it('does not count a try that was put back because the process stops', async () => {
    await add(1);
    await claim(A);
    await returnJob(db, { id: 1, owner: A, now: T0, waitMs: 0, tentativas: 1 });
    assert.deepEqual(await claimed(B), [{ id: 1, tentativas: 1 }]);
  });

  it('takes a dead process’s jobs over at once, without counting the interrupted try', async () => {
    await add(1);
    await claim(A);
    assert.equal(await takeOver(B), 0, 'A lives');
    assert.equal(await takeOver(B, { isAlive: nobodyLives }), 1);
    const freed = await row(1);
    assert.equal(freed.estado, 'pronto');
    assert.equal(freed.tentativas, 0);
    assert.deepEqual(await claim(B, T0 + 1), [1]);
  });

  it('takes a silent holder’s jobs over when they have stood still for the whole lease, and not before', async () => {
    await add(1);
    await claim(owner({ host: 'outra' }));
    const watch = newWatch();
    assert.equal(await takeOver(B, { watch, isAlive: nobodyLives }), 0, 'first seen');
    monotonic += LEASE_MS - 1;
    assert.equal(await takeOver(B, { watch }), 0);
    await renewLeases(db, { ids: [1], owner: owner({ host: 'outra' }) });
    monotonic += 1;
    assert.equal(await takeOver(B, { watch }), 0, 'a sign of life');
    monotonic += LEASE_MS;
    assert.equal(await takeOver(B, { watch }), 1);
  });

  it('looks at no clock of a host: two hours more or less neither steal a job nor hold it', async () => {
    for (const skew of [7_200_000, -7_200_000]) {
      await database.write.deleteFrom('job').execute();
      await database.write.deleteFrom('arquivo').execute();
      await add(1);
      const far = owner({ host: 'outra' });
      await claim(far, T0 + skew);
      const watch = newWatch();
      assert.equal(await takeOver(B, { watch, now: T0 }), 0);
      assert.equal(await takeOver(B, { watch, now: T0 - skew }), 0, 'ours jumps');
      monotonic += LEASE_MS;
      assert.equal(await takeOver(B, { watch, now: T0 }), 1);
      assert.deepEqual(await claim(B, T0), [1]);
    }
  });

  it('leaves its own running jobs alone even when their lease has lapsed', async () => {
    await add(1);
    await claim(A);
    const watch = newWatch();
    await takeOver(A, { watch });
    monotonic += 2 * LEASE_MS;
    assert.equal(await takeOver(A, { watch, mine: new Set([1]) }), 0);
    assert.equal(await takeOver(A, { watch }), 1);
  });

  it('counts the try of a thread that died over its job', async () => {
    await add(1);
    const next = owner({ threadRun: 'thread-9' });
    for (let time = 1; time <= MAX_FAILURES; time++) {
      await claim(owner({ threadRun: `thread-${time}` }));
      await takeOver(next);
    }
    const [again] = await claimed(next);
    assert.equal(again?.tentativas, MAX_FAILURES + 1, 'to be given up unread');
  });

  it('tries jobs that were in work when a thread died one by one, so that the next death finds the one to blame', async () => {
    for (const id of [1, 2, 3]) await add(id);
    assert.deepEqual(await claim(A), [1, 2, 3]);
    await add(4);
    const next = owner({ threadRun: 'thread-2' });
    await takeOver(next);
    const beside = { ...ROOM, owner: next, now: T0, limit: 9, inWork: 'heavy' } as const;
    assert.deepEqual(
      await claimJobs(db, beside),
      [],
      'it waits until nothing else runs, and who is light does not pass',
    );
    for (const id of [1, 2, 3]) {
      assert.deepEqual(await claim(next), [id], 'alone');
      assert.equal(await finishJob(db, { id, owner: next }), true);
    }
    assert.deepEqual(await claim(next), [4]);
  });

  it('lets the others go first when a job was interrupted again and again', async () => {
    await add(1);
    for (let time = 1; time <= 4; time++) {
      await claimed(A);
      await takeOver(B, { isAlive: nobodyLives });
      assert.equal(await hasDueJob(db, { tipo: TIPO, now: T0 }), time < 4, `interruption ${time}`);
    }
    assert.equal(await hasDueJob(db, { tipo: TIPO, now: T0 + 300 }), true);
  });

  it('suspects a job that was interrupted some hundred times in a row without progress', async () => {
    await add(1);
    const later = T0 + 20_000;
    for (let time = 1; time <= MAX_INTERRUPTIONS; time++) {
      const [job] = await claimed(A, later);
      assert.equal(job?.tentativas, 1, `interruption ${time}`);
      await takeOver(B, { isAlive: nobodyLives });
    }
    const [job] = await claimed(A, later);
    assert.equal(job?.tentativas, MAX_FAILURES + 1);
  });

  /** Jobs 1…n of the first office, as if they had come one after the other. */
  async function fill(jobs: number): Promise<void> {
    const numbers = Array.from({ length: jobs }, (_, index) => index + 1);
    for (let at = 0; at < jobs; at += 1_000) {
      const some = numbers.slice(at, at + 1_000);
      const common = { tipo: TIPO, contador_id: 1, estado: 'pronto', disponivel_em: T0 };
      await database.write
        .insertInto('arquivo')
        .values(some.map((id) => arquivoDe(`f${id}`, 1)))
        .execute();
      await database.write
        .insertInto('job')
        .values(some.map((id) => ({ ...common, id, arquivo_id: `f${id}`, vez: id - 1 })))
        .execute();
    }
  }

  async function plansOf(texts: readonly string[]): Promise<string[]> {
    const plans: string[] = [];
    for (const text of texts) {
      const { rows } = await sql
        .raw<{ detail: string }>(
          `explain query plan ${text.replaceAll('?', '1').replace(' for update skip locked', '')}`,
        )
        .execute(database.write);
      plans.push(`${text}\n${rows.map(({ detail }) => detail).join('\n')}`);
    }
    return plans;
  }
});

/** The same database, noting every text that goes there. */
function watched(db: JobDb, texts: string[]): JobDb {
  return (db as unknown as Kysely<unknown>).withPlugin({
    transformQuery: ({ node }) => {
      texts.push(new SqliteQueryCompiler().compileQuery(node, { queryId: '' }).sql);
      return node;
    },
    transformResult: async ({ result }) => result,
  }) as unknown as JobDb;
}

describe('the holder of a lease', () => {
  it('is written and read back', () => {
    assert.deepEqual(parseOwner(formatOwner(A)), A);
    assert.equal(parseOwner('somebody'), null);
    assert.equal(ownerHere({ processRun: 'p', threadRun: 't' }).pid, process.pid);
    assert.equal(ownerHere({ processRun: 'p', threadRun: 't' }).host, machineHere());
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
    const here = { host: self.host, pid: process.pid, processRun: 'x', threadRun: 'y' };
    assert.equal(fateOf(formatOwner(here), self), 'unknown', 'this test process lives');
  });
});
