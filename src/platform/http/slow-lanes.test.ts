import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { SlowLanes } from './slow-lanes.ts';

/** A clock that goes on when it is told to. */
let now = 0;
async function pass(ms: number): Promise<void> {
  now += ms;
  mock.timers.tick(ms);
  await turn();
}

describe('a slow lane', () => {
  beforeEach(() => {
    now = 0;
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(performance, 'now', () => now);
  });
  afterEach(() => {
    mock.timers.reset();
    mock.reset();
  });

  it('gives a turn at once, and the next after the pause', async () => {
    const lanes = new SlowLanes({ everyMs: 100, waitingMax: 5, waitMs: 60_000 });
    assert.equal(await lanes.turn({ key: 'a', from: 'x' }), true);
    let isTurn = false;
    const second = lanes.turn({ key: 'a', from: 'x' }).then((had) => {
      isTurn = had;
    });
    await pass(99);
    assert.equal(isTurn, false);
    await pass(1);
    await second;
    assert.equal(isTurn, true);
  });

  it('is one for each key', async () => {
    const lanes = new SlowLanes({ everyMs: 60_000, waitingMax: 5, waitMs: 60_000 });
    assert.equal(await lanes.turn({ key: 'a', from: 'x' }), true);
    assert.equal(await lanes.turn({ key: 'b', from: 'x' }), true);
  });

  it('lets nobody wait longer than is told', async () => {
    const lanes = new SlowLanes({ everyMs: 60_000, waitingMax: 5, waitMs: 20 });
    assert.equal(await lanes.turn({ key: 'a', from: 'x' }), true);
    const late = lanes.turn({ key: 'a', from: 'x' });
    await pass(20);
    assert.equal(await late, false);
  });

  it('has room for who comes for the first time, however many wait of somebody else: that one is next', async () => {
    const lanes = new SlowLanes({ everyMs: 20, waitingMax: 4, waitMs: 60_000 });
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
    await pass(20);
    assert.equal(await owner, true);
    assert.deepEqual(order, ['estranho', 'dono']);
    for (let turns = 0; turns < 4; turns++) await pass(20);
    const turns = await Promise.all(flood);
    assert.equal(turns.filter(Boolean).length, 3, 'of the four places one was the owner’s');
  });

  it('from one place is anybody’s next turn: who knows gets through a flood by trying again', async () => {
    const lanes = new SlowLanes({ everyMs: 2, waitingMax: 10, waitMs: 60_000 });
    const come = () => lanes.turn({ key: 'conta', from: 'proxy' });
    let flooding = true;
    const flood = Array.from({ length: 10 }, async () => {
      for (; flooding; await turn()) await come();
    });
    for (let at = 0, through = false; !through; at++) {
      assert.ok(at < 1_000);
      const asked = come();
      await pass(2);
      through = await Promise.race([asked, turn(false)]);
    }
    flooding = false;
    for (let at = 0; at < 20; at++) await pass(2);
    await Promise.all(flood);
  });
});
