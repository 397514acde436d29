import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GrowingBytes } from './growing-bytes.ts';

test('what is written stands one behind the other, however little memory there was at first', () => {
  const written = new GrowingBytes(8);
  const text = fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 60 }), latin1: fc.boolean() });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), (texts) => {
      written.clear();
      const expected = texts.map(({ text, latin1 }) => {
        const bytes = Buffer.from(text);
        if (latin1) written.writeLatin1(bytes.toString('latin1'));
        else written.write(text);
        return bytes;
      });
      assert.deepEqual(written.written, Buffer.concat(expected));
    }),
    { numRuns: 300 },
  );
});
