import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Rejeicao } from '../tipos.ts';
import { scanXml, XML_LIMITS, type XmlLimits } from './scan.ts';
import { attribute, child, elementPath, textAt, walk, type XmlTree } from './tree.ts';

function accept(xml: string | Uint8Array): XmlTree {
  const bytes = Buffer.from(xml as string);
  const result = scanXml(bytes);
  if (!result.ok)
    assert.fail(`${result.rejeicao.mensagem} (${result.rejeicao.linha}:${result.rejeicao.coluna})`);
  assert.equal(result.rest, bytes.length, 'nothing may be left behind the document');
  return result.tree;
}

function refuse(xml: string | Uint8Array, limits: XmlLimits = XML_LIMITS): Rejeicao {
  const result = scanXml(Buffer.from(xml as string), limits);
  assert.equal(result.ok, false, `accepted: ${String(xml).slice(0, 200)}`);
  return result.ok ? assert.fail() : result.rejeicao;
}

describe('scanXml builds a tree', () => {
  it('with byte offsets that cut the elements out of the document', () => {
    const xml = '<?xml version="1.0"?>\n<ação é="1"><b>ç</b><c/></ação>\n';
    const { root, bytes } = accept(xml);
    const slice = (from: number, to: number) => Buffer.from(bytes).toString('utf8', from, to);
    const [b, c] = root.children;
    assert.ok(b && c);
    assert.equal(root.localName, 'ação');
    assert.equal(slice(root.start, root.end), '<ação é="1"><b>ç</b><c/></ação>');
    assert.equal(slice(root.contentStart, root.contentEnd), '<b>ç</b><c/>');
    assert.equal(slice(b.start, b.end), '<b>ç</b>');
    assert.deepEqual([c.contentStart, c.contentEnd], [c.end, c.end]);
    assert.equal(c.parent, root);
  });

  it('with namespaces resolved, of elements and prefixed attributes, not of plain attributes', () => {
    const { root } = accept(
      '<p:a xmlns:p="u:1" xmlns="u:d" x="1" p:y="2"><b><c xmlns=""/></b><p:b xmlns:p="u:2"/></p:a>',
    );
    const [b, second] = root.children;
    assert.deepEqual(
      [root.prefix, root.namespace, b?.namespace, second?.namespace],
      ['p', 'u:1', 'u:d', 'u:2'],
    );
    assert.equal(b?.children[0]?.namespace, '');
    assert.deepEqual(root.attributes, [
      { prefix: '', localName: 'x', namespace: '', value: '1' },
      { prefix: 'p', localName: 'y', namespace: 'u:1', value: '2' },
    ]);
    assert.deepEqual(root.declarations, [
      { prefix: 'p', uri: 'u:1' },
      { prefix: '', uri: 'u:d' },
    ]);
  });

  it('with a namespace binding forgotten behind its element', () => {
    assert.match(refuse('<a><p:b xmlns:p="u:1"/><p:c/></a>').mensagem, /prefixo p de p:c não foi declarado/);
  });

  it('with attribute values normalised', () => {
    const { root } = accept('<a x="1\t2\r\n3\n4&#9;&#10;&#13;&lt;&quot;" y=\'"\'/>');
    assert.equal(attribute(root, 'x'), '1 2 3 4\t\n\r<"');
    assert.equal(attribute(root, 'y'), '"');
  });

  it('with text that resolves references and CDATA, normalises line ends, and leaves comments out', () => {
    const tree = accept(
      '<a>1\r\n2\r3&#13;<!-- x -->&amp;&#x20AC;<?pi y?><![CDATA[<&amp;\r\n]]><b>no</b>ç</a>',
    );
    assert.equal(tree.text(tree.root), '1\n2\n3\r&€<&amp;\nç');
    assert.equal(textAt(tree, tree.root, 'b'), 'no');
  });

  it('with comments inside a value joined, as the signature sees it', () => {
    const tree = accept('<a><CNPJ>123<!-- --><![CDATA[45]]>6</CNPJ></a>');
    assert.equal(textAt(tree, tree.root, 'CNPJ'), '123456');
  });

  it('with line and column counted in characters', () => {
    const tree = accept('<a>\nçã<b/></a>');
    assert.deepEqual(tree.position(child(tree.root, 'b')?.start ?? 0), { linha: 2, coluna: 3 });
  });

  it('and tells where something else begins behind the root', () => {
    const cases: [string, number][] = [
      ['<a/>\n<!-- x --><?p?> <b/>', 21],
      ['<a/><?xml version="1.0"?><a/>', 4],
      ['<a/>\0\0', 4],
      ['<a/> lixo', 5],
      ['<a/><!-- open', 4],
      ['<a/> \n', 6],
    ];
    for (const [xml, rest] of cases) {
      const result = scanXml(Buffer.from(xml));
      assert.ok(result.ok, xml);
      assert.equal(result.rest, rest, xml);
    }
  });
});

describe('scanXml accepts', () => {
  for (const xml of [
    '<a/>',
    '<a />',
    '<a></a >',
    '<?xml version="1.0" encoding="UTF-8" standalone="no" ?><a/>',
    "<?xml version = '1.0' encoding = 'utf-8'?>\r\n<a/>",
    '<!-- a - b --><?xml-stylesheet href="x"?><a/><!----><?p?>',
    '<a b=">" c="\'"/>',
    '<a>]] > ]]&gt;</a>',
    '<a><![CDATA[]]]]><![CDATA[>]]></a>',
    '<_a-1.b/>',
    '<a xml:lang="pt" xml:space="preserve" xml:id="x"/>',
    '<a xmlns:xml="http://www.w3.org/XML/1998/namespace"/>',
    '<a xmlns="http://u@h.br:80/p%20q/r?s=1&amp;t#f" xmlns:p="urn:x:y" xmlns:q="relativo"/>',
    '<a x="1" p:x="2" xmlns:p="u:1"/>',
    '<a>&#x10FFFF;\u{1F600}\u0085\u007f</a>',
    '<\u{10000}\u00b7/>',
  ]) {
    it(xml.slice(0, 60), () => {
      accept(xml);
    });
  }
});

describe('scanXml refuses', () => {
  const cases: [string, string | Uint8Array, RegExp][] = [
    ['an empty document', '', /nenhum elemento/],
    ['a document without element', '<?xml version="1.0"?><!-- -->', /nenhum elemento/],
    ['text before the root', 'x<a/>', /texto antes/],
    ['an open element', '<a><b></b>', /falta fechar <a>/],
    ['a truncated end tag', '<a></a', /falta fechar <a>/],
    ['a truncated start tag', '<a><b x="1"', /termina dentro de uma marca/],
    ['a wrong end tag', '<a><b></a></b>', /<\/a> não corresponde a <b>/],
    ['a longer end tag', '<a></ab>', /<\/ab> não corresponde/],
    ['a space before the end tag name', '<a></ a>', /não corresponde/],
    ['a lone <', '<a>1 < 2</a>', /nome de um elemento/],
    ['a lone &', '<a>A & B</a>', /& está solto/],
    ['an unknown entity', '<a>&nbsp;</a>', /entidade &nbsp; não existe/],
    ['an unknown entity in an attribute', '<a b="&foo;"/>', /entidade &foo;/],
    ['an empty numeric reference', '<a>&#;</a>', /Referência numérica/],
    ['letters in a numeric reference', '<a>&#1a;</a>', /Referência numérica/],
    ['an unfinished numeric reference', '<a>&#12</a>', /Referência numérica/],
    ['a reference to NUL', '<a>&#0;</a>', /não permite/],
    ['a reference to a surrogate', '<a>&#xD800;</a>', /não permite/],
    ['a reference to U+FFFE', '<a b="&#xFFFE;"/>', /não permite/],
    ['a reference beyond Unicode', '<a>&#x110000;</a>', /não permite/],
    ['a huge numeric reference', `<a>&#${'9'.repeat(400)};</a>`, /não permite/],
    [']]> in text', '<a>x]]>y</a>', /"\]\]>" não é permitida/],
    ['-- in a comment', '<a><!-- a -- b --></a>', /"--" não é permitida/],
    ['a comment ending in --->', '<a><!-- a ---></a>', /"--" não é permitida/],
    ['an open comment', '<a><!-- x</a>', /comentário não termina/],
    ['an open CDATA section', '<a><![CDATA[x</a>', /CDATA não termina/],
    ['an unknown <! inside', '<a><!ELEMENT b ANY></a>', /"<!" desconhecida/],
    ['a DOCTYPE inside the root', '<a><!DOCTYPE a></a>', /"<!" desconhecida/],
    ['an open processing instruction', '<a><?p x</a>', /não termina/],
    ['a processing instruction without target', '<a><? p?></a>', /instrução de processamento/],
    ['the target xml', '<a><?XmL x?></a>', /só é permitida no início/],
    ['a colon in the target', '<a><?p:q x?></a>', /dois-pontos/],
    ['junk in a target', '<a><?p+q x?></a>', /mal formada/],
    ['a second declaration', '<?xml version="1.0"?><?xml version="1.0"?><a/>', /só é permitida no início/],
    ['a declaration behind white space', ' <?xml version="1.0"?><a/>', /só é permitida no início/],
    ['junk in the declaration', '<?xml version="1.0" lixo?><a/>', /declaração/],
    ['a declaration without version', '<?xml encoding="UTF-8"?><a/>', /declaração/],
    ['version 2.0', '<?xml version="2.0"?><a/>', /declaração/],
    [
      'encoding behind standalone',
      '<?xml version="1.0" standalone="yes" encoding="UTF-8"?><a/>',
      /declaração/,
    ],
    [
      'a declared encoding that is not UTF-8',
      '<?xml version="1.0" encoding="ISO-8859-1"?><a/>',
      /diz ISO-8859-1/,
    ],
    ['< in an attribute', '<a b="<"/>', /não é permitido no valor/],
    ['a bare attribute', '<a b/>', /não tem valor/],
    ['an unquoted value', '<a b=1/>', /não está entre aspas/],
    ['an open value', '<a b="1/></a>', /não termina/],
    ['no space between attributes', '<a b="1"c="2"/>', /Falta um espaço/],
    ['a doubled attribute', '<a b="1" b="2"/>', /atributo b aparece mais de uma vez/],
    ['a doubled xmlns', '<a xmlns="u:1" xmlns="u:1"/>', /atributo xmlns aparece/],
    [
      'a doubled expanded name',
      '<a xmlns:p="u:1" xmlns:q="u:1" p:b="1" q:b="2"/>',
      /atributo b aparece mais/,
    ],
    ['an undeclared prefix', '<p:a/>', /prefixo p/],
    ['an undeclared attribute prefix', '<a p:b="1"/>', /prefixo p de p:b/],
    ['the prefix xmlns on an element', '<xmlns:a/>', /prefixo xmlns/],
    ['two colons', '<a:b:c xmlns:a="u:1"/>', /nome de um elemento/],
    ['an empty prefix', '<:a/>', /nome de um elemento/],
    ['an empty local name', '<a xmlns:p="u:1"><p:/></a>', /nome de um elemento/],
    ['a name that starts with a digit', '<1a/>', /nome de um elemento/],
    ['a name that starts with a combining mark', '<\u0300a/>', /nome de um elemento/],
    ['a name with a forbidden character', '<a\u00d7/>', /não termina|Falta um espaço/],
    ['an undeclaring prefix', '<a xmlns:p=""/>', /namespace vazio/],
    ['a redeclared xml prefix', '<a xmlns:xml="u:1"/>', /prefixo xml é reservado/],
    ['a declared xmlns prefix', '<a xmlns:xmlns="u:1"/>', /prefixo xmlns é reservado/],
    [
      'the xml namespace under another prefix',
      '<a xmlns:p="http://www.w3.org/XML/1998/namespace"/>',
      /reservado/,
    ],
    ['the xmlns namespace', '<a xmlns="http://www.w3.org/2000/xmlns/"/>', /reservado/],
    ['a namespace that is no URI', '<a xmlns=" http://x"/>', /URI/],
    ['a namespace with a bad port', '<a xmlns="http://x:80a/"/>', /URI/],
    ['an xml:id that is no name', '<a xml:id="1"/>', /xml:id/],
    ['a doubled xml:id', '<a xml:id="x"><b xml:id="x"/></a>', /mais de uma vez/],
    ['a control character in text', '<a>\u000b</a>', /caractere de controle 0x0B/],
    ['a control character in an attribute', '<a b="\u0001"/>', /controle 0x01/],
    ['a control character in a comment', '<a><!-- \u0002 --></a>', /controle 0x02/],
    ['a control character in an instruction', '<?p \u0003?><a/>', /controle 0x03/],
    ['NUL in a tag', '<a></\0a>', /não corresponde|controle/],
    ['U+FFFE in an attribute', '<a b="\ufffe"/>', /inválido em UTF-8/],
    ['U+FFFF in CDATA', '<a><![CDATA[\uffff]]></a>', /inválido em UTF-8/],
    [
      'a byte that is no UTF-8',
      Buffer.from([0x3c, 0x61, 0x3e, 0xe7, 0x3c, 0x2f, 0x61, 0x3e]),
      /inválido em UTF-8/,
    ],
    [
      'an overlong encoding',
      Buffer.from([0x3c, 0x61, 0x3e, 0xc0, 0xaf, 0x3c, 0x2f, 0x61, 0x3e]),
      /inválido em UTF-8/,
    ],
    ['a byte order mark', '\ufeff<a/>', /texto antes/],
    ['an endless name', `<${'a'.repeat(1001)}/>`, /nome de um elemento/],
  ];
  for (const [what, xml, message] of cases) {
    it(what, () => {
      const { codigo, mensagem } = refuse(xml);
      assert.equal(codigo, 'xml_mal_formado');
      assert.match(mensagem, message);
    });
  }

  it('DOCTYPE, whatever it declares', () => {
    for (const xml of [
      '<!DOCTYPE a><a/>',
      '<?xml version="1.0"?><!-- --><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
      '<!doctype html><html></html>',
    ]) {
      const { codigo, mensagem } = refuse(xml);
      assert.equal(codigo, 'doctype_proibido');
      assert.match(mensagem, /DOCTYPE não permitido/);
    }
  });

  it('depth beyond the limit, and tells the limit', () => {
    accept('<a>'.repeat(100) + '</a>'.repeat(100));
    const { codigo, mensagem } = refuse('<a>'.repeat(101) + '</a>'.repeat(101));
    assert.equal(codigo, 'xml_profundo_demais');
    assert.match(mensagem, /100 níveis/);
  });

  it('too many attributes, declarations included', () => {
    const attributes = (count: number) => Array.from({ length: count }, (_, i) => ` a${i}=""`).join('');
    accept(`<a xmlns="u:1"${attributes(255)}/>`);
    assert.equal(refuse(`<a xmlns="u:1"${attributes(256)}/>`).codigo, 'xml_atributos_demais');
  });

  it('namespaces that hold together are too long, wherever they were declared', () => {
    const uri = (length: number) => `u:${'u'.repeat(length - 2)}`;
    accept(`<a xmlns="${uri(8_000)}"/>`);
    assert.equal(refuse(`<a xmlns="${uri(9_000)}"/>`).codigo, 'xml_namespaces_demais');
    // What no expression could be matched with.
    assert.equal(refuse(`<a xmlns="${uri(9_000_000)}"/>`).codigo, 'xml_namespaces_demais');
    accept(`<a><b xmlns:p="${uri(5_000)}"/><b xmlns:q="${uri(5_000)}"/></a>`);
    const nested = `<a xmlns:p="${uri(5_000)}"><b xmlns:q="${uri(5_000)}"/></a>`;
    assert.equal(refuse(nested).codigo, 'xml_namespaces_demais');
    accept(`<a xmlns="${uri(5_000)}"><b xmlns="${uri(5_000)}"/></a>`);
  });

  it('too many elements', () => {
    const limits = { ...XML_LIMITS, elements: 3 };
    assert.equal(scanXml(Buffer.from('<a><b/><b/></a>'), limits).ok, true);
    assert.equal(refuse('<a><b/><b/><b/></a>', limits).codigo, 'xml_elementos_demais');
  });

  it('with the path, line and column of the fault', () => {
    const { elemento, linha, coluna } = refuse('<a>\n<b/><b><c>ç & d</c></b></a>');
    assert.deepEqual({ elemento, linha, coluna }, { elemento: 'a/b[2]/c', linha: 2, coluna: 13 });
  });

  it('with the path of a control character', () => {
    assert.equal(refuse('<a><b><c>x</c><d>\u0001</d></b></a>').elemento, 'a/b/d');
  });
});

describe('scanXml stays linear', () => {
  it('on documents made to be slow', () => {
    const many = 60_000;
    const declarations = Array.from({ length: 250 }, (_, i) => ` xmlns:p${i}="u:${i}"`).join('');
    const nested = `<b${declarations}>`.repeat(98);
    accept(`<a>${nested}${'<p1:x/>'.repeat(many)}${'</b>'.repeat(98)}</a>`);
    accept(`<a>${'&amp;<![CDATA[]]>'.repeat(many)}</a>`);
    refuse(`<a>${'<![CDATA['.repeat(many)}`);
    refuse('<'.repeat(many));
    refuse(`<a ${'b '.repeat(many)}/>`);
    refuse(`<?xml version="1.0"${' '.repeat(many)}x?><a/>`);
  });

  it('and keeps the parents of the deepest element', () => {
    const { root } = accept('<a>'.repeat(100) + '</a>'.repeat(100));
    let last = root;
    for (let next = root.children[0]; next; next = next.children[0]) last = next;
    let above = 0;
    for (let { parent } = last; parent; { parent } = parent) above++;
    assert.equal(above, 99);
    // The innermost steps of a path that is too long are told.
    assert.equal(elementPath(last), Array(100).fill('a').join('/'));
    const long = accept(`<${'n'.repeat(90)}>`.repeat(9) + `</${'n'.repeat(90)}>`.repeat(9)).root;
    const innermost = [...walk(long)].at(-1) ?? long;
    assert.equal(
      elementPath(innermost),
      `…/${Array(3)
        .fill(`${'n'.repeat(59)}…`)
        .join('/')}`,
    );
  });
});

describe('places in a document', () => {
  it('are told in whatever order they are asked for', () => {
    const text = '<a>\n <é/>\r\n\n<b/></a>';
    const scan = scanXml(Buffer.from(text));
    assert.ok(scan.ok);
    const bytes = Buffer.from(text);
    const places = [
      [bytes.indexOf('<b/>'), { linha: 4, coluna: 1 }],
      [bytes.indexOf('<é'), { linha: 2, coluna: 2 }],
      [bytes.indexOf('/>'), { linha: 2, coluna: 4 }],
      [bytes.indexOf('</a>'), { linha: 4, coluna: 5 }],
      [0, { linha: 1, coluna: 1 }],
    ] as const;
    for (const [offset, place] of places) assert.deepEqual(scan.tree.position(offset), place);
  });
});
