import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { WaitedFor, watchRequests } from './waited-for.ts';

describe('what requests wait for', () => {
  it('counts until all of it is done, well or not', async () => {
    const waitedFor = new WaitedFor();
    const [one, other] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const works = [waitedFor.during(() => one.promise), waitedFor.during(() => other.promise)];
    assert.equal(waitedFor.any, true);
    one.resolve('made');
    assert.equal(await works[0], 'made');
    assert.equal(waitedFor.any, true);
    other.reject(new Error('broken'));
    await assert.rejects(works[1] ?? Promise.resolve(), /broken/);
    assert.equal(waitedFor.any, false);
  });

  it('is seen by other threads', async () => {
    const waitedFor = new WaitedFor();
    const code = `
      const { parentPort, workerData } = require('node:worker_threads');
      import(workerData.module).then(({ watchRequests }) => {
        const waits = watchRequests(workerData.shared, () => false);
        parentPort.on('message', () => parentPort.postMessage(waits()));
      });`;
    const module = new URL('./waited-for.ts', import.meta.url).href;
    const worker = new Worker(code, { eval: true, workerData: { module, shared: waitedFor.shared } });
    const asked = () =>
      new Promise<boolean>((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
        worker.postMessage('?');
      });
    try {
      assert.equal(await asked(), false);
      const seen = await waitedFor.during(asked);
      assert.deepEqual([seen, await asked()], [true, false]);
    } finally {
      await worker.terminate();
    }
  });

  it('is not all that they are asked for: a main thread without a pause is as much', () => {
    const { shared } = new WaitedFor();
    assert.deepEqual(
      [watchRequests(shared, () => true)(), watchRequests(shared, () => false)()],
      [true, false],
    );
  });
});
