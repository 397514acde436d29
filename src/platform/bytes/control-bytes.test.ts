import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hasControls } from './control-bytes.ts';

test('control characters are found wherever they stand, and nothing else is taken for one', () => {
  const byte = fc.oneof({ weight: 20, arbitrary: fc.integer({ min: 0x20, max: 0xff }) }, fc.nat(0x1f));
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 40 }), fc.nat(7), (values, offset) => {
      const memory = new Uint8Array(offset + values.length + 8);
      memory.set(values, offset);
      const bytes = memory.subarray(offset, offset + values.length);
      assert.equal(
        hasControls(bytes),
        values.some((value) => value < 0x20),
      );
    }),
    { numRuns: 5_000 },
  );
  for (let value = 0; value <= 0xff; value++) {
    for (let at = 0; at < 9; at++) {
      const bytes = new Uint8Array(9).fill(0x80);
      bytes[at] = value;
      assert.equal(hasControls(bytes), value < 0x20, `${value} at ${at}`);
    }
  }
});
