import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Janelas } from './janelas.ts';
import { createFailureLimit, HeldUp } from './tentativas.ts';

describe('counts per minute in one process', () => {
  it('grow by key, and are nothing where nothing was counted', async (t) => {
    t.mock.method(performance, 'now', () => 1_000);
    const janelas = new Janelas(null);
    assert.equal(janelas.add('a').quantos, 1);
    assert.equal(janelas.add('a').quantos, 2);
    const [a, b] = await janelas.read(['a', 'b'], 0);
    assert.deepEqual(a, { quantos: 2, restamMs: 60_000 });
    assert.deepEqual(b, { quantos: 0, restamMs: 0 });
    await janelas.close();
  });

  it('take keys of callers only as long as costs nothing', () => {
    const janelas = new Janelas(null);
    janelas.add('x'.repeat(300));
    assert.equal(janelas.add('x'.repeat(10_000)).quantos, 2, 'cut to the same');
  });

  it('begin anew a minute after the first, whatever came since', async (t) => {
    let now = 1_000;
    t.mock.method(performance, 'now', () => now);
    const lanes = { everyMs: 1, waitingMax: 1, waitMs: 1 };
    const limit = createFailureLimit({ failuresPerMinute: 2, lanes });
    await limit.count(['a']);
    now += 59_000;
    await limit.count(['a']);
    await assert.rejects(limit.refuse(['a', 'b']), { seconds: 1 });
    now += 1_001;
    await limit.refuse(['a']);
    await limit.count(['a']);
    await limit.refuse(['a']);
  });

  it('hold up who tries, and let one at a time go on', async () => {
    const lanes = { everyMs: 60_000, waitingMax: 5, waitMs: 50 };
    const limit = createFailureLimit({ failuresPerMinute: 1, lanes });
    assert.equal(await limit.admit(['conta', 'lugar']), null);
    await limit.count(['conta', 'lugar']);
    assert.ok((await limit.admit(['conta', 'outro lugar']))?.seconds, 'the first turn is at once');
    await assert.rejects(limit.admit(['conta', 'outro lugar']), HeldUp);
    assert.equal(await limit.admit(['outra conta', 'outro lugar']), null);
  });
});
