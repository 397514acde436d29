import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { generateNfe } from '../gerador/nfe.ts';
import { generateNfse } from '../gerador/nfse.ts';
import { generateEventoNfse } from '../gerador/nfse-evento.ts';
import { corpoDe, DIA, HORA, MundoSimulado } from './pedidos-de-teste.ts';
import { element, elements, field } from './soap.ts';
import type { Servico } from './tipos.ts';

class MundoDosServicos extends MundoSimulado {
  #nfse = 0;

  publishNfse(prestador = this.fornecedor, tomador = this.cliente) {
    this.#nfse++;
    const nota = generateNfse({
      semente: `nfse/${this.#nfse}`,
      prestador,
      tomador,
      numero: this.#nfse,
      dps: { serie: 1, numero: this.#nfse },
      emissao: new Date(this.relogio.now()),
    });
    this.simulador.publish(nota.xml);
    return nota;
  }

  get(servico: Servico, caminho: string, de = this.cliente) {
    const desfecho = this.simulador.answer(this.pedido(servico, { metodo: 'GET', caminho, de }));
    const { status, texto } = corpoDe(desfecho);
    const cabecalhos = desfecho.tipo === 'resposta' ? desfecho.resposta.cabecalhos : {};
    return { status, cabecalhos, texto, json: texto.startsWith('{') ? JSON.parse(texto) : null };
  }

  lote(nsu: number, de = this.cliente) {
    const { status, json } = this.get('adn', `/DFe/${nsu}?cnpjConsulta=${de.id}&lote=true`, de);
    return {
      status,
      lote: json?.LoteDFe as { NSU: number; TipoDocumento: string; ArquivoXml: string }[],
      json,
    };
  }
}

const text = (base64: string) => gunzipSync(Buffer.from(base64, 'base64')).toString();

describe('the ADN', () => {
  it('gives notes to who rendered and to who took the service, without having been asked before', () => {
    const mundo = new MundoDosServicos();
    const { xml, chave } = mundo.publishNfse();
    for (const de of [mundo.cliente, mundo.fornecedor]) {
      const { status, json } = mundo.lote(0, de);
      assert.equal(status, 200);
      assert.equal(json.StatusProcessamento, 'DOCUMENTOS_LOCALIZADOS');
      assert.equal(json.LoteDFe[0].ChaveAcesso, chave);
      assert.equal(text(json.LoteDFe[0].ArquivoXml), xml);
    }
    assert.equal(mundo.lote(0, mundo.outro).status, 404);
  });

  it('answers with a body where there is nothing, and keeps an hour’s watch', () => {
    const mundo = new MundoDosServicos();
    const { status, json } = mundo.lote(0);
    assert.deepEqual(
      [status, json.StatusProcessamento, json.Erros[0].Codigo],
      [404, 'NENHUM_DOCUMENTO_LOCALIZADO', 'E2220'],
    );
    mundo.relogio.advance(HORA);
    mundo.lote(0);
    assert.deepEqual(mundo.simulador.relatorio.de('malote').por_regra, {});
    mundo.lote(0);
    assert.deepEqual(mundo.simulador.relatorio.de('malote').por_regra, { adn_dentro_da_hora: 1 });
  });

  it('gives fifty at a time, cancellations among them, and numbers that hold nothing', () => {
    const mundo = new MundoDosServicos();
    const notes = Array.from({ length: 50 }, () => mundo.publishNfse());
    mundo.simulador.addVoidNsu(mundo.cliente.id);
    const { chave } = notes[0] ?? assert.fail();
    const em = new Date(mundo.relogio.now());
    mundo.simulador.publish(generateEventoNfse({ semente: 'c', chave, autor: mundo.fornecedor, em }).xml);
    assert.equal(mundo.lote(0).lote.length, 50);
    assert.deepEqual(
      mundo
        .lote(50)
        .lote.map(({ NSU, TipoDocumento, ArquivoXml }) => [NSU, TipoDocumento, ArquivoXml !== null]),
      [
        [51, 'NENHUM', false],
        [52, 'EVENTO', true],
      ],
    );
    const events = mundo.get('adn', `/NFSe/${chave}/Eventos`);
    assert.equal(events.json.LoteDFe[0].TipoDocumento, 'EVENTO');
  });

  it('gives exactly one number when it is asked so', () => {
    const mundo = new MundoDosServicos();
    for (let i = 0; i < 3; i++) mundo.publishNfse();
    const one = mundo.get('adn', '/DFe/2?lote=false');
    assert.deepEqual(
      one.json.LoteDFe.map(({ NSU }: { NSU: number }) => NSU),
      [2],
    );
    assert.equal(mundo.get('adn', '/DFe/4?lote=false').status, 404);
  });

  it('refuses another base with 400, and no certificate or a wrong path with a page', () => {
    const mundo = new MundoDosServicos();
    const other = mundo.get('adn', `/DFe/0?cnpjConsulta=${mundo.outro.id}`);
    assert.deepEqual([other.status, other.json.StatusProcessamento], [400, 'REJEICAO']);
    assert.equal(mundo.get('adn', '/DFe/x').status, 400);
    assert.equal(mundo.get('adn', '/nada').json, null);
    const nobody = mundo.pedido('adn', { metodo: 'GET', caminho: '/DFe/0', certificado: null });
    assert.equal(corpoDe(mundo.simulador.answer(nobody)).status, 403);
  });

  it('says 429 above sixty in a minute, and how long to wait', () => {
    const mundo = new MundoDosServicos();
    for (let i = 0; i < 60; i++) assert.equal(mundo.get('adn', '/DFe/1?lote=false').status, 404);
    const refused = mundo.get('adn', '/DFe/1?lote=false');
    assert.deepEqual([refused.status, refused.cabecalhos['retry-after']], [429, '60']);
    assert.equal(mundo.get('adn', '/DFe/1?lote=false').status, 429);
    assert.deepEqual(mundo.simulador.relatorio.de('malote').por_regra, { antes_do_retry_after: 1 });
    mundo.relogio.advance(60_000);
    assert.equal(mundo.get('adn', '/DFe/1?lote=false').status, 404);
  });
});

describe('SEFIN Nacional', () => {
  it('gives single notes and DPS to their parties', () => {
    const mundo = new MundoDosServicos();
    const { chave, xml } = mundo.publishNfse();
    assert.equal(text(mundo.get('sefin', `/nfse/${chave}`).json.nfseXmlGZipB64), xml);
    assert.equal(mundo.get('sefin', `/nfse/${chave}`, mundo.outro).status, 404);
    const id = /<infDPS Id="([^"]+)"/.exec(xml)?.[1];
    assert.equal(mundo.get('sefin', `/dps/${id}`).json.chaveAcesso, chave);
  });

  it('gives an event in two layers, at its whole path only', () => {
    const mundo = new MundoDosServicos();
    const { chave } = mundo.publishNfse();
    const em = new Date(mundo.relogio.now());
    const { xml } = generateEventoNfse({ semente: 'c', chave, autor: mundo.fornecedor, em });
    mundo.simulador.publish(xml);
    const [event] = mundo.get('sefin', `/nfse/${chave}/eventos/101101/1`).json.eventos;
    assert.equal(text(Buffer.from(event.arquivoXml, 'base64').toString('latin1')), xml);
    assert.equal(mundo.get('sefin', `/nfse/${chave}/eventos`).status, 405);
    const page = mundo.get('sefin', `/nfse/${chave}/eventos/101101`);
    assert.deepEqual([page.status, page.json], [404, null]);
    assert.equal(mundo.get('sefin', `/nfse/${chave}/eventos/101101/2`).status, 404);
  });
});

it('tells which cities take part in the national environment', () => {
  const mundo = new MundoDosServicos();
  mundo.simulador.conveniados = new Set(['3550308']);
  const of = (ibge: string) => mundo.get('convenio', `/${ibge}/convenio`).json.parametrosConvenio;
  assert.equal(of('3550308').aderenteAmbienteNacional, 1);
  assert.equal(of('3304557').aderenteAmbienteNacional, 0);
});

describe('SAE-NFC-e', () => {
  const retail = (mundo: MundoSimulado, count: number, from = 1) =>
    Array.from({ length: count }, (_, i) => {
      const nota = generateNfe({
        semente: `nfce/${from + i}`,
        emitente: mundo.cliente,
        destinatario: null,
        modelo: '65',
        serie: 1,
        numero: from + i,
        emissao: new Date(mundo.relogio.now() + (from + i) * 60_000),
        itens: 1,
      });
      mundo.simulador.publish(nota.xml);
      return nota;
    });
  const ask = (
    mundo: MundoSimulado,
    servico: 'sae_chaves' | 'sae_download',
    dentro: string,
    de = mundo.cliente,
  ) => {
    const [wsdl, nome] =
      servico === 'sae_chaves'
        ? ['NFCeListagemChaves', 'nfceListagemChaves']
        : ['NFCeDownloadXML', 'nfceDownloadXML'];
    const mensagem = `<${nome} versao="1.00" xmlns="http://www.portalfiscal.inf.br/nfe"><tpAmb>1</tpAmb>${dentro}</${nome}>`;
    const corpo = `<soap12:Envelope xmlns:soap12="http://www.w3.org/2003/05/soap-envelope"><soap12:Body><nfeDadosMsg xmlns="http://www.portalfiscal.inf.br/nfe/wsdl/${wsdl}">${mensagem}</nfeDadosMsg></soap12:Body></soap12:Envelope>`;
    return corpoDe(mundo.simulador.answer(mundo.pedido(servico, { corpo, de }))).texto;
  };
  const list = (mundo: MundoSimulado, inicial: string, final?: string) => {
    const texto = ask(
      mundo,
      'sae_chaves',
      `<dataHoraInicial>${inicial}</dataHoraInicial>${final ? `<dataHoraFinal>${final}</dataHoraFinal>` : ''}`,
    );
    return {
      cStat: field(texto, 'cStat'),
      chaves: elements(texto, 'chNFCe').length,
      ultima: field(texto, 'dhEmisUltNfce'),
    };
  };
  const local = (ms: number) => new Date(ms - 3 * HORA).toISOString().slice(0, 16);

  it('lists an issuer’s keys of a period, and says where to go on after two thousand', () => {
    const mundo = new MundoSimulado();
    const [one] = retail(mundo, 1);
    const xml = one?.xml ?? assert.fail();
    // Two thousand more of the same minute by minute, without as many signatures.
    for (let i = 2; i <= 2_001; i++) {
      const dhEmi = `${local(mundo.relogio.now() + i * 60_000)}:00-03:00`;
      const key = xml.slice(xml.indexOf('Id="NFe') + 7).slice(0, 44);
      const other = key.slice(0, 25) + String(i).padStart(9, '0') + key.slice(34);
      mundo.simulador.publish(xml.replaceAll(key, other).replace(/<dhEmi>[^<]+/, `<dhEmi>${dhEmi}`));
    }
    mundo.relogio.advance(2 * DIA);
    const first = list(mundo, local(mundo.relogio.now() - 2 * DIA));
    assert.deepEqual([first.cStat, first.chaves], ['101', 2_000]);
    const rest = list(mundo, first.ultima ?? '');
    assert.deepEqual([rest.cStat, rest.chaves], ['100', 2]);
  });

  it('says why it lists nothing', () => {
    const mundo = new MundoSimulado();
    const now = mundo.relogio.now();
    assert.equal(list(mundo, local(now - DIA)).cStat, '107');
    assert.equal(list(mundo, local(now - 101 * DIA)).cStat, '104');
    assert.equal(list(mundo, local(now), local(now - DIA)).cStat, '110');
  });

  it('gives one NFC-e with its events to its issuer, a second apart from the next', () => {
    const mundo = new MundoSimulado();
    const [nota] = retail(mundo, 1);
    const chave = nota?.chave ?? assert.fail();
    const get = (key: string, de = mundo.cliente) =>
      ask(mundo, 'sae_download', `<chNFCe>${key}</chNFCe>`, de);
    const proc = element(get(chave), 'proc') ?? '';
    assert.ok(nota?.xml.endsWith(proc.slice('<proc>'.length, -'</proc>'.length)));
    assert.equal(field(get(chave), 'cStat'), '656');
    mundo.relogio.advance(30 * 60_000);
    const later = (key: string, de = mundo.cliente) => {
      mundo.relogio.advance(1_000);
      return field(get(key, de), 'cStat');
    };
    assert.equal(later(chave), '200');
    assert.equal(later(chave, mundo.outro), '203');
    assert.equal(later(chave.slice(0, 43)), '204');
    assert.equal(later(`${chave.slice(0, 25)}999999999${chave.slice(34)}`), '205');
    mundo.relogio.advance(101 * DIA);
    assert.equal(later(chave), '207');
  });
});
