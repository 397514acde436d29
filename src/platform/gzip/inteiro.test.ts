import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { membroInteiro } from './inteiro.ts';

test('texts come back out of their members, one after the other, those too that do not fit the compressor', () => {
  const texts = [
    Buffer.from('<nfeProc>ação</nfeProc>'.repeat(5_000)),
    Buffer.alloc(0),
    randomBytes(2_500_000),
    Buffer.alloc(3_000_000, 'ção '),
    Buffer.from('"'),
  ];
  for (const text of [...texts, ...texts.toReversed()])
    assert.ok(gunzipSync(membroInteiro(text)).equals(text));
});

test('what texts repeat of each other takes no room', () => {
  const one = randomBytes(9_000).toString('hex');
  assert.ok(membroInteiro(Buffer.from(one.repeat(10))).length < membroInteiro(Buffer.from(one)).length * 1.5);
});
