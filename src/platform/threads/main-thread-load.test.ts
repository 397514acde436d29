import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchMainThread } from './main-thread-load.ts';

describe('the main thread', () => {
  it('is busy when it needed more than half of the time since it was last asked about', () => {
    let [used, time]: [number | null, number] = [100, 1_000];
    const isBusy = watchMainThread(
      () => used,
      () => time,
    );
    const after = (ms: number, more: number) => {
      [used, time] = [(used ?? 0) + more, time + ms];
      return isBusy();
    };
    assert.equal(after(20, 11), true);
    assert.equal(after(20, 9), false);
    assert.equal(after(5_000, 100), false);
    // What it did long ago says nothing of now.
    assert.equal(after(5_000, 5_000), false);
    assert.equal(after(20, 20), true);
    // Too soon to say anything else.
    assert.equal(after(10, 0), true);
    assert.equal(after(10, 0), false);
  });

  it('is never busy where the system does not tell what it needs', () => {
    let time = 0;
    const isBusy = watchMainThread(
      () => null,
      () => (time += 100),
    );
    assert.deepEqual([isBusy(), isBusy()], [false, false]);
  });

  it('is found busy at work and not when it waits, on Linux', {
    skip: process.platform !== 'linux',
    timeout: 60_000,
  }, async () => {
    const isBusy = watchMainThread();
    // Others may want the processor too: sooner or later it is had for longer than half of a moment.
    while (!isBusy());
    while (isBusy()) await sleep(30);
  });
});
