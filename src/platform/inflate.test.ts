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
