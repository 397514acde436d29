import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Tabelas } from '../../banco/tabelas.ts';
import { abrirCofre, type Cofre, EMITENTE, nota, TERCEIRO } from '../../documentos/cofre-testing.ts';
import type { Database } from '../../platform/db/connect.ts';
import { abandonJob, addJob, claimJobs } from '../../platform/jobs/queue.ts';
import { Novidades } from './novidades.ts';

const MOST = 3;
let cofre: Cofre;
let novidades: Novidades;
let agora: number;
let statements: number;
beforeEach(async () => {
  cofre = await abrirCofre();
  agora = 0;
  novidades = new Novidades({ db: cofre.db }, { most: MOST, monotonicMs: () => agora });
});
afterEach(() => cofre.db.close());

/** Rows of SQLite have no prototype. */
const told = async () => (await novidades.take())?.map((feed) => ({ ...feed })) ?? null;

/** A second later. */
const next = () => {
  agora += 1_000;
  return told();
};

describe('feeds with new entries', () => {
  test('are told once, after nothing has come for a while; what was there before is nothing new', async () => {
    const clienteId = await cofre.registrar(EMITENTE);
    await cofre.gravar(nota({ numero: 1 }));
    assert.equal(await next(), null);
    assert.deepEqual(await next(), []);
    await cofre.gravar(nota({ numero: 2 }));
    assert.equal(await next(), null);
    await cofre.gravar(nota({ numero: 3 }));
    assert.equal(await next(), null);
    assert.deepEqual(await next(), [{ clienteId, quantos: 2 }]);
    assert.deepEqual(await next(), []);
  });

  test('are looked at no more often than once a second', async () => {
    await next();
    agora += 999;
    assert.equal(await novidades.take(), null);
    agora += 1;
    assert.deepEqual(await novidades.take(), []);
  });

  test('are told of with their newest entries, however many have come', async () => {
    const clienteId = await cofre.registrar(EMITENTE);
    const outro = await cofre.registrar(TERCEIRO);
    await next();
    for (const numero of [1, 2, 3, 4]) await cofre.gravar(nota({ numero }));
    await cofre.gravar(nota({ numero: 5, emitente: TERCEIRO }));
    assert.equal(await next(), null);
    const news = await next();
    assert.equal(
      news?.reduce((sum, { quantos }) => sum + quantos, 0),
      MOST,
    );
    assert.equal(news?.find((feed) => feed.clienteId === outro)?.quantos, 1);
    assert.equal(news?.find((feed) => feed.clienteId === clienteId)?.quantos, 2);
  });

  test('tell that an import goes on, and take it up again once it has ended', async () => {
    const clienteId = await cofre.registrar(EMITENTE);
    await next();
    await cofre.gravar(nota({ numero: 1 }));
    assert.equal(await novidades.goesOn(), true);
    assert.equal(await novidades.goesOn(), false);
    assert.deepEqual(await next(), [{ clienteId, quantos: 1 }]);
  });

  test('wait for a file that is about to be imported, though nothing of it has come yet', async () => {
    const clienteId = await cofre.registrar(EMITENTE);
    await next();
    await cofre.gravar(nota({ numero: 1 }));
    assert.equal(await next(), null);
    const owner = { processRun: 'p', threadRun: 't', pid: 1, host: 'h' };
    const { contadorId } = cofre;
    const espera = { status: 'Em Processamento', expira_em: 0, kid: 'k' } as const;
    const arquivo = {
      id: 'a',
      contador_id: contadorId,
      extensao: '.xml',
      tamanho_anunciado: 1,
      criado_em: 0,
    };
    await cofre.db.write
      .insertInto('arquivo')
      .values({ ...arquivo, ...espera })
      .execute();
    await addJob(cofre.db.write, { tipo: 'importar', contadorId, arquivoId: 'a', pesoBytes: 1, now: 0 });
    assert.equal(await next(), null);
    assert.equal(await novidades.goesOn(), true);
    const claim = {
      tipo: 'importar',
      owner,
      now: 1,
      limit: 1,
      mine: new Set<number>(),
      roomBytes: 10,
      inWork: 'nothing' as const,
    };
    const [taken] = await cofre.db.write.transaction().execute((trx) => claimJobs(trx, claim));
    assert.ok(taken);
    assert.equal(await next(), null);
    await cofre.db.write.transaction().execute((trx) => abandonJob(trx, { id: taken.id, owner, erro: 'x' }));
    assert.equal(await novidades.goesOn(), false);
    assert.deepEqual(await next(), [{ clienteId, quantos: 1 }]);
  });

  test('cost no statement while nothing was committed', async () => {
    let commits = 1;
    statements = 0;
    const db = {
      ...cofre.db,
      commits: () => commits,
      get read() {
        statements += 1;
        return cofre.db.read;
      },
    } as unknown as Database<Tabelas>;
    novidades = new Novidades({ db }, { most: MOST, monotonicMs: () => agora });
    for (let at = 0; at < 5; at++) await next();
    assert.equal(statements, 1);
    commits += 1;
    await next();
    assert.equal(statements, 2);
  });
});
