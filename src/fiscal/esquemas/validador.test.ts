import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scanXml } from '../xml/scan.ts';
import { saiuEm } from './idade.ts';
import { mainSchemas, type PacoteDeEsquemas } from './pacote.ts';
import { createValidador, doesCompile } from './validador.ts';

const NAMESPACE = 'http://www.portalfiscal.inf.br/nfe';

/** A package of one schema for a note whose single `ide` element has the given type. */
function pacote(nome: string, type: string, files: Record<string, string> = {}): PacoteDeEsquemas {
  const schema = (content: string) =>
    `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="${NAMESPACE}" targetNamespace="${NAMESPACE}" elementFormDefault="qualified">${content}</xs:schema>`;
  const all: Record<string, string> = {
    'nfe_v4.00.xsd': schema('<xs:include schemaLocation="leiaute.xsd"/><xs:element name="NFe" type="TNFe"/>'),
    'leiaute.xsd': schema(
      `<xs:complexType name="TNFe"><xs:sequence><xs:element name="infNFe"><xs:complexType><xs:sequence><xs:element name="ide" maxOccurs="9">${type}</xs:element></xs:sequence><xs:attribute name="versao"/></xs:complexType></xs:element></xs:sequence></xs:complexType>`,
    ),
    ...files,
  };
  return {
    nome,
    origem: 'teste',
    arquivos: new Map(Object.entries(all).map(([name, text]) => [name, Buffer.from(text)])),
  };
}

const pattern = (value: string) =>
  `<xs:simpleType><xs:restriction base="xs:string"><xs:pattern value="${value}"/></xs:restriction></xs:simpleType>`;
const digits = (nome: string) => pacote(nome, pattern('[0-9]{3}'));
const letters = (nome: string) => pacote(nome, pattern('[A-Z]{3}'));

function judge(pacotes: PacoteDeEsquemas[], ...ides: string[]) {
  const inner = ides.map((ide) => `<ide>${ide}</ide>`).join('');
  const scan = scanXml(
    Buffer.from(`<NFe xmlns="${NAMESPACE}"><infNFe versao="4.00">${inner}</infNFe></NFe>`),
  );
  assert.ok(scan.ok);
  const validador = createValidador(pacotes);
  try {
    return validador.validar(scan.tree, scan.tree.root);
  } finally {
    validador.dispose();
  }
}

it('names the schema and the package that call a document valid', () => {
  assert.deepEqual(judge([digits('PL_A')], '123'), {
    resultado: 'valido',
    esquema: 'nfe_v4.00.xsd (PL_A)',
    motivo: null,
  });
});

it('tells the first faults with their element path', () => {
  const { resultado, motivo } = judge([digits('PL_A')], '123', 'x', '456');
  assert.equal(resultado, 'invalido');
  assert.match(motivo ?? '', /^NFe\/infNFe\/ide\[2\]: .*"x"/);
});

it('tells three faults at most and says that there are more', () => {
  const { motivo } = judge([digits('PL_A')], 'a', 'b', 'c', 'd');
  assert.equal(motivo?.match(/NFe\/infNFe\/ide\[\d\]/g)?.length, 3);
  assert.match(motivo ?? '', /outras falhas/);
});

it('takes one package that calls it valid as enough, be it newer or older', () => {
  assert.equal(judge([digits('PL_NOVO'), letters('PL_VELHO')], 'ABC').esquema, 'nfe_v4.00.xsd (PL_VELHO)');
  assert.equal(judge([letters('PL_NOVO'), digits('PL_VELHO')], 'ABC').esquema, 'nfe_v4.00.xsd (PL_NOVO)');
});

it('gives the reason of the newest package when all call it invalid', () => {
  const { esquema, motivo } = judge([letters('PL_NOVO'), digits('PL_VELHO')], '?');
  assert.equal(esquema, 'nfe_v4.00.xsd (PL_NOVO)');
  assert.match(motivo ?? '', /\[A-Z\]\{3\}/);
});

it('does not check without a package for the layout', () => {
  const { resultado, esquema, motivo } = judge([], '123');
  assert.deepEqual({ resultado, esquema }, { resultado: 'nao_verificado', esquema: null });
  assert.match(motivo ?? '', /4\.00/);
});

it('passes over a package whose main schema does not compile', () => {
  const broken = pacote('PL_QUEBRADO', 'x', { 'leiaute.xsd': '<xs:schema' });
  assert.equal(judge([broken, digits('PL_A')], '123').esquema, 'nfe_v4.00.xsd (PL_A)');
  assert.equal(judge([broken], '123').resultado, 'nao_verificado');
  assert.equal(doesCompile(broken.arquivos, 'nfe_v4.00.xsd'), false);
});

it('accepts a CNPJ with letters by a schema that knows only digits, and still refuses a wrong one', () => {
  const old = pacote('PL_VELHO', pattern('[0-9]{14}'));
  assert.equal(judge([old], '12ABC34501DE35').resultado, 'valido');
  assert.equal(judge([old], '11222333000181').resultado, 'valido');
  assert.equal(judge([old], '12ABC34501DEXX').resultado, 'invalido');
  assert.equal(judge([old], '1122233300018').resultado, 'invalido');
});

it('tells the main files of a package from its parts', () => {
  const arquivos = new Map(
    ['procNFe_v4.00.xsd', 'leiauteNFe_v4.00.xsd', 'procEventoCancNFe_v1.00.xsd', 'consSitNFe_v4.00.xsd'].map(
      (name) => [name, new Uint8Array()],
    ),
  );
  assert.deepEqual(mainSchemas({ arquivos }), ['procEventoCancNFe_v1.00.xsd', 'procNFe_v4.00.xsd']);
});

describe('a package that is older than the document', () => {
  const valores = `<xs:simpleType><xs:restriction base="xs:string"><xs:enumeration value="1"/><xs:enumeration value="2"/></xs:restriction></xs:simpleType>`;
  const tipo = `<xs:complexType><xs:sequence><xs:element name="dhEmi"/><xs:element name="tpImp">${valores}</xs:element><xs:element name="nNF">${pattern('[0-9]{1,9}')}</xs:element></xs:sequence></xs:complexType>`;
  const emitida = (dia: string, { tpImp = '1', nNF = '7', mais = '' } = {}) =>
    judge(
      [{ ...pacote('PL_X', tipo), instaladoEm: '2026-06-01T00:00:00Z' }],
      `<dhEmi>${dia}T10:00:00-03:00</dhEmi><tpImp>${tpImp}</tpImp><nNF>${nNF}</nNF>${mais}`,
    );

  it('does not call it invalid for elements and values that it does not know', () => {
    for (const novo of [{ tpImp: '6' }, { mais: '<vProdLiq>1</vProdLiq>' }, { tpImp: '6', mais: '<a/>' }]) {
      const { resultado, motivo } = emitida('2026-06-02', novo);
      assert.equal(resultado, 'esquema_mais_antigo');
      assert.match(motivo ?? '', /Instale o pacote oficial mais novo.*malote esquemas instalar/);
      assert.equal(emitida('2026-06-01', novo).resultado, 'invalido');
    }
  });

  it('does for what no newer one explains', () => {
    const errados = [
      { nNF: 'x' },
      { tpImp: '6', nNF: 'x' },
      { mais: '<tpImp>1</tpImp>' },
      { mais: '<a/>', nNF: '' },
    ];
    for (const errado of errados) assert.equal(emitida('2026-06-02', errado).resultado, 'invalido');
    const muitos = Array.from({ length: 12 }, () => '<ide>6</ide>').join('');
    assert.equal(judge([pacote('PL_X', valores)], muitos).resultado, 'invalido');
  });

  it('came out when its name says, or what is known of its name, or when it was installed', () => {
    const rows: [string, string | null, string | null][] = [
      ['PL_010b_V1.30', '2026-11-20T00:00:00Z', '2025-12-01'],
      ['PL_010d_v1.03', null, '2026-06-08'],
      ['PL_CTe_400_NT2026.004_RTC_v1.00', null, '2026-01-01'],
      ['NFSe_1.01-20260727', null, '2026-07-27'],
      ['outro', '2026-06-01T10:00:00Z', '2026-06-01'],
      ['outro', null, null],
    ];
    for (const [nome, instaladoEm, expected] of rows)
      assert.equal(saiuEm({ nome, instaladoEm }), expected, nome);
  });
});
