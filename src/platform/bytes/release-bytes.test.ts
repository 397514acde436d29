import assert from 'node:assert/strict';
import { test } from 'node:test';
import { releaseBytes } from './release-bytes.ts';

const MB = 1_000_000;

test('bytes that have their memory for themselves are gone at once', () => {
  const bytes = Buffer.allocUnsafeSlow(MB);
  const before = process.memoryUsage().arrayBuffers;
  releaseBytes(bytes);
  assert.equal(bytes.byteLength, 0);
  assert.ok(process.memoryUsage().arrayBuffers <= before - MB);
});

test('bytes that lie beside others stay, and small ones too', () => {
  const all = Buffer.alloc(MB, 7);
  const part = all.subarray(0, MB / 2);
  releaseBytes(part);
  assert.deepEqual([part.length, all[0]], [MB / 2, 7]);
  const pooled = Buffer.from('a small one');
  releaseBytes(pooled);
  assert.equal(pooled.toString(), 'a small one');
  const shared = new Uint8Array(new SharedArrayBuffer(MB));
  releaseBytes(shared);
  assert.equal(shared.length, MB);
});
