import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ParseOption, XmlC14NMode, XmlDocument, XmlNode } from 'libxml2-wasm';
import { type C14nOptions, canonicalize } from './c14n.ts';
import { scanXml } from './scan.ts';
import { walk, type XmlElement, type XmlTree } from './tree.ts';

const INCLUSIVE: C14nOptions = { exclusive: false, withComments: false };
const EXCLUSIVE: C14nOptions = { exclusive: true, withComments: false };

function scan(xml: string): XmlTree {
  const result = scanXml(Buffer.from(xml));
  return result.ok ? result.tree : assert.fail(result.rejeicao.mensagem);
}

/** Canonical form of the first element with this local name. */
function form(xml: string, localName: string, options: C14nOptions): string {
  const tree = scan(xml);
  const element = find(tree, localName);
  return Buffer.from(canonicalize(tree, element, options)).toString('utf8');
}

function find(tree: XmlTree, localName: string): XmlElement {
  for (const element of walk(tree.root)) if (element.localName === localName) return element;
  return assert.fail(`no ${localName}`);
}

describe('canonicalize', () => {
  it('leaves a canonical element as it is', () => {
    const xml = '<a xmlns="u:1"><b n="1">ç</b><c>x &amp; y</c></a>';
    assert.equal(form(xml, 'a', INCLUSIVE), xml);
  });

  it('gives the inherited default namespace to the element, once', () => {
    const xml = '<NFe xmlns="u:nfe"><infNFe Id="x"><ide><cUF>35</cUF></ide></infNFe></NFe>';
    assert.equal(
      form(xml, 'infNFe', INCLUSIVE),
      '<infNFe xmlns="u:nfe" Id="x"><ide><cUF>35</cUF></ide></infNFe>',
    );
    assert.equal(
      form(xml, 'infNFe', EXCLUSIVE),
      '<infNFe xmlns="u:nfe" Id="x"><ide><cUF>35</cUF></ide></infNFe>',
    );
  });

  it('inherits unused namespaces in the inclusive form only', () => {
    const xml = '<a xmlns:z="u:z" xmlns:b="u:b" xmlns="u:d"><b:c z="1"><d/></b:c></a>';
    assert.equal(
      form(xml, 'c', INCLUSIVE),
      '<b:c xmlns="u:d" xmlns:b="u:b" xmlns:z="u:z" z="1"><d></d></b:c>',
    );
    assert.equal(form(xml, 'c', EXCLUSIVE), '<b:c xmlns:b="u:b" z="1"><d xmlns="u:d"></d></b:c>');
  });

  it('takes the nearest of two inherited bindings', () => {
    const xml = '<a xmlns:p="u:1"><b xmlns:p="u:2"><c p:x=""/></b></a>';
    assert.equal(form(xml, 'c', INCLUSIVE), '<c xmlns:p="u:2" p:x=""></c>');
  });

  it('drops declarations that repeat what holds already', () => {
    const xml =
      '<a xmlns="u:1" xmlns:p="u:2"><b xmlns="u:1"><p:c xmlns:p="u:2"/><p:c xmlns:p="u:3"/></b></a>';
    assert.equal(
      form(xml, 'a', INCLUSIVE),
      '<a xmlns="u:1" xmlns:p="u:2"><b><p:c></p:c><p:c xmlns:p="u:3"></p:c></b></a>',
    );
  });

  it('undeclares the default namespace only where one was written', () => {
    assert.equal(
      form('<a xmlns=""><b xmlns="u:1"><c xmlns=""/></b></a>', 'a', INCLUSIVE),
      '<a><b xmlns="u:1"><c xmlns=""></c></b></a>',
    );
    assert.equal(form('<a xmlns="u:1"><b xmlns=""/></a>', 'b', INCLUSIVE), '<b></b>');
    assert.equal(
      form('<a xmlns="u:1"><b xmlns=""/></a>', 'a', EXCLUSIVE),
      '<a xmlns="u:1"><b xmlns=""></b></a>',
    );
  });

  it('declares exclusively used prefixes again on each branch, and honours the inclusive list', () => {
    const xml = '<a xmlns:p="u:p" xmlns:q="u:q" xmlns="u:d"><b><p:c/><p:c/></b></a>';
    assert.equal(
      form(xml, 'b', EXCLUSIVE),
      '<b xmlns="u:d"><p:c xmlns:p="u:p"></p:c><p:c xmlns:p="u:p"></p:c></b>',
    );
    assert.equal(
      form(xml, 'b', { ...EXCLUSIVE, inclusivePrefixes: ['q', 'p', 'missing'] }),
      '<b xmlns="u:d" xmlns:p="u:p" xmlns:q="u:q"><p:c></p:c><p:c></p:c></b>',
    );
    assert.equal(
      form('<a xmlns="u:d"><p:b xmlns:p="u:p"/></a>', 'b', { ...EXCLUSIVE, inclusivePrefixes: [''] }),
      '<p:b xmlns="u:d" xmlns:p="u:p"></p:b>',
    );
  });

  it('inherits xml:* attributes in the inclusive form only, the nearest first', () => {
    const xml = '<a xml:lang="pt" xml:space="preserve"><b xml:lang="en"><c x="1"/></b></a>';
    assert.equal(form(xml, 'c', INCLUSIVE), '<c x="1" xml:lang="en" xml:space="preserve"></c>');
    assert.equal(form(xml, 'c', EXCLUSIVE), '<c x="1"></c>');
  });

  it('orders attributes by namespace name, then local name, by code point', () => {
    const xml =
      '<a xmlns:b="u:2" xmlns:c="u:1" b:x="1" c:z="2" c:y="3" z="4" B="5" a="6" \uff5e="7" \u{10000}="8"/>';
    assert.equal(
      form(xml, 'a', INCLUSIVE).replace(/ xmlns:.="[^"]*"/g, ''),
      '<a B="5" a="6" z="4" \uff5e="7" \u{10000}="8" c:y="3" c:z="2" b:x="1"></a>'.replace(
        '\uff5e="7"',
        '\uff5e="7"',
      ),
    );
  });

  it('escapes text and attributes each in their own way', () => {
    const xml = '<a b=\'"&lt;>&amp;&#9;&#10;&#13;\t\'>"&lt;>&amp;&#9;&#13;&quot;&apos;&#231;</a>';
    assert.equal(
      form(xml, 'a', INCLUSIVE),
      '<a b="&quot;&lt;>&amp;&#x9;&#xA;&#xD; ">"&lt;&gt;&amp;\t&#xD;"\'ç</a>',
    );
  });

  it('turns line ends into LF, CDATA into text, and closes empty tags', () => {
    assert.equal(
      form('<a>1\r\n2\r3<![CDATA[<&>\r\n]]><b  /></a >', 'a', INCLUSIVE),
      '<a>1\n2\n3&lt;&amp;&gt;\n<b></b></a>',
    );
  });

  it('keeps processing instructions, and comments when asked', () => {
    const xml = '<a><!-- x\r\ny --><?p   data ?><?q?>z</a>';
    assert.equal(form(xml, 'a', INCLUSIVE), '<a><?p data ?><?q?>z</a>');
    assert.equal(
      form(xml, 'a', { ...INCLUSIVE, withComments: true }),
      '<a><!-- x\ny --><?p data ?><?q?>z</a>',
    );
  });

  it('leaves the enveloped signature out, and the text around it in', () => {
    const tree = scan('<a>1<Signature><x/></Signature>2<b/></a>');
    const options = { ...INCLUSIVE, omit: find(tree, 'Signature') };
    assert.equal(Buffer.from(canonicalize(tree, tree.root, options)).toString(), '<a>12<b></b></a>');
  });

  it('grows with escapes that make the form longer than the document', () => {
    const text = '>'.repeat(5000);
    assert.equal(form(`<a>${text}</a>`, 'a', INCLUSIVE), `<a>${'&gt;'.repeat(5000)}</a>`);
  });
});

const SAMPLES = [
  '<a xmlns="u:1" xmlns:p="u:2"><p:b c="1" p:c="2"><d xmlns=""/><e xmlns="u:3" xmlns:p="u:4"><p:f/></e></p:b></a>',
  '<z:a xmlns:z="u:z" xmlns:y="u:y" y:q="1" xml:lang="pt"><z:b z:r="&lt;&#xD;"/>\r\n\t<y:c xmlns:y="u:z"/></z:a>',
  '<a><![CDATA[]]>&gt;<?p  a  b ?><!-- c --><b><!----></b>\u{1F600}&#x1F600;</a>',
  '<a xmlns:p="u:1"><b xmlns="u:2"><p:c/></b><p:d xmlns:p="u:1"><c p:e="" xmlns:q="u:5"/></p:d></a>',
  '<p:a xmlns:p="u:1"><b><c xmlns:p="u:2" p:d="x"><p:e/></c></b></p:a>',
  '<ação xmlns:ç="u:1" ç:é="1" à="2"><ç:b/></ação>',
];

describe('canonicalize agrees with libxml2', () => {
  for (const [index, xml] of SAMPLES.entries()) {
    for (const [exclusive, mode] of [
      [false, XmlC14NMode.XML_C14N_1_0],
      [true, XmlC14NMode.XML_C14N_EXCLUSIVE_1_0],
    ] as const) {
      it(`on every element of sample ${index + 1}, ${exclusive ? 'exclusive' : 'inclusive'}`, () => {
        const tree = scan(xml);
        using document = XmlDocument.fromBuffer(Buffer.from(xml), { option: ParseOption.XML_PARSE_NONET });
        for (const withComments of [false, true]) {
          const official = document.canonicalizeToString({ mode, withComments });
          const ours = canonicalize(tree, tree.root, { exclusive, withComments });
          assert.equal(Buffer.from(ours).toString(), official);
        }
        for (const element of walk(tree.root)) {
          const ours = Buffer.from(canonicalize(tree, element, { exclusive, withComments: true })).toString();
          assert.equal(ours, officialSubtree(document, { tree, element, mode }));
        }
      });
    }
  }
});

describe('canonicalize agrees with libxml2 on the inclusive list', () => {
  // Declared anew, undone, used before it is declared again, on a branch of its own.
  const DECLARED_ANEW =
    '<a xmlns:p="u:1" xmlns:q="u:q"><b xmlns:p="u:2"><c/><p:c/><d xmlns:p="u:1"><p:e/></d></b><f xmlns:r="u:r" xmlns="u:d"><r:g/><h xmlns=""/></f></a>';
  const PREFIXES = ['p', 'q', 'r', 'nobody'];
  for (const [index, xml] of [...SAMPLES, DECLARED_ANEW].entries()) {
    it(`on every element of sample ${index + 1}`, () => {
      const tree = scan(xml);
      using document = XmlDocument.fromBuffer(Buffer.from(xml), { option: ParseOption.XML_PARSE_NONET });
      const mode = XmlC14NMode.XML_C14N_EXCLUSIVE_1_0;
      for (const element of walk(tree.root)) {
        const options = { exclusive: true, withComments: true, inclusivePrefixes: PREFIXES };
        const ours = Buffer.from(canonicalize(tree, element, options)).toString();
        assert.equal(ours, officialSubtree(document, { tree, element, mode, prefixes: PREFIXES }));
      }
    });
  }
});

function officialSubtree(
  document: XmlDocument,
  {
    tree,
    element,
    mode,
    prefixes = [],
  }: { tree: XmlTree; element: XmlElement; mode: 0 | 1 | 2; prefixes?: string[] },
): string {
  const node = document.find('//*')[[...walk(tree.root)].indexOf(element)];
  assert.ok(node instanceof XmlNode);
  return node.canonicalizeToString({ mode, withComments: true, inclusiveNamespacePrefixes: prefixes });
}
