import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Arena } from './arena.ts';

describe('memory for the documents of a batch', () => {
  test('has them one behind the other, as copies', () => {
    const arena = new Arena(10);
    const source = Buffer.from('abc');
    const views = [arena.put(source), arena.put(Buffer.alloc(0)), arena.put(Buffer.from('defg'))];
    source.fill(0);
    assert.deepEqual(
      views.map((view) => Buffer.from(view).toString()),
      ['abc', '', 'defg'],
    );
    assert.ok(views.every(({ buffer }) => buffer === arena.bytes.buffer));
    assert.equal(Buffer.from(arena.bytes).toString('latin1', 0, 7), 'abcdefg');
  });

  test('has once what several of them share, in one object for all', () => {
    const arena = new Arena(10);
    const shared = { bytes: Buffer.from('abc'), sha256: '1' };
    const [first, again, other] = [shared, shared, { ...shared, sha256: '2' }].map((part) =>
      arena.putShared(part),
    );
    assert.equal(first, again);
    assert.deepEqual([first?.sha256, other?.sha256], ['1', '2']);
    assert.equal(Buffer.from(arena.bytes).toString('latin1', 0, 6), 'abcabc');
    assert.equal(first?.bytes.buffer, arena.bytes.buffer);
  });

  test('gives what does not fit any more memory of its own, and goes on with what does', () => {
    const arena = new Arena(4);
    const [first, large, last] = ['abc', 'defgh', 'i'].map((text) => arena.put(Buffer.from(text)));
    assert.ok(first && large && last);
    assert.equal(Buffer.from(large).toString(), 'defgh');
    assert.deepEqual([large.buffer.byteLength, last.buffer], [5, arena.bytes.buffer]);
    assert.equal(Buffer.from(arena.bytes).toString(), 'abci');
  });
});
