import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CONTADOR, chaveDe, cpf, EMITENTE, treeOf, withWrongDigit } from '../amostras-de-teste.ts';
import { chaveLida, codeOf, ler, lida, only, rejeitada } from '../leitura-de-teste.ts';
import type { Recusa } from '../rejeicoes.ts';
import type { Documento } from '../tipos.ts';
import {
  CHAVE_CTE,
  cte,
  cteProc,
  DESTINO,
  EXPEDIDOR,
  NS_CTE,
  type OpcoesDoCte,
  parteDoCte,
  protCte,
  QUATRO_PARTES,
  RECEBEDOR,
  REMETENTE,
  TOMADOR,
} from './amostras-de-teste.ts';
import { parseCte } from './parse.ts';

const reading = (xml: string) => {
  const tree = treeOf(xml);
  return parseCte({ tree, root: tree.root, digest: () => 'digest' });
};
const read = (xml: string): Documento => {
  const result = reading(xml);
  if (!result.ok) throw new Error(`${result.rejeicao.codigo}: ${result.rejeicao.mensagem}`);
  return result.registro;
};
const refuse = (xml: string): Recusa => {
  const result = reading(xml);
  if (result.ok) throw new Error('was read');
  return result;
};
const rolesOf = (options: OpcoesDoCte) =>
  read(cte(options)).participantes.map(({ papel, cpfCnpj }) => `${papel} ${cpfCnpj}`);
const tomadorOf = (options: OpcoesDoCte) =>
  read(cte(options)).participantes.find(({ papel }) => papel === 'tomador')?.cpfCnpj ?? null;
const avisos = (xml: string) => read(xml).avisos.join(' ');

describe('a CT-e 4.00 with protocol', () => {
  it('gives everything that a Documento holds', () => {
    assert.deepEqual(read(cteProc()), {
      classe: 'documento',
      especie: 'CTe',
      chave: CHAVE_CTE,
      modelo: '57',
      ambiente: 1,
      layout: '4.00',
      serie: '1',
      numero: '42',
      dataEmissao: '2026-03-10T09:30:00-03:00',
      tpNF: null,
      natureza: 'Transporte',
      participantes: [
        { papel: 'emitente', cpfCnpj: EMITENTE, nome: 'Transportes Aurora' },
        { papel: 'destinatario', cpfCnpj: DESTINO, nome: 'Loja Sul' },
        { papel: 'tomador', cpfCnpj: REMETENTE, nome: 'Fábrica Norte' },
        { papel: 'remetente', cpfCnpj: REMETENTE, nome: 'Fábrica Norte' },
        { papel: 'expedidor', cpfCnpj: EXPEDIDOR, nome: 'Expedidora' },
        { papel: 'recebedor', cpfCnpj: RECEBEDOR, nome: 'Recebedora' },
      ],
      valor: '310.50',
      finalidade: { codigo: '0', descricao: 'CT-e normal' },
      itens: [{ numero: 1, cfop: '5353', ncm: null, valor: '310.50' }],
      protocolo: {
        cStat: '100',
        xMotivo: 'Autorizado o uso do CT-e',
        nProt: '135260000000011',
        dhRecbto: '2026-03-10T09:31:00-03:00',
        digVal: null,
      },
      statusProtocolo: 'Autorizada',
      digest: 'digest',
      layoutNacional: false,
      municipioPrestacao: null,
      avisos: [],
    });
  });

  it('tells what the Fisco had to say', () => {
    const infFisco = '<infFisco><cMsg>1</cMsg><xMsg>Procure a repartição</xMsg></infFisco>';
    assert.match(avisos(cteProc(cte() + protCte({ infFisco }))), /Procure a repartição/);
  });
});

describe('the kinds of the family', () => {
  const kind = (elemento: string, modelo: string, rest: OpcoesDoCte = {}) => {
    const chave = chaveDe({ modelo });
    const xml = cte({ elemento, modelo, chave, ...rest }) + protCte({ chave });
    const { especie, modelo: read57, finalidade, statusProtocolo } = read(cteProc(xml, `${elemento}Proc`));
    return [especie, read57, finalidade?.descricao, statusProtocolo];
  };

  it('are told by their element and model', () => {
    assert.deepEqual(kind('CTeOS', '67'), ['CTeOS', '67', 'CT-e OS normal', 'Autorizada']);
    assert.deepEqual(kind('GTVe', '64', { tpCTe: '4' }), ['GTVe', '64', 'GTV-e', 'Autorizada']);
    const simplified = kind('CTeSimp', '57', { tpCTe: '5' });
    assert.deepEqual(simplified, ['CTe', '57', 'CT-e simplificado', 'Autorizada']);
  });

  it('are refused under the model of another', () => {
    for (const [elemento, modelo] of [
      ['CTeOS', '57'],
      ['CTe', '67'],
      ['GTVe', '55'],
    ] as const) {
      assert.equal(refuse(cte({ elemento, modelo })).rejeicao.codigo, 'modelo_nao_suportado', elemento);
    }
  });

  it('say what they are for', () => {
    const described = (tpCTe: string) => read(cte({ tpCTe })).finalidade?.descricao;
    assert.equal(described('1'), 'CT-e de complemento de valores');
    assert.equal(described('2'), 'CT-e de anulação');
    assert.equal(described('3'), 'CT-e de substituição');
    assert.equal(described('6'), 'CT-e simplificado de substituição');
    assert.equal(described('9'), 'Tipo de CT-e 9');
  });

  it('stay authorised when they replace or annul another, and name it', () => {
    const other = chaveDe({ modelo: '57', numero: '41' });
    const replaces = cte({
      tpCTe: '3',
      depois: `<infCTeNorm><infCteSub><chCte>${other}</chCte></infCteSub></infCTeNorm>`,
    });
    const doc = read(cteProc(replaces + protCte()));
    assert.equal(doc.statusProtocolo, 'Autorizada');
    assert.match(doc.avisos.join(), new RegExp(`substitui o de chave ${other}`));
    const annuls = cte({ tpCTe: '2', depois: `<infCteAnu><chCte>${other}</chCte></infCteAnu>` });
    assert.match(avisos(annuls), new RegExp(`anula o de chave ${other}`));
  });
});

describe('the tomador', () => {
  it('is the party that toma3 points to, or toma03 of layout 2.00', () => {
    const pointed = { '0': REMETENTE, '1': EXPEDIDOR, '2': RECEBEDOR, '3': DESTINO };
    for (const [code, id] of Object.entries(pointed)) {
      assert.equal(tomadorOf({ toma: `<toma3><toma>${code}</toma></toma3>` }), id, code);
      assert.equal(tomadorOf({ toma: `<toma03><toma>${code}</toma></toma03>` }), id, code);
    }
  });

  it('has data of its own in toma4', () => {
    const toma = `<toma4><toma>4</toma><CNPJ>${TOMADOR}</CNPJ><xNome>Quem paga</xNome></toma4>`;
    assert.equal(tomadorOf({ toma }), TOMADOR);
  });

  it('stands beside ide in CT-e OS and CT-e Simplificado', () => {
    const own = `<toma><toma>4</toma><CPF>${cpf('987654321')}</CPF><xNome>Ana</xNome></toma>`;
    assert.equal(tomadorOf({ elemento: 'CTeSimp', toma: '', partes: own }), cpf('987654321'));
    const os = { elemento: 'CTeOS', modelo: '67', toma: '', partes: parteDoCte('toma', TOMADOR, 'Turismo') };
    assert.equal(tomadorOf(os), TOMADOR);
    assert.equal(tomadorOf({ ...os, partes: '' }), null);
  });

  it('of a GTV-e is remetente or destinatário, or a third party', () => {
    const gtve = (toma: string) => tomadorOf({ elemento: 'GTVe', modelo: '64', toma, valor: '' });
    assert.equal(gtve('<toma><toma>0</toma></toma>'), REMETENTE);
    assert.equal(gtve('<toma><toma>1</toma></toma>'), DESTINO);
    assert.equal(gtve(`<tomaTerceiro><toma>4</toma><CNPJ>${TOMADOR}</CNPJ></tomaTerceiro>`), TOMADOR);
  });

  it('is nobody where it points to a party that is not there', () => {
    assert.equal(tomadorOf({ toma: '<toma3><toma>1</toma></toma3>', partes: '' }), null);
    assert.equal(tomadorOf({ toma: '<toma3><toma>9</toma></toma3>' }), null);
  });
});

describe('the parties', () => {
  it('of zeros or without id are nobody', () => {
    const partes = `${parteDoCte('rem', '00000000000000', 'Exterior')}<dest><CNPJ/></dest><autXML><CNPJ>${CONTADOR}</CNPJ></autXML>`;
    assert.deepEqual(rolesOf({ partes }), [`emitente ${EMITENTE}`, `autorizado ${CONTADOR}`]);
  });

  it('of one company are recorded in each part that it plays, once', () => {
    const twice = `<autXML><CNPJ>${CONTADOR}</CNPJ></autXML>`;
    const partes = parteDoCte('rem', EMITENTE, 'Transportes Aurora') + twice + twice;
    assert.deepEqual(rolesOf({ partes }), [
      `emitente ${EMITENTE}`,
      `tomador ${EMITENTE}`,
      `remetente ${EMITENTE}`,
      `autorizado ${CONTADOR}`,
    ]);
  });
});

describe('value and date', () => {
  it('falls back to the total of 2026 and is null on a GTV-e', () => {
    const valorDe = (valor: string) => read(cte({ valor })).valor;
    assert.equal(valorDe('<total><vTPrest>12.00</vTPrest><vTotDFe>13.00</vTotDFe></total>'), '12.00');
    assert.equal(valorDe('<imp><vTotDFe>13.00</vTotDFe></imp>'), '13.00');
    assert.equal(valorDe('<vPrest><vTPrest>muito</vTPrest></vPrest>'), null);
    assert.equal(valorDe(''), null);
  });

  it('has no item without a CFOP', () => {
    assert.deepEqual(read(cte().replace('<CFOP>5353</CFOP>', '')).itens, []);
  });

  it('gets the zone of its state where it has none (layouts up to 2.00)', () => {
    const chave = chaveDe({ modelo: '57', cUF: '51', anoMes: '1210' });
    const at = (data: string) => read(cte({ chave, data, versao: '2.00' }));
    assert.equal(at('<dhEmi>2012-10-02T16:13:00</dhEmi>').dataEmissao, '2012-10-02T16:13:00-04:00');
    assert.equal(at('<dEmi>2012-10-02</dEmi>').dataEmissao, '2012-10-02T00:00:00-04:00');
    assert.deepEqual(at('<dhEmi>2012-10-02T16:13:00</dhEmi>').avisos, []);
  });
});

describe('key and protocol', () => {
  it('without protocol is pending', () => {
    assert.equal(read(cte()).statusProtocolo, 'Pendente');
  });

  it('follow the cStat: cancelled, denied', () => {
    const status = (cStat: string) => read(cteProc(cte() + protCte({ cStat }))).statusProtocolo;
    assert.equal(status('101'), 'Cancelada');
    assert.equal(status('110'), 'Denegada');
    assert.equal(status('301'), 'Denegada');
  });

  it('accept a wrong check digit only with the protocol', () => {
    const chave = withWrongDigit(CHAVE_CTE);
    assert.equal(refuse(cte({ chave })).rejeicao.codigo, 'chave_com_dv_invalido');
    assert.match(avisos(cteProc(cte({ chave }) + protCte({ chave }))), /dígito verificador/);
  });

  it('tell where the key and the fields disagree, the nine-digit code of the first layouts aside', () => {
    assert.match(avisos(cte({ cct: '00000001' })), /em: ide\/cCT\./);
    assert.equal(avisos(cte({ cct: CHAVE_CTE.slice(34, 43), versao: '1.04' })), '');
  });

  it('take the key from the protocol where the Id is missing', () => {
    assert.equal(read(cteProc(cte({ id: '' }) + protCte())).chave, CHAVE_CTE);
  });
});

describe('a refused CT-e', () => {
  const other = chaveDe({ modelo: '57', numero: '43' });
  const rows: [string, string, string][] = [
    ['in a foreign namespace', cte({ ns: ' xmlns="urn:x"' }), 'namespace_invalido'],
    ['twice in one wrapper', cteProc(cte() + cte()), 'elemento_repetido'],
    ['without a key', cte({ id: '' }), 'chave_ausente'],
    ['with a key of another form', cte({ id: ' Id="CTestring"' }), 'chave_invalida'],
    ['with the protocol of another', cteProc(cte() + protCte({ chave: other })), 'protocolo_de_outra_chave'],
    ['rejected by SEFAZ', cteProc(cte() + protCte({ cStat: '539' })), 'rejeitada_pela_sefaz'],
    ['without issuer', cte({ emit: '' }), 'emitente_ausente'],
    ['with an issuer of zeros', cte({ emit: parteDoCte('emit', '00000000000000', 'X') }), 'emitente_ausente'],
    ['with an issuer that is no id', cte({ emit: parteDoCte('emit', 'CNPJ1', 'X') }), 'emitente_invalido'],
    ['without environment', cte().replace('<tpAmb>1</tpAmb>', ''), 'ambiente_invalido'],
    ['without a date', cte({ data: '' }), 'data_emissao_ausente'],
    ['with a wrong date', cte({ data: '<dhEmi>hoje</dhEmi>' }), 'data_emissao_invalida'],
  ];
  for (const [name, xml, codigo] of rows) {
    it(name, () => {
      const { especie, rejeicao } = refuse(xml);
      assert.equal(rejeicao.codigo, codigo);
      assert.equal(especie, 'CTe');
      assert.match(rejeicao.mensagem, /\.$/);
      assert.notEqual(rejeicao.elemento, null);
    });
  }

  it('says to send the files of its own kind', () => {
    assert.match(refuse(cte({ chave: withWrongDigit(CHAVE_CTE) })).rejeicao.mensagem, /cteProc/);
    assert.match(refuse(cte({ elemento: 'CTeOS', modelo: '57' })).rejeicao.mensagem, /de CT-e OS é 67/);
  });
});

describe('in a file', () => {
  it('is found in wrappers of any case, in lots and in SOAP', () => {
    assert.equal(chaveLida(only(ler(cteProc(undefined, 'CTEPROC')))), CHAVE_CTE);
    assert.equal(chaveLida(only(ler(`<arquivo${NS_CTE}>${cteProc()}</arquivo>`))), CHAVE_CTE);
    const second = chaveDe({ modelo: '57', numero: '43' });
    const lot = `<enviCTe${NS_CTE}><idLote>1</idLote>${cte({ ns: '' })}${cte({ ns: '', chave: second })}</enviCTe>`;
    assert.deepEqual(ler(lot).map(chaveLida), [CHAVE_CTE, second]);
    const soap = `<s:Envelope xmlns:s="urn:soap"><s:Body><cteDadosMsg>${cteProc()}</cteDadosMsg></s:Body></s:Envelope>`;
    assert.equal(chaveLida(only(ler(soap))), CHAVE_CTE);
  });

  it('is found under a wrapper of another name that holds it and its protocol', () => {
    const found = lida(only(ler(cteProc(undefined, 'documento'))));
    assert.equal(found.registro.classe === 'documento' && found.registro.statusProtocolo, 'Autorizada');
  });

  it('finds its protocol where the two stand apart', () => {
    const apart = `<lote><a>${cte()}</a><b>${protCte().replace('<protCTe', `<protCTe${NS_CTE}`)}</b></lote>`;
    const found = lida(only(ler(apart)));
    assert.equal(found.registro.classe === 'documento' && found.registro.statusProtocolo, 'Autorizada');
  });

  it('without its signed group is named for what it is', () => {
    for (const [xml, especie] of [
      ['<cteProc><CTe/></cteProc>', 'CTe'],
      ['<CTeOS/>', 'CTeOS'],
      ['<GTVe/>', 'GTVe'],
      ['<CTeSimp/>', 'CTe'],
    ] as const) {
      const piece = rejeitada(only(ler(xml)));
      assert.deepEqual([piece.rejeicao.codigo, piece.especie], ['cte_sem_infcte', especie]);
      assert.match(piece.rejeicao.elemento ?? '', /infCte$/);
    }
  });

  it('is told apart from a wrapper that holds only a protocol', () => {
    assert.equal(codeOf(only(ler(cteProc(protCte())))), 'mensagem_sem_documento');
  });

  it('keeps the parties of QUATRO_PARTES when the namespace was stripped, with a notice', () => {
    const doc = read(cte({ ns: '', partes: QUATRO_PARTES }));
    assert.equal(doc.participantes.length, 6);
    assert.match(doc.avisos.join(), /sem o namespace http:\/\/www\.portalfiscal\.inf\.br\/cte/);
  });
});
