/** The launcher of the tests' own PostgreSQL servers, with every kind of programs that this machine has. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import pg from 'pg';
import { MIGRATIONS } from '../../src/banco/migrations.ts';
import { migratePostgres } from '../../src/platform/db/migrate-postgres.ts';
import { migrationFiles } from '../../src/platform/db/migration-files.ts';
import { until } from '../support/espera.ts';
import { findBinarios, makeLigacoes, prepareBinarios } from '../support/postgres/binarios.ts';
import { iniciar, type Servidor } from '../support/postgres/servidor.ts';
import { MEMORIA, varrerSobras } from '../support/postgres/sobras.ts';

const SERVIDOR = new URL('../support/postgres/servidor.ts', import.meta.url).href;
const BINARIOS = new URL('../support/postgres/binarios.ts', import.meta.url).href;
/** One of each kind: what lies twice on the path is the same. */
const kinds = [...new Map(findBinarios().map((found) => [found.origem, found])).values()];

type Running = Extract<Servidor, { mandar: unknown }>;

async function start(binarios: (typeof kinds)[number]): Promise<Running> {
  const servidor = await iniciar(binarios);
  assert.ok(servidor.url !== null, JSON.stringify(servidor));
  return servidor;
}

/** Folder of a server's data, by its socket. */
const dataOf = ({ url }: { url: string }) => decodeURIComponent(/@([^/]*)\//.exec(url)?.[1] ?? '');
const folderOf = (servidor: { url: string }) => dirname(dataOf(servidor));

async function versionOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("select current_setting('server_version_num')::int as version");
  await client.end();
  return rows[0].version;
}

describe('programs of PostgreSQL', { skip: kinds.length === 0 ? 'none on this machine' : false }, () => {
  for (const binarios of kinds) {
    it(`start, take all migrations, stop, and leave nothing (${binarios.origem})`, async () => {
      const servidor = await start(binarios);
      assert.ok((await versionOf(servidor.url)) >= 150_000);
      const migrations = migrationFiles(MIGRATIONS, 'postgres');
      assert.equal((await migratePostgres(servidor.url, migrations)).length, migrations.length);
      assert.deepEqual(await migratePostgres(servidor.url, migrations), []);
      const folder = folderOf(servidor);
      assert.equal(lstatSync(join(folder, 'dados')).mode & 0o777, 0o700);
      await servidor.stop();
      assert.equal(existsSync(folder), false);
    });
  }

  it('are back after a power cut, with what was committed', async () => {
    const [binarios] = kinds;
    assert.ok(binarios);
    const servidor = await start(binarios);
    const client = new pg.Client({ connectionString: servidor.url });
    client.on('error', () => {});
    await client.connect();
    await client.query('create table t as select 1 as x');
    await servidor.mandar('parar');
    await assert.rejects(versionOf(servidor.url));
    await servidor.mandar('iniciar');
    const again = new pg.Client({ connectionString: servidor.url });
    await again.connect();
    assert.equal((await again.query('select x from t')).rowCount, 1);
    await again.end();
    await servidor.stop();
  });

  it('end when the tests are killed, and so does their folder', async () => {
    const folder = dirname(await killedTests());
    await until('the folder goes', () => !existsSync(folder));
  });

  it('whose guard was killed too are ended and removed by the next run', async () => {
    const folder = dirname(await killedTests({ guardToo: true }));
    const pid = Number(readFileSync(join(folder, 'dados', 'postmaster.pid'), 'utf8').split('\n')[0]);
    assert.ok(existsSync(`/proc/${pid}`), 'the server survives its guard');
    // The kernel may take a moment to end the guard.
    await until('the folder goes', () => {
      varrerSobras();
      return !existsSync(folder);
    });
    await until('the server ends', () => stateOf(pid) === null || stateOf(pid) === 'Z');
  });

  it('leave nothing in memory, where they keep their data when they are told to', async (context) => {
    const [binarios] = kinds;
    assert.ok(binarios);
    const servidor = await iniciar(binarios, 'memoria');
    assert.ok(servidor.url !== null);
    const data = dataOf(servidor);
    if (!data.startsWith(MEMORIA)) context.diagnostic(`no room in ${MEMORIA}`);
    assert.ok((await versionOf(servidor.url)) > 0);
    await servidor.stop();
    assert.equal(existsSync(data), false);
    const left = await killedTests({ lugar: 'memoria', guardToo: true });
    await until('the data go', () => {
      varrerSobras();
      return !existsSync(left);
    });
  });

  it('a folder without a readable guard is left alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'malote-pg-'));
    try {
      varrerSobras();
      assert.ok(existsSync(folder));
      writeFileSync(join(folder, 'guarda'), '1 \n');
      varrerSobras();
      assert.ok(existsSync(folder));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** Starts a server from another process, and kills that process. @returns where its data lie */
async function killedTests(
  options: { guardToo?: boolean; lugar?: 'disco' | 'memoria' } = {},
): Promise<string> {
  const script = `
    const { iniciar } = await import(${JSON.stringify(SERVIDOR)});
    const { findBinarios } = await import(${JSON.stringify(BINARIOS)});
    const servidor = await iniciar(findBinarios()[0], ${JSON.stringify(options.lugar ?? 'disco')});
    console.log(servidor.url);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== 'NODE_TEST_CONTEXT')),
  });
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  const data = dataOf({ url: chunk.toString().trim() });
  assert.ok(existsSync(join(data, 'postmaster.pid')));
  const folder = data.startsWith(MEMORIA) ? join(tmpdir(), basename(data)) : dirname(data);
  if (options.guardToo)
    process.kill(Number(readFileSync(join(folder, 'guarda'), 'utf8').split(' ')[0]), 'SIGKILL');
  child.kill('SIGKILL');
  await once(child, 'exit');
  return data;
}

function stateOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .charAt(0);
  } catch {
    return null;
  }
}

const doNpm = kinds.find(({ origem }) => origem === 'npm');
describe('the programs that npm brings', { skip: doNpm ? false : 'npm brought none' }, () => {
  it('get the links that an install without scripts leaves out', () => {
    const folder = mkdtempSync(join(tmpdir(), 'malote-ligacoes-'));
    try {
      const native = join(doNpm?.pasta ?? '', '..');
      mkdirSync(join(folder, 'native', 'lib'), { recursive: true });
      cpSync(join(native, 'pg-symlinks.json'), join(folder, 'native', 'pg-symlinks.json'));
      assert.equal(makeLigacoes(folder), true);
      const links = readdirSync(join(folder, 'native', 'lib'));
      assert.ok(links.includes('libicui18n.so.60'));
      assert.ok(links.every((name) => lstatSync(join(folder, 'native', 'lib', name)).isSymbolicLink()));
      assert.equal(makeLigacoes(folder), true, 'a second time there is nothing to do');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('are copied where another user cannot walk to them, and run from there', async () => {
    const closed = mkdtempSync(join(tmpdir(), 'malote-fechada-'));
    try {
      cpSync(join(doNpm?.pasta ?? '', '..'), join(closed, 'native'), {
        recursive: true,
        verbatimSymlinks: true,
      });
      unlinkSync(join(closed, 'native', 'lib', 'libicui18n.so.60'));
      const binarios = { pasta: join(closed, 'native', 'bin'), origem: 'npm' } as const;
      const copied = prepareBinarios(binarios, { comoOutro: true, destino: join(closed, 'copia') });
      assert.equal(copied, join(closed, 'copia', 'native', 'bin'));
      assert.ok(existsSync(join(copied, '..', 'lib', 'libicui18n.so.60')));
      const servidor = await start(binarios);
      assert.ok((await versionOf(servidor.url)) > 0);
      await servidor.stop();
    } finally {
      rmSync(closed, { recursive: true });
    }
  });
});
