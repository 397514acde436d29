import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { letOldGarbageGrow } from './old-garbage.ts';
import { v8Process } from './v8-settings-testing.ts';

const USUAL = '--heap-growing-percent=100';
const MORE = '--heap-growing-percent=200';

describe('old garbage', () => {
  it('grows to twice as much for a while, and then to as much as the process was started with', () => {
    const one = v8Process('--no-parallel-scavenge', USUAL);
    letOldGarbageGrow(true, one);
    letOldGarbageGrow(false, one);
    assert.deepEqual(one.flags, [MORE, USUAL]);
  });

  it('is left alone where the process was started without a setting of its own', () => {
    const one = v8Process('--no-parallel-scavenge');
    letOldGarbageGrow(true, one);
    assert.deepEqual(one.flags, []);
  });

  it('takes both values in a process that runs', () => {
    const code = `import { letOldGarbageGrow } from ${JSON.stringify(new URL('./old-garbage.ts', import.meta.url).href)};
      letOldGarbageGrow(true); letOldGarbageGrow(false); console.log('done');`;
    const { stdout, stderr } = spawnSync(process.execPath, [USUAL, '--input-type=module', '-e', code], {
      encoding: 'utf8',
    });
    assert.equal(stdout.trim(), 'done', stderr);
    assert.equal(stderr, '');
  });
});
