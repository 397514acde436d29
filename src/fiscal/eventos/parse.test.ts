import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  chaveDe,
  DESTINATARIO,
  EMITENTE,
  eventoXml,
  NS,
  type OpcoesDoEvento,
  procEvento,
  treeOf,
} from '../amostras-de-teste.ts';
import type { Recusa } from '../rejeicoes.ts';
import type { Evento } from '../tipos.ts';
import { parseEvento } from './parse.ts';
import { EVENTOS_NFE } from './tabela.ts';

const reading = (xml: string) => {
  const tree = treeOf(xml);
  return parseEvento({ tree, root: tree.root, digest: () => 'digest' });
};
const read = (options: OpcoesDoEvento | string = {}): Evento => {
  const result = reading(typeof options === 'string' ? options : procEvento(options));
  if (!result.ok) throw new Error(`${result.rejeicao.codigo}: ${result.rejeicao.mensagem}`);
  return result.registro;
};
const refuse = (options: OpcoesDoEvento | string): Recusa => {
  const result = reading(typeof options === 'string' ? options : procEvento(options));
  if (result.ok) throw new Error('was read');
  return result;
};

describe('an event in which the recipient tells what items are for', () => {
  const itens = (codigo: string, det: string) => read({ codigo, det }).itensDeclarados;
  const grupo = (nome: string, nItem: string) => `<${nome} nItem="${nItem}"><vIBS>1.00</vIBS></${nome}>`;

  it('names these items', () => {
    assert.deepEqual(itens('211130', grupo('gImobilizacao', '2') + grupo('gImobilizacao', '10')), [2, 10]);
    assert.deepEqual(itens('211120', grupo('gConsumo', '1')), [1]);
    assert.deepEqual(itens('211130', grupo('gImobilizacao', '2').repeat(1_000)), [2]);
  });

  it('names none that is no number of an item, and no other event names any', () => {
    assert.deepEqual(itens('211130', grupo('gImobilizacao', 'x') + grupo('gImobilizacao', '0')), []);
    assert.equal(itens('211128', grupo('gCredito', '1')), undefined);
  });
});

describe('a registered event', () => {
  it('gives everything that an Evento holds', () => {
    assert.deepEqual(read(), {
      classe: 'evento',
      especie: 'Evento',
      chave: chaveDe(),
      modelo: '55',
      ambiente: 1,
      layout: '1.00',
      codigo: '110111',
      descricao: 'Cancelamento',
      sequencia: 1,
      efeito: 'cancela',
      autor: EMITENTE,
      destinatario: DESTINATARIO,
      dataEmissao: '2026-03-11T10:00:00-03:00',
      protocolo: {
        cStat: '135',
        xMotivo: 'Evento registrado e vinculado a NF-e',
        nProt: '135260000000002',
        dhRecbto: '2026-03-11T10:00:05-03:00',
        digVal: null,
      },
      desfaz: null,
      protocoloDaNota: null,
      digest: 'digest',
      avisos: [],
    });
  });

  it('is registered by 135, 136 and 155', () => {
    for (const cStat of ['135', '136', '155']) assert.equal(read({ cStat }).protocolo.cStat, cStat);
  });

  it('counts 01 and 1 as one sequence', () => {
    assert.equal(read({ codigo: '110110', sequencia: '04' }).sequencia, 4);
    assert.equal(read({ codigo: '110110', sequencia: '4' }).sequencia, 4);
  });

  it('is of an NFC-e when its key says so', () => {
    assert.equal(read({ chave: chaveDe({ modelo: '65' }), codigo: '110112' }).modelo, '65');
  });

  it('names what it undoes', () => {
    const det = '<descEvento>x</descEvento><nProtEvento>135260000000077</nProtEvento>';
    const undone = (codigo: string, extra = '') => read({ codigo, det: det + extra }).desfaz;
    const nProt = '135260000000077';
    assert.deepEqual(undone('110131'), { codigo: '110130', sequencia: null, nProt });
    assert.deepEqual(undone('110193'), { codigo: '110192', sequencia: null, nProt });
    assert.deepEqual(undone('110751'), { codigo: '110750', sequencia: null, nProt });
    assert.deepEqual(undone('110001', '<tpEventoAut>112110</tpEventoAut>'), {
      codigo: '112110',
      sequencia: null,
      nProt,
    });
    assert.equal(undone('110111'), null);
  });

  it('of an unknown kind is kept without effect, under the words it came with', () => {
    const unknown = read({ codigo: '610500', det: '<descEvento>Registro de passagem</descEvento>' });
    assert.deepEqual([unknown.efeito, unknown.descricao], ['nenhum', 'Registro de passagem']);
    assert.equal(read({ codigo: '610500', det: '<x/>' }).descricao, 'Palavras da SEFAZ');
  });

  it('finds its own answer among those of a lot', () => {
    const other = eventoXml({ chave: chaveDe({ numero: '43' }), cStat: '501' }).replace(/^.*<\/evento>/, '');
    const mine = eventoXml().replace(/^.*<\/evento>/, '');
    const request = eventoXml({ resposta: '' });
    const lot = `<procEventoNFe${NS} versao="1.00">${request}<retEnvEvento>${other}${mine}</retEnvEvento></procEventoNFe>`;
    assert.equal(read(lot).protocolo.cStat, '135');
  });

  it('without nSeqEvento is counted by its Id; without that too it is the first one, with a notice', () => {
    const xml = procEvento({ sequencia: '2' }).replaceAll('<nSeqEvento>2</nSeqEvento>', '');
    assert.deepEqual([read(xml).sequencia, read(xml).avisos], [2, []]);
    const bare = xml.replace(/ Id="ID[^"]*"/, '');
    assert.equal(read(bare).sequencia, 1);
    assert.match(read(bare).avisos.join(), /nSeqEvento/);
  });
});

describe('an event as the download of SEFAZ-SP has it', () => {
  const baixado = (nProt: string) =>
    `<procEventoNFe${NS} versao="1.00"><dhInc>2026-03-11T10:00:07-03:00</dhInc>${nProt}${eventoXml({ resposta: '' })}</procEventoNFe>`;

  it('is registered by number and time in its wrapper', () => {
    const { protocolo } = read(baixado('<nProt>135260000000077</nProt>'));
    assert.deepEqual(
      [protocolo.cStat, protocolo.nProt, protocolo.dhRecbto],
      ['135', '135260000000077', '2026-03-11T10:00:07-03:00'],
    );
  });

  it('is only asked for without them', () => {
    for (const nProt of ['', '<nProt/>', '<nProt>7</nProt>'])
      assert.equal(refuse(baixado(nProt)).rejeicao.codigo, 'evento_sem_registro');
  });
});

describe('110150', () => {
  const det = (...named: string[]) => named.map((one) => `<autXML>${one}</autXML>`).join('');

  it('names who may have the note', () => {
    const two = det(`<CNPJ>${DESTINATARIO}</CNPJ>`, '<CPF>12345678909</CPF>', `<CNPJ>${DESTINATARIO}</CNPJ>`);
    assert.deepEqual(read({ codigo: '110150', det: two }).autorizados, [DESTINATARIO, '12345678909']);
    assert.equal(read({ codigo: '110150', det: det('<CNPJ/>') }).autorizados, undefined);
    assert.equal(read({ codigo: '110130', det: two }).autorizados, undefined);
  });
});

describe('the table of events', () => {
  it('says which ones cancel, correct, undo and manifest', () => {
    const having = (efeito: string) =>
      Object.entries(EVENTOS_NFE)
        .filter(([, tipo]) => tipo.efeito === efeito)
        .map(([codigo]) => codigo);
    assert.deepEqual(having('cancela'), ['110111', '110112']);
    assert.deepEqual(having('carta_correcao'), ['110110']);
    assert.deepEqual(having('cancela_evento'), ['110001', '110131', '110193', '110751']);
    assert.deepEqual(having('manifestacao'), ['210200', '210210', '210220', '210240']);
  });

  it('has six digits and a name for each', () => {
    for (const [codigo, { descricao }] of Object.entries(EVENTOS_NFE)) {
      assert.match(codigo, /^\d{6}$/);
      assert.ok(descricao.length > 3, codigo);
    }
  });
});

describe('rejections', () => {
  const cases: Record<string, [OpcoesDoEvento | string, string]> = {
    evento_sem_registro: [{ resposta: '' }, 'procEventoNFe/retEvento'],
    evento_rejeitado_pela_sefaz: [{ cStat: '501' }, 'procEventoNFe/retEvento/infEvento/cStat'],
    protocolo_de_outra_chave: [
      { resposta: '<retEvento><infEvento><cStat>135</cStat><chNFe>0</chNFe></infEvento></retEvento>' },
      'procEventoNFe/retEvento/infEvento',
    ],
    chave_ausente: [
      procEvento().replaceAll(/<chNFe>.*?<\/chNFe>/g, ''),
      'procEventoNFe/evento/infEvento/chNFe',
    ],
    chave_invalida: [
      procEvento().replaceAll(/<chNFe>.*?<\/chNFe>/g, '<chNFe>1</chNFe>'),
      'procEventoNFe/evento/infEvento/chNFe',
    ],
    modelo_nao_suportado: [{ chave: chaveDe({ modelo: '58' }) }, 'procEventoNFe/evento/infEvento/chNFe'],
    tipo_evento_invalido: [{ codigo: '12' }, 'procEventoNFe/evento/infEvento/tpEvento'],
    ambiente_invalido: [{ tpAmb: '3' }, 'procEventoNFe/evento/infEvento/tpAmb'],
    data_emissao_ausente: [{ data: '' }, 'procEventoNFe/evento/infEvento/dhEvento'],
    data_emissao_invalida: [
      { data: '<dhEvento>ontem</dhEvento>' },
      'procEventoNFe/evento/infEvento/dhEvento',
    ],
    namespace_invalido: [
      procEvento().replaceAll(NS, ' xmlns="http://exemplo.invalid/"'),
      'procEventoNFe/evento/infEvento',
    ],
    elemento_repetido: [
      `<procEventoNFe${NS}>${eventoXml()}${eventoXml()}</procEventoNFe>`,
      'procEventoNFe/evento[2]',
    ],
  };
  for (const [codigo, [options, elemento]] of Object.entries(cases)) {
    it(codigo, () => {
      const { rejeicao } = refuse(options);
      assert.equal(rejeicao.codigo, codigo);
      assert.equal(rejeicao.elemento, elemento);
      assert.match(rejeicao.mensagem, /\.$/);
    });
  }

  it('tell what SEFAZ said', () => {
    assert.match(refuse({ cStat: '501' }).rejeicao.mensagem, /^Evento rejeitado pela SEFAZ \[501\]/);
  });

  it('an answer of homologação registers nothing in produção; the other way round it stays there', () => {
    const com = (tpAmb: string, outro: string) =>
      procEvento({ tpAmb }).replace(/(<retEvento.*<tpAmb>)\d/s, `$1${outro}`);
    assert.equal(read(com('1', '2')).protocolo?.deHomologacao, true);
    const deTeste = read(com('2', '1'));
    assert.deepEqual([deTeste.ambiente, deTeste.protocolo?.deHomologacao], [2, undefined]);
  });

  it('an answer to another sequence of the same kind is no answer', () => {
    const answer = eventoXml({ codigo: '110110', sequencia: '2' }).replace(/^.*<\/evento>/, '');
    const refused = refuse({ codigo: '110110', sequencia: '1', resposta: answer });
    assert.equal(refused.rejeicao.codigo, 'protocolo_de_outra_chave');
  });
});
