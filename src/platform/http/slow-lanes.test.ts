import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { SlowLanes } from './slow-lanes.ts';

/** Far longer than any test waits. */
const NEVER_MS = 60_000;

describe('a slow lane', () => {
  it('gives a turn at once, and the next after the pause', async () => {
    const lanes = new SlowLanes({ everyMs: 100, waitingMax: 5, waitMs: NEVER_MS });
    assert.equal(await lanes.turn({ key: 'a', from: 'x' }), true);
    const asked = performance.now();
    assert.equal(await lanes.turn({ key: 'a', from: 'x' }), true);
    assert.ok(performance.now() - asked >= 99);
  });

  it('is one for each key', async () => {
    const lanes = new SlowLanes({ everyMs: NEVER_MS, waitingMax: 5, waitMs: NEVER_MS });
    assert.equal(await lanes.turn({ key: 'a', from: 'x' }), true);
    assert.equal(await lanes.turn({ key: 'b', from: 'x' }), true);
  });

  it('lets nobody wait longer than is told', async () => {
    const lanes = new SlowLanes({ everyMs: NEVER_MS, waitingMax: 5, waitMs: 20 });
    assert.equal(await lanes.turn({ key: 'a', from: 'x' }), true);
    // Its own timers keep no process alive.
    const [late] = await Promise.all([lanes.turn({ key: 'a', from: 'x' }), delay(100)]);
    assert.equal(late, false);
  });

  it('has room for who comes for the first time, however many wait of somebody else: that one is next', async () => {
    const lanes = new SlowLanes({ everyMs: 20, waitingMax: 4, waitMs: NEVER_MS });
    const order: string[] = [];
    const come = (from: string) =>
      lanes.turn({ key: 'conta', from }).then((isTurn) => {
        if (isTurn) order.push(from);
        return isTurn;
      });
    await come('estranho');
    const flood = Array.from({ length: 50 }, () => come('estranho'));
    const owner = come('dono');
    flood.push(...Array.from({ length: 50 }, () => come('estranho')));
    assert.equal(await owner, true);
    assert.deepEqual(order.slice(0, 2), ['estranho', 'dono']);
    const [turns] = await Promise.all([Promise.all(flood), delay(200)]);
    assert.equal(turns.filter(Boolean).length, 3, 'of the four places one was the owner’s');
  });

  it('from one place is anybody’s next turn: who knows gets through a flood by trying again', async () => {
    const lanes = new SlowLanes({ everyMs: 2, waitingMax: 10, waitMs: NEVER_MS });
    let flooding = true;
    const flood = Array.from({ length: 10 }, async () => {
      while (flooding) await Promise.all([lanes.turn({ key: 'conta', from: 'proxy' }), delay(1)]);
    });
    for (let at = 0; !(await lanes.turn({ key: 'conta', from: 'proxy' })); at++) assert.ok(at < 1_000);
    flooding = false;
    await Promise.all(flood);
  });
});
