import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Aleatorio } from './aleatorio.ts';

test('the same seed draws the same values on every machine', () => {
  const random = new Aleatorio('malote');
  const drawn = [random.word(), random.word(), random.integer(1, 100), random.digits(8)];
  assert.deepEqual(drawn, [4019211924, 1210259291, 41, '71830970']);
});

test('a fork depends on seed and label, not on what was drawn before', () => {
  const a = new Aleatorio('s');
  const b = new Aleatorio('s');
  b.digits(40);
  assert.equal(a.fork('x').word(), b.fork('x').word());
  assert.notEqual(a.fork('x').word(), a.fork('y').word());
});

test('draws stay inside their bounds and cover them', () => {
  const random = new Aleatorio('limites');
  const seen = new Set<number>();
  for (let i = 0; i < 500; i++) {
    seen.add(random.integer(3, 7));
    const decimal = random.decimal(0.5, 1.5, 2);
    assert.ok(decimal >= 0.5 && decimal <= 1.5 && Number.isInteger(Math.round(decimal * 1e6) / 1e4));
    assert.match(random.digits(13), /^\d{13}$/);
  }
  assert.deepEqual([...seen].sort(), [3, 4, 5, 6, 7]);
});

test('weights decide how often a value is drawn, and zero weights never', () => {
  const random = new Aleatorio('pesos');
  const counts = { a: 0, b: 0, c: 0 };
  for (let i = 0; i < 4_000; i++) {
    counts[
      random.weighted([
        ['a', 3],
        ['b', 1],
        ['c', 0],
      ] as const)
    ]++;
  }
  assert.equal(counts.c, 0);
  assert.ok(counts.a > 2_800 && counts.a < 3_200, String(counts.a));
});

test('nothing can be picked from nothing', () => {
  assert.throws(() => new Aleatorio('v').pick([]), RangeError);
  assert.throws(() => new Aleatorio('v').weighted([['a', 0]]), RangeError);
});
