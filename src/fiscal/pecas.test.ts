import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeOf, ler, only } from './leitura-de-teste.ts';
import { keysIn, PIECES_LIMIT, piecesIn } from './pecas.ts';

describe('pieces of one content', () => {
  it('are no more than documents would have room in it', () => {
    for (const empty of ['<CTe/>', '<protNFe/>', '<inutNFe/>'])
      assert.equal(codeOf(only(ler(`<a>${empty.repeat(400)}</a>`))), 'pecas_demais', empty);
    assert.equal(codeOf(only(ler('<CTe/>'.repeat(400)))), 'pecas_demais');
    assert.equal(codeOf(only(ler('A|4.00|\nB|\n'.repeat(400)))), 'pecas_demais');
    assert.equal(ler(`<a>${'<CTe/>'.repeat(20)}</a>`).length, 20);
  });

  it('grow with it up to a bound', () => {
    assert.ok(piecesIn(1_000) < 40 && piecesIn(100_000) < 700);
    assert.equal(piecesIn(10_000_000), PIECES_LIMIT);
  });

  it('of a list are no more than its bytes have room for keys', () => {
    const chave = '35260349123619000182550010000059051127858882';
    assert.equal(codeOf(only(ler(`${chave}\n${'1\n'.repeat(400)}`))), 'pecas_demais');
    assert.equal(keysIn(45 * 1_000), 1_030);
  });
});
