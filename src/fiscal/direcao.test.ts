import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { direcaoDe } from './direcao.ts';

describe('the direction of a document', () => {
  const casos = [
    ['55', 'emitente', '1', 'Saída', 'a sale leaves its issuer'],
    ['55', 'destinatario', '1', 'Entrada', 'and comes to its recipient'],
    ['55', 'emitente', '0', 'Entrada', 'a note of entry is an entry of who wrote it'],
    ['55', 'destinatario', '0', 'Saída', 'and what the other party sent'],
    ['55', 'transportador', '1', null, 'who carries goods neither sells nor buys them'],
    ['65', 'emitente', '1', 'Saída', 'a sale over the counter'],
    ['57', 'emitente', null, 'Saída', 'a carrier sells its service'],
    ['57', 'tomador', null, 'Entrada', 'to who pays for it'],
    ['57', 'destinatario', null, null, 'not to who the goods are for'],
    ['NFSe', 'prestador', null, 'Saída', 'a service that was done'],
    ['NFSe', 'tomador', null, 'Entrada', 'and had'],
  ] as const;
  for (const [modelo, papel, tpNF, direcao, title] of casos) {
    it(title, () => assert.equal(direcaoDe({ modelo, papel, tpNF, ehTomador: false }), direcao));
  }
  it('but to the recipient who pays for it', () =>
    assert.equal(direcaoDe({ modelo: '57', papel: 'destinatario', tpNF: null, ehTomador: true }), 'Entrada'));
});
