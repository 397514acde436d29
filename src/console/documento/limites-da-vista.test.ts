import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { growth, LINEAR } from '../../../test/support/crescimento.ts';
import { item, nota, processada, protocolo } from '../../fiscal/amostras-de-teste.ts';
import { treeOf } from '../../fiscal/xml/scan.ts';
import { diferencas } from './comparar.ts';
import { dadosDoDacte } from './dacte-dados.ts';
import { gruposDe, itensDe } from './leitura.ts';

const many = (n: number, make: (i: number) => string) =>
  Array.from({ length: n }, (_, i) => make(i)).join('');
const doc = (partes: string) => Buffer.from(processada(nota({ depois: partes }) + protocolo()));
const grupos = (bytes: Buffer) => gruposDe(bytes, 'utf-8');
const itens = (bytes: Buffer) => itensDe(bytes, { pagina: 1, tamanho: 500 });
const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const LONG = 'x'.repeat(20_000);

describe('the view of a document takes as long as it is large', () => {
  const shapes: Record<string, (n: number) => string> = {
    'many parts of one name': (n) => many(n, () => '<autXML><CNPJ>1</CNPJ></autXML>'),
    'many parts of many names': (n) => many(n, (i) => `<g${i}><a>1</a></g${i}>`),
    'a part with many rows': (n) => `<pag>${many(n, () => '<detPag><tPag>01</tPag></detPag>')}</pag>`,
    'a part with many names': (n) => `<pag>${many(n, (i) => `<g${i}><a>1</a></g${i}>`)}</pag>`,
  };
  for (const [name, make] of Object.entries(shapes)) {
    it(`with ${name}`, () => {
      const ratio = growth((n) => {
        const bytes = doc(make(n));
        return () => grupos(bytes);
      }, 4_000);
      assert.ok(ratio < LINEAR, `${ratio.toFixed(1)} times for four times as much`);
    });
  }
});

describe('the view of a document has a bound in bytes', () => {
  const bounded = (what: unknown) => assert.ok(sizeOf(what) < 3_500_000, `${sizeOf(what)} bytes`);
  const saysMore = (what: unknown) => assert.match(JSON.stringify(what), /Há mais no XML/);

  it('with thousands of long texts in one part', () => {
    const found = grupos(
      doc(`<infAdic>${many(5_000, (i) => `<t${i}>${LONG.slice(0, 1_000)}</t${i}>`)}</infAdic>`),
    );
    bounded(found);
    saysMore(found);
  });

  it('with thousands of parts', () => {
    const found = grupos(doc(many(5_000, (i) => `<g${i}><a>1</a></g${i}>`)));
    bounded(found);
    saysMore(found);
    assert.equal(found.length, 81);
  });

  it('with parts that are called alike', () => {
    const found = grupos(doc(many(3_000, (i) => `<g${i}><infProt><a>${i}</a></infProt></g${i}>`)));
    bounded(found);
    assert.ok(found.every(({ campos }) => campos.length <= 601));
  });

  it('with tables of long texts, and long names', () => {
    const rows = many(300, () => `<obsCont>${many(20, (i) => `<t${i}>${LONG}</t${i}>`)}</obsCont>`);
    bounded(grupos(doc(`<infAdic>${rows}</infAdic>`)));
    bounded(
      grupos(
        doc(
          many(
            80,
            (i) => `<g${i}>${many(300, (j) => `<${'n'.repeat(900)}${j}>1</${'n'.repeat(900)}${j}>`)}</g${i}>`,
          ),
        ),
      ),
    );
  });

  it('with items of long texts', () => {
    const det = item(1, '5102', '1.00').replace('Produto 1', LONG);
    const found = itens(Buffer.from(processada(nota({ itens: many(600, () => det) }) + protocolo())));
    bounded(found);
    assert.equal(found.total, 600);
    assert.equal(found.itens.length, 500);
    assert.match(JSON.stringify(found.itens[0]), /x{5000}…/);
  });

  it('and so has what two versions say differently', () => {
    const deep = (text: string) => {
      const names = Array.from({ length: 60 }, (_, i) => `${'n'.repeat(900)}${i}`);
      const leaves = many(300, () => `<v>${text}</v>`);
      return doc(
        names.map((n) => `<${n}>`).join('') +
          leaves +
          names
            .toReversed()
            .map((n) => `</${n}>`)
            .join(''),
      );
    };
    const found = diferencas(deep(`${LONG}a`), deep(`${LONG}b`));
    assert.ok(sizeOf(found) < 800_000, `${sizeOf(found)} bytes`);
    assert.ok(found.length > 0);
  });
});

describe('two versions are compared', () => {
  const diff = (a: string, b: string) =>
    diferencas(Buffer.from(a), Buffer.from(b)).map(({ elemento, servida, outra }) => [
      elemento,
      servida,
      outra,
    ]);

  it('element by element, those of one name in their order', () => {
    assert.deepEqual(diff('<r><a>1</a><b/></r>', '<r><a>1</a><b/></r>'), []);
    assert.deepEqual(diff('<r><a>1</a><a>2</a><a>3</a></r>', '<r><a>1</a><a>x</a></r>'), [
      ['r/a[2]', '2', 'x'],
      ['r/a[3]', '3', null],
    ]);
    assert.deepEqual(diff('<r><a><b>1</b></a></r>', '<r><c>9</c><a>t</a></r>'), [
      ['r/a', null, 't'],
      ['r/a/b', '1', null],
      ['r/c', null, '9'],
    ]);
    assert.deepEqual(diff('<r>1</r>', '<s>1</s>'), [
      ['r', '1', null],
      ['s', null, '1'],
    ]);
  });

  it('beyond what is shown of their texts, and without their signatures', () => {
    const [found] = diferencas(Buffer.from(`<r>${LONG}1</r>`), Buffer.from(`<r>${LONG}2</r>`));
    assert.equal(found?.servida?.length, 5_001);
    assert.deepEqual(diff('<r><Signature>1</Signature></r>', '<r><Signature>2</Signature></r>'), []);
    assert.deepEqual(diff('no xml', '<r>1</r>'), [['r', null, '1']]);
  });
});

describe('what is drawn of a document', () => {
  it('of a CT-e has a number of rows, and texts that a frame has room for', () => {
    const chaves = many(6_000, () => '<infNFe><chave>1</chave></infNFe>');
    const xml = `<CTe><infCte Id="CTe${LONG}"><ide><mod>57</mod><natOp>${LONG}</natOp></ide><vPrest>${many(500, () => '<Comp><xNome>a</xNome></Comp>')}</vPrest><infCTeNorm><infDoc>${chaves}</infDoc></infCTeNorm></infCte><infCTeSupl><qrCodCTe>${LONG}</qrCodCTe></infCTeSupl></CTe>`;
    const tree = treeOf(Buffer.from(xml));
    const dados = tree && dadosDoDacte(tree);
    assert.equal(dados?.originarios.length, 5_001);
    assert.equal(dados?.originarios.at(-1)?.identificacao, 'e mais 1000, no XML');
    assert.equal(dados?.componentes.length, 60);
    assert.equal(dados?.cfop.length, 255);
    assert.equal(dados?.chave.length, 255);
    assert.equal(dados?.qrCode, null);
  });
});
