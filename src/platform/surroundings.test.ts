import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseAwayError } from './db/faults.ts';
import { BlobStoreUnavailableError } from './storage/blob-store.ts';
import { faltaDoEntorno } from './surroundings.ts';

const fault = (message: string, fields: object) => Object.assign(new Error(message), fields);
const doPostgres = (code: string) => fault('refused', { code, severity: 'ERROR', routine: 'mdextend' });

describe('what around the service failed', () => {
  it('is told apart, whichever database it is', () => {
    const faults: [unknown, ReturnType<typeof faltaDoEntorno>][] = [
      [fault('no space', { code: 'ENOSPC' }), 'disco_cheio'],
      [fault('quota', { code: 'EDQUOT' }), 'disco_cheio'],
      [doPostgres('53100'), 'banco_cheio'],
      [fault('database or disk is full', { code: 'ERR_SQLITE_ERROR', errcode: 13 }), 'banco_cheio'],
      [doPostgres('53300'), 'banco'],
      [fault('database is locked', { code: 'ERR_SQLITE_ERROR', errcode: 5 }), 'banco'],
      [new DatabaseAwayError(new Error('gone')), 'banco'],
      [new BlobStoreUnavailableError('no answer'), 'armazenamento'],
      [doPostgres('23505'), null],
      [null, null],
    ];
    for (const [error, falta] of faults) assert.equal(faltaDoEntorno(error), falta, String(error));
  });
});
