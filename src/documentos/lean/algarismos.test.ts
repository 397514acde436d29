import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { apertar, soltar } from './algarismos.ts';

describe('texts of digits and commas', () => {
  test('take about half of their room, and are printable', () => {
    assert.equal(apertar('6102,39191010,70354').length, 11);
    assert.match(apertar('6102,39191010,70354'), /^[!-~]+$/);
    assert.equal(apertar(''), '');
  });

  test('come back as they were', () => {
    const texto = fc
      .array(fc.constantFrom(...'0123456789,'), { maxLength: 60 })
      .map((symbols) => symbols.join('').replace(/,+$/, ''));
    fc.assert(fc.property(texto, (some) => assert.equal(soltar(apertar(some)), some)));
    for (const some of ['9'.repeat(13), ',,,,,,,,,,,,9', '0', ',0', '9'.repeat(26)]) {
      assert.equal(soltar(apertar(some)), some);
    }
  });
});
