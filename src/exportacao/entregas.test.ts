import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { Entregas } from './entregas.ts';

const MB = 1024 * 1024;
const answer = () => Object.assign(new EventEmitter(), { destroyed: false }) as unknown as ServerResponse;

test('whole pages have room until their answers end, and no more of them than there is', () => {
  const entregas = new Entregas();
  const slow = Array.from({ length: 8 }, answer);
  for (const one of slow) assert.equal(entregas.begin(one, 8 * MB), true);
  assert.equal(entregas.begin(answer(), 1), false);
  assert.equal(entregas.begin(answer(), 0), true, 'an empty one takes none');
  slow[3]?.emit('close');
  assert.equal(entregas.begin(answer(), 8 * MB), true);
  assert.equal(entregas.begin(answer(), 1), false);
});

test('an answer whose reader has gone holds no room', () => {
  const entregas = new Entregas();
  const gone = Object.assign(answer(), { destroyed: true });
  for (let n = 0; n < 20; n++) assert.equal(entregas.begin(gone, 8 * MB), true);
  assert.equal(entregas.begin(answer(), 8 * MB), true);
});
