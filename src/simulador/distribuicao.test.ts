import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateCte } from '../gerador/cte.ts';
import { type Empresa, generateEmpresa, generateFilial } from '../gerador/empresas.ts';
import { generateEvento } from '../gerador/eventos.ts';
import { apresentar, corpoDe, DIA, HORA, MundoSimulado } from './pedidos-de-teste.ts';

const started = () => {
  const mundo = new MundoSimulado();
  mundo.start();
  return mundo;
};
const malote = ({ simulador }: MundoSimulado) => simulador.relatorio.de('malote');

describe('numbers of the distribution', () => {
  it('begin with the first call, which finds nothing of what came before', () => {
    const mundo = new MundoSimulado();
    mundo.publishNota();
    assert.deepEqual(mundo.distNsu(0), { cStat: '137', ultNSU: 0, maxNSU: 0, documentos: [] });
    assert.equal(mundo.publishNota().entregas[0]?.nsu, 1);
    mundo.relogio.advance(HORA);
    assert.equal(mundo.distNsu(0).documentos.length, 1);
  });

  it('come fifty to a lot, without holes, until the greatest', () => {
    const mundo = started();
    for (let i = 0; i < 51; i++) mundo.publishNota();
    const first = mundo.distNsu(0);
    assert.deepEqual([first.cStat, first.ultNSU, first.maxNSU], ['138', 50, 51]);
    assert.deepEqual(
      first.documentos.map(({ nsu }) => nsu),
      Array.from({ length: 50 }, (_, i) => i + 1),
    );
    const second = mundo.distNsu(50);
    assert.deepEqual([second.ultNSU, second.maxNSU, second.documentos.length], [51, 51, 1]);
  });

  it('are each establishment’s own, which one certificate of the base serves', () => {
    const mundo = started();
    const filial = generateFilial(mundo.cliente, 2, 'simulador');
    const asks = { interessado: filial.id };
    assert.equal(mundo.distNsu(0, asks).cStat, '137');
    mundo.publishNota({ destinatario: filial });
    mundo.relogio.advance(HORA);
    assert.equal(mundo.distNsu(0, asks).documentos.length, 1);
    assert.equal(mundo.distNsu(0).cStat, '137');
  });

  it('above the greatest are refused', () => {
    const mundo = started();
    mundo.publishNota();
    assert.equal(mundo.distNsu(2).cStat, '589');
    assert.equal(mundo.consNsu(2).cStat, '589');
  });

  it('can be asked for one by one', () => {
    const mundo = started();
    const { chave } = mundo.publishNota();
    const [documento] = mundo.consNsu(1).documentos;
    assert.equal(documento?.nsu, 1);
    assert.match(documento?.xml ?? '', new RegExp(chave));
  });
});

describe('misuse of the distribution', () => {
  it('is a call inside of the hour after nothing, and each call inside of the block starts the hour anew', () => {
    const mundo = new MundoSimulado();
    mundo.distNsu(0);
    mundo.relogio.advance(HORA - 1);
    assert.equal(mundo.distNsu(0).cStat, '656');
    mundo.relogio.advance(HORA - 1);
    assert.equal(mundo.distNsu(0).cStat, '656');
    mundo.relogio.advance(HORA);
    assert.equal(mundo.distNsu(0).cStat, '137');
    assert.deepEqual(
      [malote(mundo).bloqueios, malote(mundo).por_regra],
      [2, { dentro_da_hora: 1, dentro_do_bloqueio: 1 }],
    );
  });

  it('is a call inside of the hour after the last number was given', () => {
    const mundo = started();
    mundo.publishNota();
    assert.equal(mundo.distNsu(0).cStat, '138');
    const refused = mundo.distNsu(1);
    assert.deepEqual([refused.cStat, refused.ultNSU, refused.maxNSU], ['656', 1, 0]);
  });

  it('is going back behind the number that was returned', () => {
    const mundo = started();
    mundo.publishNota();
    mundo.distNsu(0);
    mundo.relogio.advance(HORA);
    assert.deepEqual([mundo.distNsu(0).cStat, malote(mundo).por_regra], ['656', { nsu_para_tras: 1 }]);
    mundo.relogio.advance(HORA);
    assert.equal(mundo.distNsu(1).cStat, '137');
  });

  it('is the twenty-first question about one number or one key within an hour', () => {
    const mundo = started();
    const { chave } = mundo.publishNota();
    for (let i = 0; i < 10; i++) {
      assert.equal(mundo.consNsu(1).cStat, '138');
      assert.equal(mundo.consChave(chave).cStat, '138');
      mundo.relogio.advance(60_000);
    }
    assert.equal(mundo.consNsu(1).cStat, '656');
    assert.equal(mundo.distNsu(0).cStat, '656');
    mundo.relogio.advance(HORA);
    assert.equal(mundo.consNsu(1).cStat, '138');
  });

  it('does not touch the numbers’ hour by questions about keys', () => {
    const mundo = new MundoSimulado();
    mundo.distNsu(0);
    assert.equal(mundo.consChave(mundo.publishNota().chave).cStat, '138');
    mundo.relogio.advance(HORA);
    assert.equal(mundo.distNsu(0).cStat, '138');
  });

  it('blocks one establishment and one service, and nobody else', () => {
    const mundo = new MundoSimulado();
    const filial = generateFilial(mundo.cliente, 2, 'simulador');
    mundo.distNsu(0);
    assert.equal(mundo.distNsu(0).cStat, '656');
    assert.equal(mundo.distNsu(0, { interessado: filial.id }).cStat, '137');
    assert.equal(mundo.distNsu(0, { servico: 'cte' }).cStat, '137');
  });

  it('of another program is not ours, until we were told of it', () => {
    const mundo = started();
    mundo.publishNota();
    mundo.distNsu(0, { agente: 'outro' });
    const told = mundo.distNsu(0);
    assert.deepEqual([told.cStat, told.ultNSU], ['656', 1]);
    assert.deepEqual([malote(mundo).bloqueios, malote(mundo).bloqueios_alheios], [0, 1]);
    assert.equal(mundo.distNsu(1).cStat, '656');
    assert.equal(malote(mundo).bloqueios, 1);
  });

  it('is not ours where another program has drawn out the block that we were told of', () => {
    const mundo = new MundoSimulado();
    mundo.distNsu(0, { agente: 'outro' });
    assert.equal(mundo.distNsu(0).cStat, '656');
    mundo.relogio.advance(HORA / 2);
    assert.equal(mundo.distNsu(0, { agente: 'outro' }).cStat, '656');
    mundo.relogio.advance(HORA / 2);
    mundo.simulador.falhas.add({ tipo: 'reset_depois' });
    assert.throws(() => mundo.distNsu(0), /reset/);
    assert.equal(mundo.distNsu(0).cStat, '656');
    assert.deepEqual([malote(mundo).bloqueios, malote(mundo).bloqueios_alheios], [0, 3]);
    assert.equal(mundo.distNsu(0).cStat, '656');
    assert.equal(malote(mundo).bloqueios, 1);
  });

  it('by an answer that never came is not ours; a call inside of its hour is', () => {
    const mundo = started();
    mundo.publishNota();
    mundo.simulador.falhas.add({ tipo: 'reset_depois' });
    assert.throws(() => mundo.distNsu(0), /reset/);
    mundo.relogio.advance(HORA);
    assert.deepEqual([mundo.distNsu(0).ultNSU, malote(mundo).bloqueios_alheios], [1, 1]);
    mundo.relogio.advance(HORA);
    assert.equal(mundo.distNsu(1).cStat, '137');
    mundo.relogio.advance(HORA);
    mundo.simulador.falhas.add({ tipo: 'timeout_depois' });
    assert.throws(() => mundo.distNsu(1), /timeout/);
    assert.equal(mundo.distNsu(1).cStat, '656');
    assert.deepEqual(malote(mundo).por_regra, { dentro_da_hora: 1 });
  });
});

describe('time in the distribution', () => {
  it('ends the gathering after 60 days without a question of the base; the next finds nothing, and starts it again', () => {
    const mundo = started();
    mundo.relogio.advance(60 * DIA - HORA);
    assert.equal(mundo.publishNota().entregas.length, 1);
    mundo.relogio.advance(1);
    assert.equal(mundo.publishNota().entregas.length, 0);
    assert.equal(mundo.distNsu(0).cStat, '137');
    mundo.publishNota();
    mundo.relogio.advance(HORA);
    assert.equal(mundo.distNsu(0).documentos.length, 2);
  });

  it('goes on for a branch as long as another establishment of its base asks', () => {
    const mundo = started();
    const filial = generateFilial(mundo.cliente, 2, 'simulador');
    mundo.distNsu(0, { interessado: filial.id });
    mundo.relogio.advance(40 * DIA);
    mundo.distNsu(0);
    mundo.relogio.advance(40 * DIA);
    assert.equal(mundo.publishNota({ destinatario: filial }).entregas.length, 1);
  });

  it('takes away what is older than 90 days; an old number answers from the first that is kept', () => {
    const mundo = started();
    const old = mundo.publishNota();
    mundo.relogio.advance(50 * DIA);
    mundo.distNsu(0);
    mundo.relogio.advance(40 * DIA);
    const young = mundo.publishNota();
    mundo.relogio.advance(DIA);
    assert.equal(mundo.consChave(old.chave).cStat, '632');
    assert.equal(mundo.consNsu(1).cStat, '632');
    const lot = mundo.distNsu(1);
    assert.deepEqual(
      lot.documentos.map(({ nsu }) => nsu),
      [2],
    );
    assert.match(lot.documentos[0]?.xml ?? '', new RegExp(young.chave));
  });
});

describe('who receives what', () => {
  const transportadora = generateEmpresa('simulador/transportadora', { perfil: 'transportadora', uf: 'SP' });
  const schemas = (mundo: MundoSimulado, de: Empresa, ultNSU = 0) =>
    mundo.distNsu(ultNSU, { de, interessado: de.id }).documentos.map(({ schema }) => schema);

  it('gives the recipient a summary, carrier and autXML the whole note, and the issuer nothing', () => {
    const mundo = started();
    for (const de of [transportadora, mundo.outro, mundo.fornecedor]) mundo.start('nfe', de);
    mundo.publishNota({ transportador: transportadora, autorizados: [mundo.outro.id] });
    assert.deepEqual(schemas(mundo, mundo.cliente), ['resNFe_v1.01.xsd']);
    assert.deepEqual(schemas(mundo, transportadora), ['procNFe_v4.00.xsd']);
    assert.deepEqual(schemas(mundo, mundo.outro), ['procNFe_v4.00.xsd']);
    assert.deepEqual(schemas(mundo, mundo.fornecedor), []);
  });

  it('gives a recipient that autXML names too the whole note at once', () => {
    const mundo = started();
    mundo.publishNota({ autorizados: [mundo.cliente.id] });
    assert.deepEqual(schemas(mundo, mundo.cliente), ['procNFe_v4.00.xsd']);
  });

  it('gives cancellations whole, and other events of a note without manifestation as summaries', () => {
    const mundo = started();
    const { chave, protocolo } = mundo.publishNota();
    const event = (codigo: string) =>
      generateEvento({
        semente: codigo,
        codigo,
        chave,
        autor: mundo.fornecedor,
        em: new Date(mundo.relogio.now()),
        nProt: protocolo?.nProt ?? null,
      });
    mundo.simulador.publish(event('110110').xml);
    mundo.simulador.publish(event('110111').xml);
    const got = mundo.distNsu(0).documentos;
    assert.deepEqual(
      got.map(({ schema }) => schema),
      ['resNFe_v1.01.xsd', 'resEvento_v1.01.xsd', 'procEventoNFe_v1.00.xsd'],
    );
    assert.match(got[1]?.xml ?? '', /<tpEvento>110110<\/tpEvento>/);
    assert.equal(mundo.consChave(chave).cStat, '653');
  });

  it('gives a CT-e whole to all its parties but the carrier, with the notes masked for who is only in autXML', () => {
    const mundo = new MundoSimulado();
    for (const de of [mundo.cliente, mundo.fornecedor, mundo.outro, transportadora]) mundo.start('cte', de);
    const { chave } = mundo.publishNota();
    const cte = generateCte({
      semente: 'cte',
      emitente: transportadora,
      remetente: mundo.fornecedor,
      destinatario: mundo.cliente,
      serie: 1,
      numero: 1,
      emissao: new Date(mundo.relogio.now()),
      carga: { notas: [chave], valor: 100_000 },
      autorizados: [mundo.outro.id],
    });
    mundo.simulador.publish(cte.xml);
    const of = (de: Empresa) => mundo.distNsu(0, { servico: 'cte', de, interessado: de.id }).documentos;
    assert.deepEqual(of(mundo.cliente)[0], { nsu: 1, schema: 'procCTe_v4.00.xsd', xml: cte.xml });
    assert.equal(of(mundo.fornecedor).length, 1);
    assert.match(of(mundo.outro)[0]?.xml ?? '', /<chave>9{44}<\/chave>/);
    assert.deepEqual(of(transportadora), []);
  });
});

describe('questions about one key', () => {
  it('are answered with a code for each reason', () => {
    const mundo = started();
    const { chave } = mundo.publishNota();
    const denied = mundo.publishNota({ protocolo: { cStat: '302' } });
    const elsewhere = mundo.publishNota({ destinatario: mundo.outro });
    const swap = (at: number, text: string) => chave.slice(0, at) + text + chave.slice(at + text.length);
    const cases: [string, string][] = [
      [elsewhere.chave, '640'],
      [denied.chave, '654'],
      [swap(0, '99'), '614'],
      [swap(2, '99'), '615'],
      [swap(4, '13'), '616'],
      [swap(6, '00000000000000'), '617'],
      [swap(20, '65'), '618'],
      [swap(25, '000000000'), '619'],
      [swap(43, chave.endsWith('0') ? '1' : '0'), '236'],
    ];
    for (const [key, cStat] of cases) assert.equal(mundo.consChave(key).cStat, cStat, key);
    assert.equal(mundo.consChave(chave).documentos[0]?.nsu, null);
    const issuer = { de: mundo.fornecedor, interessado: mundo.fornecedor.id };
    assert.equal(mundo.consChave(chave, issuer).cStat, '641');
    const unknown = new MundoSimulado();
    assert.equal(unknown.consChave(chave).cStat, '217');
  });
});

describe('who asks, and how', () => {
  it('is told by the certificate', () => {
    const mundo = started();
    const shown = apresentar(mundo.cliente);
    const cStat = (certificado: ReturnType<typeof apresentar>, interessado = mundo.cliente.id) =>
      mundo.distNsu(0, { certificado, interessado }).cStat;
    assert.equal(cStat(apresentar(mundo.outro)), '593');
    assert.equal(cStat({ ...shown, titular: null }), '473');
    assert.equal(cStat(shown, '52998224725' as typeof mundo.cliente.id), '472');
    assert.equal(cStat({ ...shown, validoAte: mundo.relogio.now() - 1 }), '281');
    assert.equal(cStat({ ...shown, confiavel: false }), '285');
    mundo.simulador.revogados.add(mundo.cliente.id);
    assert.equal(cStat(shown), '284');
    const without = mundo.simulador.answer(mundo.pedidoDeDistribuicao('', { certificado: null }));
    assert.equal(corpoDe(without).status, 403);
  });

  it('must follow the form of the message', () => {
    const mundo = started();
    const good = mundo.pedidoDeDistribuicao('<distNSU><ultNSU>000000000000000</ultNSU></distNSU>');
    const corpo = String(good.corpo);
    const ask = (mais: Partial<typeof good>) => corpoDe(mundo.simulador.answer({ ...good, ...mais }));
    const cStat = (from: string, to: string) =>
      /<cStat>(\d+)/.exec(ask({ corpo: corpo.replace(from, to) }).texto)?.[1];
    assert.equal(cStat('000000000000000', '0'), '215');
    assert.equal(cStat('<tpAmb>1</tpAmb>', '<tpAmb>1</tpAmb> '), '215');
    assert.equal(cStat('versao="1.01"', 'versao="9.00"'), '238');
    assert.equal(cStat('versao="1.01"', 'versao="1.00"'), '239');
    assert.equal(cStat('encoding="utf-8"', 'encoding="iso-8859-1"'), '402');
    assert.equal(cStat('<distNSU>', `<!--${'x'.repeat(11_000)}--><distNSU>`), '214');
    assert.equal(cStat('<distDFeInt ', '<n:distDFeInt '), '404');
    assert.equal(ask({ corpo: corpo.replaceAll('nfeDistDFeInteresse', 'outra') }).status, 500);
    assert.equal(ask({ cabecalhos: { 'content-type': 'application/soap+xml' } }).status, 403);
    assert.equal(ask({ cabecalhos: { 'user-agent': 'x', 'content-type': 'text/xml' } }).status, 500);
  });

  it('is watched: calls for who has not agreed, and two at a time', async () => {
    const mundo = started();
    mundo.simulador.consentimentos = new Set([`nfe/${mundo.cliente.id}`]);
    mundo.publishNota();
    mundo.distNsu(0);
    assert.deepEqual(malote(mundo).por_regra, {});
    mundo.distNsu(0, { servico: 'cte' });
    assert.deepEqual(malote(mundo).por_regra, { sem_consentimento: 1 });
    const pedido = mundo.pedidoDeDistribuicao('<consNSU><NSU>000000000000001</NSU></consNSU>');
    await mundo.simulador.call(pedido);
    await mundo.simulador.call(pedido);
    assert.equal(malote(mundo).por_regra.chamadas_paralelas, undefined);
    await Promise.all([mundo.simulador.call(pedido), mundo.simulador.call(pedido)]);
    assert.equal(malote(mundo).por_regra.chamadas_paralelas, 1);
  });
});
