import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseAwayError } from '../platform/db/faults.ts';
import { BlobStoreUnavailableError } from '../platform/storage/blob-store.ts';
import { describeError } from './saida.ts';

const fault = (message: string, fields: object) => Object.assign(new Error(message), fields);

describe('what a command says of the surroundings that failed', () => {
  it('is a sentence in Portuguese that says whose fault it is, with what the other side said', () => {
    const faults: [Error, RegExp][] = [
      [
        new BlobStoreUnavailableError('the bucket: AccessDenied: no', {
          cause: new Error('AccessDenied: no'),
        }),
        /^O armazenamento dos arquivos \(MALOTE_ARQUIVOS\) não responde, ou recusa: AccessDenied: no\.$/,
      ],
      [
        new DatabaseAwayError(new Error('Connection terminated unexpectedly')),
        /^O banco de dados não responde: Connection terminated unexpectedly\.$/,
      ],
      [
        fault('could not extend file "base/1": No space left on device', {
          ...{ code: '53100', severity: 'ERROR', routine: 'mdextend' },
        }),
        /^O disco do servidor PostgreSQL está cheio\.$/,
      ],
      [fault('no space', { code: 'ENOSPC' }), /^O disco está cheio\.$/],
      [fault('quota', { code: 'EDQUOT' }), /^A cota de disco acabou\.$/],
      [fault('i/o', { code: 'EIO', path: '/x' }), /^O disco falhou: \/x$/],
    ];
    for (const [error, told] of faults) assert.match(describeError(error).mensagem, told);
  });
});
