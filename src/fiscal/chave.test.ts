import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lerChave } from './chave.ts';

const NFE = '35260312ABC34501DE35550010000000011000000017';
const CFE = '35260311222333000181590001234560000011234565';
const NFSE = '35503082212345678000190000000000001426030000000018'.padEnd(50, '0').slice(0, 50);
const INUTILIZACAO = '3526112223330001815500100000000500000000 6'.replace(' ', '0').slice(0, 41);
const COMPOSTA = 'NFSE-3550308-11222333000181-123.A~7';

describe('a key as it is handed on', () => {
  it('is the key itself, in any case', () => {
    for (const chave of [NFE, CFE, NFSE, COMPOSTA]) {
      assert.equal(lerChave(chave), chave);
      assert.equal(lerChave(` ${chave.toLowerCase()} `), chave);
    }
  });

  it('may have the prefix of its Id', () => {
    for (const [text, chave] of [
      [`NFe${NFE}`, NFE],
      [`nfe${NFE.toLowerCase()}`, NFE],
      [`CTe${NFE}`, NFE],
      [`CFe${CFE}`, CFE],
      [`NFS${NFSE}`, NFSE],
      [`ID${INUTILIZACAO}`, INUTILIZACAO],
    ] as const)
      assert.equal(lerChave(text), chave);
  });

  it('may stand in groups, with blanks or dots', () => {
    assert.equal(lerChave(NFE.replace(/(.{4})/g, '$1 ')), NFE);
    assert.equal(lerChave(NFE.replace(/(.{4})/g, '$1.')), NFE);
    assert.equal(lerChave(`NFe ${NFE.replace(/(.{11})/g, '$1 . ')}`), NFE);
  });

  it('is nothing else', () => {
    for (const text of [
      '',
      '123',
      `${NFE}0`,
      `X${NFE}`,
      `NFeNFe${NFE}`,
      NFE.slice(1),
      `${NFE.slice(0, 43)}-`,
    ])
      assert.equal(lerChave(text), null, text);
  });
});
