import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { diag } from 'libxml2-wasm';
import { growth, LINEAR } from '../../../test/support/crescimento.ts';
import {
  checkWellFormed,
  compileSchema,
  type FaltaDeEsquema,
  SchemaCompileError,
  validate,
} from './libxml.ts';
import { scanXml } from './scan.ts';
import type { XmlTree } from './tree.ts';

function scan(xml: string): XmlTree {
  const result = scanXml(Buffer.from(xml));
  return result.ok ? result.tree : assert.fail(result.rejeicao.mensagem);
}

function pack(files: Record<string, string>): Map<string, Uint8Array> {
  return new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]));
}

const XS = 'xmlns:xs="http://www.w3.org/2001/XMLSchema"';

/** A small layout in the manner of the official ones: a main file that includes its types from a folder that the package does not have. */
const NOTA = pack({
  'nota_v1.xsd': `<xs:schema ${XS} xmlns="u:nota" targetNamespace="u:nota" elementFormDefault="qualified">
    <xs:include schemaLocation="./pasta/tipos.xsd"/>
    <xs:element name="nota"><xs:complexType>
      <xs:sequence>
        <xs:element name="cUF" type="TUF"/>
        <xs:element name="xNome" type="TNome" minOccurs="0"/>
        <xs:element name="det" type="TDet" minOccurs="0" maxOccurs="20"/>
        <xs:choice minOccurs="0"><xs:element name="CPF" type="TCpf"/><xs:element name="CNPJ" type="xs:string"/></xs:choice>
        <xs:element name="data" type="xs:date" minOccurs="0"/>
        <xs:element name="qtd" type="TQtd" minOccurs="0"/>
      </xs:sequence>
      <xs:attribute name="versao" use="required" type="TVersao"/>
    </xs:complexType>
    <xs:unique name="uDet"><xs:selector xpath="./*"/><xs:field xpath="@nItem"/></xs:unique>
    </xs:element>
  </xs:schema>`,
  'tipos.xsd': `<xs:schema ${XS} elementFormDefault="qualified">
    <xs:simpleType name="TUF"><xs:restriction base="xs:string"><xs:enumeration value="35"/><xs:enumeration value="41"/></xs:restriction></xs:simpleType>
    <xs:simpleType name="TNome"><xs:restriction base="xs:string"><xs:minLength value="2"/><xs:maxLength value="5"/></xs:restriction></xs:simpleType>
    <xs:simpleType name="TCpf"><xs:restriction base="xs:string"><xs:length value="11"/><xs:pattern value="[0-9]{11}"/></xs:restriction></xs:simpleType>
    <xs:simpleType name="TVersao"><xs:restriction base="xs:string"><xs:pattern value="1\\.00"/></xs:restriction></xs:simpleType>
    <xs:simpleType name="TQtd"><xs:restriction base="xs:integer"><xs:minInclusive value="1"/><xs:maxInclusive value="9"/></xs:restriction></xs:simpleType>
    <xs:complexType name="TDet"><xs:sequence><xs:element name="v" type="xs:decimal" minOccurs="0"/></xs:sequence><xs:attribute name="nItem" type="xs:string"/></xs:complexType>
  </xs:schema>`,
});

describe('validate', () => {
  const schema = compileSchema(NOTA, 'nota_v1.xsd');
  after(() => schema.dispose());

  function faults(xml: string): FaltaDeEsquema[] {
    const verdict = validate(schema, scan(xml));
    return verdict.valido ? [] : verdict.faltas;
  }

  function nota(content: string, attributes = 'versao="1.00"'): string {
    return `<nota xmlns="u:nota" ${attributes}>${content}</nota>`;
  }

  it('accepts a valid document', () => {
    assert.deepEqual(validate(schema, scan(nota('<cUF>35</cUF><det nItem="1"/>'))), { valido: true });
  });

  it('judges the root only, not what follows it', () => {
    const result = scanXml(Buffer.from(`${nota('<cUF>35</cUF>')}<other/>`));
    assert.ok(result.ok);
    assert.deepEqual(validate(schema, result.tree), { valido: true });
  });

  const cases: [string, string, string, string][] = [
    [
      'an enumeration',
      nota('<cUF>99</cUF>'),
      'nota/cUF',
      'cUF: O valor "99" não é um dos permitidos: 35 ou 41.',
    ],
    [
      'a maximum length',
      nota('<cUF>35</cUF><xNome>comprido</xNome>'),
      'nota/xNome',
      'xNome: O valor tem 8 caracteres; o máximo é 5.',
    ],
    [
      'a minimum length',
      nota('<cUF>35</cUF><xNome>x</xNome>'),
      'nota/xNome',
      'xNome: O valor tem 1 caracteres; o mínimo é 2.',
    ],
    [
      'a fixed length, told once',
      nota('<cUF>35</cUF><CPF>12</CPF>'),
      'nota/CPF',
      'CPF: O valor tem 2 caracteres; deve ter exatamente 11.',
    ],
    [
      'a pattern',
      nota('<cUF>35</cUF><CPF>1234567890a</CPF>'),
      'nota/CPF',
      'CPF: O valor "1234567890a" não tem o formato exigido: [0-9]{11}.',
    ],
    [
      'a pattern of an attribute',
      nota('<cUF>35</cUF>', 'versao="2.00"'),
      'nota/@versao',
      'nota/@versao: O valor "2.00" não tem o formato exigido: 1\\.00.',
    ],
    [
      'a minimum',
      nota('<cUF>35</cUF><qtd>0</qtd>'),
      'nota/qtd',
      'qtd: O valor 0 é menor que o mínimo permitido (1).',
    ],
    [
      'a maximum',
      nota('<cUF>35</cUF><qtd>10</qtd>'),
      'nota/qtd',
      'qtd: O valor 10 é maior que o máximo permitido (9).',
    ],
    [
      'a date',
      nota('<cUF>35</cUF><data>31/12/2026</data>'),
      'nota/data',
      'data: O valor "31/12/2026" não é uma data (AAAA-MM-DD).',
    ],
    [
      'a decimal deep inside',
      nota('<cUF>35</cUF><det/><det><v>1,5</v></det>'),
      'nota/det[2]/v',
      'v: O valor "1,5" não é um número decimal.',
    ],
    ['a missing child', nota(''), 'nota', 'nota: Falta um elemento filho. Esperado: cUF.'],
    [
      'an unexpected element',
      nota('<cUF>35</cUF><data>2026-01-01</data><CPF>12345678901</CPF>'),
      'nota/CPF',
      'CPF: Este elemento não é esperado aqui. Esperado: qtd.',
    ],
    [
      'an unexpected element with a choice',
      nota('<cUF>35</cUF><x/>'),
      'nota/x',
      'x: Este elemento não é esperado aqui. Esperado: xNome, det, CPF, CNPJ, data ou qtd.',
    ],
    [
      'a foreign attribute',
      nota('<cUF>35</cUF>', 'versao="1.00" x="1"'),
      'nota/@x',
      'nota/@x: O atributo x não é permitido.',
    ],
    ['a missing attribute', nota('<cUF>35</cUF>', ''), 'nota', 'nota: Falta o atributo obrigatório versao.'],
    [
      'a repeated key',
      nota('<cUF>35</cUF><det nItem="1"/><det nItem="1"/>'),
      'nota/det[2]',
      "det: O valor '1' se repete onde deve ser único.",
    ],
    ['stray text', nota('x<cUF>35</cUF>'), 'nota', 'nota: Há texto solto onde só cabem elementos.'],
    [
      'elements in a simple value',
      nota('<cUF>35</cUF><CNPJ><b/></CNPJ>'),
      'nota/CNPJ',
      'CNPJ: Este elemento não pode ter elementos dentro de si.',
    ],
    [
      'a foreign root',
      '<nota versao="1.00"/>',
      'nota',
      'nota: Este elemento raiz não pertence ao esquema (nome ou namespace diferente).',
    ],
  ];
  for (const [what, xml, elemento, mensagem] of cases) {
    it(`tells ${what} in Portuguese, with its path`, () => {
      const [first, ...others] = faults(xml);
      assert.deepEqual({ elemento: first?.elemento, mensagem: first?.mensagem }, { elemento, mensagem });
      assert.deepEqual(others, []);
    });
  }

  it('tells a namespace apart from a name', () => {
    const [fault] = faults(nota('<cUF xmlns="u:outro">35</cUF>'));
    assert.equal(fault?.mensagem, 'cUF: Este elemento não está no namespace esperado.');
  });

  it('finds elements by prefix as well', () => {
    const [fault] = faults(
      '<n:nota xmlns:n="u:nota" versao="1.00"><n:cUF>35</n:cUF><n:det/><n:det><n:v>x</n:v></n:det></n:nota>',
    );
    assert.equal(fault?.elemento, 'nota/det[2]/v');
  });

  it('gives line and column of the element', () => {
    const [fault] = faults(nota('\n  <cUF>99</cUF>'));
    assert.deepEqual([fault?.linha, fault?.coluna], [2, 3]);
  });

  it('stops at ten faults', () => {
    assert.equal(faults(nota(`<cUF>35</cUF>${'<det><v>x</v></det>'.repeat(15)}`)).length, 10);
  });

  it('judges a text in pieces as the text that it is', () => {
    const note = (inside: string) => `<nota xmlns="u:nota" versao="1.00"><cUF>35</cUF>${inside}</nota>`;
    const pieces = 'a<!-- & -->b<![CDATA[<&]]><?p ]]> ?><![CDATA[]]>';
    assert.deepEqual(faults(note(`<xNome>${pieces}\r\n</xNome>`)), []);
    assert.match(faults(note(`<xNome>${pieces}cd</xNome>`))[0]?.mensagem ?? '', /tem 6 caracteres/);
    assert.match(faults(note('<xNome><!-- ab --></xNome>'))[0]?.mensagem ?? '', /tem 0 caracteres/);
    // As libxml2 has it: a section is text, even an empty one, and a comment is none.
    assert.deepEqual(faults(note(' <!-- --> <?p?> ')), []);
    assert.match(faults(note('<![CDATA[]]>'))[0]?.mensagem ?? '', /só cabem elementos/);
  });

  it('listens to the first faults only, however many there are', () => {
    const list = pack({
      'lista.xsd': `<xs:schema ${XS}><xs:element name="l"><xs:complexType><xs:sequence><xs:element name="v" type="xs:integer" maxOccurs="unbounded"/></xs:sequence></xs:complexType></xs:element></xs:schema>`,
    });
    const integers = compileSchema(list, 'lista.xsd');
    const ratio = growth((n) => {
      const tree = scan(`<l>${'<v>x</v>'.repeat(n)}</l>`);
      return () => {
        const verdict = validate(integers, tree);
        assert.ok(!verdict.valido && verdict.faltas.length === 10);
        assert.equal(verdict.faltas[9]?.elemento, 'l/v[10]');
      };
    }, 5_000);
    integers.dispose();
    assert.ok(ratio < LINEAR, `${ratio.toFixed(1)} times for four times as much`);
  });

  it('cuts long values', () => {
    const [fault] = faults(nota(`<cUF>${'9'.repeat(5000)}</cUF>`));
    assert.ok((fault?.mensagem.length ?? 0) < 200);
  });

  it('frees every document, valid or not', () => {
    diag.configure({ enabled: true });
    validate(schema, scan(nota('<cUF>35</cUF>')));
    validate(schema, scan(nota('<cUF>99</cUF>')));
    checkWellFormed(Buffer.from('<a/>'));
    checkWellFormed(Buffer.from('<a>'));
    const left = JSON.stringify(diag.report() ?? {});
    diag.configure({ enabled: false });
    assert.doesNotMatch(left, /XmlDocument/);
  });
});

describe('compileSchema', () => {
  const type = (value: string) =>
    `<xs:schema ${XS}><xs:simpleType name="T"><xs:restriction base="xs:string"><xs:enumeration value="${value}"/></xs:restriction></xs:simpleType></xs:schema>`;
  const main = `<xs:schema ${XS}><xs:include schemaLocation="tipos.xsd"/><xs:element name="a" type="T"/></xs:schema>`;

  it('keeps packages with equal file names apart', () => {
    const first = compileSchema(pack({ 'main.xsd': main, 'tipos.xsd': type('1') }), 'main.xsd');
    const second = compileSchema(pack({ 'main.xsd': main, 'tipos.xsd': type('2') }), 'main.xsd');
    assert.equal(validate(first, scan('<a>1</a>')).valido, true);
    assert.equal(validate(first, scan('<a>2</a>')).valido, false);
    assert.equal(validate(second, scan('<a>2</a>')).valido, true);
    first.dispose();
    assert.equal(validate(second, scan('<a>1</a>')).valido, false);
    second.dispose();
  });

  it('takes a main file with a blank in its name, as one official package has', () => {
    const name = 'e112120_v1.00 .xsd';
    const schema = compileSchema(pack({ [name]: main, 'tipos.xsd': type('1') }), name);
    assert.equal(validate(schema, scan('<a>1</a>')).valido, true);
    schema.dispose();
  });

  it('finds nothing of an earlier package', () => {
    compileSchema(pack({ 'main.xsd': main, 'tipos.xsd': type('1') }), 'main.xsd').dispose();
    assert.throws(() => compileSchema(pack({ 'main.xsd': main }), 'main.xsd'), SchemaCompileError);
  });

  it('reads no file of the disk', () => {
    const outside = new URL(import.meta.url).pathname;
    const including = `<xs:schema ${XS}><xs:include schemaLocation="file://${outside}"/><xs:element name="a"/></xs:schema>`;
    assert.throws(() => compileSchema(pack({ 'main.xsd': including }), 'main.xsd'), SchemaCompileError);
  });

  it('tells what is wrong with a package', () => {
    assert.throws(() => compileSchema(new Map(), 'main.xsd'), /no such file/);
    assert.throws(() => compileSchema(pack({ 'main.xsd': '<broken' }), 'main.xsd'), SchemaCompileError);
    assert.throws(
      () =>
        compileSchema(
          pack({ 'main.xsd': `<xs:schema ${XS}><xs:element name="a" type="T"/></xs:schema>` }),
          'main.xsd',
        ),
      /'T'/,
    );
  });

  it('refuses use after dispose, and lets dispose be called twice', () => {
    const schema = compileSchema(
      pack({ 'main.xsd': `<xs:schema ${XS}><xs:element name="a"/></xs:schema>` }),
      'main.xsd',
    );
    schema.dispose();
    schema.dispose();
    assert.throws(() => validate(schema, scan('<a/>')), /after dispose/);
  });
});

describe('checkWellFormed', () => {
  it('accepts what libxml2 accepts, also a comment that speaks of DOCTYPE', () => {
    assert.equal(checkWellFormed(Buffer.from('<a>ç</a>')), null);
    assert.equal(checkWellFormed(Buffer.from('<a><!-- <!DOCTYPE a> --></a>')), null);
  });

  it('never shows libxml2 a DOCTYPE', () => {
    const xml = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>';
    assert.equal(checkWellFormed(Buffer.from(xml))?.codigo, 'doctype_proibido');
  });

  it('tells the fault in Portuguese, with line and column', () => {
    const cases: [string, RegExp][] = [
      ['<a>\n<b></a>', /<\/a> não corresponde a <b>, aberta na linha 2/],
      ['<a><b/>', /termina antes do fim: falta fechar <a>/],
      ['<a>A & B</a>', /& está solto/],
      ['<a>&nbsp;</a>', /&nbsp; não existe/],
      ['<a b="1" b="2"/>', /atributo b aparece mais de uma vez/],
      ['<p:a/>', /prefixo p de a não foi declarado/],
      ['<a/><b/>', /depois do fim/],
      ['<a>\u0001</a>', /caractere que não é permitido/],
      ['', /não está bem formado|não contém XML/],
    ];
    for (const [xml, message] of cases) {
      const fault = checkWellFormed(Buffer.from(xml));
      assert.equal(fault?.codigo, 'xml_mal_formado', xml);
      assert.match(fault.mensagem, message, xml);
    }
    assert.equal(checkWellFormed(Buffer.from('<a>\n<b></a>'))?.linha, 2);
  });
});
