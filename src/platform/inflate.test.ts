import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { RawInflater } from './inflate.ts';

/** Contents that compress well, and at every fifth not at all. */
function contents(): Buffer[] {
  const sizes = [1, 2, 63, 500, 8_700, 65_535, 65_536, 70_000, 600_000];
  return Array.from({ length: 300 }, (_, i) => {
    const size = sizes[i % sizes.length] ?? 1;
    return i % 5 === 0
      ? randomBytes(size)
      : Buffer.from(`<nota numero="${i}"/>`.repeat(size)).subarray(0, size);
  });
}

test('inflates one stream after another, and what it gave before stays as it was', () => {
  const inflater = new RawInflater();
  const expected = contents();
  const given = expected.map((content) => inflater.inflate(deflateRawSync(content), content.length));
  assert.ok(given.every((content, i) => content !== null && expected[i]?.equals(content)));
});

test('gives nothing for a stream that is not exactly as long as told, damaged, cut, or followed by more', () => {
  const inflater = new RawInflater();
  const content = Buffer.from('<nota>ação</nota>'.repeat(500));
  const stream = deflateRawSync(content);
  const damaged = Buffer.from(stream);
  damaged.fill(0xff, 4, 12);
  const wrong: [Buffer, number][] = [
    [stream, content.length - 1],
    [stream, content.length + 1],
    [stream, content.length * 2],
    [damaged, content.length],
    [stream.subarray(0, stream.length - 1), content.length],
    [stream.subarray(0, 3), content.length],
    [Buffer.concat([stream, Buffer.from([0])]), content.length],
    [Buffer.alloc(0), content.length],
    [Buffer.from('no deflate stream at all'), content.length],
  ];
  for (const [data, length] of wrong) {
    assert.equal(inflater.inflate(data, length), null);
    assert.ok(
      inflater.inflate(stream, content.length)?.equals(content),
      'and the next one is inflated again',
    );
  }
});

test('a cut stream that has given all of its content already is cut all the same', () => {
  const inflater = new RawInflater();
  const content = Buffer.from('abcdefgh'.repeat(1_000));
  // Without the end mark: a sync flush ends a block, not the stream.
  const stream = deflateRawSync(content, { finishFlush: 2 });
  assert.equal(inflater.inflate(stream, content.length), null);
});

test('memory that results share goes back with the last of them, and not before', () => {
  const inflater = new RawInflater();
  const content = Buffer.from('<nota/>'.repeat(8_000));
  const stream = deflateRawSync(content);
  const inflate = () => inflater.inflate(stream, content.length) ?? assert.fail();
  const [first, ...others] = Array.from({ length: 20 }, inflate);
  const same = others.filter(({ buffer }) => buffer === first?.buffer);
  assert.ok(first && same.length > 2 && same.length < others.length);
  for (const result of same) inflater.release(result);
  for (const result of same) inflater.release(result);
  assert.ok(first.equals(content));
  inflater.release(first);
  assert.deepEqual([first.length, same[0]?.length], [0, 0]);
  assert.ok(others.every((result) => same.includes(result) || result.equals(content)));
});

test('memory is still there for what comes next when all of its results were released', () => {
  const inflater = new RawInflater();
  const content = Buffer.from('<nota/>'.repeat(8_000));
  const stream = deflateRawSync(content);
  for (let i = 0; i < 20; i++) {
    const result = inflater.inflate(stream, content.length) ?? assert.fail();
    assert.ok(result.equals(content));
    inflater.release(result);
  }
});
