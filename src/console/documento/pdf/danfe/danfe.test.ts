import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { growth, LINEAR } from '../../../../../test/support/crescimento.ts';
import { textoDoPdf } from '../../../../../test/support/ler-pdf.ts';
import { DESTINATARIO, item, nota, processada, protocolo } from '../../../../fiscal/amostras-de-teste.ts';
import { drawDocumento } from '../../pdf.ts';

const many = (n: number, make: (i: number) => string) =>
  Array.from({ length: n }, (_, i) => make(i)).join('');
const LONGO = 'x'.repeat(20_000);

const CONTEXTO = {
  especie: 'NFe',
  status: 'Autorizada',
  homologacao: false,
  naoProvado: false,
  titulo: 'NF-e',
  chave: '',
  resumo: null,
};

const pdfDe = (xml: string, contexto: Partial<typeof CONTEXTO> = {}) =>
  drawDocumento({ bytes: Buffer.from(xml), codificacao: 'utf-8', contexto: { ...CONTEXTO, ...contexto } });
const textoDe = async (...de: Parameters<typeof pdfDe>) => textoDoPdf(await pdfDe(...de));
const paginasDe = (pdf: Uint8Array) =>
  Buffer.from(pdf)
    .toString('latin1')
    .match(/\/MediaBox \[[^\]]*\]/g) ?? [];

const emitidaEm = (dia: string) => `<dhEmi>${dia}T09:30:00-03:00</dhEmi>`;
const ide = (mais: string, dia = '2026-03-10') =>
  `<ide><natOp>Venda</natOp><mod>55</mod><serie>1</serie><nNF>1234</nNF>${emitidaEm(dia)}<tpNF>1</tpNF>${mais}</ide>`;

describe('the DANFE', () => {
  it('says parties, key, protocol, totals and items, and numbers its pages', async () => {
    const itens = many(300, (n) => item(n + 1, '5102', '1.50'));
    const pdf = await pdfDe(processada(nota({ itens }) + protocolo()));
    const texto = textoDoPdf(pdf);
    for (const dito of ['Padaria Aurora Ltda', 'Mercado Horizonte & Filhos', '135260000000001', '150,00'])
      assert.ok(texto.includes(dito), dito);
    for (const n of [1, 150, 300]) assert.match(texto, new RegExp(`^P${n}$`, 'm'));
    const count = paginasDe(pdf).length;
    assert.ok(count > 3, `${count}`);
    for (let page = 1; page <= count; page++) assert.ok(texto.includes(`FOLHA ${page}/${count}`));
    assert.equal(texto.match(/CHAVE DE ACESSO/g)?.length, count, 'the head is on every page');
    assert.equal(texto.match(/DADOS DOS PRODUTOS/g)?.length, count);
  });

  it('lies where the note asks for it, is a label or a slip where it asks for those', async () => {
    const medida = async (tpImp: string) =>
      paginasDe(await pdfDe(processada(nota({ ide: ide(`<tpImp>${tpImp}</tpImp>`) }) + protocolo())))[0];
    assert.match((await medida('1')) ?? '', /\[0 0 595\.\d+ 841/);
    assert.match((await medida('2')) ?? '', /\[0 0 841\.\d+ 595/);
    assert.match((await medida('3')) ?? '', /\[0 0 283\.\d+ 425/);
    assert.match((await medida('6')) ?? '', /\[0 0 226\./);
  });

  it('has block, CRT and second rows of IBS, CBS and IS from December 2026, and not before', async () => {
    const imposto =
      '<imposto><IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib><gIBSCBS><vBC>1000.00</vBC>' +
      '<gIBSUF><pIBSUF>0.1000</pIBSUF><gRed><pRedAliq>60</pRedAliq><pAliqEfet>0.0400</pAliqEfet></gRed><vIBSUF>0.41</vIBSUF></gIBSUF>' +
      '<gIBSMun><pIBSMun>0.0500</pIBSMun><vIBSMun>0.52</vIBSMun></gIBSMun><gCBS><pCBS>0.9000</pCBS><vCBS>9.01</vCBS></gCBS></gIBSCBS></IBSCBS>' +
      '<IS><vBCIS>77.00</vBCIS><pIS>2.5000</pIS><vIS>1.93</vIS></IS></imposto>';
    const de = (dia: string) =>
      nota({
        ide: ide('<tpImp>1</tpImp>', dia),
        emit: '<emit><CNPJ>11222333000181</CNPJ><xNome>Padaria</xNome><CRT>3</CRT></emit>',
        itens: item(1, '5102', '150.00').replace('</det>', `${imposto}</det>`),
      }).replace(
        '</ICMSTot>',
        '</ICMSTot><ISTot><vIS>1.93</vIS></ISTot><IBSCBSTot><gIBS><gIBSUF><vIBSUF>0.41</vIBSUF></gIBSUF></gIBS><gCBS><vCBS>9.01</vCBS></gCBS><gMono><vIBSMono>3.33</vIBSMono></gMono></IBSCBSTot>',
      );
    const novo = await textoDe(processada(de('2026-12-01') + protocolo()));
    for (const dito of [
      'TOTAL DO IBS / CBS / IS',
      'CRT: 3 - Regime Normal',
      'Tipo de regime de apuração:',
      '000001',
      '1.000,00',
      '0,04',
      '0,05',
      '9,01',
      '77,00',
      '2,50',
      '1,93',
      '3,33',
    ])
      assert.ok(novo.includes(dito), `${dito} in ${novo}`);
    assert.ok(!novo.includes('0,10'), 'the effective rate, not the one before its reduction');
    const antigo = await textoDe(processada(de('2026-11-30') + protocolo()));
    assert.ok(!/IBS|CRT/.test(antigo), antigo);
  });

  it('shows services, invoices, references, lots, and tells what its boxes have no room for', async () => {
    const dups = many(
      30,
      (n) => `<dup><nDup>${n + 1}</nDup><dVenc>2026-04-10</dVenc><vDup>1${n}.00</vDup></dup>`,
    );
    const xml = nota({
      ide: ide(`<tpImp>1</tpImp><NFref><refNFe>${'7'.repeat(44)}</refNFe></NFref>`),
      itens: item(1, '5933', '150.00').replace(
        '</det>',
        '<imposto><ISSQN><vBC>150.00</vBC><vAliq>5.00</vAliq><vISSQN>7.50</vISSQN></ISSQN></imposto><infAdProd>Obra 12</infAdProd></det>',
      ),
      depois: `<cobr><fat><nFat>F-9</nFat></fat>${dups}</cobr><infAdic><infCpl>Pedido aberto</infCpl><obsCont xCampo="Vendedor"><xTexto>Rita</xTexto></obsCont></infAdic>`,
    }).replace(
      '</ICMSTot>',
      '</ICMSTot><ISSQNtot><vServ>150.00</vServ><vBC>150.00</vBC><vISS>7.50</vISS></ISSQNtot>',
    );
    const texto = (await textoDe(processada(xml + protocolo()))).replaceAll('\n', ' ');
    for (const dito of [
      'CÁLCULO DO ISSQN',
      'ISSQN: base 150,00, alíquota 5,00%, valor 7,50',
      'Obra 12',
      'F-9',
      'Nº 1  VENC. 10/04/2026',
      'Demais duplicatas: 25 venc. 10/04/2026 R$ 124,00',
      '30 venc. 10/04/2026 R$ 129,00',
      'Pedido aberto',
      'Vendedor: Rita',
      'NF-e referenciada: 7777 7777',
    ])
      assert.ok(texto.replaceAll(/ +/g, ' ').includes(dito.replaceAll(/ +/g, ' ')), `${dito} in ${texto}`);
  });

  it('never cuts a value in silence: what is too long for its box is told whole below', async () => {
    const nome = `Companhia ${'Muito '.repeat(46)}Longa`;
    const texto = await textoDe(
      processada(
        nota({ dest: `<dest><CNPJ>11222333000181</CNPJ><xNome>${nome}</xNome></dest>` }) + protocolo(),
      ),
    );
    const junto = texto.replaceAll(/\s+/g, '');
    assert.ok(junto.includes(`Nome/razãosocial:${nome.replaceAll(' ', '')}`), texto);
  });

  it('is marked on every page by what the note is worth, and by nothing else', async () => {
    const marcas = [
      'CANCELADA',
      'DENEGADA',
      'INUTILIZADA',
      'SEM AUTORIZAÇÃO',
      'SEM VALOR FISCAL',
      'STATUS NÃO PROVADO',
    ];
    const itens = many(150, (n) => item(n + 1, '5102', '1.50'));
    for (const [contexto, esperadas] of [
      [{}, []],
      [{ status: 'Cancelada' }, ['CANCELADA']],
      [{ status: 'Denegada' }, ['DENEGADA']],
      [{ status: 'Pendente', naoProvado: true }, ['SEM AUTORIZAÇÃO']],
      [{ homologacao: true }, ['SEM VALOR FISCAL']],
      [{ naoProvado: true }, ['STATUS NÃO PROVADO']],
      [
        { status: 'Cancelada', homologacao: true, naoProvado: true },
        ['CANCELADA', 'SEM VALOR FISCAL', 'STATUS NÃO PROVADO'],
      ],
    ] as const) {
      for (const modelo of ['55', '65']) {
        const pdf = await pdfDe(processada(nota({ itens, modelo }) + protocolo()), contexto);
        const texto = textoDoPdf(pdf);
        const vistas = marcas.filter((marca) => texto.includes(marca));
        assert.deepEqual(
          vistas,
          marcas.filter((marca) => (esperadas as readonly string[]).includes(marca)),
        );
        const folhas = modelo === '55' ? paginasDe(pdf).length : 1;
        for (const marca of esperadas)
          assert.ok((texto.match(new RegExp(marca, 'g'))?.length ?? 0) >= folhas, `${marca} on each page`);
      }
    }
  });

  it('says how a note was issued in contingency, with the second barcode on security paper', async () => {
    const emitida = (tpEmis: string, versao = '4.00') =>
      textoDe(
        nota({
          versao,
          ide: ide(
            `<cUF>35</cUF><tpImp>1</tpImp><tpEmis>${tpEmis}</tpEmis><dhCont>2026-03-10T08:00:00-03:00</dhCont><xJust>Sem rede</xJust>`,
          ),
        }),
        { status: 'Pendente' },
      );
    const papel = await emitida('5');
    assert.ok(
      papel.includes('impresso em decorrência de problemas técnicos, desde 10/03/2026 08:00:00'),
      papel,
    );
    assert.ok(papel.includes('Motivo: Sem rede'));
    // cUF 35, tpEmis 5, CNPJ of the recipient, 150.00, no ICMS, no ST, day 10, check digit.
    assert.ok(papel.replaceAll(' ', '').includes(`355${DESTINATARIO}000000000150002210`), papel);
    assert.ok((await emitida('4')).includes('EPEC regularmente recebido'));
    assert.ok((await emitida('4', '1.10')).includes('DPEC regularmente recebido'));
    assert.ok(!(await emitida('6')).includes('contingência'));
  });

  it('refuses what is no note, instead of drawing it as something else', async () => {
    await assert.rejects(pdfDe('<NFe><outra/></NFe>'), /no note/);
    await assert.rejects(pdfDe('<CTe><outra/></CTe>', { especie: 'CTe' }), /no CT-e/);
  });
});

describe('what a DANFE may be made to cost', () => {
  it('has a bound: texts are cut, which is said, and items beyond the most that a layout allows are counted', async () => {
    const um = await pdfDe(
      processada(
        nota({ depois: `<infAdic><infCpl>${LONGO}</infCpl><obsCont xCampo="${LONGO}"/></infAdic>` }) +
          protocolo(),
      ).replace('Venda de mercadoria', `${LONGO}<!-- -->&amp;`),
    );
    assert.ok(um.length < 60_000, `${um.length} bytes`);
    assert.match(textoDoPdf(um), /…/);
    const texto = await textoDe(
      processada(nota({ itens: many(991, (n) => item(n + 1, '5102', '1.00')) }) + protocolo()),
    );
    assert.ok(texto.includes('Há mais 1 item, que está no XML.'));
    assert.ok(!/^P991$/m.test(texto) && /^P990$/m.test(texto));
  });

  it('grows as the note does', () => {
    // Pages are made before the first wait; what is left then is to write them out.
    const razao = growth((n) => {
      const bytes = Buffer.from(
        processada(nota({ itens: many(n, (i) => item(i + 1, '5102', '1.00')) }) + protocolo()),
      );
      return () => drawDocumento({ bytes, codificacao: 'utf-8', contexto: CONTEXTO });
    }, 200);
    assert.ok(razao < LINEAR, `${razao.toFixed(1)} times for four times as many items`);
  });
});
