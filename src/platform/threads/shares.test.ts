import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { NoPlace, type Place, Shares } from './shares.ts';

/** Asks again and again. @returns the places that were had at once */
function takeAll(shares: Shares, owner: string, weight = 1): Place[] {
  const places: Place[] = [];
  for (let place = shares.tryEnter(owner, weight); place; place = shares.tryEnter(owner, weight))
    places.push(place);
  return places;
}

describe('places that owners share', () => {
  it('leave something for whoever comes next, however much one asks for', () => {
    const shares = new Shares({ capacity: 300 });
    const taken = ['a', 'b', 'c', 'd'].map((owner) => takeAll(shares, owner).length);
    assert.deepEqual(taken, [150, 75, 37, 19]);
    assert.ok(shares.tryEnter('e'));
  });

  it('give one owner no more than its part, where that is told', () => {
    const shares = new Shares({ capacity: Number.POSITIVE_INFINITY, each: 64 });
    assert.equal(takeAll(shares, 'a').length, 64);
    assert.equal(takeAll(shares, 'b').length, 64);
    const unequal = new Shares({ capacity: 8, each: (owner) => (owner === 'a' ? 6 : 8) });
    assert.deepEqual([takeAll(unequal, 'a').length, takeAll(unequal, 'b').length], [6, 2]);
  });

  it('are given to those who wait owner by owner, not by who asked more often', async () => {
    const shares = new Shares({ capacity: 1, each: 1 });
    const first = await shares.enter('a');
    const served: string[] = [];
    const work = async (owner: string) => {
      const place = await shares.enter(owner);
      served.push(owner);
      await turn();
      place.release();
    };
    const all = ['a', 'a', 'a', 'b', 'a', 'c', 'b'].map(work);
    assert.equal(shares.waiting, 7);
    first.release();
    await Promise.all(all);
    assert.deepEqual(served, ['a', 'b', 'c', 'a', 'b', 'a', 'a']);
    assert.equal(shares.waiting, 0);
  });

  it('are weighed: what is larger than the whole has it alone', async () => {
    const shares = new Shares({ capacity: 100 });
    const small = await shares.enter('a', 10);
    const large = shares.enter('b', 1_000);
    assert.equal(shares.waiting, 1);
    assert.equal(shares.tryEnter('a', 41), null, 'with what it holds that is more than half');
    small.release();
    const place = await large;
    assert.equal(shares.tryEnter('a', 1), null);
    place.resize(20);
    assert.ok(shares.tryEnter('a', 80));
  });

  it('are not waited for longer than was said, nor by who has gone; the next one gets what they wanted', async () => {
    const shares = new Shares({ capacity: 1, each: 1, waitMs: 20 });
    const place = await shares.enter('a');
    const gone = new AbortController();
    const leaving = shares.enter('a', 1, gone.signal);
    const late = shares.enter('a');
    gone.abort();
    await assert.rejects(leaving, NoPlace);
    // The timer alone would not keep the process.
    const keep = setInterval(() => {}, 1_000);
    await assert.rejects(late, NoPlace);
    clearInterval(keep);
    assert.equal(shares.waiting, 0);
    const next = shares.enter('b');
    place.release();
    place.release();
    (await next).release();
    assert.equal(takeAll(shares, 'c').length, 1);
  });

  it('come back when the work fails', async () => {
    const shares = new Shares({ capacity: 1, each: 1 });
    await assert.rejects(
      shares.run('a', () => Promise.reject(new RangeError('x'))),
      RangeError,
    );
    assert.equal(await shares.run('b', async () => 7), 7);
  });
});
