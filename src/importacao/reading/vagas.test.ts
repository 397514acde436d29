import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Vagas } from './vagas.ts';

/** Everything that can happen without waiting for the outside has happened. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a bound on what is held', () => {
  it('makes those wait that do not fit, and serves them in their order', async () => {
    const vagas = new Vagas(10);
    const served: string[] = [];
    const take = async (name: string, weight: number) => {
      const release = await vagas.take(weight);
      served.push(name);
      return release;
    };
    const a = take('a', 6);
    const b = take('b', 6);
    const c = take('c', 1);
    await settle();
    assert.deepEqual(served, ['a'], 'c would fit, but b was first');
    (await a)();
    await settle();
    assert.deepEqual(served, ['a', 'b', 'c']);
    (await b)();
    (await c)();
  });

  it('lets something heavier than the whole through when nothing else is held', async () => {
    const vagas = new Vagas(10);
    const small = await vagas.take(1);
    const big = vagas.take(50);
    small();
    const release = await big;
    let next = false;
    void vagas.take(1).then(() => {
      next = true;
    });
    await settle();
    assert.equal(next, false);
    release();
    await settle();
    assert.equal(next, true);
  });

  it('counts a release once', async () => {
    const vagas = new Vagas(2);
    const first = await vagas.take(1);
    await vagas.take(1);
    first();
    first();
    await vagas.take(1);
    let fourth = false;
    void vagas.take(1).then(() => {
      fourth = true;
    });
    await settle();
    assert.equal(fourth, false);
  });

  it('serves who waits when there is more room, and waits for what is held above less', async () => {
    const vagas = new Vagas(2);
    const first = await vagas.take(2);
    let second: (() => void) | null = null;
    void vagas.take(2).then((release) => {
      second = release;
    });
    await settle();
    assert.equal(second, null);
    vagas.resize(4);
    await settle();
    assert.notEqual(second, null);

    vagas.resize(2);
    assert.equal(vagas.free, 0);
    let third = false;
    void vagas.take(1).then(() => {
      third = true;
    });
    first();
    await settle();
    assert.equal(third, false, 'what is held still fills the smaller room');
    (second as (() => void) | null)?.();
    await settle();
    assert.equal(third, true);
  });
});
