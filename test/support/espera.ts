/** Waiting for what another thread or process does. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

/** What a test waits for comes in a second or two; this is room for a slow machine. */
const WITHIN_MS = 30_000;
const AGAIN_MS = 50;

/** Asks again until it holds: whoever waits for a fixed time instead waits too long, or not long enough. @throws AssertionError */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, `never: ${what}`);
    await delay(AGAIN_MS);
  }
}
