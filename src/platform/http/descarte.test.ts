import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { answerThenDiscard } from './descarte.ts';

describe('the rest of a refused body', () => {
  it('is read to its end before the answer ends, and its memory is not kept until garbage is collected', async () => {
    const chunks = Array.from({ length: 20 }, () => Buffer.from(new ArrayBuffer(64 * 1024)));
    const answer = answerThenDiscard(Buffer.from('não'), Readable.from(chunks) as unknown as IncomingMessage);
    assert.equal(String(await buffer(answer)), 'não');
    assert.deepEqual(
      chunks.map(({ length }) => length),
      chunks.map(() => 0),
    );
  });
});
