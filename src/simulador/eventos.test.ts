import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateCte } from '../gerador/cte.ts';
import { type Empresa, generateEmpresa } from '../gerador/empresas.ts';
import { generateEvento } from '../gerador/eventos.ts';
import type { NfeGerada } from '../gerador/nfe.ts';
import { desacordo } from './desacordo-de-teste.ts';
import { corpoDe, DIA, MundoSimulado } from './pedidos-de-teste.ts';
import { element, elements, field } from './soap.ts';

/** A signed manifestation, as it stands in a lot. */
function manifestacao(
  mundo: MundoSimulado,
  chave: NfeGerada['chave'],
  codigo: string,
  mais: { autor?: Empresa; sequencia?: number; em?: Date } = {},
) {
  const { autor = mundo.cliente, em = new Date(mundo.relogio.now()), sequencia = 1 } = mais;
  const { xml } = generateEvento({ semente: `${codigo}/${sequencia}`, codigo, chave, autor, em, sequencia });
  return element(xml, 'evento') ?? '';
}

function envelope(eventos: readonly string[]): string {
  const lote = `<envEvento xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.00"><idLote>1</idLote>${eventos.join('')}</envEvento>`;
  return `<soap12:Envelope xmlns:soap12="http://www.w3.org/2003/05/soap-envelope"><soap12:Body><nfeDadosMsg xmlns="http://www.portalfiscal.inf.br/nfe/wsdl/NFeRecepcaoEvento4">${lote}</nfeDadosMsg></soap12:Body></soap12:Envelope>`;
}

/** cStat of the lot, and of each event. */
function send(mundo: MundoSimulado, eventos: readonly string[], de = mundo.cliente): string[] {
  const { texto } = corpoDe(
    mundo.simulador.answer(mundo.pedido('nfe_eventos', { corpo: envelope(eventos), de })),
  );
  const lote = /<retEnvEvento[^>]*>.*?<cStat>(\d+)/s.exec(texto)?.[1] ?? texto;
  return [lote, ...elements(texto, 'retEvento').map((ret) => field(ret, 'cStat') ?? '')];
}

const started = () => {
  const mundo = new MundoSimulado();
  mundo.start();
  return mundo;
};

describe('manifestations', () => {
  it('make the whole note come, once', () => {
    const mundo = started();
    const { chave, xml } = mundo.publishNota();
    assert.deepEqual(send(mundo, [manifestacao(mundo, chave, '210210')]), ['128', '135']);
    assert.deepEqual(send(mundo, [manifestacao(mundo, chave, '210200')]), ['128', '135']);
    const { documentos } = mundo.distNsu(0);
    assert.deepEqual(
      documentos.map(({ schema }) => schema),
      ['resNFe_v1.01.xsd', 'procNFe_v4.00.xsd'],
    );
    assert.equal(documentos[1]?.xml, xml);
  });

  it('do so by each code but Desconhecimento', () => {
    for (const [codigo, freed] of [
      ['210200', true],
      ['210210', true],
      ['210220', false],
      ['210240', true],
    ] as const) {
      const mundo = started();
      const { chave } = mundo.publishNota();
      assert.deepEqual(send(mundo, [manifestacao(mundo, chave, codigo)]), ['128', '135'], codigo);
      assert.equal(mundo.distNsu(0).documentos.length, freed ? 2 : 1, codigo);
      assert.equal(mundo.consChave(chave).documentos[0]?.schema.startsWith('procNFe'), freed);
    }
  });

  it('come to the issuer and to who is in autXML, not to their author', () => {
    const mundo = started();
    for (const de of [mundo.fornecedor, mundo.outro]) mundo.start('nfe', de);
    const { chave } = mundo.publishNota({ autorizados: [mundo.outro.id] });
    send(mundo, [manifestacao(mundo, chave, '210200')]);
    const schemas = (de: Empresa) =>
      mundo.distNsu(0, { de, interessado: de.id }).documentos.map(({ schema }) => schema);
    assert.deepEqual(schemas(mundo.fornecedor), ['procEventoNFe_v1.00.xsd']);
    assert.deepEqual(schemas(mundo.outro), ['procNFe_v4.00.xsd', 'procEventoNFe_v1.00.xsd']);
    assert.deepEqual(schemas(mundo.cliente), ['resNFe_v1.01.xsd', 'procNFe_v4.00.xsd']);
  });

  it('bring later events whole', () => {
    const mundo = started();
    const { chave } = mundo.publishNota();
    send(mundo, [manifestacao(mundo, chave, '210210')]);
    const em = new Date(mundo.relogio.now());
    const correction = { semente: 'cce', codigo: '110110', chave, autor: mundo.fornecedor, em };
    mundo.simulador.publish(generateEvento(correction).xml);
    assert.equal(mundo.distNsu(0).documentos.at(-1)?.schema, 'procEventoNFe_v1.00.xsd');
  });

  it('are refused with a code for each reason', () => {
    const mundo = started();
    const { chave } = mundo.publishNota();
    const one = (codigo: string, mais: Parameters<typeof manifestacao>[3] = {}, key = chave) =>
      send(mundo, [manifestacao(mundo, key, codigo, mais)], mais.autor ?? mundo.cliente)[1];
    const unknown = new MundoSimulado().publishNota({ numero: 77_777 });
    assert.equal(one('210210', { autor: mundo.outro }), '575');
    assert.equal(one('210210', {}, unknown.chave), '494');
    assert.equal(one('210210', { em: new Date(mundo.relogio.now() + DIA) }), '578');
    assert.equal(one('210210', { em: new Date(mundo.relogio.now() - DIA) }), '579');
    assert.equal(one('210200'), '135');
    assert.equal(one('210200'), '573');
    assert.equal(one('210210'), '655');
    assert.equal(one('210220'), '135');
    assert.equal(one('210240'), '594');
    assert.equal(send(mundo, [manifestacao(mundo, chave, '210240')], mundo.outro)[1], '593');
    const forged = manifestacao(mundo, chave, '210240').replace(
      /<xJust>[^<]+/,
      '<xJust>Outra justificativa, nunca assinada',
    );
    assert.equal(send(mundo, [forged])[1], '297');
    assert.equal(send(mundo, [manifestacao(mundo, chave, '210210').replace('Ciencia', 'Ciência')])[1], '493');
  });

  it('are refused for a note that is cancelled', () => {
    const mundo = started();
    const { chave, protocolo } = mundo.publishNota();
    const em = new Date(mundo.relogio.now());
    const nProt = protocolo?.nProt ?? null;
    mundo.simulador.publish(
      generateEvento({ semente: 'c', codigo: '110111', chave, autor: mundo.fornecedor, em, nProt }).xml,
    );
    assert.equal(send(mundo, [manifestacao(mundo, chave, '210210')])[1], '650');
    assert.equal(send(mundo, [manifestacao(mundo, chave, '210200')])[1], '651');
  });

  it('have ten days for Ciência, and ninety for what concludes', () => {
    const mundo = started();
    const { chave } = mundo.publishNota();
    mundo.relogio.advance(10 * DIA + 3_600_000);
    assert.equal(send(mundo, [manifestacao(mundo, chave, '210210')])[1], '596');
    mundo.relogio.advance(79 * DIA);
    assert.equal(send(mundo, [manifestacao(mundo, chave, '210200')])[1], '135');
    mundo.relogio.advance(DIA);
    assert.equal(send(mundo, [manifestacao(mundo, chave, '210220')])[1], '596');
  });

  it('come twenty to a lot, and are judged one by one', () => {
    const mundo = started();
    const keys = Array.from({ length: 21 }, () => mundo.publishNota().chave);
    const lot = keys.map((chave) => manifestacao(mundo, chave, '210210'));
    assert.deepEqual(send(mundo, lot), ['215']);
    assert.deepEqual(send(mundo, lot.slice(0, 20)), ['128', ...Array(20).fill('135')]);
  });

  it('that are refused more than twenty times in an hour block their sender', () => {
    const mundo = started();
    const { chave } = mundo.publishNota();
    const lot = [manifestacao(mundo, chave, '210210', { autor: mundo.outro })];
    for (let i = 0; i < 20; i++) assert.equal(send(mundo, lot, mundo.outro)[1], '575');
    assert.equal(send(mundo, lot, mundo.outro)[1], '656');
    assert.deepEqual(mundo.simulador.relatorio.de('malote').por_regra, { evento_repetido: 1 });
  });

  it('want the message directly in nfeDadosMsg, under its own action', () => {
    const mundo = started();
    const corpo = envelope([manifestacao(mundo, mundo.publishNota().chave, '210210')]);
    const status = (text: string, type = 'application/soap+xml') =>
      corpoDe(
        mundo.simulador.answer(
          mundo.pedido('nfe_eventos', {
            corpo: text,
            cabecalhos: { 'user-agent': 'x', 'content-type': type },
          }),
        ),
      ).status;
    const action = (nome: string) =>
      `application/soap+xml; action="http://www.portalfiscal.inf.br/nfe/wsdl/NFeRecepcaoEvento4/${nome}"`;
    assert.equal(status(corpo.replace('<soap12:Body>', '<soap12:Body><nfeRecepcaoEvento>')), 500);
    assert.equal(status(corpo, action('nfeRecepcaoEvento')), 500);
    assert.equal(status(corpo, action('nfeRecepcaoEventoNF')), 200);
  });
});

describe('the payer’s objection to a CT-e', () => {
  const carrier = generateEmpresa('simulador/transportadora', { perfil: 'transportadora', uf: 'SP' });
  const world = () => {
    const mundo = new MundoSimulado();
    mundo.start('cte', carrier);
    const cte = generateCte({
      semente: 'cte',
      emitente: carrier,
      remetente: mundo.fornecedor,
      destinatario: mundo.cliente,
      serie: 1,
      numero: 1,
      emissao: new Date(mundo.relogio.now()),
      carga: { notas: [], valor: 100_000 },
    });
    mundo.simulador.publish(cte.xml);
    return { mundo, chave: cte.chave };
  };
  const ask = (mundo: MundoSimulado, chave: string, autor = mundo.cliente) => {
    const em = new Date(mundo.relogio.now());
    const evento = desacordo({ chave, autor, certificado: mundo.certificado(autor), em });
    const corpo = `<soap12:Envelope xmlns:soap12="http://www.w3.org/2003/05/soap-envelope"><soap12:Body><cteDadosMsg xmlns="http://www.portalfiscal.inf.br/cte/wsdl/CTeRecepcaoEventoV4">${evento}</cteDadosMsg></soap12:Body></soap12:Envelope>`;
    const { texto } = corpoDe(mundo.simulador.answer(mundo.pedido('cte_eventos', { corpo, de: autor })));
    return field(texto, 'cStat');
  };

  it('is registered once, and comes to the carrier', () => {
    const { mundo, chave } = world();
    assert.equal(ask(mundo, chave), '135');
    assert.equal(ask(mundo, chave), '631');
    const [event] = mundo.distNsu(0, { servico: 'cte', de: carrier, interessado: carrier.id }).documentos;
    assert.match(event?.xml ?? '', /<procEventoCTe.*<tpEvento>610110<\/tpEvento>/s);
  });

  it('is the payer’s alone, and has 45 days', () => {
    const { mundo, chave } = world();
    assert.equal(ask(mundo, chave, mundo.fornecedor), '575');
    mundo.relogio.advance(45 * DIA + 1);
    assert.equal(ask(mundo, chave), '628');
  });
});
