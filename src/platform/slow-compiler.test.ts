import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { withEagerCompiler } from './slow-compiler.ts';
import { v8Process } from './v8-settings-testing.ts';

const LATE = '--invocation-count-for-turbofan=30000';
const EAGER = '--invocation-count-for-turbofan=3000';

describe('the slow compiler', () => {
  it('comes sooner while something goes on, and as late as before once all of it is done', async () => {
    const one = v8Process('--no-parallel-scavenge', LATE);
    const act = (ms: number) => withEagerCompiler(() => sleep(ms, ms), one);
    const both = Promise.all([act(20), act(1)]);
    assert.deepEqual(one.flags, [EAGER]);
    assert.deepEqual(await both, [20, 1]);
    assert.deepEqual(one.flags, [EAGER, LATE]);
    await act(1);
    assert.deepEqual(one.flags, [EAGER, LATE, EAGER, LATE]);
  });

  it('is late again also when what went on has failed', async () => {
    const one = v8Process(LATE);
    await assert.rejects(
      withEagerCompiler(() => Promise.reject(new Error('no')), one),
      /no/,
    );
    assert.deepEqual(one.flags, [EAGER, LATE]);
  });

  it('is left alone where the process was started without a setting of its own', async () => {
    const one = v8Process('--no-parallel-scavenge');
    assert.equal(await withEagerCompiler(async () => 1, one), 1);
    assert.deepEqual(one.flags, []);
  });

  it('takes both values in a process that runs', () => {
    const code = `import { withEagerCompiler } from ${JSON.stringify(new URL('./slow-compiler.ts', import.meta.url).href)};
      console.log(await withEagerCompiler(async () => 'done'));`;
    const { stdout, stderr } = spawnSync(process.execPath, [LATE, '--input-type=module', '-e', code], {
      encoding: 'utf8',
    });
    assert.equal(stdout.trim(), 'done', stderr);
    assert.equal(stderr, '');
  });
});
