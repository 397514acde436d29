import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  CNPJ_ALFANUMERICO,
  CONTADOR,
  chaveDe,
  cnpj,
  DEPOSITO,
  DESTINATARIO,
  EMITENTE,
  item,
  MARKETPLACE,
  NS,
  nota,
  type OpcoesDaNota,
  PRODUTOR,
  procEvento,
  processada,
  protocolo,
  TRANSPORTADOR,
  treeOf,
  withWrongDigit,
} from '../amostras-de-teste.ts';
import { ler, lida, only } from '../leitura-de-teste.ts';
import type { Recusa } from '../rejeicoes.ts';
import type { Documento } from '../tipos.ts';
import { parseNfe } from './parse.ts';

const reading = (xml: string) => {
  const tree = treeOf(xml);
  return parseNfe({ tree, root: tree.root, digest: () => 'digest' });
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

describe('an NF-e 4.00 with protocol', () => {
  it('gives everything that a Documento holds', () => {
    const doc = read(processada());
    assert.deepEqual(doc, {
      classe: 'documento',
      especie: 'NFe',
      chave: chaveDe(),
      modelo: '55',
      ambiente: 1,
      layout: '4.00',
      serie: '1',
      numero: '42',
      dataEmissao: '2026-03-10T09:30:00-03:00',
      tpNF: '1',
      natureza: 'Venda de mercadoria',
      participantes: [
        { papel: 'emitente', cpfCnpj: EMITENTE, nome: 'Padaria Aurora Ltda' },
        { papel: 'destinatario', cpfCnpj: DESTINATARIO, nome: 'Mercado Horizonte & Filhos' },
      ],
      valor: '150.00',
      finalidade: { codigo: '1', descricao: 'NF-e normal' },
      itens: [{ numero: 1, cfop: '5102', ncm: '84713012', valor: '150.00' }],
      protocolo: {
        cStat: '100',
        xMotivo: 'Autorizado o uso da NF-e',
        nProt: '135260000000001',
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

  it('names every party with its part, and nobody twice', () => {
    const partes =
      `<retirada><CNPJ>${DEPOSITO}</CNPJ><xNome>Depósito</xNome></retirada>` +
      `<entrega><CPF>${PRODUTOR}</CPF></entrega>` +
      `<autXML><CNPJ>${CONTADOR}</CNPJ></autXML><autXML><CNPJ>${CONTADOR}</CNPJ></autXML>`;
    const depois =
      `<transp><transporta><CNPJ>${TRANSPORTADOR}</CNPJ><xNome>Rápido</xNome></transporta></transp>` +
      `<infIntermed><CNPJ>${MARKETPLACE}</CNPJ><idCadIntTran>loja</idCadIntTran></infIntermed>`;
    const parts = read(nota({ partes, depois })).participantes.map((p) => [p.papel, p.cpfCnpj, p.nome]);
    assert.deepEqual(parts.slice(2), [
      ['transportador', TRANSPORTADOR, 'Rápido'],
      ['retirada', DEPOSITO, 'Depósito'],
      ['entrega', PRODUTOR, null],
      ['intermediario', MARKETPLACE, null],
      ['autorizado', CONTADOR, null],
    ]);
  });

  it('makes no party of an empty, zero or foreign id', () => {
    const partes = '<retirada><CNPJ></CNPJ></retirada><entrega><CNPJ>00000000000000</CNPJ></entrega>';
    const dest = '<dest><idEstrangeiro>AB123</idEstrangeiro><xNome>Acme Inc</xNome></dest>';
    assert.deepEqual(
      read(nota({ partes, dest })).participantes.map((p) => p.papel),
      ['emitente'],
    );
  });

  it('reads an issuer with an alphanumeric CNPJ, in the key too', () => {
    const chave = chaveDe({ emitente: CNPJ_ALFANUMERICO });
    const doc = read(nota({ chave, emit: `<emit><CNPJ>${CNPJ_ALFANUMERICO}</CNPJ></emit>` }));
    assert.equal(doc.chave, chave);
    assert.equal(doc.participantes[0]?.cpfCnpj, CNPJ_ALFANUMERICO);
    assert.deepEqual(doc.avisos, []);
  });

  it('reads an issuer with CPF', () => {
    const chave = chaveDe({ emitente: PRODUTOR, serie: '920' });
    const ide = `<ide><cUF>35</cUF><mod>55</mod><serie>920</serie><nNF>42</nNF><dhEmi>2026-03-10T09:30:00-03:00</dhEmi><tpAmb>2</tpAmb></ide>`;
    const doc = read(nota({ chave, ide, emit: `<emit><CPF>${PRODUTOR}</CPF></emit>` }));
    assert.equal(doc.participantes[0]?.cpfCnpj, PRODUTOR);
    assert.equal(doc.serie, '920');
    assert.equal(doc.ambiente, 2);
    assert.deepEqual(doc.avisos, []);
  });

  it('tells items with their numbers, and leaves out what is no CFOP, NCM or value', () => {
    const itens = `${item(7, '1102', '1.00')}<det><prod><CFOP>9102</CFOP><NCM>x</NCM><vProd>1,00</vProd></prod></det>`;
    assert.deepEqual(read(nota({ itens })).itens, [
      { numero: 7, cfop: '1102', ncm: '84713012', valor: '1.00' },
      { numero: 2, cfop: null, ncm: null, valor: null },
    ]);
  });

  it('says what a credit or debit note is for', () => {
    const of = (fields: string) =>
      read(
        nota({
          ide: `<ide><mod>55</mod><dhEmi>2026-03-10T09:30:00-03:00</dhEmi><tpAmb>1</tpAmb>${fields}</ide>`,
        }),
      ).finalidade;
    assert.deepEqual(of('<finNFe>5</finNFe><tpNFCredito>01</tpNFCredito>'), {
      codigo: '5',
      descricao: 'Nota de crédito: multa e juros',
    });
    assert.deepEqual(of('<finNFe>6</finNFe><tpNFDebito>06</tpNFDebito>'), {
      codigo: '6',
      descricao: 'Nota de débito: pagamento antecipado',
    });
    assert.deepEqual(of('<finNFe>4</finNFe>'), {
      codigo: '4',
      descricao: 'Devolução ou retorno de mercadoria',
    });
    assert.equal(of(''), null);
  });
});

describe('every layout', () => {
  it('3.10 and 4.00 carry dhEmi with offset', () => {
    for (const versao of ['4.00', '3.10']) {
      const doc = read(processada(nota({ versao }) + protocolo()));
      assert.deepEqual([doc.layout, doc.dataEmissao, doc.avisos], [versao, '2026-03-10T09:30:00-03:00', []]);
    }
  });

  it('2.00 carries a date alone: midnight in the state of the issuer', () => {
    const chave = chaveDe({ anoMes: '1112' });
    const doc = read(nota({ chave, versao: '2.00', data: '<dEmi>2011-12-20</dEmi>' }));
    assert.equal(doc.dataEmissao, '2011-12-20T00:00:00-02:00');
    assert.deepEqual(doc.avisos, []);
  });

  it('1.10 has no tpEmis in its key: cNF takes nine digits', () => {
    const chave = chaveDe({ anoMes: '0906', final: '987654321' });
    const ide = `<ide><cUF>35</cUF><cNF>987654321</cNF><mod>55</mod><serie>1</serie><nNF>42</nNF><dEmi>2009-06-30</dEmi><tpEmis>1</tpEmis><tpAmb>1</tpAmb></ide>`;
    const doc = read(nota({ chave, versao: '1.10', ide }));
    assert.equal(doc.dataEmissao, '2009-06-30T00:00:00-03:00');
    assert.deepEqual(doc.avisos, []);
  });

  it('an unknown one is read with a notice', () => {
    assert.match(read(nota({ versao: '9.99' })).avisos.join(), /layout \(9\.99\)/);
  });
});

describe('NFC-e', () => {
  it('is told by its model, and needs no recipient', () => {
    const doc = read(nota({ modelo: '65', dest: '' }));
    assert.deepEqual([doc.especie, doc.modelo, doc.participantes.length], ['NFCe', '65', 1]);
  });
});

describe('the status that the protocol gives', () => {
  it('follows the cStat', () => {
    const of = (cStat: string) => read(processada(nota() + protocolo({ cStat }))).statusProtocolo;
    assert.equal(of('150'), 'Autorizada');
    assert.equal(of('101'), 'Cancelada');
    assert.equal(of('155'), 'Cancelada');
    assert.equal(of('302'), 'Denegada');
    assert.equal(of('205'), 'Denegada');
    assert.equal(of('124'), 'Pendente');
  });

  it('is Pendente without a protocol, or with an empty one', () => {
    assert.equal(read(nota()).statusProtocolo, 'Pendente');
    assert.equal(read(nota()).protocolo, null);
    assert.equal(
      read(processada(`${nota()}<protNFe><infProt></infProt></protNFe>`)).statusProtocolo,
      'Pendente',
    );
    assert.equal(read(processada(nota())).statusProtocolo, 'Pendente');
  });

  it('is Cancelada when the answer to a cancellation stands in the same file, of this note only', () => {
    const answer = (chave: string, codigo: string, cStat = '135') =>
      processada(
        `${nota()}${protocolo()}<retEnvEvento><retEvento><infEvento><cStat>${cStat}</cStat><chNFe>${chave}</chNFe><tpEvento>${codigo}</tpEvento></infEvento></retEvento></retEnvEvento>`,
      );
    const cancelled = read(answer(chaveDe(), '110111'));
    assert.equal(cancelled.statusProtocolo, 'Cancelada');
    assert.match(cancelled.avisos.join(), /registrou o cancelamento/);
    assert.equal(read(answer(chaveDe(), '110110')).statusProtocolo, 'Autorizada');
    assert.equal(read(answer(chaveDe(), '110111', '501')).statusProtocolo, 'Autorizada');
    assert.equal(read(answer(chaveDe({ numero: '43' }), '110111')).statusProtocolo, 'Autorizada');
    const old = `${nota()}${protocolo()}<retCancNFe><infCanc><cStat>101</cStat><chNFe>${chaveDe()}</chNFe></infCanc></retCancNFe>`;
    assert.equal(read(processada(old)).statusProtocolo, 'Cancelada');
  });

  it('takes an infProt that slipped out of its protNFe', () => {
    const slipped = protocolo()
      .replace('<protNFe versao="4.00">', '<protNFe versao="4.00"/>')
      .replace('</protNFe>', '');
    assert.equal(read(processada(nota() + slipped)).statusProtocolo, 'Autorizada');
  });
});

describe('what is strange but no reason to lose a note', () => {
  const avisos = (xml: string) => read(xml).avisos.join(' ');

  it('a wrong check digit that a protocol confirms', () => {
    const chave = withWrongDigit(chaveDe());
    const xml = processada(nota({ chave }) + protocolo({ chave }));
    assert.equal(read(xml).chave, chave);
    assert.match(avisos(xml), /dígito verificador/);
  });

  it('an Id that is missing where the protocol has the key', () => {
    const xml = processada(nota({ id: '' }) + protocolo());
    assert.equal(read(xml).chave, chaveDe());
    assert.match(avisos(xml), /lida do protocolo/);
  });

  it('an Id without its literal', () => {
    assert.equal(read(nota({ id: ` Id="${chaveDe()}"` })).chave, chaveDe());
  });

  it('a key that says other things than the signed fields, which count', () => {
    const emit = `<emit><CNPJ>${DEPOSITO}</CNPJ></emit>`;
    const xml = nota({ emit, data: '<dhEmi>2026-04-01T00:30:00-03:00</dhEmi>' });
    assert.match(avisos(xml), /em: ano e mês da emissão, emit\./);
    assert.equal(read(xml).participantes[0]?.cpfCnpj, DEPOSITO);
  });

  it('the month is the one of the local date, not of the instant', () => {
    assert.equal(avisos(nota({ data: '<dhEmi>2026-03-31T23:30:00-03:00</dhEmi>' })), '');
  });

  it('an NFA-e carries the key of the Fisco: no notice', () => {
    const chave = chaveDe({ emitente: cnpj('868686860001'), serie: '890' });
    const ide = `<ide><cUF>35</cUF><mod>55</mod><serie>890</serie><nNF>42</nNF><dhEmi>2026-03-10T09:30:00-03:00</dhEmi><tpAmb>1</tpAmb><procEmi>1</procEmi></ide>`;
    assert.equal(avisos(nota({ chave, ide })), '');
  });

  it('a protocol of another version of the content', () => {
    const assinatura =
      '<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo><Reference><DigestValue>AAAA</DigestValue></Reference></SignedInfo></Signature>';
    const of = (digVal: string) => avisos(processada(nota({ assinatura }) + protocolo({ digVal })));
    assert.match(of('BBBB'), /outra versão do conteúdo/);
    assert.equal(of('AAAA'), '');
  });

  it('a namespace that a vendor stripped', () => {
    assert.match(avisos(nota({ ns: '' })), /sem o namespace/);
  });

  it('series and number that ide lacks come from the key', () => {
    const doc = read(nota({ ide: '<ide><dhEmi>2026-03-10T09:30:00-03:00</dhEmi><tpAmb>1</tpAmb></ide>' }));
    assert.deepEqual([doc.modelo, doc.serie, doc.numero, doc.tpNF], ['55', '1', '42', null]);
  });
});

describe('rejections', () => {
  const ide = (fields: string): OpcoesDaNota => ({ ide: `<ide><mod>55</mod>${fields}</ide>` });
  const DATA = '<dhEmi>2026-03-10T09:30:00-03:00</dhEmi>';
  const cases: Record<string, [string, string]> = {
    chave_ausente: [nota({ id: '' }), 'NFe/infNFe'],
    chave_invalida: [nota({ id: ' Id="NFe123"' }), 'NFe/infNFe'],
    chave_com_dv_invalido: [nota({ chave: withWrongDigit(chaveDe()) }), 'NFe/infNFe'],
    modelo_nao_suportado: [nota({ ide: `<ide><mod>57</mod>${DATA}</ide>` }), 'NFe/infNFe/ide/mod'],
    ambiente_invalido: [nota(ide(DATA)), 'NFe/infNFe/ide/tpAmb'],
    emitente_ausente: [nota({ emit: '<emit><CNPJ>00000000000000</CNPJ></emit>' }), 'NFe/infNFe/emit/CNPJ'],
    emitente_invalido: [nota({ emit: '<emit><CNPJ>12.345</CNPJ></emit>' }), 'NFe/infNFe/emit'],
    data_emissao_ausente: [nota({ data: '' }), 'NFe/infNFe/ide/dhEmi'],
    data_emissao_invalida: [
      nota({ data: '<dhEmi>2026-02-30T00:00:00-03:00</dhEmi>' }),
      'NFe/infNFe/ide/dhEmi',
    ],
    namespace_invalido: [nota({ ns: ' xmlns="http://exemplo.invalid/nfe"' }), 'NFe/infNFe'],
    nfe_sem_infnfe: [processada('<NFe/>'), 'nfeProc'],
    protocolo_de_outra_chave: [
      processada(nota() + protocolo({ chave: chaveDe({ numero: '43' }) })),
      'nfeProc/protNFe/infProt/chNFe',
    ],
    rejeitada_pela_sefaz: [
      processada(nota() + protocolo({ cStat: '539', xMotivo: 'Rejeição: Duplicidade' })),
      'nfeProc/protNFe/infProt/cStat',
    ],
    elemento_repetido: [processada(nota() + nota() + protocolo()), 'nfeProc/NFe[2]'],
  };

  for (const [codigo, [xml, elemento]] of Object.entries(cases)) {
    it(codigo, () => {
      const { rejeicao } = refuse(xml);
      assert.equal(rejeicao.codigo, codigo);
      assert.equal(rejeicao.elemento, elemento);
      assert.equal(rejeicao.linha, 1);
      assert.ok((rejeicao.coluna ?? 0) > 0);
      assert.match(rejeicao.mensagem, /\.$/);
    });
  }

  it('a second infNFe anywhere, ide or emit could be read in two ways', () => {
    const hidden = nota({ assinatura: `<Object>${nota()}</Object>` });
    const twice = [hidden, nota({ partes: '<emit><CNPJ>1</CNPJ></emit>' }), nota({ partes: '<ide/>' })];
    for (const xml of twice) assert.equal(refuse(xml).rejeicao.codigo, 'elemento_repetido');
  });

  it('name the note as soon as its key is known, and what SEFAZ said', () => {
    const refused = refuse(
      processada(
        nota({ modelo: '65' }) +
          protocolo({ chave: chaveDe({ modelo: '65' }), cStat: '539', xMotivo: 'Duplicidade' }),
      ),
    );
    assert.equal(refused.chave, chaveDe({ modelo: '65' }));
    assert.equal(refused.especie, 'NFCe');
    assert.match(refused.rejeicao.mensagem, /^Documento rejeitado pela SEFAZ \[539\] Duplicidade\./);
  });

  it('an absent emit is told as the element that is missing', () => {
    assert.equal(refuse(nota({ emit: '' })).rejeicao.elemento, 'NFe/infNFe/emit');
  });
});

describe('what SEFAZ and old programs put around a note', () => {
  const BAIXADA = '<dhInc>2026-03-10T09:31:05-03:00</dhInc><nProt>13526000000000123</nProt>';
  const documento = (xml: string) => {
    const { registro } = lida(only(ler(xml)));
    if (registro.classe !== 'documento') throw new Error('it is no document');
    return registro;
  };

  it('number and time of the protocol, as the download of SEFAZ-SP has them, authorise it', () => {
    const soap = (inside: string): string =>
      `<s:Envelope xmlns:s="u:s"><s:Body><retNfceDownloadXML${NS} versao="1.00"><tpAmb>1</tpAmb><cStat>200</cStat><proc>${inside}</proc></retNfceDownloadXML></s:Body></s:Envelope>`;
    const bare = nota({ modelo: '65' });
    for (const xml of [processada(BAIXADA + bare), soap(processada(BAIXADA + bare, ''))]) {
      const { statusProtocolo, protocolo: dela } = documento(xml);
      assert.deepEqual(
        [statusProtocolo, dela?.nProt, dela?.dhRecbto, dela?.digVal],
        ['Autorizada', '13526000000000123', '2026-03-10T09:31:05-03:00', null],
      );
    }
    assert.equal(documento(processada(`<nProt>1</nProt>${nota()}`)).statusProtocolo, 'Pendente');
  });

  it('a protNFe beside them says more', () => {
    const { protocolo: dela } = documento(processada(BAIXADA + nota() + protocolo()));
    assert.equal(dela?.nProt, '135260000000001');
  });

  it('of several protocols the one of this note counts, and what SEFAZ said last of it', () => {
    const other = protocolo({ chave: chaveDe({ numero: '43' }), cStat: '101' });
    const cancelled = protocolo({ cStat: '101', xMotivo: 'Cancelada' });
    for (const inside of [
      [protocolo(), other],
      [other, protocolo()],
      [protocolo({ cStat: '539' }), protocolo()],
    ]) {
      const { statusProtocolo, avisos } = documento(processada(nota() + inside.join('')));
      assert.equal(statusProtocolo, 'Autorizada');
      assert.match(avisos.join(), /2 respostas da SEFAZ/);
    }
    assert.equal(documento(processada(nota() + cancelled + protocolo())).statusProtocolo, 'Cancelada');
  });

  it('the whole answer to its lot, in place of the protocol', () => {
    const other = protocolo({ chave: chaveDe({ numero: '43' }) });
    const lote = `<retConsReciNFe versao="4.00"><tpAmb>1</tpAmb><cStat>104</cStat>${other}${protocolo({ cStat: '150' })}</retConsReciNFe>`;
    assert.equal(documento(processada(nota() + lote)).protocolo?.cStat, '150');
  });

  it('the registration of an event in place of the protocol leaves it pending, and says so', () => {
    const registro = documento(processada(nota() + protocolo({ cStat: '135' })));
    const { statusProtocolo, protocolo: dela, ressalva } = registro;
    assert.deepEqual([statusProtocolo, dela, ressalva?.codigo], ['Pendente', null, 'protocolo_de_evento']);
  });
});

describe('letters in a CNPJ', () => {
  const chave = chaveDe({ emitente: CNPJ_ALFANUMERICO });
  const lower = chave.toLowerCase();
  const emit = (cnpj: string): string => `<emit><CNPJ>${cnpj}</CNPJ><xNome>Padaria</xNome></emit>`;

  it('are read in lower case too, in keys and parties, and without an IE', () => {
    const xml = processada(
      nota({ chave: lower, emit: emit(CNPJ_ALFANUMERICO.toLowerCase()) }) + protocolo({ chave: lower }),
    );
    const { registro } = lida(only(ler(xml)));
    assert.ok(registro.classe === 'documento');
    assert.deepEqual(
      [registro.chave, registro.statusProtocolo, registro.participantes[0]?.cpfCnpj],
      [chave, 'Autorizada', CNPJ_ALFANUMERICO],
    );
    assert.ok(!registro.avisos.join().includes('não confere'), registro.avisos.join());
    const apart = `<a${NS}><b>${nota({ chave: lower, emit: emit(CNPJ_ALFANUMERICO) })}</b><c>${protocolo({ chave })}</c></a>`;
    assert.equal(lida(only(ler(apart))).registro.chave, chave);
    const evento = lida(only(ler(procEvento({ chave: lower })))).registro;
    assert.equal(evento.chave, chave);
  });

  it('an answer with four digits is a refusal in its own words', () => {
    const refused = refuse(processada(nota() + protocolo({ cStat: '1115', xMotivo: 'Rejeição: IBS' })));
    assert.match(refused.rejeicao.mensagem, /\[1115\] Rejeição: IBS/);
  });
});
