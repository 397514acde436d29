import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { PAGINAS } from '../scripts/docs.ts';

describe('the pages that are made from the code', () => {
  for (const { path, render } of PAGINAS) {
    it(`${path} is fresh: else run "npm run docs"`, () => {
      const file = join(import.meta.dirname, '..', path);
      assert.equal(readFileSync(file, 'utf8'), render());
    });
  }
});
