import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasValidCheckDigit, splitChave } from '../fiscal/chave.ts';
import type { Chave } from '../fiscal/tipos.ts';
import { type Empresa, generateEmpresa, generateFilial, generatePessoa, type Perfil } from './empresas.ts';
import { generateEvento } from './eventos.ts';
import { generateInutilizacao } from './inutilizacao.ts';
import { type EntradaNfe, generateNfe } from './nfe.ts';
import { type CodigoOperacao, OPERACOES } from './operacoes.ts';
import { schemaFault, textsOf, verifySignatures } from './oraculo-de-teste.ts';

const SEED = 'documentos';
const EM = new Date('2026-03-10T13:00:00Z');

function company(perfil: Perfil, label = '', alfanumerico = false): Empresa {
  return generateEmpresa(`${SEED}/${perfil}/${label}`, { perfil, alfanumerico });
}

function input(rest: Partial<EntradaNfe> = {}): EntradaNfe {
  const emitente = rest.emitente ?? company('comercio');
  return {
    semente: SEED,
    sementeCertificados: SEED,
    emitente,
    destinatario: company('varejo'),
    modelo: '55',
    serie: emitente.id.length === 11 ? 920 : 1,
    numero: 1234,
    emissao: EM,
    ...rest,
  };
}

function assertSigned(xml: string, holder: string): void {
  const found = verifySignatures(xml);
  assert.ok(found.length > 0);
  for (const { digest, assinatura, certificado } of found) {
    assert.equal(digest, true);
    assert.equal(assinatura, true);
    assert.ok(certificado.subject.includes(holder));
  }
}

const cents = (text: string | undefined) => Math.round(Number(text ?? '0') * 100);

/** Recomputes every total from the items, by another path than the generator's. */
function assertTotals(xml: string): void {
  const total = (name: string) => cents(textsOf(xml, `//nfe:ICMSTot/nfe:${name}`)[0]);
  const sum = (path: string) => textsOf(xml, `//nfe:det/${path}`).reduce((n, text) => n + cents(text), 0);
  const pairs: [string, string][] = [
    ['vProd', 'nfe:prod/nfe:vProd'],
    ['vDesc', 'nfe:prod/nfe:vDesc'],
    ['vFrete', 'nfe:prod/nfe:vFrete'],
    ['vBC', 'nfe:imposto/nfe:ICMS/*/nfe:vBC'],
    ['vICMS', 'nfe:imposto/nfe:ICMS/*/nfe:vICMS'],
    ['vBCST', 'nfe:imposto/nfe:ICMS/*/nfe:vBCST'],
    ['vST', 'nfe:imposto/nfe:ICMS/*/nfe:vICMSST'],
    ['vIPI', 'nfe:imposto/nfe:IPI/*/nfe:vIPI'],
    ['vPIS', 'nfe:imposto/nfe:PIS/*/nfe:vPIS'],
    ['vCOFINS', 'nfe:imposto/nfe:COFINS/*/nfe:vCOFINS'],
    ['vICMSUFDest', 'nfe:imposto/nfe:ICMSUFDest/nfe:vICMSUFDest'],
    ['vTotTrib', 'nfe:imposto/nfe:vTotTrib'],
  ];
  for (const [name, path] of pairs) assert.equal(total(name), sum(path), name);
  assert.equal(
    total('vNF'),
    total('vProd') - total('vDesc') + total('vFrete') + total('vST') + total('vIPI'),
    'vNF',
  );
  const installments = textsOf(xml, '//nfe:dup/nfe:vDup');
  if (installments.length > 0) {
    assert.equal(
      installments.reduce((n, text) => n + cents(text), 0),
      total('vNF'),
      'vDup',
    );
  }
  for (const det of textsOf(xml, '//nfe:det/@nItem')) {
    const at = `//nfe:det[@nItem=${det}]/nfe:prod`;
    const [quantity, price, value] = ['qCom', 'vUnCom', 'vProd'].map((n) =>
      Number(textsOf(xml, `${at}/nfe:${n}`)[0]),
    );
    assert.ok(Math.abs((quantity ?? 0) * (price ?? 0) - (value ?? 0)) <= 0.0051, `item ${det}`);
  }
}

function assertKeyAgrees(xml: string, chave: Chave, issuer: string): void {
  const ide = (name: string) => textsOf(xml, `//nfe:ide/nfe:${name}`)[0] ?? '';
  const parts = splitChave(chave);
  assert.ok(hasValidCheckDigit(chave));
  assert.equal(parts.cUF, ide('cUF'));
  assert.equal(parts.anoMes, ide('dhEmi').slice(2, 4) + ide('dhEmi').slice(5, 7));
  assert.equal(parts.emitente, issuer);
  assert.equal(parts.modelo, ide('mod'));
  assert.equal(parts.serie, ide('serie'));
  assert.equal(parts.numero, ide('nNF'));
  assert.equal(parts.tpEmis, ide('tpEmis'));
  assert.equal(parts.codigo, ide('cNF'));
  assert.equal(parts.digito, ide('cDV'));
  assert.equal(textsOf(xml, '//nfe:infNFe/@Id')[0], `NFe${chave}`);
}

test('every operation of every profile is a valid, signed, coherent NF-e of layouts 4.00 and 3.10', () => {
  const profiles: Perfil[] = ['comercio', 'varejo', 'industria', 'distribuidora', 'produtor'];
  for (const perfil of profiles) {
    for (const operacao of Object.keys(OPERACOES) as CodigoOperacao[]) {
      for (const layout of ['4.00', '3.10'] as const) {
        const emitente = company(perfil, operacao);
        const nota = generateNfe(
          input({
            semente: `${perfil}/${operacao}`,
            emitente,
            operacao,
            layout,
            itens: 6,
            destinatario: operacao === 'entrada_produtor' ? company('produtor') : company('varejo', perfil),
            transportador: company('transportadora'),
            autorizados: [company('comercio', 'escritorio').id],
            emissao: layout === '3.10' ? new Date('2017-06-10T13:00:00Z') : EM,
          }),
        );
        const label = `${perfil} ${operacao} ${layout}`;
        assert.equal(schemaFault(nota.xml, `procNFe_v${layout}.xsd`), null, label);
        assertKeyAgrees(nota.xml, nota.chave, emitente.id);
        assertTotals(nota.xml);
        assertSigned(nota.xml, emitente.id);
        assert.equal(textsOf(nota.xml, '//nfe:digVal')[0], nota.digest);
        assert.equal(textsOf(nota.xml, '//nfe:natOp')[0], OPERACOES[operacao].natOp);
        assert.equal(textsOf(nota.xml, '//nfe:vNF')[0], nota.valor);
      }
    }
  }
});

test('a NFC-e is valid on-line, off-line, in homologação and in layout 3.10, with its QR code outside the digest', () => {
  for (const perfil of ['varejo', 'restaurante'] as const) {
    const emitente = company(perfil);
    const cases: Partial<EntradaNfe>[] = [
      { destinatario: null },
      { destinatario: generatePessoa(SEED) },
      { destinatario: null, tpEmis: '9' },
      { destinatario: generatePessoa(SEED), ambiente: 2 },
      { destinatario: null, layout: '3.10', emissao: new Date('2017-06-10T13:00:00Z') },
      { destinatario: generatePessoa(SEED), layout: '3.10', emissao: new Date('2017-06-10T13:00:00Z') },
    ];
    for (const [i, rest] of cases.entries()) {
      const nota = generateNfe(input({ ...rest, semente: `nfce/${perfil}/${i}`, emitente, modelo: '65' }));
      assert.equal(schemaFault(nota.xml, `procNFe_v${rest.layout ?? '4.00'}.xsd`), null, `${perfil} ${i}`);
      assertKeyAgrees(nota.xml, nota.chave, emitente.id);
      assertTotals(nota.xml);
      assertSigned(nota.xml, emitente.id);
      assert.match(nota.xml, /<qrCode><!\[CDATA\[http/);
      assert.equal(textsOf(nota.xml, '//nfe:ide/nfe:tpAmb')[0], String(rest.ambiente ?? 1));
    }
  }
});

test('an alphanumeric CNPJ stands in the key, in the document and in its events and inutilizações', () => {
  const emitente = company('distribuidora', 'letras', true);
  assert.match(emitente.id, /[A-Z]/);
  const nota = generateNfe(input({ emitente, destinatario: company('varejo', 'letras', true) }));
  assert.equal(schemaFault(nota.xml, 'procNFe_v4.00.xsd'), null);
  assertKeyAgrees(nota.xml, nota.chave, emitente.id);
  assertSigned(nota.xml, emitente.id);
  const base = { semente: SEED, sementeCertificados: SEED, em: EM };
  const evento = generateEvento({ ...base, codigo: '110111', chave: nota.chave, autor: emitente });
  assert.equal(schemaFault(evento.xml, 'procEventoCancNFe_v1.00.xsd'), null);
  const range = { modelo: '55', serie: 1, numeroInicial: 2, numeroFinal: 3 } as const;
  const inut = generateInutilizacao({ ...base, ...range, emitente });
  assert.equal(schemaFault(inut.xml, 'procInutNFe_v4.00.xsd'), null);
});

test('the protocol says what was asked for, and a note without one is a bare NFe', () => {
  for (const cStat of ['100', '150', '110', '301', '302', '303'] as const) {
    const nota = generateNfe(input({ protocolo: { cStat } }));
    assert.equal(schemaFault(nota.xml, 'procNFe_v4.00.xsd'), null);
    assert.equal(textsOf(nota.xml, '//nfe:protNFe//nfe:cStat')[0], cStat);
    assert.match(nota.protocolo?.nProt ?? '', /^\d{15}$/);
  }
  const rejected = generateNfe(input({ protocolo: { cStat: '539' } }));
  assert.equal(rejected.protocolo?.nProt, null);
  const bare = generateNfe(input({ protocolo: null }));
  assert.equal(bare.protocolo, null);
  assert.match(bare.xml, /^<\?xml[^>]+><NFe /);
  assert.equal(schemaFault(bare.xml, 'nfe_v4.00.xsd'), null);
});

test('every event with a schema of its own is valid and signed by its author', () => {
  const emitente = company('varejo');
  const comprador = company('distribuidora');
  const nota = generateNfe(input({ emitente, destinatario: comprador }));
  const schemas: Record<string, string> = {
    '110110': 'procCCeNFe_v1.00.xsd',
    '110111': 'procEventoCancNFe_v1.00.xsd',
    '110112': 'procEventoCancSubst_v1.00.xsd',
    '210200': 'procConfRecebtoNFe_v1.00.xsd',
    '210210': 'procConfRecebtoNFe_v1.00.xsd',
    '210220': 'procConfRecebtoNFe_v1.00.xsd',
    '210240': 'procConfRecebtoNFe_v1.00.xsd',
  };
  for (const [codigo, schema] of Object.entries(schemas)) {
    for (const cStat of ['135', '136', '155', '573'] as const) {
      const autor = codigo.startsWith('2') ? comprador : emitente;
      const evento = generateEvento({
        semente: codigo,
        sementeCertificados: SEED,
        codigo,
        chave: nota.chave,
        autor,
        em: EM,
        sequencia: codigo === '110110' ? 3 : 1,
        nProt: nota.protocolo?.nProt ?? null,
        destinatario: comprador.id,
        chaveSubstituta: nota.chave,
        cStat,
      });
      assert.equal(schemaFault(evento.xml, schema), null, `${codigo} ${cStat}`);
      assertSigned(evento.xml, autor.id);
      assert.equal(evento.registrado, cStat !== '573');
      assert.equal(evento.nProt === null, cStat === '573');
      assert.equal(textsOf(evento.xml, '//nfe:evento//nfe:infEvento/@Id')[0], `ID${evento.id}`);
    }
  }
});

test('an event of an unknown code is valid against the generic event schema', () => {
  const nota = generateNfe(input());
  const evento = generateEvento({
    semente: SEED,
    sementeCertificados: SEED,
    codigo: '999123',
    chave: nota.chave,
    autor: company('comercio'),
    em: EM,
  });
  assert.equal(schemaFault(evento.xml, 'procEventoNFe_v1.00.xsd'), null);
  assertSigned(evento.xml, company('comercio').id);
});

test('an inutilização is valid and signed, and its answer stands alone too', () => {
  const emitente = company('comercio');
  const base = { semente: SEED, sementeCertificados: SEED, emitente, em: EM } as const;
  const inut = generateInutilizacao({ ...base, modelo: '65', serie: 2, numeroInicial: 10, numeroFinal: 12 });
  assert.equal(schemaFault(inut.xml, 'procInutNFe_v4.00.xsd'), null);
  assert.equal(schemaFault(inut.resposta.xml, 'retInutNFe_v4.00.xsd'), null);
  assertSigned(inut.xml, emitente.id);
  assert.equal(inut.chave.length, 41);
  assert.ok(inut.chave.endsWith('65002000000010000000012'));
  assert.equal(textsOf(inut.xml, '//nfe:inutNFe/nfe:infInut/@Id')[0], `ID${inut.chave}`);
  const old = generateInutilizacao({
    ...base,
    modelo: '55',
    serie: 1,
    numeroInicial: 1,
    numeroFinal: 1,
    layout: '3.10',
    em: new Date('2017-06-10T13:00:00Z'),
  });
  assert.equal(schemaFault(old.xml, 'procInutNFe_v3.10.xsd'), null);
  const refused = generateInutilizacao({
    ...base,
    modelo: '55',
    serie: 1,
    numeroInicial: 1,
    numeroFinal: 1,
    cStat: '563',
  });
  assert.equal(refused.homologada, false);
});

test('a changed character breaks the digest, a foreign certificate the signature', () => {
  const nota = generateNfe(input());
  const changed = nota.xml.replace(/<natOp>Venda/, '<natOp>Vendo');
  assert.equal(verifySignatures(changed)[0]?.digest, false);
  assert.equal(verifySignatures(changed)[0]?.assinatura, true);
  const other = generateNfe(input({ emitente: company('industria') }));
  const certificate = (xml: string) => /<X509Certificate>[^<]+/.exec(xml)?.[0] ?? '';
  const swapped = nota.xml.replace(certificate(nota.xml), certificate(other.xml));
  assert.equal(verifySignatures(swapped)[0]?.assinatura, false);
});

test('the official schemas that judge here do reject what is wrong', () => {
  const { xml } = generateNfe(input());
  const wrong = [
    xml.replace(/<vNF>[^<]*/, '<vNF>1,00'),
    xml.replace(/<CFOP>./, '<CFOP>9'),
    xml.replace(/<natOp>[^<]*<\/natOp>/, ''),
    xml.replace('<det nItem="1">', '<det nItem="0">'),
    xml.replace(/<X509Data>.*<\/X509Data>/, '<X509Data></X509Data>'),
  ];
  for (const text of wrong) {
    assert.notEqual(text, xml);
    assert.notEqual(schemaFault(text, 'procNFe_v4.00.xsd'), null);
  }
});

test('the same input gives the same bytes, another seed others', () => {
  const once = generateNfe(input({ semente: 'a' })).xml;
  assert.equal(generateNfe(input({ semente: 'a' })).xml, once);
  assert.notEqual(generateNfe(input({ semente: 'b' })).xml, once);
});

test('CFOPs follow the direction, the border and the operation', () => {
  const seller = generateEmpresa('cfop/a', { perfil: 'distribuidora', uf: 'SP' });
  const cfops = (rest: Partial<EntradaNfe>) =>
    textsOf(generateNfe(input({ emitente: seller, itens: 8, ...rest })).xml, '//nfe:CFOP');
  const near = generateEmpresa('cfop/b', { perfil: 'comercio', uf: 'SP' });
  const far = generateEmpresa('cfop/c', { perfil: 'comercio', uf: 'BA' });
  assert.ok(cfops({ destinatario: near }).every((c) => c === '5102' || c === '5405'));
  assert.ok(cfops({ destinatario: far }).every((c) => c === '6102' || c === '6404'));
  assert.ok(cfops({ destinatario: generatePessoa('x', 'BA') }).every((c) => c === '6108'));
  assert.ok(cfops({ destinatario: near, operacao: 'ativo' }).every((c) => c === '5551'));
  assert.ok(cfops({ destinatario: near, operacao: 'devolucao' }).every((c) => c === '5202' || c === '5411'));
  assert.ok(cfops({ destinatario: far, operacao: 'transferencia_uso_consumo' }).every((c) => c === '6557'));
  assert.ok(cfops({ destinatario: near, operacao: 'entrada_produtor' }).every((c) => c === '1102'));
  assert.ok(
    cfops({ destinatario: generateFilial(seller, 2, SEED), operacao: 'transferencia' }).every(
      (c) => c === '5152' || c === '5409',
    ),
  );
});

test('a note that cannot exist is refused', () => {
  const refuses = (rest: Partial<EntradaNfe>) => assert.throws(() => generateNfe(input(rest)), RangeError);
  refuses({ destinatario: null });
  refuses({ serie: 1000 });
  refuses({ numero: 0 });
  refuses({ itens: 0 });
  refuses({ itens: 991 });
  refuses({ tpEmis: '9' });
  refuses({ emitente: company('produtor'), serie: 1 });
  const event = { semente: SEED, chave: generateNfe(input()).chave, autor: company('comercio'), em: EM };
  assert.throws(() => generateEvento({ ...event, codigo: '1101' }), RangeError);
  assert.throws(() => generateEvento({ ...event, codigo: '110110', sequencia: 21 }), RangeError);
  assert.throws(() => generateEvento({ ...event, codigo: '110112' }), RangeError);
  const range = { semente: SEED, em: EM, modelo: '55', serie: 1, numeroInicial: 5, numeroFinal: 4 } as const;
  assert.throws(() => generateInutilizacao({ ...range, emitente: company('comercio') }), RangeError);
  assert.throws(
    () => generateInutilizacao({ ...range, numeroFinal: 6, emitente: company('produtor') }),
    RangeError,
  );
});
