import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAtRest } from './at-rest.ts';

/** Takes so much of a core's time, however many others want it too. */
function work(ms: number): void {
  const before = process.cpuUsage();
  for (let spent = 0; spent < ms; ) {
    const { user, system } = process.cpuUsage(before);
    spent = (user + system) / 1_000;
  }
}

test('a process that only waits is at rest', async () => {
  // What this process has begun with may go on for a moment.
  let rests = false;
  for (let time = 0; time < 40 && !rests; time++) rests = await isAtRest();
  assert.ok(rests);
});

test('a process that works half of the time is not', async () => {
  assert.equal(await isAtRest(async (ms) => work(ms / 2)), false);
});
