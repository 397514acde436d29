import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../../config.ts';
import { applyMigrations, migrateSqlite } from './migrate.ts';
import { migrationFiles } from './migration-files.ts';
import { InThreadExecutor } from './sqlite-executor.ts';

const REAL = fileURLToPath(new URL('../../../migrations', import.meta.url));

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'malote-migrate-'));
  path = join(folder, 'test.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

function tables(): string[] {
  const executor = new InThreadExecutor({ path });
  const { rows } = executor.execute("select name from sqlite_master where type = 'table' order by name", []);
  executor.close();
  return rows.map((row) => String(row.name));
}

function failsWith(name: string, cause: RegExp) {
  return (error: Error) => {
    assert.equal(error.message, `migration ${name} failed`);
    assert.match(String(error.cause), cause);
    return true;
  };
}

describe('migrations', () => {
  test('the migrations of the project apply, and a second time there is nothing to do', () => {
    const applied = migrateSqlite(path, REAL);
    assert.deepEqual(
      applied,
      migrationFiles(REAL, 'sqlite').map((migration) => migration.version),
    );
    assert.ok(applied.length > 0);
    const shape = tables();
    assert.deepEqual(migrateSqlite(path, REAL), []);
    assert.deepEqual(tables(), shape);
  });

  test('a later one is applied to a database that has the earlier ones', () => {
    file('0001_a.sql', 'create table a (x integer)');
    assert.deepEqual(migrateSqlite(path, folder), [1]);
    file('0002_b2.sqlite.sql', 'create table b (x integer); insert into b values (1)');
    file('0002_b2.postgres.sql', 'this is no SQL for SQLite');
    assert.deepEqual(migrateSqlite(path, folder), [2]);
    assert.deepEqual(tables(), ['a', 'b', 'migracao']);
  });

  test('a database that a later version has changed is refused before anything is done to it', () => {
    file('0001_a.sql', 'create table a (x integer)');
    file('0002_b.sql', 'create table b (x integer)');
    migrateSqlite(path, folder);
    rmSync(join(folder, '0002_b.sql'));
    file('0003_c.sql', 'create table c (x integer)');
    const refused = (error: unknown) => error instanceof ConfigError && /0002_b\.sql/.test(error.message);
    assert.throws(() => migrateSqlite(path, folder), refused);
    assert.deepEqual(tables(), ['a', 'b', 'migracao']);
  });

  test('one that fails leaves the shape before it, and names itself', () => {
    file('0001_a.sql', 'create table a (x integer)');
    file('0002_b.sql', 'create table b (x integer); insert into a values (1); create table a (x integer)');
    assert.throws(() => migrateSqlite(path, folder), failsWith('0002_b.sql', /table a already exists/));
    assert.deepEqual(tables(), ['a', 'migracao']);
    file('0002_b.sql', 'create table b (x integer)');
    assert.deepEqual(migrateSqlite(path, folder), [2]);
  });

  test('one that ended its own transaction still tells why it failed', () => {
    file('0001_a.sql', 'create table a (x integer unique); insert or rollback into a values (1), (1)');
    assert.throws(() => migrateSqlite(path, folder), failsWith('0001_a.sql', /UNIQUE constraint failed/));
    assert.deepEqual(tables(), ['migracao']);
  });

  test('one that makes a table anew keeps what points to it, and only while it runs may rows point nowhere', () => {
    file(
      '0001_a.sql',
      'create table a (x integer primary key, y integer unique); create table b (x integer references a (x)); insert into a values (1, 2); insert into b values (1)',
    );
    const anew =
      'create table c (x integer primary key, y integer); insert into c select x, y from a; drop table a; alter table c rename to a';
    file('0002_b.sql', anew);
    assert.throws(
      () => migrateSqlite(path, folder),
      failsWith('0002_b.sql', /FOREIGN KEY constraint failed/),
    );
    file('0002_b.sql', `-- foreign_keys: off\n${anew}; insert into no_table values (1)`);
    const executor = new InThreadExecutor({ path });
    const rows = (text: string) => executor.execute(text, []).rows.map((row) => ({ ...row }));
    assert.throws(() => applyMigrations(executor, folder), failsWith('0002_b.sql', /no such table/));
    assert.throws(() => executor.execute('delete from a', []), /FOREIGN KEY constraint failed/);
    assert.throws(
      () => executor.execute('insert into a values (3, 2)', []),
      /UNIQUE/,
      'nothing has happened',
    );
    file('0002_b.sql', `-- foreign_keys: off\n${anew}`);
    assert.deepEqual(applyMigrations(executor, folder), [2]);
    executor.execute('insert into a values (3, 2)', []);
    assert.deepEqual(rows('select x, y from a'), [
      { x: 1, y: 2 },
      { x: 3, y: 2 },
    ]);
    assert.throws(() => executor.execute('delete from a where x = 1', []), /FOREIGN KEY constraint failed/);
    executor.close();
    assert.deepEqual(tables(), ['a', 'b', 'migracao']);
  });

  test('a process that is killed between the script and its mark leaves the shape before it', () => {
    file('0001_a.sql', 'create table a (x integer)');
    migrateSqlite(path, folder);
    file('0002_b.sql', 'create table b (x integer); insert into a values (1)');
    const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
    const script = `
      const { InThreadExecutor } = await import(${module('./sqlite-executor.ts')});
      const { migrateSqlite } = await import(${module('./migrate.ts')});
      const execute = InThreadExecutor.prototype.execute;
      InThreadExecutor.prototype.execute = function (sql, parameters) {
        if (sql.startsWith('insert into migracao')) process.kill(process.pid, 'SIGKILL');
        return execute.call(this, sql, parameters);
      };
      migrateSqlite(${JSON.stringify(path)}, ${JSON.stringify(folder)});`;
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 120_000 });
    assert.equal(child.signal, 'SIGKILL', child.stderr.toString());
    assert.deepEqual(tables(), ['a', 'migracao']);
    assert.deepEqual(migrateSqlite(path, folder), [2]);
    assert.deepEqual(tables(), ['a', 'b', 'migracao']);
  });

  test('a file of SQL whose name has no number is not passed over in silence', () => {
    file('add_index.sql', 'select 1');
    assert.throws(() => migrationFiles(folder, 'sqlite'), /add_index\.sql is no name of a migration/);
  });

  test('two files of one engine cannot share a number', () => {
    file('0001_a.sql', 'select 1');
    file('0001_b.sqlite.sql', 'select 1');
    assert.throws(
      () => migrationFiles(folder, 'sqlite'),
      /0001_a\.sql and 0001_b\.sqlite\.sql share a number/,
    );
    assert.deepEqual(
      migrationFiles(folder, 'postgres').map((migration) => migration.name),
      ['0001_a.sql'],
    );
  });

  test('what is no SQL is left alone', () => {
    file('README.md', 'How to write a migration');
    assert.deepEqual(migrationFiles(folder, 'sqlite'), []);
  });
});
