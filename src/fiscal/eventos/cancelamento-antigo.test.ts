import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chaveDe, EMITENTE, NS, procEvento, withWrongDigit } from '../amostras-de-teste.ts';
import { codeOf, ler, lida, only, rejeitada } from '../leitura-de-teste.ts';

const CHAVE = chaveDe();
const cancNFe = (chave = CHAVE, ns: string = NS) =>
  `<cancNFe${ns} versao="2.00"><infCanc Id="ID${chave}"><tpAmb>1</tpAmb><xServ>CANCELAR</xServ><chNFe>${chave}</chNFe><nProt>135110000000001</nProt><xJust>Pedido desfeito pelo cliente</xJust></infCanc></cancNFe>`;
const retCancNFe = (cStat = '101', chave = CHAVE) =>
  `<retCancNFe${NS} versao="2.00"><infCanc><tpAmb>1</tpAmb><cStat>${cStat}</cStat><xMotivo>Cancelamento homologado</xMotivo><cUF>35</cUF><chNFe>${chave}</chNFe><dhRecbto>2011-03-11T10:00:00</dhRecbto><nProt>135110000000009</nProt></infCanc></retCancNFe>`;
const proc = (inside: string) => `<procCancNFe${NS} versao="2.00">${inside}</procCancNFe>`;

function eventoDe(xml: string) {
  const { registro } = lida(only(ler(xml)));
  if (registro.classe !== 'evento') throw new Error(`it is a ${registro.classe}`);
  return registro;
}

describe('a cancellation in the layout before events', () => {
  it('is read as the event 110111 of its key, the first', () => {
    const evento = eventoDe(proc(cancNFe() + retCancNFe()));
    assert.equal(evento.chave, CHAVE);
    assert.deepEqual([evento.codigo, evento.sequencia, evento.efeito], ['110111', 1, 'cancela']);
    assert.equal(evento.autor, EMITENTE);
    assert.equal(evento.dataEmissao, '2011-03-11T10:00:00-03:00');
    assert.equal(evento.protocolo.nProt, '135110000000009');
    assert.equal(evento.layout, '2.00');
  });

  it('is read from the answer alone, in whatever that is wrapped', () => {
    assert.equal(eventoDe(retCancNFe()).efeito, 'cancela');
    assert.equal(
      eventoDe(`<retConsSitNFe${NS}><cStat>101</cStat>${retCancNFe('151')}</retConsSitNFe>`).efeito,
      'cancela',
    );
  });

  it('is read where request and answer stand apart in the file', () => {
    assert.equal(eventoDe(`<a><b>${cancNFe()}</b><c>${retCancNFe()}</c></a>`).efeito, 'cancela');
  });

  it('comes behind the event that says the same', () => {
    const pieces = ler(`<retConsSitNFe${NS}>${retCancNFe()}${procEvento()}</retConsSitNFe>`).map(lida);
    assert.deepEqual(
      pieces.map(({ registro }) => registro.protocolo?.cStat),
      ['135', '101'],
    );
  });

  it('that SEFAZ refused has no effect', () => {
    const piece = rejeitada(only(ler(proc(cancNFe() + retCancNFe('218')))));
    assert.equal(piece.rejeicao.codigo, 'evento_rejeitado_pela_sefaz');
    assert.match(piece.rejeicao.mensagem, /\[218\]/);
    assert.equal(piece.chave, CHAVE);
  });

  it('is refused without its answer, or with that of another note', () => {
    assert.equal(codeOf(only(ler(cancNFe()))), 'evento_sem_registro');
    assert.equal(codeOf(only(ler(proc(cancNFe())))), 'evento_sem_registro');
    const other = retCancNFe('101', withWrongDigit(CHAVE));
    assert.equal(codeOf(only(ler(proc(cancNFe() + other)))), 'protocolo_de_outra_chave');
    const deTeste = (xml: string) => xml.replace('<tpAmb>1<', '<tpAmb>2<');
    assert.equal(eventoDe(proc(cancNFe() + deTeste(retCancNFe()))).protocolo?.deHomologacao, true);
    assert.equal(eventoDe(proc(deTeste(cancNFe()) + retCancNFe())).ambiente, 2);
    assert.equal(codeOf(only(ler(retCancNFe('101', chaveDe({ modelo: '57' }))))), 'modelo_nao_suportado');
    assert.equal(codeOf(only(ler(proc(cancNFe() + retCancNFe() + retCancNFe())))), 'lida');
    assert.equal(
      codeOf(only(ler(proc(cancNFe(CHAVE, ' xmlns="u:x"') + retCancNFe())))),
      'namespace_invalido',
    );
  });
});
