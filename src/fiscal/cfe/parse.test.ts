import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DESTINATARIO, EMITENTE, NS, PRODUTOR, treeOf, withWrongDigit } from '../amostras-de-teste.ts';
import { COMPANY, RSA_SHA256, SHA256, signature } from '../assinatura/amostras-de-teste.ts';
import { chaveLida, ler, lida, only, rejeitada } from '../leitura-de-teste.ts';
import type { Documento } from '../tipos.ts';
import { cfe, chaveCfe, type OpcoesDoCfe } from './amostras-de-teste.ts';
import { parseCfe } from './parse.ts';

const reading = (xml: string) => {
  const tree = treeOf(xml);
  return parseCfe({ tree, root: tree.root, digest: () => 'digest' });
};
const read = (options: OpcoesDoCfe | string = {}): Documento => {
  const result = reading(typeof options === 'string' ? options : cfe(options));
  if (!result.ok) throw new Error(`${result.rejeicao.codigo}: ${result.rejeicao.mensagem}`);
  return result.registro;
};
const codeOf = (options: OpcoesDoCfe | string): string => {
  const result = reading(typeof options === 'string' ? options : cfe(options));
  return result.ok ? 'lido' : result.rejeicao.codigo;
};

describe('a CF-e SAT', () => {
  it('gives everything that a Documento holds; the software house is no party', () => {
    assert.deepEqual(read(), {
      classe: 'documento',
      especie: 'CFe',
      chave: chaveCfe(),
      modelo: '59',
      ambiente: 1,
      layout: '0.08',
      serie: '123456',
      numero: '42',
      dataEmissao: '2021-07-10T09:30:15-03:00',
      tpNF: null,
      natureza: null,
      participantes: [{ papel: 'emitente', cpfCnpj: EMITENTE, nome: 'Padaria Aurora Ltda' }],
      valor: '12.50',
      finalidade: null,
      itens: [
        { numero: 1, cfop: '5102', ncm: '84713012', valor: '10.00' },
        { numero: 2, cfop: '5405', ncm: '84713012', valor: '2.50' },
      ],
      protocolo: null,
      statusProtocolo: 'Autorizada',
      digest: 'digest',
      layoutNacional: false,
      municipioPrestacao: null,
      avisos: [],
    });
  });

  it('names the buyer by CPF or CNPJ, and nobody by a name alone', () => {
    const buyer = (dest: string) => read({ dest: `<dest>${dest}</dest>` }).participantes[1]?.cpfCnpj;
    assert.equal(buyer(`<CPF>${PRODUTOR}</CPF>`), PRODUTOR);
    assert.equal(buyer(`<CNPJ>${DESTINATARIO}</CNPJ>`), DESTINATARIO);
    assert.equal(buyer('<xNome>CONSUMIDOR</xNome>'), undefined);
  });

  it('has the time of its state, daylight saving of the past included', () => {
    const at = (cUF: string, anoMes: string, day: string) =>
      read({ chave: chaveCfe({ cUF, anoMes }), data: `<dEmi>${day}</dEmi><hEmi>120000</hEmi>` }).dataEmissao;
    assert.equal(at('35', '1612', '20161220'), '2016-12-20T12:00:00-02:00');
    assert.equal(at('23', '1612', '20161220'), '2016-12-20T12:00:00-03:00');
  });

  it('without hour begins its day', () => {
    assert.equal(read({ data: '<dEmi>20210710</dEmi>' }).dataEmissao, '2021-07-10T00:00:00-03:00');
  });

  it('without the signature of the device is pending, and says so', () => {
    for (const assinatura of ['', '<Signature/>']) {
      const doc = read({ assinatura });
      assert.equal(doc.statusProtocolo, 'Pendente');
      assert.match(doc.avisos.join(), /sem a assinatura do equipamento SAT/);
    }
  });

  it('accepts a wrong check digit only with the signature', () => {
    const chave = withWrongDigit(chaveCfe());
    assert.equal(codeOf({ chave, assinatura: '' }), 'chave_com_dv_invalido');
    assert.match(read({ chave }).avisos.join(), /dígito verificador/);
  });

  it('tells where the key and the fields disagree', () => {
    const xml = cfe().replace('<nCFe>000042</nCFe>', '<nCFe>000041</nCFe>');
    assert.deepEqual([read(xml).numero, /ide\/nCFe/.test(read(xml).avisos.join())], ['41', true]);
    assert.match(read({ versao: '9.99' }).avisos.join(), /layout \(9\.99\)/);
  });

  it('says its environment; without tpAmb it is production unless a test authority made the certificate', () => {
    assert.equal(read({ tpAmb: '<tpAmb>2</tpAmb>' }).ambiente, 2);
    assert.equal(read({ tpAmb: '' }).ambiente, 1);
    assert.equal(codeOf({ tpAmb: '<tpAmb>3</tpAmb>' }), 'ambiente_invalido');
    // The issuer of the certificate of the fixtures is "EMPRESA DE TESTE".
    const assinatura = `<Signature><SignatureValue>QQ==</SignatureValue><KeyInfo><X509Data><X509Certificate>${COMPANY.certificate}</X509Certificate></X509Data></KeyInfo></Signature>`;
    assert.equal(read({ tpAmb: '', assinatura }).ambiente, 2);
    assert.equal(read({ tpAmb: '<tpAmb>1</tpAmb>', assinatura }).ambiente, 1);
  });
});

describe('a refused CF-e SAT', () => {
  const rows: [string, OpcoesDoCfe | string, string][] = [
    ['that is only the sale request', { id: '' }, 'cfe_sem_chave'],
    ['with a key of another form', { id: ' Id="CFe1"' }, 'chave_invalida'],
    ['with the model of another', cfe().replace('<mod>59</mod>', '<mod>65</mod>'), 'modelo_nao_suportado'],
    ['without issuer', { emit: '' }, 'emitente_ausente'],
    ['with an issuer that is no id', { emit: '<emit><CNPJ>1</CNPJ></emit>' }, 'emitente_invalido'],
    ['without a date', { data: '' }, 'data_emissao_ausente'],
    ['with a date that is none', { data: '<dEmi>20210231</dEmi>' }, 'data_emissao_invalida'],
    ['with an hour that is none', { data: '<dEmi>20210710</dEmi><hEmi>9h</hEmi>' }, 'data_emissao_invalida'],
    ['with two signed groups', cfe().replace('</CFe>', '<infCFe/></CFe>'), 'elemento_repetido'],
  ];
  for (const [name, options, codigo] of rows) {
    it(name, () => assert.equal(codeOf(options), codigo));
  }
});

describe('in a file', () => {
  it('is found without a namespace, in that of NF-e, and in wrappers of either', () => {
    assert.equal(chaveLida(only(ler(cfe()))), chaveCfe());
    assert.equal(chaveLida(only(ler(cfe({ ns: NS })))), chaveCfe());
    assert.equal(chaveLida(only(ler(`<nfeProc${NS}>${cfe()}</nfeProc>`))), chaveCfe());
    const second = chaveCfe({ numero: '44' });
    const lot = `<envCFe xmlns="http://www.fazenda.sp.gov.br/sat"><LoteCFe>${cfe()}${cfe({ chave: second })}</LoteCFe></envCFe>`;
    assert.deepEqual(ler(lot).map(chaveLida), [chaveCfe(), second]);
  });

  it('has its signature beside infCFe', () => {
    const bare = cfe({ assinatura: '' });
    const inf = /<infCFe.*<\/infCFe>/.exec(bare)?.[0] ?? '';
    const form = inf.replaceAll('<dest/>', '<dest></dest>');
    const sat = { hash: 'sha256', signatureMethod: RSA_SHA256, digestMethod: SHA256 } as const;
    const proof = signature({ ...sat, form, uri: `#CFe${chaveCfe()}` });
    const signed = bare.replace('</CFe>', `${proof}</CFe>`);
    assert.equal(lida(only(ler(signed))).assinatura.resultado, 'integra');
    assert.equal(lida(only(ler(signed.replace('10.00', '10.01')))).assinatura.resultado, 'alterada');
    assert.equal(lida(only(ler(bare))).assinatura.resultado, 'sem_assinatura');
  });

  it('that is only the sale request is named as such', () => {
    const piece = rejeitada(only(ler(cfe({ id: '' }))));
    assert.deepEqual([piece.rejeicao.codigo, piece.especie], ['cfe_sem_chave', 'CFe']);
    assert.match(piece.rejeicao.mensagem, /pedido de venda/);
  });

  it('without its content is named for what it is', () => {
    assert.equal(rejeitada(only(ler('<CFe/>'))).rejeicao.codigo, 'cfe_sem_infcfe');
    assert.equal(rejeitada(only(ler('<CFeCanc/>'))).rejeicao.codigo, 'cfe_sem_infcfe');
  });
});
