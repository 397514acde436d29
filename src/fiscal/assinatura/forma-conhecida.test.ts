import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { scanFast } from '../camadas.ts';
import { C14N, CONTENT, first, INF, NFE, nfe, PLAIN, scan, signature, swap } from './amostras-de-teste.ts';
import { verifyKnownForm } from './forma-conhecida.ts';
import { signaturesBeside } from './structure.ts';
import { verifySignature } from './verify.ts';

/** The fast tier's tree. */
function tapeOf(xml: string) {
  return scanFast(Buffer.from(xml), 'ambas') ?? assert.fail('not taken by the fast tier');
}

function knownForm(xml: string) {
  const tree = tapeOf(xml);
  const signed = first(tree);
  const [found] = signaturesBeside(signed);
  return verifyKnownForm(tree, { signed, signature: found ?? assert.fail('no signature') });
}

/** Both tiers: by known forms, and by elements, which know none of a slow tree. */
function verdicts(xml: string) {
  const [tape, tree] = [tapeOf(xml), scan(xml)];
  return { fast: verifySignature(tape, first(tape)), slow: verifySignature(tree, first(tree)) };
}

const ONE = nfe(INF, signature());

function other(id: string, content: string): string {
  const form = `<infNFe xmlns="${NFE}" Id="${id}" versao="4.00">${content}</infNFe>`;
  return nfe(`<infNFe Id="${id}" versao="4.00">${content}</infNFe>`, signature({ form, uri: `#${id}` }));
}

describe('verifyKnownForm', () => {
  before(() => {
    verdicts(ONE);
  });

  it('finds a document intact that is written as one before, with other values', () => {
    const xml = other('NFe2', '<ide><cUF>41</cUF></ide>');
    assert.deepEqual(knownForm(xml), verdicts(xml).slow);
    assert.equal(knownForm(xml)?.resultado, 'integra');
  });

  const altered: readonly (readonly [string, string])[] = [
    ['a changed content', swap(ONE, '<cUF>35', '<cUF>36')],
    ['a changed Id', swap(ONE, 'Id="NFe1"', 'Id="NFe2"')],
    ['another URI', swap(ONE, 'URI="#NFe1"', 'URI="#NFe2"')],
    ['an Id that stands twice', swap(ONE, '<ide>', '<ide Id="NFe1">')],
    [
      'a changed digest',
      swap(ONE, '<DigestValue>', '<DigestValue>A').replace('=</DigestValue>', '</DigestValue>'),
    ],
    ['a changed value', swap(ONE, /<SignatureValue>../, '<SignatureValue>AA')],
    ['spare bits in the value', swap(ONE, /.==<\/SignatureValue>/, '/==</SignatureValue>')],
    ['a comment in the certificate', swap(ONE, '<X509Certificate>', '<X509Certificate><!-- -->')],
    ['a certificate cut short', swap(ONE, /.{40}<\/X509Certificate>/, '</X509Certificate>')],
    ['two signed groups', swap(ONE, INF, INF + swap(INF, 'Id="NFe1"', 'Id="NFe3"'))],
    ['another transform', swap(ONE, `<Transform Algorithm="${C14N}">`, '<Transform Algorithm="u:x">')],
    ['a signature without certificate', swap(ONE, /<X509Certificate>.*<\/X509Certificate>/, '')],
    ['a prefix in scope', swap(ONE, '<NFe ', '<NFe xmlns:x="u:x" ')],
  ];
  for (const [name, xml] of altered) {
    it(`leaves ${name} to the reading by elements`, () => {
      assert.equal(knownForm(xml), null);
      const { fast, slow } = verdicts(xml);
      assert.deepEqual(fast, slow);
      assert.equal(slow.resultado, 'alterada');
    });
  }

  it('leaves an Id with a quote in it, which the URI would end at', () => {
    const id = 'NFe1" Type="b';
    const form = `<infNFe xmlns="${NFE}" Id="NFe1&quot; Type=&quot;b" versao="4.00">${CONTENT}</infNFe>`;
    const xml = nfe(
      `<infNFe Id="NFe1&quot; Type=&quot;b" versao="4.00">${CONTENT}</infNFe>`,
      signature({ ...PLAIN, form, uri: `#${id}` }),
    );
    assert.equal(knownForm(xml), null);
    const { fast, slow } = verdicts(xml);
    assert.deepEqual(fast, slow);
    assert.equal(fast.resultado, 'alterada');
  });
});
