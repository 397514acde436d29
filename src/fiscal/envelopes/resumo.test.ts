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

describe('the list of keys that SEFAZ-SP gives out', () => {
  const lista = (keys: readonly string[], tpAmb = '1') =>
    `<retNfceListagemChaves${NS} versao="1.00"><tpAmb>${tpAmb}</tpAmb><cStat>100</cStat>${keys.map((key) => `<chNFCe>${key}</chNFCe>`).join('')}</retNfceListagemChaves>`;
  const chaves = Array.from({ length: 300 }, (_, at) => chaveDe({ modelo: '65', numero: String(at + 1) }));

  it('is read as a list of lines is: each key is awaited, once', () => {
    const pieces = ler(
      `<s:Envelope xmlns:s="u:s"><s:Body>${lista([...chaves, ...chaves])}</s:Body></s:Envelope>`,
    );
    assert.equal(pieces.length, chaves.length);
    const [first] = pieces;
    assert.ok(first?.resultado === 'esperado');
    assert.deepEqual([first.especie, first.chave, first.origem], ['Chave', chaves[0], 'lista']);
  });

  it('names what is no key, and awaits nothing of homologação', () => {
    const codes = ler(lista(['123', withWrongDigit(chaves[0] ?? ''), chaves[1] ?? ''])).map(codeOf);
    assert.deepEqual(codes, ['chave_invalida', 'chave_com_dv_invalido', 'esperado']);
    assert.deepEqual(ler(lista(chaves, '2')).map(codeOf), ['mensagem_sem_documento']);
    assert.deepEqual(ler(lista([])).map(codeOf), ['mensagem_sem_documento']);
    const many = `<retNfceListagemChaves${NS}>${'<chNFe/>'.repeat(5_000)}</retNfceListagemChaves>`;
    assert.deepEqual(ler(many).map(codeOf), ['pecas_demais']);
  });
});
