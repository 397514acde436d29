/** Uploads that were acknowledged and have left the database are imported again: their files are the only copies. */
import assert from 'node:assert/strict';
import { cpSync, readdirSync, rmSync, statSync, truncateSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { until } from '../support/espera.ts';
import {
  createEscritorio,
  imported,
  importFile,
  type Malote,
  makeDataFolder,
  startMalote,
  upload,
} from '../support/malote.ts';
import { ambienteDoBanco, comBancoDe, copyBanco, MOTOR, moverBanco, releaseBanco } from '../support/motor.ts';
import { checkFeed, lerFeed } from '../support/observador.ts';
import { runJson } from '../support/programa.ts';
import { generateRemessa, type Remessa } from '../support/remessa.ts';

const SQLITE = ['malote.sqlite', 'malote.sqlite-wal', 'malote.sqlite-shm'];

/** As they are an hour and more later. */
function age(dataFolder: string): void {
  const then = Date.now() / 1000 - 7_200;
  for (const { parentPath, name } of filesOf(dataFolder)) utimesSync(join(parentPath, name), then, then);
}

function filesOf(dataFolder: string) {
  const root = join(dataFolder, 'arquivos');
  return readdirSync(root, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
}

/** All that is there by now is long done, and has become a recipe. */
async function takenApart(dataFolder: string): Promise<void> {
  await comBancoDe(dataFolder, async (db) => {
    await db.write.updateTable('arquivo').set({ fim_em: 1 }).execute();
    await until('recipes', async () => {
      const rows = await db.read.selectFrom('arquivo').select(['receita', 'blob']).execute();
      return rows.every(({ receita, blob }) => receita !== 0 && (receita === 2 || blob === null));
    });
  });
}

async function send(malote: Malote, input: { token: string; arquivos: Remessa['arquivos'] }) {
  const ids: string[] = [];
  for (const arquivo of input.arquivos) {
    const id = await upload(malote, { ...arquivo, token: input.token });
    assert.equal((await imported(malote, { id, token: input.token })).status, 'Uploaded');
    ids.push(id);
  }
  return ids;
}

/** Looks, repairs, serves again: nothing of what was acknowledged is missing, each under the id that its sender knows. */
async function comeBack(input: {
  dataFolder: string;
  remessa: Remessa;
  escritorio: { codigoCrm: string; token: string };
  lost: readonly string[];
}): Promise<void> {
  const { dataFolder, remessa, escritorio, lost } = input;
  const { codigoCrm, token } = escritorio;
  const env = { MALOTE_DATA: dataFolder, ...(await ambienteDoBanco(dataFolder)) };
  age(dataFolder);
  const told = await runJson(env, 'verificar');
  assert.equal(told.code, 1);
  assert.equal(told.value.totalDeAchados, lost.length, JSON.stringify(told.value.achados));
  for (const { mensagem } of told.value.achados)
    assert.match(mensagem, new RegExp(`--reparar o importa de novo, no escritório ${codigoCrm}$`));
  const repaired = await runJson(env, 'verificar', '--reparar');
  assert.equal(repaired.code, 0, JSON.stringify(repaired.value.achados));
  await using malote = await startMalote({ dataFolder });
  for (const id of lost) assert.equal((await imported(malote, { id, token })).status, 'Uploaded');
  for (const [cpfCnpj, esperadas] of remessa.esperadas) {
    const feed = { codigoCrm, token, cpfCnpj };
    await checkFeed(malote, { feed, vistas: await lerFeed(malote, feed), esperadas });
  }
  assert.equal((await runJson(env, 'verificar')).code, 0);
}

describe('uploads that have left the database', () => {
  it('come back where it was put back to an earlier state', async () => {
    const remessa = await generateRemessa({ semente: 'orfaos', clientes: 2, documentos: 20, porArquivo: 6 });
    const dataFolder = makeDataFolder();
    const earlier = makeDataFolder();
    try {
      const escritorio = await createEscritorio(dataFolder, { crm: '9', clientes: remessa.clientes });
      const [first, ...others] = remessa.arquivos;
      assert.ok(first);
      {
        await using malote = await startMalote({ dataFolder });
        await importFile(malote, { token: escritorio.token, ...first });
      }
      for (const name of SQLITE.slice(0, MOTOR === 'sqlite' ? 1 : 0))
        cpSync(join(dataFolder, name), join(earlier, name));
      await copyBanco(dataFolder, earlier);
      let lost: string[] = [];
      {
        await using malote = await startMalote({ dataFolder });
        lost = await send(malote, { token: escritorio.token, arquivos: others });
      }
      for (const name of SQLITE.slice(0, MOTOR === 'sqlite' ? 3 : 0))
        rmSync(join(dataFolder, name), { force: true });
      if (MOTOR === 'sqlite') cpSync(join(earlier, 'malote.sqlite'), join(dataFolder, 'malote.sqlite'));
      await moverBanco(earlier, dataFolder);
      await comeBack({ dataFolder, remessa, escritorio, lost });
    } finally {
      for (const folder of [dataFolder, earlier]) rmSync(folder, { recursive: true, force: true });
      await releaseBanco(dataFolder);
    }
  });

  it('come back where its log was cut, whether they were taken apart into recipes or stood as they came', {
    skip: MOTOR === 'sqlite' ? false : 'the log of PostgreSQL is its own',
  }, async () => {
    const remessa = await generateRemessa({ semente: 'wal', clientes: 2, documentos: 24, porArquivo: 5 });
    const dataFolder = makeDataFolder();
    try {
      const escritorio = await createEscritorio(dataFolder, { crm: '9', clientes: remessa.clientes });
      const [before, after] = [remessa.arquivos.slice(0, 3), remessa.arquivos.slice(3)];
      const malote = await startMalote({ dataFolder });
      await send(malote, { token: escritorio.token, arquivos: before });
      await takenApart(dataFolder);
      // Their bytes went only once nothing that could be cut held the recipes.
      await until('the bytes of recipes are gone', async () => filesOf(dataFolder).length === 0);
      // Who reads an older state keeps the log from being folded into the file.
      const reader = new DatabaseSync(join(dataFolder, 'malote.sqlite'), { readOnly: true });
      reader.exec('begin; select count(*) from arquivo');
      const log = join(dataFolder, 'malote.sqlite-wal');
      const cut = statSync(log).size;
      const lost = await send(malote, { token: escritorio.token, arquivos: after.slice(0, 1) });
      await takenApart(dataFolder);
      lost.push(...(await send(malote, { token: escritorio.token, arquivos: after.slice(1) })));
      await malote.kill();
      reader.close();
      assert.ok(statSync(log).size > cut + 100_000);
      truncateSync(log, cut);
      await comeBack({ dataFolder, remessa, escritorio, lost });
    } finally {
      rmSync(dataFolder, { recursive: true, force: true });
    }
  });
});
