/** What becomes of the bytes of uploads that are done, where making their recipe takes down who makes it. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { generateCenario } from '../../src/gerador/cenario.ts';
import { until } from '../support/espera.ts';
import {
  createEscritorio,
  type Escritorio,
  importFile,
  type Malote,
  makeDataFolder,
  startMalote,
} from '../support/malote.ts';
import { comBancoDe, MOTOR, releaseBanco } from '../support/motor.ts';

const cenario = generateCenario({
  semente: 'receitas',
  clientes: 1,
  documentos: 2,
  inicio: '2026-03-01',
  meses: 1,
});
const [um, outro] = [...cenario.documentos];
if (!um || !outro) throw new Error('no documents');

/** What a process does that dies of one is the same on either engine, and takes half a minute to see. */
const SO_NUM_MOTOR = MOTOR === 'postgres' && 'tried on SQLite';

describe('the recipe of an upload', () => {
  let dataFolder = '';
  let escritorio: Escritorio;
  beforeEach(async () => {
    dataFolder = makeDataFolder();
    escritorio = await createEscritorio(dataFolder, {
      crm: '1',
      clientes: cenario.empresas.map(({ id }) => id),
    });
    await using malote = await iniciar();
    await importFile(malote, { token: escritorio.token, bytes: um.bytes, extension: '.xml' });
    await envelhecer();
  });
  afterEach(async () => {
    rmSync(dataFolder, { recursive: true, force: true });
    await releaseBanco(dataFolder);
  });

  const iniciar = (ponto?: string): Promise<Malote> =>
    startMalote({
      dataFolder,
      umProcesso: true,
      ...(ponto ? { env: { MALOTE_PONTO_DE_FALHA: ponto } } : {}),
    });
  const primeiro = () =>
    comBancoDe(dataFolder, (db) =>
      db.read
        .selectFrom('arquivo')
        .select(['receita', 'receita_tentativas', 'blob'])
        .orderBy('numero')
        .executeTakeFirstOrThrow(),
    );
  /** The upload is long done, and nobody has been at it for as long. */
  const envelhecer = () =>
    comBancoDe(dataFolder, async (db) => {
      await db.write.updateTable('arquivo').set({ fim_em: 1 }).execute();
      await db.write
        .updateTable('arquivo')
        .set({ receita_tentada_em: 1 })
        .where('receita_tentativas', '>', 0)
        .execute();
    });

  it('is made', async () => {
    await using _malote = await iniciar();
    await until('a recipe', async () => (await primeiro()).receita === 1);
  });

  it('is given up once it has killed the process twice, and the third start goes on', {
    skip: SO_NUM_MOTOR,
  }, async () => {
    for (const vez of [1, 2]) {
      const malote = await iniciar('receita_comecada');
      await until('it is killed', () => malote.process.signalCode === 'SIGKILL');
      assert.deepEqual([(await primeiro()).receita, (await primeiro()).receita_tentativas], [0, vez]);
      await envelhecer();
    }
    await using malote = await iniciar('receita_comecada');
    await until('it is left', async () => (await primeiro()).receita === 2);
    assert.notEqual((await primeiro()).blob, null);
    await malote.logged(/begun twice and never ended/, 120_000);
    const { token } = escritorio;
    await importFile(malote, { token, bytes: outro.bytes, extension: '.xml' });
  });

  it('does not take the import with it when its thread runs out of memory', {
    skip: SO_NUM_MOTOR,
  }, async () => {
    await using malote = await iniciar('receita_comecada:*:memoria');
    const { token } = escritorio;
    await malote.logged(/recipe of an upload could not be made/, 120_000);
    await importFile(malote, { token, bytes: outro.bytes, extension: '.xml' });
    assert.deepEqual(
      malote.log.filter((line) => line.includes('import thread')),
      [],
    );
    assert.equal((await primeiro()).receita_tentativas, 1);
  });
});
