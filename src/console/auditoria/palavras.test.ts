import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACAO } from '../../auditoria/auditar.ts';
import { atosCom, palavrasDe } from './palavras.ts';

describe('acts of the audit log', () => {
  it('have words of their own, every one of them', () => {
    const words = Object.values(ACAO).map(palavrasDe);
    for (const text of words) assert.match(text, /^\p{Lu}[\p{L} ]{6,40}$/u);
    assert.equal(new Set(words).size, words.length);
  });

  it('are found by a part of their words, whatever its case and accents', () => {
    assert.deepEqual(atosCom('CODIGOS DE'), ['totp.codigos_renovados']);
    assert.deepEqual(atosCom('token de').length, 3);
    assert.deepEqual(atosCom('nada disso'), []);
  });

  it('stay as they are written when nobody knows them any more', () => {
    assert.equal(palavrasDe('toString'), 'toString');
    assert.equal(palavrasDe('antigo.ato'), 'antigo.ato');
  });
});
