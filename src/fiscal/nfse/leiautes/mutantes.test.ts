import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readMutantes } from './mutar-de-teste.ts';

// Ten thousand of them: `npm run leiautes`.
it('notes with something wrong in them are read as what their bytes say, or not at all', () => {
  assert.deepEqual(readMutantes(600, 1), []);
});
