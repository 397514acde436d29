/** A database that a later version has changed: no process and no command of this one works on it, and all say what to do. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { createEscritorio, makeDataFolder, startMalote } from '../support/malote.ts';
import { ambienteDoBanco, comBancoDe, releaseBanco, runSql } from '../support/motor.ts';
import { ambiente, BIN, runJson } from '../support/programa.ts';

const FUTURA =
  "insert into migracao (versao, nome, aplicada_em) values (9999, '9999_futura.sql', '2030-01-01')";
const SAYS =
  /versão mais nova do Malote \(migração 9999_futura\.sql.*Nada foi alterado.*git pull && npm ci.*restaure a cópia/s;

describe('a database of a later version', () => {
  let dataFolder: string;
  let env: Record<string, string>;
  before(async () => {
    dataFolder = makeDataFolder();
    await createEscritorio(dataFolder, { crm: '9' });
    env = { MALOTE_DATA: dataFolder, PORT: '0', ...(await ambienteDoBanco(dataFolder)) };
    // As an installation has it whose next update is of this version: it must not even get that.
    await runSql(dataFolder, `delete from migracao where versao = 2; ${FUTURA}`);
  });
  after(async () => {
    rmSync(dataFolder, { recursive: true, force: true });
    await releaseBanco(dataFolder);
  });

  for (const modo of ['tudo', 'api', 'worker']) {
    it(`is refused by a process in mode ${modo}`, async () => {
      const child = spawn(process.execPath, [BIN, 'servir'], {
        env: ambiente({ ...env, MALOTE_MODO: modo }),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [stdout, stderr] = [child.stdout.toArray(), child.stderr.toArray()];
      const [code] = (await once(child, 'close')) as [number | null];
      assert.equal(code, 1);
      assert.match((await stderr).join(''), SAYS);
      assert.equal((await stdout).join(''), '', 'it never said that it is there');
    });
  }

  const commands: readonly (readonly string[])[] = [
    ['conta', 'criar', '--crm', '10', '--nome', 'Outro escritório', '--email', 'a@b.com.br'],
    ['token', 'gerar', '--crm', '9'],
    ['semear', '--crm', '9', '--documentos', '1', '--clientes', '1'],
    ['verificar'],
    ['verificar', '--reparar'],
    ['backup', '--para', '/nao/e/escrita'],
  ];
  for (const args of commands) {
    it(`is refused by malote ${args.slice(0, 2).join(' ')}`, async () => {
      const { code, value } = await runJson(env, ...args);
      assert.deepEqual([code, value.erro.codigo], [1, 'configuracao_invalida']);
      assert.match(value.erro.mensagem, SAYS);
    });
  }

  it('is as it was, and served again by whoever knows its shape', async () => {
    const migracoes = await comBancoDe(dataFolder, async (db) => {
      const contadores = await db.read.selectFrom('contador').select('codigo_crm').execute();
      assert.deepEqual(
        contadores.map(({ codigo_crm }) => codigo_crm),
        ['000009'],
      );
      // biome-ignore lint/suspicious/noExplicitAny: the one table that no statement of the product names by its type
      return (db.read as any)
        .selectFrom('migracao')
        .select('versao')
        .where('versao', 'in', [2, 9999])
        .execute();
    });
    assert.deepEqual(
      migracoes.map(({ versao }: { versao: number }) => versao),
      [9999],
      'nothing was applied',
    );
    await runSql(
      dataFolder,
      "delete from migracao where versao = 9999; insert into migracao (versao, nome, aplicada_em) values (2, '0002_emissor.sql', '2026-01-01')",
    );
    await using malote = await startMalote({ dataFolder });
    assert.equal((await fetch(`${malote.url}/readyz`)).status, 200);
  });
});
