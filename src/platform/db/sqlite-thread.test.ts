import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { InThreadExecutor, isSyncFailure } from './sqlite-executor.ts';
import { DatabaseError, ThreadExecutor } from './sqlite-thread.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'malote-db-'));
  path = join(folder, 'test.db');
  const executor = new InThreadExecutor({ path });
  executor.executeScript('create table t (a integer) strict; insert into t values (1)');
  executor.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('SQLite in a thread of its own', () => {
  test('answers many statements in flight, each with its own result', async () => {
    const executor = new ThreadExecutor({ path });
    const numbers = Array.from({ length: 500 }, (_, i) => i);
    const results = await Promise.all(numbers.map((n) => executor.execute('select ? as n', [n])));
    assert.deepEqual(
      results.map(({ rows }) => rows[0]?.n),
      numbers,
    );
    await executor.close();
  });

  test('takes a failed fsync for what it is, and nothing else for it', () => {
    const fault = (errcode?: number) =>
      new DatabaseError({ message: 'disk I/O error', ...(errcode ? { errcode } : {}) });
    // SQLITE_IOERR_FSYNC, SQLITE_IOERR_DIR_FSYNC; SQLITE_IOERR_READ, SQLITE_FULL, none.
    assert.deepEqual(
      [1034, 1290, 266, 13, undefined].map((code) => isSyncFailure(fault(code))),
      [true, true, false, false, false],
    );
  });

  test('gives errors to the one who asked, and goes on', async () => {
    const executor = new ThreadExecutor({ path });
    const [bad, good] = await Promise.allSettled([
      executor.execute('select x from t', []),
      executor.execute('select a from t', []),
    ]);
    assert.ok(bad.status === 'rejected' && bad.reason instanceof DatabaseError);
    assert.equal(bad.reason.message, 'no such column: x');
    assert.equal(good.status, 'fulfilled');
    await executor.close();
  });

  test('refuses a value that cannot be sent without waiting for an answer for ever', async () => {
    const executor = new ThreadExecutor({ path });
    await assert.rejects(executor.execute('select ?', [() => 1]), { name: 'DataCloneError' });
    await executor.close();
  });

  test('sends the bytes of a view and not the pool that it lies in', async () => {
    const executor = new ThreadExecutor({ path });
    const view = Buffer.from('in a pool');
    assert.ok(view.buffer.byteLength > view.byteLength);
    const { rows } = await executor.execute('select ? as bytes, length(?) as n', [view, view]);
    assert.deepEqual(rows, [{ bytes: new Uint8Array(view), n: view.length }]);
    await executor.close();
  });

  test('finishes what was asked before it closes, and refuses what comes after', async () => {
    const executor = new ThreadExecutor({ path });
    const before = executor.execute('insert into t values (2)', []);
    const closed = executor.close();
    await assert.rejects(executor.execute('select 1', []), /the database thread has ended/);
    assert.equal((await before).changes, 1);
    await closed;
    await executor.close();
    assert.equal(existsSync(`${path}-wal`), false, 'the log is folded into the file');
  });

  test('fails everybody who waits when the file cannot be opened', async () => {
    const executor = new ThreadExecutor({ path: join(folder, 'none', 'none.db'), readOnly: true });
    await assert.rejects(executor.execute('select 1', []), /unable to open database file/);
    await assert.rejects(executor.execute('select 1', []), /unable to open database file/);
    await executor.close();
  });

  test('reads a file that nobody has open for writing', async () => {
    assert.equal(existsSync(`${path}-wal`), false);
    const reader = new ThreadExecutor({ path, readOnly: true });
    assert.deepEqual((await reader.execute('select a from t', [])).rows, [{ a: 1 }]);
    const writer = new ThreadExecutor({ path });
    await writer.execute('insert into t values (2)', []);
    assert.deepEqual((await reader.execute('select a from t', [])).rows, [{ a: 1 }, { a: 2 }]);
    await reader.close();
    await writer.close();
  });

  test('a reader cannot write', async () => {
    const reader = new ThreadExecutor({ path, readOnly: true });
    await assert.rejects(reader.execute('insert into t values (2)', []), /readonly database/);
    await reader.close();
  });

  test('does not keep the process alive while nobody waits', () => {
    const module = new URL('./sqlite-thread.ts', import.meta.url).href;
    const script = `
      const { ThreadExecutor } = await import(${JSON.stringify(module)});
      const executor = new ThreadExecutor({ path: ${JSON.stringify(path)} });
      const { rows } = await executor.execute('select a from t', []);
      console.log(JSON.stringify(rows));`;
    const main = join(folder, 'main.mjs');
    writeFileSync(main, script);
    const output = execFileSync(process.execPath, [main], { encoding: 'utf8', timeout: 120_000 });
    assert.equal(output.trim(), '[{"a":1}]');
  });
});
