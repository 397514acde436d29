import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { SqliteCommits } from './sqlite-commits.ts';
import { InThreadExecutor } from './sqlite-executor.ts';

let folder = '';
let path = '';
let writer: InThreadExecutor;
let commits: SqliteCommits;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'malote-commits-'));
  path = join(folder, 'test.db');
  writer = new InThreadExecutor({ path });
  writer.executeScript('create table t (a integer) strict');
  commits = new SqliteCommits(path);
});
afterEach(() => {
  commits.close();
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the number of commits', () => {
  test('stands still while nobody commits, and is another one after each commit', () => {
    const seen = new Set<number | null>();
    for (let at = 0; at < 50; at++) {
      writer.execute('insert into t values (?)', [at]);
      const now = commits.now();
      assert.ok(now !== null && !seen.has(now));
      seen.add(now);
      writer.execute('select count(*) from t', []);
      assert.equal(commits.now(), now);
    }
  });

  test('is the same in a transaction that is not committed yet, or never is', () => {
    const before = commits.now();
    writer.execute('begin immediate', []);
    writer.execute('insert into t values (1)', []);
    assert.equal(commits.now(), before);
    writer.execute('rollback', []);
    assert.equal(commits.now(), before);
    writer.execute('begin immediate', []);
    writer.execute('insert into t values (1)', []);
    writer.execute('commit', []);
    assert.notEqual(commits.now(), before);
  });

  test('changes with a commit of another process', () => {
    const before = commits.now();
    const script = `const { DatabaseSync } = require('node:sqlite'); new DatabaseSync(${JSON.stringify(path)}).exec('insert into t values (7)')`;
    execFileSync(process.execPath, ['--no-warnings', '-e', script]);
    assert.notEqual(commits.now(), before);
  });

  test('holds nothing that keeps the log from being folded into the file', () => {
    writer.execute('insert into t values (1)', []);
    assert.notEqual(commits.now(), null);
    const { rows } = writer.execute('pragma wal_checkpoint(truncate)', []);
    assert.deepEqual(Object.values(rows[0] ?? {}), [0, 0, 0]);
    assert.equal(statSync(`${path}-wal`).size, 0);
    const before = commits.now();
    writer.execute('insert into t values (2)', []);
    assert.notEqual(commits.now(), before);
  });

  test('is not told of a file that is not there, nor once it was closed', () => {
    const nowhere = new SqliteCommits(join(folder, 'nowhere.db'));
    assert.equal(nowhere.now(), null);
    assert.equal(nowhere.now(), null);
    nowhere.close();
    assert.notEqual(commits.now(), null);
    commits.close();
    commits.close();
    assert.equal(commits.now(), null);
  });
});
