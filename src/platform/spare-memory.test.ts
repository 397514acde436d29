import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  dropSpareMemory,
  dropSpareMemoryOnceIdle,
  giveFileMemory,
  giveMemory,
  takeFileMemory,
  takeMemory,
} from './spare-memory.ts';

const KB = 1024;
const MB = 1024 * KB;
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
/** All of it goes back after each test. */
const taken: Uint8Array[] = [];
const noted = (memory: Uint8Array<ArrayBuffer>) => {
  taken.push(memory);
  return memory;
};
const take = (length: number) => noted(takeMemory(length));
const takeFile = (length: number) => noted(takeFileMemory(length));

/** A mark that only memory which was used before has. */
const MARK = Buffer.from('used before');
const mark = (memory: Uint8Array<ArrayBuffer>) => {
  memory.set(MARK);
  return memory;
};
const marked = (length: number) => mark(take(length));
const markedFile = (length: number) => mark(takeFile(length));
const isMarked = (memory: Uint8Array) => Buffer.from(memory.buffer, 0, MARK.length).equals(MARK);

describe('memory that goes round', () => {
  afterEach(() => {
    for (const memory of taken.splice(0)) giveMemory(memory);
    dropSpareMemory();
  });

  test('is used again for what is as large or a little smaller, once', () => {
    giveMemory(marked(300 * KB));
    assert.ok(isMarked(take(400 * KB)));
    const other = take(400 * KB);
    assert.ok(other.length >= 400 * KB && !isMarked(other));
  });

  test('is empty for who gave it back', () => {
    const memory = marked(100 * KB);
    const view = memory.subarray(0, 10);
    giveMemory(memory);
    assert.deepEqual([memory.length, view.length], [0, 0]);
  });

  test('is as large as asked for where it is small, and not kept', () => {
    for (const length of [0, 1, 64 * KB - 1]) {
      const memory = take(length);
      assert.equal(memory.buffer.byteLength, length);
      giveMemory(memory);
    }
    const before = process.memoryUsage().arrayBuffers;
    dropSpareMemory();
    assert.equal(process.memoryUsage().arrayBuffers, before);
  });

  test('that is very large is as large as asked for, and not kept', () => {
    const memory = marked(3 * MB);
    assert.equal(memory.length, 3 * MB);
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    giveMemory(memory);
    assert.equal(before - process.memoryUsage().arrayBuffers, 3 * MB);
  });

  test('of a file is kept, the larger of two, for the next file alone', () => {
    const [smaller, larger] = [markedFile(3 * MB), markedFile(8 * MB)];
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    giveFileMemory(larger);
    giveFileMemory(smaller);
    assert.equal(before - process.memoryUsage().arrayBuffers, 4 * MB);
    assert.equal(take(4 * MB).length, 4 * MB);
    const again = takeFile(5 * MB);
    const other = takeFile(4 * MB);
    assert.deepEqual([again.length, other.length], [8 * MB, 4 * MB]);
    assert.ok(isMarked(again) && !isMarked(other));
    for (const memory of [again, other]) giveFileMemory(memory);
    dropSpareMemory();
    assert.equal(takeFile(4 * MB).length, 4 * MB);
  });

  test('of a file has room for one that is a little larger; of one that is too large for it, it goes first', () => {
    giveFileMemory(markedFile(9 * MB));
    const again = takeFile(12 * MB);
    assert.ok(again.length === 12 * MB && isMarked(again));
    giveFileMemory(again);
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    assert.ok(!isMarked(takeFile(12 * MB + 1)));
    assert.equal(process.memoryUsage().arrayBuffers - before, 4 * MB);
  });

  test('of a small file goes round like any other', () => {
    giveFileMemory(markedFile(300 * KB));
    assert.ok(isMarked(take(300 * KB)));
  });

  test('that others lie in is left alone', () => {
    const all = marked(128 * KB);
    giveMemory(all.subarray(0, 64 * KB));
    giveMemory(all.subarray(64 * KB));
    assert.ok(all.length === 128 * KB && isMarked(all));
    assert.ok(!isMarked(take(64 * KB)));
  });

  test('is kept up to a bound, and goes back to the system when nothing is to be done', () => {
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    const held = () => Math.round((process.memoryUsage().arrayBuffers - before) / KB / KB);
    const memories = Array.from({ length: 20 }, () => take(1024 * KB));
    assert.equal(held(), 20);
    for (const memory of memories) giveMemory(memory);
    assert.equal(held(), 16);
    dropSpareMemory();
    assert.equal(held(), 0);
  });

  test('goes back once none was taken for a while, and not before', async () => {
    giveMemory(marked(300 * KB));
    dropSpareMemoryOnceIdle(50);
    const until = performance.now() + 200;
    while (performance.now() < until) {
      const memory = take(300 * KB);
      assert.ok(isMarked(memory));
      giveMemory(memory);
      await pause(10);
    }
    giveFileMemory(markedFile(4 * MB));
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    await pause(150);
    assert.equal(before - process.memoryUsage().arrayBuffers, 4 * MB + 512 * KB);
  });
});
