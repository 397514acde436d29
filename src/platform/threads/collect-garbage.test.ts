import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { ENGINE } from '../../../bin/engine.js';

/** @returns bytes of the heap before and after, in a process that has much behind it which nobody needs */
function collected(...settings: string[]): { before: number; after: number } {
  const module = JSON.stringify(new URL('./collect-garbage.ts', import.meta.url).href);
  const code = `
    import { collectGarbage } from ${module};
    let kept = Array.from({ length: 500_000 }, (_, at) => ({ at }));
    kept = null;
    const before = process.memoryUsage().heapTotal;
    collectGarbage();
    console.log(JSON.stringify({ before, after: process.memoryUsage().heapTotal }));`;
  const { stdout } = spawnSync(process.execPath, [...settings, '--input-type=module', '-e', code], {
    encoding: 'utf8',
  });
  return JSON.parse(stdout) as { before: number; after: number };
}

describe('garbage that nobody waits for', () => {
  it('goes back to the system in a process that was started as the service is', () => {
    const { before, after } = collected(...ENGINE);
    assert.ok(after < before / 2, `${before} → ${after}`);
  });

  it('is left where it is in one that was started otherwise', () => {
    const { before, after } = collected();
    // V8 may give back a page of its own accord meanwhile.
    assert.ok(after > before / 2, `${before} → ${after}`);
  });
});
