import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bytesOf, treeOf } from './amostras-de-teste.ts';
import { recortar } from './recortar.ts';
import { walk, type XmlElement } from './xml/tree.ts';

const cut = (xml: string, localName: string, prefixos?: 'todos'): string => {
  const tree = treeOf(xml);
  const element = [...walk(tree.root)].find((e) => e.localName === localName) as XmlElement;
  return new TextDecoder().decode(recortar(tree, element, prefixos).bytes);
};

describe('recortar', () => {
  it('leaves an element that inherits nothing as it stands, byte for byte', () => {
    assert.equal(cut('<a><b x="1" >é&#38;<!-- c --></b ></a>', 'b'), '<b x="1" >é&#38;<!-- c --></b >');
  });

  it('puts the inherited namespaces right behind the tag name', () => {
    assert.equal(
      cut('<a xmlns="u:1" xmlns:p="u:2"><b y="2"><p:c/></b></a>', 'b'),
      '<b xmlns="u:1" xmlns:p="u:2" y="2"><p:c/></b>',
    );
    assert.equal(cut('<s:a xmlns:s="u:1"><s:b/></s:a>', 'b'), '<s:b xmlns:s="u:1"/>');
  });

  it('leaves out prefixes that the element does not use, unless all are asked for', () => {
    const xml = '<a xmlns:s="u:soap" xmlns:t="u:types" xmlns:i="u:xsi"><b i:type="t:N"/></a>';
    assert.equal(cut(xml, 'b'), '<b xmlns:t="u:types" xmlns:i="u:xsi" i:type="t:N"/>');
    assert.equal(
      cut(xml, 'b', 'todos'),
      '<b xmlns:s="u:soap" xmlns:t="u:types" xmlns:i="u:xsi" i:type="t:N"/>',
    );
  });

  it('takes the nearest declaration of a prefix, and none that the element makes itself', () => {
    const xml = '<a xmlns="u:1" xmlns:p="u:far"><m xmlns:p="u:near"><b xmlns="u:own" p:x=""/></m></a>';
    assert.equal(cut(xml, 'b'), '<b xmlns:p="u:near" xmlns="u:own" p:x=""/>');
  });

  it('leaves out a default namespace that was undone on the way', () => {
    assert.equal(cut('<a xmlns="u:1"><m xmlns=""><b/></m></a>', 'b'), '<b/>');
  });

  it('escapes what a namespace may hold', () => {
    assert.equal(cut('<a xmlns="u:x?a=1&amp;b=2"><b/></a>', 'b'), '<b xmlns="u:x?a=1&amp;b=2"/>');
  });

  it('knows where a place in the slice stands in the file', () => {
    const xml = '<a xmlns="u:1">\n<b y="2"><c/></b></a>';
    const tree = treeOf(xml);
    const b = tree.root.children[0] as XmlElement;
    const slice = recortar(tree, b);
    const at = new TextDecoder().decode(slice.bytes).indexOf('<c/>');
    assert.equal(slice.offsetNoArquivo(0), b.start);
    assert.equal(slice.offsetNoArquivo(at), bytesOf(xml.slice(0, xml.indexOf('<c/>'))).length);
    assert.deepEqual(tree.position(slice.offsetNoArquivo(at)), { linha: 2, coluna: 10 });
  });
});
