/**
 * The queue on PostgreSQL, with several who claim at once: what SQLite's one writer gives for nothing. The rules
 * themselves are tested in `src/platform/jobs/queue.test.ts`.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { CompiledQuery } from 'kysely';
import type { Tabelas } from '../src/banco/tabelas.ts';
import { updateProgress } from '../src/importacao/queries.ts';
import { expireLapsed } from '../src/importacao/status.ts';
import { connectPostgres, type Database } from '../src/platform/db/connect.ts';
import { formatOwner, type Owner } from '../src/platform/jobs/owner.ts';
import { addJob, claimJobs, countOpenJobs, finishJob, hasDueJob } from '../src/platform/jobs/queue.ts';
import { LeaseWatch, renewLeases, takeOverJobs } from '../src/platform/jobs/takeover.ts';
import { type BancoDePostgres, createBanco, semPostgres } from './support/postgres/banco.ts';

const motivo = await semPostgres();
const T0 = 1_780_000_000_000;
const TIPO = 'importar';
const MUITOS = 10_000;

const owner = (name: string): Owner => ({
  host: name,
  pid: 1,
  processRun: `p-${name}`,
  threadRun: `t-${name}`,
});

describe('the queue on PostgreSQL', { skip: motivo ?? false }, () => {
  let banco: BancoDePostgres;
  let db: Database<Tabelas>;
  let other: Database<Tabelas>;
  before(async () => {
    banco = await createBanco();
    db = connectPostgres<Tabelas>({ url: banco.url, connections: 8 });
    other = connectPostgres<Tabelas>({ url: banco.url, connections: 8 });
  });
  after(async () => {
    await db?.close();
    await other?.close();
    await banco?.drop();
  });
  beforeEach(async () => {
    for (const table of ['job', 'arquivo', 'contador'] as const) await db.write.deleteFrom(table).execute();
    for (const id of [1, 2]) {
      const contador = { id, codigo_crm: `00000${id}`, nome: 'n', email: 'e', criado_em: T0 };
      await db.write.insertInto('contador').values(contador).execute();
    }
  });

  const run = (text: string) => db.write.executeQuery(CompiledQuery.raw(text));
  /** As if so many files of the first office had come one after the other. */
  async function fill(jobs: number): Promise<void> {
    await run(
      `insert into arquivo (id, contador_id, extensao, tamanho_anunciado, status, criado_em, expira_em, kid)
       select 'f' || n, 1, 'xml', 1, 's', ${T0}, ${T0}, 'k' from generate_series(1, ${jobs}) as n`,
    );
    await run(
      `insert into job (tipo, arquivo_id, contador_id, estado, disponivel_em, vez, peso)
       select '${TIPO}', 'f' || n, 1, 'pronto', ${T0}, n - 1, 1 from generate_series(1, ${jobs}) as n`,
    );
    await run('analyze job');
  }
  async function add(name: string, contadorId: number): Promise<void> {
    const arquivo = { id: name, contador_id: contadorId, extensao: 'xml', tamanho_anunciado: 1, status: 's' };
    await db.write
      .insertInto('arquivo')
      .values({ ...arquivo, criado_em: T0, expira_em: T0, kid: 'k' })
      .execute();
    await addJob(db.write, { tipo: TIPO, arquivoId: name, contadorId, pesoBytes: 1, now: T0 });
  }
  const claim = (from: Database<Tabelas>, by: Owner, limit: number) =>
    from.write
      .transaction()
      .execute((trx) =>
        claimJobs(trx, { tipo: TIPO, owner: by, now: T0, limit, roomBytes: 1e9, inWork: 'nothing' }),
      );
  const arquivosDe = async (ids: readonly number[]) => {
    const rows = await db.read.selectFrom('job').select('arquivo_id').where('id', 'in', ids).execute();
    return rows.map(({ arquivo_id }) => arquivo_id);
  };

  it('gives each job to one holder only, however many claim at once', async () => {
    await fill(400);
    const claims = await Promise.all(
      Array.from({ length: 40 }, (_, n) => claim(n % 2 ? db : other, owner(`h${n}`), 10)),
    );
    const ids = claims.flat().map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, 'none twice');
    assert.equal(ids.length, 400, 'nobody is held up by the rows of another');
  });

  it(`starts the file of an office among the next ones although ${MUITOS} of another wait`, async () => {
    await fill(MUITOS);
    await claim(db, owner('a'), 32);
    await add('b1', 2);
    const [next] = await claim(other, owner('b'), 1);
    assert.deepEqual(await arquivosDe([next?.id ?? 0]), ['b1']);
  });

  it('costs the same whether ten or ten thousand wait: ends of indexes, no sort', async () => {
    await fill(MUITOS);
    const claimPlan = await plan(
      `select id, peso from job where estado = 'pronto' and adiado = 0 and tipo = '${TIPO}' order by vez, id limit 32 for update skip locked`,
    );
    assert.match(claimPlan, /Index Scan using job_na_vez/);
    assert.doesNotMatch(claimPlan, /Sort|Seq Scan/);
    const last = await plan(
      "select max(vez) from job where contador_id = 1 and estado in ('pronto', 'em_execucao')",
    );
    assert.match(last, /Index Only Scan Backward using job_do_contador/);
    assert.equal(await countOpenJobs(db.read, { upTo: 500 }), 500);
    assert.equal(await hasDueJob(db.read, { tipo: TIPO, now: T0 }), true);
  });

  async function plan(text: string): Promise<string> {
    const { rows } = await run(`explain ${text}`);
    return rows.map((row) => Object.values(row as object)[0]).join('\n');
  }

  it('does not end the tickets of others because one host’s clock is two hours ahead', async () => {
    const seconds = Math.floor(Date.now() / 1000);
    const ticket = (id: string, expira_em: number) => ({
      id,
      contador_id: 1,
      extensao: 'xml',
      tamanho_anunciado: 1,
      status: 'Aguardando Upload',
      criado_em: T0,
      expira_em,
      kid: 'k',
    });
    await db.write
      .insertInto('arquivo')
      .values([ticket('vivo', seconds + 60), ticket('vencido', seconds - 600)])
      .execute();
    const ahead = { now: () => Date.now() + 7_200_000 };
    assert.equal(await expireLapsed({ db, clock: ahead }), 1);
    const behind = { now: () => Date.now() - 7_200_000 };
    assert.equal(await expireLapsed({ db, clock: behind }), 0);
    const row = await db.read
      .selectFrom('arquivo')
      .select('status')
      .where('id', '=', 'vivo')
      .executeTakeFirst();
    assert.equal(row?.status, 'Aguardando Upload');
  });

  it('lets a silent holder of another host be followed by exactly one of two who watch', async () => {
    await fill(1);
    const far = owner('longe');
    const [job] = await claim(db, far, 1);
    let monotonic = 0;
    const watches = [new LeaseWatch(() => monotonic), new LeaseWatch(() => monotonic)] as const;
    const look = () =>
      Promise.all([
        takeOverJobs(db.write, { owner: owner('x'), now: T0 + 7_200_000, watch: watches[0] }),
        takeOverJobs(other.write, { owner: owner('y'), now: T0 - 7_200_000, watch: watches[1] }),
      ]);
    assert.deepEqual(await look(), [0, 0]);
    monotonic += 20_000;
    assert.deepEqual((await look()).sort(), [0, 1]);
    assert.deepEqual(await renewLeases(db.write, { ids: [job?.id ?? 0], owner: far }), []);
    const [again] = await claim(other, owner('y'), 1);
    assert.equal(again?.id, job?.id);
    assert.equal(
      await finishJob(db.write, { id: job?.id ?? 0, owner: far }),
      false,
      'the old holder is late',
    );
    assert.equal(await finishJob(db.write, { id: job?.id ?? 0, owner: owner('y') }), true);
  });

  it('takes what a commit is being made of for a sign of life, and lets the others of its holder give theirs', async () => {
    await fill(2);
    const holder = owner('lento');
    const [first, second] = (await claim(db, holder, 2)).map(({ id }) => id).sort((a, b) => a - b);
    assert.ok(first !== undefined && second !== undefined);
    const before = await batidas();
    const tomadoPor = formatOwner(holder);
    await db.write.transaction().execute(async (trx) => {
      await updateProgress(trx, { jobId: first, tomadoPor, entradasProntas: 1, itensProntos: 1 });
      assert.deepEqual((await renewLeases(other.write, { ids: [first, second], owner: holder })).sort(), [
        first,
        second,
      ]);
      assert.deepEqual(await batidas(), [before[0], Number(before[1]) + 1]);
    });
    assert.deepEqual(
      await batidas(),
      before.map((batida) => batida + 1),
    );
  });

  async function batidas(): Promise<number[]> {
    const rows = await other.read.selectFrom('job').select('batida').orderBy('id').execute();
    return rows.map(({ batida }) => batida);
  }
});
