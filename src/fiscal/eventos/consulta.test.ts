import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chaveDe, NS, procEvento, protocolo } from '../amostras-de-teste.ts';
import { CHAVE_CTE, NS_CTE, protCte } from '../cte/amostras-de-teste.ts';
import { codeOf, ler, lida, only } from '../leitura-de-teste.ts';

const consulta = (inside: string, cStat = '101', head = `<chNFe>${chaveDe()}</chNFe>`): string =>
  `<retConsSitNFe${NS} versao="4.00"><tpAmb>1</tpAmb><cStat>${cStat}</cStat><xMotivo>Cancelamento homologado</xMotivo><cUF>35</cUF><dhRecbto>2026-03-12T10:00:00-03:00</dhRecbto>${head}${inside}</retConsSitNFe>`;
const consultaCte = (inside: string): string =>
  `<retConsSitCTe${NS_CTE} versao="4.00"><tpAmb>1</tpAmb><cStat>101</cStat><xMotivo>Cancelado</xMotivo><cUF>35</cUF>${inside}</retConsSitCTe>`;

describe('an answer to a query that says in its head that the note is cancelled', () => {
  it('is the cancellation, of which only the answer is here, beside the protocol', () => {
    for (const cStat of ['101', '151', '155']) {
      const [first, second] = ler(consulta(protocolo(), cStat));
      const { registro, prova } = lida(first);
      if (registro.classe !== 'evento') throw new Error('it is no event');
      assert.deepEqual(
        [registro.chave, registro.codigo, registro.sequencia, registro.efeito, registro.dataEmissao],
        [chaveDe(), '110111', 1, 'cancela', '2026-03-12T10:00:00-03:00'],
      );
      assert.deepEqual([registro.protocolo.cStat, registro.protocolo.nProt], [cStat, null]);
      assert.equal(registro.protocoloDaNota, '135260000000001');
      assert.deepEqual([prova.prova, prova.falhas.includes('so_resposta')], ['declarada', true]);
      assert.equal(codeOf(second as never), 'protocolo_sem_documento');
    }
  });

  it('is read in CT-e too, whose head has neither key nor date', () => {
    const { registro } = lida(ler(consultaCte(protCte()))[0]);
    assert.deepEqual([registro.chave, registro.modelo], [CHAVE_CTE, '57']);
  });

  it('adds nothing to a cancellation that it holds', () => {
    assert.deepEqual(
      ler(consulta(procEvento())).map(({ especie }) => especie),
      ['Evento'],
    );
    const correction = ler(consulta(procEvento({ codigo: '110110' })));
    assert.deepEqual(
      correction.map((piece) => {
        const { registro } = lida(piece);
        return registro.classe === 'evento' && registro.codigo;
      }),
      ['110111', '110110'],
    );
  });

  it('that says anything else is no event, and neither is one inside another', () => {
    assert.equal(codeOf(only(ler(consulta(protocolo(), '100')))), 'mensagem_sem_documento');
    assert.equal(codeOf(only(ler(consulta('', '217')))), 'mensagem_sem_documento');
    assert.equal(ler(consulta(consulta(consulta('')))).length, 1);
  });
});
