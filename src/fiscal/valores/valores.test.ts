import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateCfe } from '../../gerador/cfe.ts';
import { generateCte } from '../../gerador/cte.ts';
import { generateEmpresa } from '../../gerador/empresas.ts';
import { generateNfe } from '../../gerador/nfe.ts';
import { generateNfse } from '../../gerador/nfse.ts';
import { generateNfseAbrasf } from '../../gerador/nfse-abrasf.ts';
import { Soma, sumDecimals } from './decimal.ts';
import { readPalavrasDoEvento, readValores } from './ler-valores.ts';

const emitente = generateEmpresa('valores', { perfil: 'industria', uf: 'SP' });
const destinatario = generateEmpresa('valores-dest', { perfil: 'comercio', uf: 'MG' });
const prestador = generateEmpresa('valores-prest', { perfil: 'servicos', uf: 'SP' });
const emissao = new Date(Date.UTC(2026, 2, 5, 15));

const ler = (xml: string | Uint8Array) => {
  const found = readValores(Buffer.from(xml));
  assert.ok(found);
  return found;
};
/** The last element of this name: totals stand behind the items. */
const ultimo = (xml: Uint8Array, nome: string) =>
  [...String(Buffer.from(xml)).matchAll(new RegExp(`<${nome}>([^<]*)</${nome}>`, 'g'))].at(-1)?.[1] ?? null;

describe('what is booked', () => {
  it('of an NF-e are its totals, as they stand there, and its items, which give the bases that have no total', () => {
    const nota = generateNfe({
      semente: 'v',
      emitente,
      destinatario,
      modelo: '55',
      serie: 1,
      numero: 1,
      emissao,
      itens: 4,
    });
    const { totais, itens, cfops, natureza, emitente: de, destinatario: para, protocolo } = ler(nota.bytes);
    for (const [campo, elemento] of [
      ['baseIcms', 'vBC(?=.*</ICMSTot>)'],
      ['produtos', 'vProd'],
      ['icms', 'vICMS'],
      ['st', 'vST'],
      ['ipi', 'vIPI'],
      ['pis', 'vPIS'],
      ['cofins', 'vCOFINS'],
      ['cbs', 'vCBS'],
    ] as const)
      assert.equal(
        Number(totais[campo]),
        Number(ultimo(nota.bytes, elemento.split('(')[0] ?? '') ?? 0),
        campo,
      );
    assert.equal(itens.length, 4);
    assert.equal(Number(sumDecimals(...itens.map(({ icms }) => icms))), Number(totais.icms));
    assert.equal(Number(sumDecimals(...itens.map(({ valor }) => valor))), Number(totais.produtos));
    assert.equal(totais.basePis, sumDecimals(...itens.map(({ basePis }) => basePis)));
    assert.deepEqual(cfops, [...new Set(itens.map(({ cfop }) => cfop))]);
    assert.equal(natureza, ultimo(nota.bytes, 'natOp'));
    assert.deepEqual([de.uf, para.uf], ['SP', 'MG']);
    assert.equal(protocolo, nota.protocolo?.nProt);
    assert.equal(totais.issRetido, null, 'what it does not say is empty, not 0');
  });

  it('of services and of the reform stands in totals of its own', () => {
    const { totais, itens } = ler(`<nfeProc><NFe><infNFe><ide><natOp>Misto</natOp></ide>
      <det nItem="1"><prod><CFOP>5102</CFOP><vProd>100.00</vProd></prod><imposto>
        <ICMS><ICMSSN102><orig>0</orig><CSOSN>102</CSOSN></ICMSSN102></ICMS>
        <PIS><PISAliq><CST>01</CST><vBC>100.00</vBC><vPIS>1.65</vPIS></PISAliq></PIS>
        <IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib><gIBSCBS><vBC>95.00</vBC><gIBSUF><vIBSUF>0.10</vIBSUF></gIBSUF><gIBSMun><vIBSMun>0.02</vIBSMun></gIBSMun><gCBS><vCBS>0.86</vCBS></gCBS></gIBSCBS></IBSCBS>
        <IS><CSTIS>000</CSTIS><vBCIS>90.00</vBCIS><vIS>9.00</vIS></IS></imposto></det>
      <det nItem="2"><prod><CFOP>5933</CFOP><vProd>50.00</vProd></prod><imposto><ISSQN><vBC>50.00</vBC><vISSQN>2.50</vISSQN></ISSQN></imposto></det>
      <total><ICMSTot><vBC>0.00</vBC><vProd>100.00</vProd><vPIS>1.65</vPIS><vNF>150.00</vNF></ICMSTot>
        <ISSQNtot><vServ>50.00</vServ><vBC>50.00</vBC><vISS>2.50</vISS><vPIS>0.33</vPIS></ISSQNtot>
        <ISTot><vIS>9.00</vIS></ISTot>
        <IBSCBSTot><vBCIBSCBS>95.00</vBCIBSCBS><gIBS><gIBSUF><vIBSUF>0.10</vIBSUF></gIBSUF><vIBS>0.12</vIBS></gIBS><gCBS><vCBS>0.86</vCBS></gCBS></IBSCBSTot></total>
    </infNFe></NFe></nfeProc>`);
    const { produtos, pis, basePis, baseIss, iss, baseIbsCbs, ibs, cbs, baseIs, is, ipi } = totais;
    assert.deepEqual(
      { produtos, pis, basePis, baseIss, iss, baseIbsCbs, ibs, cbs, baseIs, is, ipi },
      {
        ...{ produtos: '150.00', pis: '1.98', basePis: '100.00', baseIss: '50.00', iss: '2.50' },
        ...{ baseIbsCbs: '95.00', ibs: '0.12', cbs: '0.86', baseIs: '90.00', is: '9.00', ipi: null },
      },
    );
    assert.deepEqual(
      itens.map(({ numero, cfop, cstIcms, ibs: doItem, iss: issDoItem }) => [
        numero,
        cfop,
        cstIcms,
        doItem,
        issDoItem,
      ]),
      [
        [1, '5102', '102', '0.12', null],
        [2, '5933', null, null, '2.50'],
      ],
    );
  });

  it('of a CT-e is the transport: one CFOP, one amount, its ICMS', () => {
    const cte = generateCte({
      semente: 'v',
      emitente,
      remetente: emitente,
      destinatario,
      serie: 1,
      numero: 1,
      emissao,
      carga: { notas: [], valor: 100_000 },
    });
    const { totais, itens, cfops } = ler(cte.bytes);
    const text = String(Buffer.from(cte.bytes));
    assert.equal(totais.produtos, /<vTPrest>([^<]*)</.exec(text)?.[1]);
    assert.equal(totais.icms, /<vICMS>([^<]*)</.exec(text)?.[1] ?? null);
    assert.deepEqual([itens.length, itens[0]?.valor, itens[0]?.cfop], [1, totais.produtos, cfops[0]]);
    assert.equal(totais.ipi, null);
  });

  it('of a CF-e are its totals and its items', () => {
    const cfe = generateCfe({
      semente: 'v',
      emitente,
      nserieSAT: '123456789',
      numero: 1,
      emissao,
      itens: 2,
    });
    const { totais, itens } = ler(cfe.bytes);
    assert.equal(
      Number(totais.icms),
      Number(/<total>.*?<vICMS>([^<]*)</s.exec(String(Buffer.from(cfe.bytes)))?.[1]),
    );
    assert.ok(
      itens.length > 0 && itens.every(({ valor, descricao }) => valor !== null && descricao !== null),
    );
    assert.equal(totais.baseIcms, null, 'a CF-e has no base of it');
  });

  it('of a national NFS-e and of one of a city is the service with its ISS', () => {
    const de = { semente: 'v', prestador, tomador: destinatario, numero: 1, emissao };
    for (const nota of [
      generateNfse({ ...de, dps: { serie: 1, numero: 1 } }),
      generateNfseAbrasf({ ...de, rps: { serie: '1', numero: 1 } }),
    ]) {
      const text = String(Buffer.from(nota.bytes));
      const { totais, itens, cfops } = ler(nota.bytes);
      assert.equal(Number(totais.iss), Number(/<(?:vISSQN|ValorIss)>([^<]*)</.exec(text)?.[1]), text);
      assert.equal(Number(totais.produtos), Number(/<(?:vServ|ValorServicos)>([^<]*)</.exec(text)?.[1]));
      assert.deepEqual([cfops, itens.length, totais.icms], [[], 1, null]);
    }
  });

  it('of a city that names each of several services is not guessed: what the city worked out counts, else nothing', () => {
    const nota = (valores: string) =>
      `<NotaFiscal><Numero>1</Numero>${valores}<Servico><ValorServicos>10,00</ValorServicos><ValorIss>0,50</ValorIss></Servico><Servico><ValorServicos>30,00</ValorServicos><ValorIss>1,50</ValorIss><IssRetido>2</IssRetido></Servico></NotaFiscal>`;
    const solta = ler(nota('')).totais;
    assert.deepEqual([solta.produtos, solta.iss, solta.issRetido], [null, null, null]);
    const calculada = ler(nota('<ValoresNfse><ValorIss>2.00</ValorIss></ValoresNfse>')).totais;
    assert.deepEqual([calculada.produtos, calculada.iss], [null, '2.00']);
    const retida = ler(
      '<Nfse><InfNfse><ValorIss>2.00</ValorIss><IssRetido>1</IssRetido></InfNfse></Nfse>',
    ).totais;
    assert.equal(retida.issRetido, '2.00');
  });

  it('is nothing where the document is no XML', () => {
    assert.equal(readValores(Buffer.from('NOTAFISCAL|1|\nA|4.00|')), null);
  });
});

describe('the words of an event', () => {
  it('are those of who made it, not of the authority', () => {
    const evento = (dentro: string) =>
      Buffer.from(
        `<procEventoNFe><evento><infEvento><detEvento>${dentro}</detEvento></infEvento></evento><retEvento><infEvento><xMotivo>Evento registrado</xMotivo></infEvento></retEvento></procEventoNFe>`,
      );
    assert.equal(readPalavrasDoEvento(evento('<xJust>Erro de digitação</xJust>')), 'Erro de digitação');
    assert.equal(readPalavrasDoEvento(evento('<xCorrecao>Onde se lê</xCorrecao>')), 'Onde se lê');
    assert.equal(readPalavrasDoEvento(evento('')), null);
  });
});

describe('amounts', () => {
  it('are added exactly, whatever their places', () => {
    assert.equal(sumDecimals('0.10', '0.20', null, '1000000000000000.01'), '1000000000000000.31');
    assert.equal(sumDecimals('1', '-2.5'), '-1.50');
    assert.equal(sumDecimals('0.1234567891', '0'), '0.1234567891');
    assert.equal(sumDecimals(null, null), null);
    const soma = new Soma();
    for (let n = 0; n < 10_000; n++) soma.add('0.01');
    assert.equal(soma.valor, '100.00');
  });
});
