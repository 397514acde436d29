import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ZipInMemory } from './unpack-source.ts';

const read = (position: number, length: number, offset = 0) =>
  new Promise<[bytesRead: number, text: string]>((resolve, reject) => {
    const target = Buffer.alloc(8, '.');
    new ZipInMemory(Buffer.from('0123456789')).read(target, offset, length, position, (error, bytesRead) =>
      error ? reject(error) : resolve([bytesRead, target.toString()]),
    );
  });

describe('a zip in memory is read as a file is', () => {
  test('from any place, to any place', async () => {
    assert.deepEqual(await read(3, 4), [4, '3456....']);
    assert.deepEqual(await read(3, 4, 2), [4, '..3456..']);
    assert.deepEqual(await read(0, 0), [0, '........']);
  });

  test('with fewer bytes than asked for at its end, and at the end of the room', async () => {
    assert.deepEqual(await read(8, 4), [2, '89......']);
    assert.deepEqual(await read(0, 8, 6), [2, '......01']);
  });

  test('with none outside of it, wherever a forged directory says that something is', async () => {
    for (const position of [10, 11, 2 ** 40, Number.MAX_SAFE_INTEGER, -1])
      assert.deepEqual(await read(position, 4), [0, '........']);
  });

  test('and answers after the call, not within it', () => {
    let answered = false;
    new ZipInMemory(Buffer.from('0')).read(Buffer.alloc(1), 0, 1, 0, () => {
      answered = true;
    });
    assert.equal(answered, false);
  });
});
