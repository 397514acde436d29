import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { MIGRATIONS } from '../../banco/migrations.ts';
import { readConfig } from '../../config.ts';
import type { Logger } from '../../deps.ts';
import { migrateSqlite } from '../../platform/db/migrate.ts';
import { importacaoMetrics } from '../metrics.ts';
import { openWorker } from './worker.ts';

/** Resolves with the first line that is logged as an error. */
function loggedError(): { log: Logger; first: Promise<string> } {
  let tell: (text: string) => void = () => {};
  const first = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const log = { debug() {}, info() {}, warn() {}, error: (_fields: unknown, text: string) => tell(text) };
  return { log: log as unknown as Logger, first };
}

describe('the import thread', () => {
  const folder = mkdtempSync(join(tmpdir(), 'malote-thread-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('works once it has started, is one for the process, and ends when it is stopped', async () => {
    const config = readConfig({ MALOTE_DATA: folder, MALOTE_LEITORES: '1' });
    migrateSqlite(config.sqlitePath, MIGRATIONS);
    const { log } = loggedError();
    const worker = openWorker({ config, log });
    assert.equal(worker.healthy(), false);
    await worker.begin();
    assert.equal(worker.healthy(), true);
    assert.throws(() => openWorker({ config, log }), /already running/);
    worker.wake();
    await worker.stop();
    assert.equal(worker.healthy(), false);
    await worker.stop();
    const next = openWorker({ config, log });
    await next.begin();
    await next.stop();
  });

  it('ends when it is stopped before it was let work', async () => {
    const config = readConfig({ MALOTE_DATA: folder, MALOTE_LEITORES: '1' });
    const { log } = loggedError();
    const before = importacaoMetrics().reinicios;
    const worker = openWorker({ config, log });
    await worker.stop();
    assert.equal(worker.healthy(), false);
    assert.equal(importacaoMetrics().reinicios, before);
  });

  it('is started again when it dies, says so, and does not keep the server from starting', async () => {
    const config = readConfig({ MALOTE_DATA: join(folder, 'no', 'such', 'folder') });
    const { log, first } = loggedError();
    const before = importacaoMetrics().reinicios;
    const worker = openWorker({ config, log });
    await worker.begin();
    assert.equal(worker.healthy(), false);
    assert.match(await first, /import thread/);
    assert.equal(importacaoMetrics().reinicios, before + 1);
    await worker.stop();
  });
});
