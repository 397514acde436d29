import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inPlainWords } from './accept-encoding.ts';

describe('the codings that a request takes', () => {
  for (const [accepted, read] of [
    ['gzip;q=0, *', 'br;q=1'],
    ['gzip;q=0, br;q=0, *', 'identity'],
    ['x-gzip;q=0, br;q=0, *', 'identity'],
    ['*', 'br;q=1, gzip;q=1'],
    ['*;q=0', 'identity'],
    ['*;q=0, gzip', 'gzip;q=1'],
    ['identity, gzip;q=0.5', 'identity'],
    ['gzip;q=1.0,deflate;q=0.6,identity;q=0.3', 'gzip;q=1'],
    ['gzip, identity', 'gzip;q=1'],
    ['identity;q=0', 'identity'],
    ['Identity;q=0.5, *;q=0.1, BR;q=0.7', 'br;q=0.7'],
    ['gzip;q=0.5, br', 'gzip;q=0.5, br'],
    ['', ''],
  ] as const) {
    it(`${JSON.stringify(accepted)} is ${JSON.stringify(read)}`, () => {
      assert.equal(inPlainWords(accepted), read);
    });
  }
});
