import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { UsedAgain } from './used-again.ts';

const KB = 1024;

describe('memory that is used again', () => {
  test('has the very length that is asked for, and no two have the same at once', () => {
    const memory = new UsedAgain(1024 * KB);
    const [one, other] = [memory.take(100 * KB + 7), memory.take(100 * KB)];
    assert.deepEqual([one.length, other.length], [100 * KB + 7, 100 * KB]);
    assert.notEqual(one.buffer, other.buffer);
  });

  test('is that of an answer of about the same size that was sent', () => {
    const memory = new UsedAgain(1024 * KB);
    const { buffer } = sent(memory, 100 * KB);
    assert.equal(memory.take(90 * KB).buffer, buffer);
    assert.notEqual(memory.take(90 * KB).buffer, buffer, 'taken once');
    assert.notEqual(sent(memory, 100 * KB).buffer, memory.take(30 * KB).buffer, 'too large');
    assert.notEqual(sent(memory, 100 * KB).buffer, memory.take(200 * KB).buffer, 'too small');
  });

  test('is kept up to a bound, and let go when nobody has taken any for a while', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const memory = new UsedAgain(256 * KB);
    const all = [1, 2, 3].map(() => memory.take(128 * KB));
    for (const bytes of all) memory.giveBack(bytes);
    assert.equal(memory.freeBytes, 256 * KB);
    mock.timers.tick(5_000);
    assert.equal(memory.freeBytes, 0);
    mock.timers.reset();
  });

  test('is never what came from elsewhere, nor the same twice', () => {
    const memory = new UsedAgain(1024 * KB);
    memory.giveBack(Buffer.alloc(64 * KB));
    assert.equal(memory.freeBytes, 0);
    const bytes = memory.take(64 * KB);
    memory.giveBack(bytes);
    memory.giveBack(bytes.subarray(0, 10));
    assert.equal(memory.freeBytes, 64 * KB);
  });
});

function sent(memory: UsedAgain, length: number): Buffer {
  const bytes = memory.take(length);
  memory.giveBack(bytes);
  return bytes;
}
