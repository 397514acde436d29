import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chaveDe, NS, withWrongDigit } from '../amostras-de-teste.ts';
import { codeOf, ler, only, rejeitada } from '../leitura-de-teste.ts';

const resNFe = (chave: string, situacao = '1') =>
  `<resNFe${NS} versao="1.01"><chNFe>${chave}</chNFe><tpNF>1</tpNF><cSitNFe>${situacao}</cSitNFe></resNFe>`;

describe('a summary', () => {
  it('of a note announces the note', () => {
    assert.deepEqual(ler(resNFe(chaveDe())), [
      {
        resultado: 'esperado',
        especie: 'Resumo',
        chave: chaveDe(),
        origem: 'resumo',
        mensagem: `Resumo (resNFe) da nota ${chaveDe()}, autorizada na SEFAZ.`,
      },
    ]);
  });

  it('of a denied note says so', () => {
    const piece = only(ler(resNFe(chaveDe(), '2')));
    assert.match(piece.resultado === 'esperado' ? (piece.mensagem ?? '') : '', /denegada/);
  });

  it('of an event announces the note it is about, and names the event', () => {
    const piece = only(
      ler(
        `<resEvento${NS}><chNFe>${chaveDe()}</chNFe><tpEvento>110111</tpEvento><xEvento>Cancelamento</xEvento></resEvento>`,
      ),
    );
    assert.equal(piece.resultado === 'esperado' && piece.chave, chaveDe());
    assert.match(piece.resultado === 'esperado' ? (piece.mensagem ?? '') : '', /110111 \(Cancelamento\)/);
  });

  it('of a cancelled note says what to send, for a summary changes no status', () => {
    for (const xml of [
      resNFe(chaveDe(), '3'),
      `<resEvento${NS}><chNFe>${chaveDe()}</chNFe><tpEvento>110111</tpEvento></resEvento>`,
    ]) {
      const piece = only(ler(xml));
      const mensagem = piece.resultado === 'esperado' ? (piece.mensagem ?? '') : '';
      assert.match(mensagem, /Envie o procEventoNFe do cancelamento: só ele muda a situação da nota\.$/);
    }
  });

  it('of an event that cancels announces a cancelled note, of any other one that exists', () => {
    const origemDe = (codigo: string) => {
      const piece = only(
        ler(`<resEvento${NS}><chNFe>${chaveDe()}</chNFe><tpEvento>${codigo}</tpEvento></resEvento>`),
      );
      return piece.resultado === 'esperado' ? piece.origem : piece.resultado;
    };
    assert.deepEqual(['110111', '110112', '210200', '610600', '999999'].map(origemDe), [
      'resumo_cancelada',
      'resumo_cancelada',
      'resumo',
      'resumo',
      'resumo',
    ]);
  });

  it('without a key that can be one is refused', () => {
    assert.equal(codeOf(only(ler(`<resNFe${NS}/>`))), 'chave_ausente');
    assert.equal(codeOf(only(ler(resNFe('123')))), 'chave_invalida');
    const wrong = rejeitada(only(ler(resNFe(withWrongDigit(chaveDe())))));
    assert.equal(wrong.rejeicao.codigo, 'chave_com_dv_invalido');
    assert.equal(wrong.rejeicao.elemento, 'resNFe/chNFe');
  });
});
