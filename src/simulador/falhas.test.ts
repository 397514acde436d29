import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { corpoDe, HORA, MundoSimulado } from './pedidos-de-teste.ts';

const started = () => {
  const mundo = new MundoSimulado();
  mundo.start();
  return mundo;
};
const ZERO = '<distNSU><ultNSU>000000000000000</ultNSU></distNSU>';

describe('faults', () => {
  it('before the work leave everything as it was; after it they take the answer only', () => {
    const mundo = started();
    mundo.publishNota();
    for (const tipo of ['timeout_antes', 'reset_antes'] as const) {
      mundo.simulador.falhas.add({ tipo });
      assert.throws(() => mundo.distNsu(0), new RegExp(tipo.split('_')[0] ?? ''));
    }
    assert.equal(mundo.distNsu(0).cStat, '138');
    mundo.relogio.advance(HORA);
    mundo.publishNota();
    mundo.simulador.falhas.add({ tipo: 'timeout_depois' });
    assert.throws(() => mundo.distNsu(1), /timeout/);
    mundo.relogio.advance(HORA);
    assert.deepEqual(mundo.distNsu(1).ultNSU, 2);
  });

  it('that answer by themselves do nothing else', () => {
    const mundo = started();
    mundo.publishNota();
    const cases = [
      ['http_503', 503],
      ['http_403', 403],
      ['http_429', 429],
      ['redirecionamento', 302],
      ['soap_fault', 500],
    ] as const;
    for (const [tipo, status] of cases) {
      mundo.simulador.falhas.add({ tipo });
      const desfecho = mundo.simulador.answer(mundo.pedidoDeDistribuicao(ZERO));
      assert.equal(corpoDe(desfecho).status, status, tipo);
    }
    mundo.simulador.falhas.add({ tipo: 'cstat', cStat: '109' });
    assert.equal(mundo.distNsu(0).cStat, '109');
    assert.equal(mundo.distNsu(0).cStat, '138');
  });

  it('are for one service, one party, so many calls, and until a moment', () => {
    const mundo = started();
    const { falhas } = mundo.simulador;
    falhas.add({ tipo: 'cstat', cStat: '108', servico: 'cte' });
    falhas.add({ tipo: 'cstat', cStat: '108', cpfCnpj: mundo.outro.id });
    assert.equal(mundo.distNsu(0).cStat, '137');
    assert.equal(mundo.distNsu(0, { servico: 'cte' }).cStat, '108');
    falhas.clear();
    falhas.add({
      tipo: 'cstat',
      cStat: '108',
      vezes: Number.POSITIVE_INFINITY,
      ate: mundo.relogio.now() + HORA,
    });
    for (let i = 0; i < 3; i++) assert.equal(mundo.distNsu(0).cStat, '108');
    mundo.relogio.advance(HORA);
    assert.equal(mundo.distNsu(0).cStat, '137');
  });
});

describe('spoiled lots', () => {
  const lot = (tipo: Parameters<MundoSimulado['simulador']['falhas']['add']>[0]['tipo']) => {
    const mundo = started();
    mundo.publishNota();
    mundo.publishNota();
    mundo.simulador.falhas.add({ tipo });
    return mundo.distNsu(0).documentos;
  };

  it('wait for a call that finds something', () => {
    const mundo = started();
    mundo.simulador.falhas.add({ tipo: 'gzip_errado' });
    assert.equal(mundo.distNsu(0).cStat, '137');
    assert.equal(mundo.simulador.falhas.pendentes.length, 1);
  });

  it('hold a document whose gzip does not open, and a good one', () => {
    const documents = lot('gzip_errado');
    assert.equal(documents[0]?.xml, null);
    assert.match(documents[1]?.xml ?? '', /<\/resNFe>$/);
  });

  it('hold half a document', () => {
    const [first, second] = lot('documento_quebrado');
    assert.ok(first?.xml?.startsWith('<?xml') && !first.xml.includes('</resNFe>'));
    assert.match(second?.xml ?? '', /<\/resNFe>$/);
  });

  it('hold more than fifty', () => assert.equal(lot('cinquenta_e_um').length, 51));

  it('hold one document twice', () => {
    const documents = lot('chave_dobrada');
    assert.equal(documents.length, 3);
    assert.deepEqual(documents[2], documents[0]);
  });

  it('hold bytes that are not those of the encoding they name', () => {
    const mundo = started();
    const supplier = { ...mundo.fornecedor, nome: 'Comércio São João Ltda' };
    mundo.publishNota({ emitente: supplier });
    mundo.simulador.falhas.add({ tipo: 'latin1' });
    assert.match(mundo.distNsu(0).documentos[0]?.xml ?? '', /Com\uFFFDrcio S\uFFFDo/);
  });
});
