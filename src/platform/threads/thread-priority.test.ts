import assert from 'node:assert/strict';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

test('a thread that yields to others leaves the priority of the main thread as it is', {
  skip: process.platform === 'linux' ? false : 'priorities of threads exist on Linux only',
}, async () => {
  const before = getPriority(0);
  const module = new URL('./thread-priority.ts', import.meta.url).href;
  const code = `
      const { yieldToOtherThreads } = await import(${JSON.stringify(module)});
      const { getPriority } = await import('node:os');
      const { parentPort } = await import('node:worker_threads');
      yieldToOtherThreads(7);
      parentPort.postMessage(getPriority(0));`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
  const inThread = await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  assert.equal(inThread, Math.max(before, 7));
  assert.equal(getPriority(0), before);
});
