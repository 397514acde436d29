import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CodigoDeStatus } from '../../banco/tabelas.ts';
import { PAPEL, STATUS_DOCUMENTO } from '../../fiscal/tipos.ts';
import { PAPEL_EM_CODIGO, STATUS_EM_CODIGO } from './codigos.ts';

describe('codes of words', () => {
  test('are there for every word, and lead back to it', () => {
    const words = (record: Readonly<Record<string, string>>) => Object.values(record).sort();
    assert.deepEqual([...PAPEL_EM_CODIGO.palavras].sort(), words(PAPEL));
    assert.deepEqual([...STATUS_EM_CODIGO.palavras].sort(), words(STATUS_DOCUMENTO));
    for (const palavra of PAPEL_EM_CODIGO.palavras) {
      assert.equal(PAPEL_EM_CODIGO.ler(PAPEL_EM_CODIGO.escrever(palavra)), palavra);
    }
  });

  test('of the commonest words are those that SQLite keeps in no byte', () => {
    assert.deepEqual(['emitente', 'destinatario'].map(PAPEL_EM_CODIGO.escrever, PAPEL_EM_CODIGO), [0, 1]);
    assert.equal(STATUS_EM_CODIGO.escrever('Autorizada'), 0);
  });

  test('that are unknown are refused, and only shown to whoever checks', () => {
    const unknown = 99 as CodigoDeStatus;
    assert.throws(() => STATUS_EM_CODIGO.ler(unknown), /99/);
    assert.equal(STATUS_EM_CODIGO.mostrar(unknown), '99');
    assert.throws(() => STATUS_EM_CODIGO.escrever('Outra'), /Outra/);
  });
});
