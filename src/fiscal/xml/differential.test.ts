import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ParseOption, XmlC14NMode, XmlDocument } from 'libxml2-wasm';
import { canonicalize } from './c14n.ts';
import { scanXml } from './scan.ts';
import { walk, type XmlElement } from './tree.ts';

/**
 * Soundness against libxml2: what our scanner accepts, libxml2 accepts, and both see the same canonical content.
 * Mutants come from a seeded generator, so that a failure can be repeated.
 */

const OPTIONS = { option: ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE };

const SEEDS = [
  '<?xml version="1.0" encoding="UTF-8"?>\n<nfeProc versao="4.00" xmlns="http://www.portalfiscal.inf.br/nfe"><NFe><infNFe Id="NFe35" versao="4.00"><ide><cUF>35</cUF><natOp>VENDA &amp; REVENDA</natOp></ide><det nItem="1"><prod><xProd>Açúcar &lt;5kg&gt; &#231;</xProd><vProd>10.00</vProd></prod></det></infNFe><Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo/></Signature></NFe></nfeProc>\n',
  '<?xml version="1.0"?><!-- c --><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:x="urn:x"><s:Body x:k="1" k="2"><?pi data?><a xmlns=""><![CDATA[<b>&]]></a><x:b xml:lang="pt" xmlns:x="urn:y"/></s:Body></s:Envelope><!-- end -->',
  '<a b=\'x"y\' c="&#9;&quot;\t"><!----><d xml:id="i1"/><d xml:id="i2">]] > \r\n\r</d>\u{1F600}\u20ac</a>',
];

const SNIPPETS = [
  ...[
    '<',
    '>',
    '&',
    '"',
    "'",
    '/',
    '=',
    ' ',
    ':',
    ';',
    '!',
    '?',
    '-',
    '--',
    ']]>',
    '<!--',
    '-->',
    '<![CDATA[',
    '\r',
    '\n',
    '\t',
  ],
  ...[
    '&amp;',
    '&#0;',
    '&#x41;',
    '&#xFFFE;',
    '&x;',
    '<?xml version="1.0"?>',
    '<?xml?>',
    '<?p?>',
    '<?XML x?>',
    '<x/>',
    '</x>',
    '<x:y/>',
  ],
  ...[
    ' xmlns="u:1"',
    ' xmlns:x="urn:x"',
    ' xmlns:p=""',
    ' xmlns=" u"',
    ' k="2"',
    ' x:k="2"',
    ' xml:id="i1"',
    ' a="<"',
    ' xmlns:xml="u:2"',
  ],
  ...[
    '\0',
    '\u0001',
    '\u000b',
    '\ufffe',
    '\uffff',
    '\ufeff',
    '\u00e7',
    '\u0300',
    '\u{10000}',
    '1',
    'xmlns',
    'xml:',
    '<!DOCTYPE a>',
    '%',
    '#',
  ],
];

/** Small linear congruential generator: enough to spread mutations, the same on every machine. */
function generator(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function mutate(seed: Buffer, random: (below: number) => number): Buffer {
  let bytes = seed;
  for (let times = 1 + random(2); times > 0; times--) {
    const at = random(bytes.length + 1);
    const length = random(4) === 0 ? random(30) : random(3);
    const rest = bytes.subarray(Math.min(bytes.length, at + length));
    const middle = [
      () => Buffer.alloc(0),
      () => Buffer.from(SNIPPETS[random(SNIPPETS.length)] ?? ''),
      () => Buffer.from([random(256)]),
      () => {
        const from = random(bytes.length);
        return bytes.subarray(from, from + random(60));
      },
    ][random(4)];
    const kept = random(2) === 0 ? bytes.subarray(at) : rest;
    bytes = Buffer.concat([bytes.subarray(0, at), middle?.() ?? Buffer.alloc(0), kept]);
  }
  return bytes;
}

/** libxml2's canonical form; throws when it refuses the document, null when only the form is impossible. */
function official(bytes: Uint8Array, mode: 0 | 1): string | null {
  using document = XmlDocument.fromBuffer(bytes, OPTIONS);
  try {
    return document.canonicalizeToString({ mode, withComments: true });
  } catch {
    // Canonical XML forbids relative namespace names, which are well-formed all the same.
    return null;
  }
}

/** libxml2 forgets to escape `&` in a namespace name; there we follow the recommendation instead. */
function hasAmpersandInNamespace(root: XmlElement): boolean {
  return [...walk(root)].some(({ declarations }) => declarations.some(({ uri }) => uri.includes('&')));
}

/** False when we refuse the mutant. libxml2's form has the comments and instructions around the root too. */
function assertAgrees(mutant: Buffer): boolean {
  const result = scanXml(mutant);
  if (!result.ok || result.rest !== mutant.length) return false;
  const shown = JSON.stringify(mutant.toString('latin1'));
  for (const exclusive of [false, true]) {
    let theirs: string | null;
    try {
      theirs = official(mutant, exclusive ? XmlC14NMode.XML_C14N_EXCLUSIVE_1_0 : XmlC14NMode.XML_C14N_1_0);
    } catch (error) {
      assert.fail(`libxml2 refuses what we accept: ${shown}: ${String(error)}`);
    }
    const { tree } = result;
    if (theirs === null || hasAmpersandInNamespace(tree.root)) continue;
    const ours = Buffer.from(canonicalize(tree, tree.root, { exclusive, withComments: true })).toString();
    const at = theirs.indexOf(ours);
    assert.ok(at >= 0, `canonical forms differ for ${shown}:\n${ours}\n${theirs}`);
    const around = theirs.slice(0, at) + theirs.slice(at + ours.length);
    assert.match(around, /^(?:<!--.*?-->|<\?.*?\?>|\s)*$/s, `libxml2 sees more in ${shown}`);
  }
  return true;
}

describe('scanXml and canonicalize against libxml2', () => {
  for (const [index, xml] of SEEDS.entries()) {
    it(`agree on 1,500 mutants of seed document ${index + 1}`, () => {
      const random = generator(20260301 + index);
      const seed = Buffer.from(xml);
      assert.ok(assertAgrees(seed));
      let accepted = 0;
      for (let i = 0; i < 1500; i++) if (assertAgrees(mutate(seed, random))) accepted++;
      assert.ok(accepted > 150, `only ${accepted} mutants were accepted: the test proves little`);
    });
  }

  it('agree that most refused mutants are refused by libxml2 too', () => {
    const random = generator(7);
    let both = 0;
    let alone = 0;
    for (let i = 0; i < 600; i++) {
      const mutant = mutate(Buffer.from(SEEDS[i % SEEDS.length] ?? ''), random);
      if (scanXml(mutant).ok) continue;
      try {
        XmlDocument.fromBuffer(mutant, OPTIONS).dispose();
        alone++;
      } catch {
        both++;
      }
    }
    assert.ok(alone < both / 20, `refused by us alone: ${alone}, by both: ${both}`);
  });
});
