import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';

/** A program as threads of ours have it: one module awaits at its top level, and the one behind it takes its time. */
const AWAITS = "await new Promise((resolve) => setTimeout(resolve, 20)); export const value = 'done';";
const TAKES_TIME = `
  import { value } from "./awaits.mjs";
  import { existsSync, writeFileSync } from 'node:fs';
  writeFileSync(new URL('loading', import.meta.url), '');
  while (!existsSync(new URL('ending', import.meta.url)));
  export default () => value;`;

describe('the end of a pool', () => {
  const folder = mkdtempSync(join(tmpdir(), 'malote-threads-'));
  after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'awaits.mjs'), AWAITS);
  const filename = join(folder, 'program.mjs');
  writeFileSync(filename, TAKES_TIME);
  const module = new URL('./thread-start.ts', import.meta.url).href;

  /** Runs a program of its own, since what goes wrong ends the process. */
  const run = (code: string) =>
    spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      timeout: 120_000,
    });

  for (const when of ['at once', 'while a thread loads its program']) {
    it(`leaves the process alive when it comes ${when}`, () => {
      for (const name of ['loading', 'ending']) rmSync(join(folder, name), { force: true });
      const { status, signal, stderr } = run(`
        import { existsSync, writeFileSync } from 'node:fs';
        import { setTimeout as sleep } from 'node:timers/promises';
        import { Piscina } from 'piscina';
        const { endPool } = await import(${JSON.stringify(module)});
        const pool = new Piscina({ filename: ${JSON.stringify(pathToFileURL(filename).href)}, minThreads: 1, maxThreads: 1 });
        while (${when !== 'at once'} && !existsSync(${JSON.stringify(join(folder, 'loading'))})) await sleep(10);
        // It loads until somewhat later than its end is wanted.
        setTimeout(() => writeFileSync(${JSON.stringify(join(folder, 'ending'))}, ''), 100);
        await endPool(pool);
      `);
      assert.deepEqual({ status, signal }, { status: 0, signal: null }, stderr);
    });
  }

  it('cuts off what a thread is at', () => {
    const hanging = join(folder, 'hangs.mjs');
    writeFileSync(hanging, 'export default () => { for (;;); };');
    const { status, stdout } = run(`
      import { Piscina } from 'piscina';
      const { endPool } = await import(${JSON.stringify(module)});
      const pool = new Piscina({ filename: ${JSON.stringify(pathToFileURL(hanging).href)}, minThreads: 1, maxThreads: 1 });
      const task = pool.run(null).catch((error) => console.log(error.message));
      await new Promise((resolve) => setTimeout(resolve, 300));
      await endPool(pool);
      await task;
    `);
    assert.equal(status, 0);
    assert.match(stdout, /terminat/i);
  });
});
