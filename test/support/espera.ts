/** Waiting for what another thread or process does. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

/** What a test waits for comes in a second or two; this is room for a slow machine. */
const WITHIN_MS = 180_000;
const AGAIN_MS = 50;
/** Each look is work of the one who is waited for: after a while it is left alone longer. */
export const nextPauseMs = (ms: number) => Math.min(ms * 1.5, 300);

/** Asks again until it holds: whoever waits for a fixed time instead waits too long, or not long enough. @throws AssertionError */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  await answerOnce(what, { ask: holds, is: (answer) => answer });
}

/** Asks again until the answer is the one that is waited for. @throws AssertionError with the last one */
export async function answerOnce<T>(
  what: string,
  { ask, is }: { ask: () => T | Promise<T>; is: (answer: T) => boolean },
): Promise<T> {
  const deadline = performance.now() + WITHIN_MS;
  for (let pauseMs = AGAIN_MS; ; pauseMs = nextPauseMs(pauseMs)) {
    const answer = await ask();
    if (is(answer)) return answer;
    assert.ok(performance.now() < deadline, `never: ${what}; last: ${JSON.stringify(answer)}`);
    await delay(pauseMs);
  }
}

/**
 * Asks again until it is served no more. What was asked later than `ms` from now must not be served; how long a busy machine
 * takes to answer does not count. @throws AssertionError
 */
export async function servedAtMost(ms: number, isServed: () => Promise<boolean>): Promise<void> {
  const since = performance.now();
  for (;;) {
    const askedAfter = performance.now() - since;
    if (!(await isServed())) return;
    assert.ok(askedAfter < ms, `still served after ${Math.round(askedAfter)} ms`);
    await delay(AGAIN_MS);
  }
}
