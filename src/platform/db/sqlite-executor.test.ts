/** The locks by which other programs know that a process of ours has a file open; POSIX lets them go easily. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { snapshotSqliteAlone } from './snapshot-sqlite.ts';
import { InThreadExecutor } from './sqlite-executor.ts';

describe('a SQLite file that a process has open', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'malote-sqlite-'));
    path = join(folder, 'a.sqlite');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs one statement as another program does: opens the file, and closes it. @returns what it read, or its error */
  function elsewhere(statement: string): string {
    const code = `
      const database = new (require('node:sqlite').DatabaseSync)(process.argv[1], { timeout: 0 });
      try { console.log(JSON.stringify(database.prepare(process.argv[2]).all())); }
      catch (error) { console.log(error.message); }
      database.close();`;
    const { stdout } = spawnSync(process.execPath, ['-e', code, path, statement], { encoding: 'utf8' });
    return stdout.trim();
  }

  it('is known to be open by its lock, however many connections the process opens and closes', {
    skip: !existsSync('/proc/locks') && 'locks are read from /proc',
  }, () => {
    const writer = new InThreadExecutor({ path });
    writer.executeScript('create table t (n integer) strict');
    const { ino } = statSync(path);
    const locks = () =>
      readFileSync('/proc/locks', 'utf8')
        .split('\n')
        .filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `));
    assert.equal(locks().length, 1);
    const other = new InThreadExecutor({ path });
    assert.equal(locks().length, 1, 'a second connection leaves it');
    other.close();
    assert.equal(locks().length, 1, 'and so does its end');
    writer.close();
    assert.deepEqual(locks(), []);
  });

  it('is nobody else’s while it is had alone, and everybody’s afterwards', async () => {
    const maker = new InThreadExecutor({ path });
    maker.executeScript(
      'create table t (n integer primary key) strict; create table migracao (versao integer)',
    );
    maker.close();
    const { snapshot } = await snapshotSqliteAlone(path);
    assert.equal(elsewhere('insert into t values (1) returning n'), 'database is locked');
    await snapshot.close();
    assert.equal(elsewhere('insert into t values (1) returning n'), '[{"n":1}]');
  });

  it('is its owner’s alone when it is new, and keeps the mode that it has', () => {
    const modeOfFile = () => statSync(path).mode & 0o777;
    new InThreadExecutor({ path }).close();
    assert.equal(modeOfFile(), 0o600);
    chmodSync(path, 0o640);
    new InThreadExecutor({ path }).close();
    assert.equal(modeOfFile(), 0o640);
  });
});
