import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  CNPJ_ALFANUMERICO,
  EMITENTE,
  ID_INUTILIZACAO,
  NS,
  PRODUTOR,
  procInut,
  retInut,
  treeOf,
} from '../amostras-de-teste.ts';
import type { Recusa } from '../rejeicoes.ts';
import type { Inutilizacao } from '../tipos.ts';
import { parseInutilizacao } from './parse.ts';

const reading = (xml: string) => {
  const tree = treeOf(xml);
  return parseInutilizacao({ tree, root: tree.root, digest: (signed) => signed.parent?.localName ?? '' });
};
const read = (xml: string): Inutilizacao => {
  const result = reading(xml);
  if (!result.ok) throw new Error(`${result.rejeicao.codigo}: ${result.rejeicao.mensagem}`);
  return result.registro;
};
const refuse = (xml: string): Recusa => {
  const result = reading(xml);
  if (result.ok) throw new Error('was read');
  return result;
};

describe('a homologated inutilização', () => {
  it('gives everything that an Inutilizacao holds', () => {
    assert.deepEqual(read(procInut()), {
      classe: 'inutilizacao',
      especie: 'Inutilizacao',
      chave: ID_INUTILIZACAO,
      modelo: '55',
      ambiente: 1,
      layout: '4.00',
      serie: '1',
      numeroInicial: 10,
      numeroFinal: 12,
      ano: '26',
      emitente: EMITENTE,
      justificativa: 'Falha que pulou a numeração',
      dataEmissao: '2026-03-12T08:00:00-03:00',
      protocolo: {
        cStat: '102',
        xMotivo: 'Inutilização de número homologado',
        nProt: '135260000000003',
        dhRecbto: '2026-03-12T08:00:00-03:00',
        digVal: null,
      },
      digest: 'inutNFe',
      avisos: [],
    });
  });

  it('is the same one when only its answer came', () => {
    const alone = read(retInut());
    assert.equal(alone.chave, ID_INUTILIZACAO);
    assert.equal(alone.justificativa, null);
    assert.equal(alone.digest, 'retInutNFe');
  });

  it('is read whatever the case of its wrapper', () => {
    assert.equal(read(procInut().replaceAll('ProcInutNFe', 'procInutNFe')).chave, ID_INUTILIZACAO);
  });

  it('may be of a CPF or of an alphanumeric CNPJ', () => {
    const cpf = read(retInut({ quem: `<CPF>${PRODUTOR}</CPF>` }));
    assert.equal(cpf.emitente, PRODUTOR);
    assert.equal(cpf.chave, `3526000${PRODUTOR}55001000000010000000012`);
    const alpha = read(retInut({ quem: `<CNPJ>${CNPJ_ALFANUMERICO}</CNPJ>` }));
    assert.equal(alpha.chave, `3526${CNPJ_ALFANUMERICO}55001000000010000000012`);
  });

  it('goes by the fields of the answer where the Id says something else', () => {
    const odd = read(procInut(ID_INUTILIZACAO.replace('000000012', '000000099')));
    assert.equal(odd.chave, ID_INUTILIZACAO);
    assert.match(odd.avisos.join(), /Id do pedido/);
  });

  it('gets the offset of its state where the date has none', () => {
    assert.equal(
      read(retInut({ data: '<dhRecbto>2012-01-10T08:00:00</dhRecbto>' })).dataEmissao,
      '2012-01-10T08:00:00-02:00',
    );
  });
});

describe('an answer to another request', () => {
  it('is refused: the signature covers the request, so the range that is told must be the one that was asked for', () => {
    const whole = procInut();
    const answer = whole.indexOf('<retInutNFe');
    const foreign = whole.slice(answer).replace(/<nNFFin>\d+<\/nNFFin>/, '<nNFFin>1<![CDATA[9]]>2</nNFFin>');
    assert.ok(foreign.includes('CDATA'));
    const refusal = refuse(whole.slice(0, answer) + foreign);
    assert.equal(refusal.rejeicao.codigo, 'protocolo_de_outra_chave');
    assert.equal(refusal.rejeicao.elemento, 'ProcInutNFe/retInutNFe/infInut/nNFFin');
  });
});

describe('rejections', () => {
  const cases: Record<string, [string, string]> = {
    inutilizacao_sem_registro: [
      procInut().replace(/<retInutNFe.*<\/retInutNFe>/, ''),
      'ProcInutNFe/retInutNFe/infInut',
    ],
    inutilizacao_nao_homologada: [retInut({ cStat: '563' }), 'retInutNFe/infInut/cStat'],
    emitente_ausente: [retInut({ quem: '<CNPJ>00000000000000</CNPJ>' }), 'retInutNFe/infInut/CNPJ'],
    modelo_nao_suportado: [retInut({ mod: '57' }), 'retInutNFe/infInut/mod'],
    numeracao_invalida: [retInut({ ini: '12', fin: '10' }), 'retInutNFe/infInut/nNFIni'],
    ambiente_invalido: [retInut().replace('<tpAmb>1</tpAmb>', ''), 'retInutNFe/infInut/tpAmb'],
    data_emissao_ausente: [retInut({ data: '' }), 'retInutNFe/infInut/dhRecbto'],
    data_emissao_invalida: [retInut({ data: '<dhRecbto>0</dhRecbto>' }), 'retInutNFe/infInut/dhRecbto'],
    namespace_invalido: [retInut({}, ' xmlns="http://exemplo.invalid/"'), 'retInutNFe/infInut'],
    elemento_repetido: [`<retInutNFe${NS}><infInut/><infInut/></retInutNFe>`, 'retInutNFe/infInut[2]'],
  };
  for (const [codigo, [xml, elemento]] of Object.entries(cases)) {
    it(codigo, () => {
      const { rejeicao } = refuse(xml);
      assert.equal(rejeicao.codigo, codigo);
      assert.equal(rejeicao.elemento, elemento);
      assert.match(rejeicao.mensagem, /\.$/);
    });
  }

  it('tell what SEFAZ said, or that it said nothing', () => {
    assert.match(refuse(retInut({ cStat: '563' })).rejeicao.mensagem, /\[563\]/);
    assert.match(refuse(retInut().replace(/<cStat>.*?<\/cStat>/, '')).rejeicao.mensagem, /não traz cStat/);
  });

  it('zero is no invoice number', () => {
    assert.equal(refuse(retInut({ ini: '0' })).rejeicao.codigo, 'numeracao_invalida');
  });
});
