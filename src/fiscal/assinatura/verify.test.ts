import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { scanXml } from '../xml/scan.ts';
import { walk } from '../xml/tree.ts';
import {
  assertAltered,
  assertIntact,
  C14N,
  COMPANY,
  DSIG,
  ENVELOPED,
  EXC,
  INF,
  issue,
  MODERN,
  NFE,
  nfe,
  PLAIN,
  SHA256,
  signature,
  swap,
  transform,
  verdictOf,
} from './amostras-de-teste.ts';
import { verifySignature } from './verify.ts';

const SHA1_DE_INF = createHash('sha1').update(PLAIN.form).digest('base64');

describe('verifySignature finds intact', () => {
  it('a document signed as NF-e 4.00 asks: SHA-1, Canonical XML 1.0', () => {
    assert.deepEqual(verdictOf(nfe(INF, signature())), {
      resultado: 'integra',
      motivo: null,
      algoritmo: 'rsa-sha1',
      titular: 'EMPRESA DE TESTE LTDA:12345678000195',
      digestCalculado: SHA1_DE_INF,
      digestMetodo: 'sha1',
      signatario: {
        titularDocumento: '12345678000195',
        cadeia: 'invalida',
        validade: { de: Date.UTC(2026, 0, 1), ate: Date.UTC(2027, 0, 1) },
        validadeDaCadeia: null,
      },
    });
  });

  it('a document with SHA-256 and exclusive canonicalization, whatever namespaces surround it', () => {
    const xml = nfe(INF, signature(MODERN));
    assert.equal(verdictOf(xml).algoritmo, 'rsa-sha256');
    assertIntact(`<lote xmlns:x="u:x" xmlns="u:lote">${xml}</lote>`);
  });

  it('a document inside its wrapper', () => {
    assertIntact(
      `<nfeProc versao="4.00" xmlns="${NFE}">${swap(nfe(INF, signature()), ` xmlns="${NFE}"`, '')}<protNFe/></nfeProc>`,
    );
  });

  it('inclusive namespaces of the wrapper only when they were signed', () => {
    assertAltered(`<lote xmlns:x="u:x">${nfe(INF, signature())}</lote>`, /digest/);
    const form = swap(PLAIN.form, ` xmlns="${NFE}"`, ` xmlns="${NFE}" xmlns:x="u:x"`);
    const signedInfo = (text: string) =>
      swap(text, `<SignedInfo xmlns="${DSIG}"`, `<SignedInfo xmlns="${DSIG}" xmlns:x="u:x"`);
    const made = swap(signature({ form }, signedInfo), '<SignedInfo xmlns:x="u:x">', '<SignedInfo>');
    assertIntact(`<lote xmlns:x="u:x">${nfe(INF, made)}</lote>`);
  });

  it('prefixes of an inclusive list', () => {
    const list = `<InclusiveNamespaces xmlns="${EXC}" PrefixList="x #default"></InclusiveNamespaces>`;
    const transforms = transform(ENVELOPED) + swap(transform(EXC), '><', `>${list}<`);
    const form = swap(PLAIN.form, ` xmlns="${NFE}"`, ` xmlns="${NFE}" xmlns:x="u:x"`);
    assertIntact(
      `<lote xmlns:x="u:x" xmlns:y="u:y">${nfe(INF, signature({ ...MODERN, transforms, form }))}</lote>`,
    );
  });

  it('the enveloped transform alone, which means Canonical XML 1.0', () => {
    assertIntact(nfe(INF, signature({ transforms: transform(ENVELOPED) })));
  });

  it('empty tags, single quotes and CDATA written another way', () => {
    const inf = INF.replace('Id="NFe1"', "versao='4.00'  Id='NFe1'").replace(' versao="4.00">', '>');
    assertIntact(
      nfe(
        inf.replace('10.00', '<![CDATA[10.00]]>'),
        signature().replaceAll(/><\/(Transform|DigestMethod)>/g, '/>'),
      ),
    );
  });

  it('white space and line breaks of Base64, as Java writes them', () => {
    const made = signature()
      .replace(/(<SignatureValue>.{76})/, '$1&#13;\n')
      .replace(/(<X509Certificate>.{64})/, '$1\n');
    assertIntact(nfe(INF, made));
  });

  it('comments in the content, which a reference by Id never selects', () => {
    const withComments = `${EXC}WithComments`;
    const recipe = {
      ...MODERN,
      transforms: transform(ENVELOPED) + transform(withComments),
      canonicalization: withComments,
    };
    assertIntact(nfe(swap(INF, '<cUF>', '<!-- uf --><cUF>'), signature(recipe)));
  });

  it('comments in SignedInfo when its form leaves them out, and not when it keeps them', () => {
    const comment = (made: string) => swap(made, '<SignatureMethod', '<!-- x --><SignatureMethod');
    assertIntact(nfe(INF, comment(signature())));
    assertAltered(nfe(INF, comment(signature({ canonicalization: `${C14N}#WithComments` }))), /RSA/);
  });

  it('further certificates behind the first', () => {
    const chain = `</X509Certificate><X509Certificate>${issue(1024).certificate}</X509Certificate>`;
    assertIntact(nfe(INF, swap(signature(), '</X509Certificate>', chain)));
  });

  it('an Id written as id or ID', () => {
    for (const name of ['id', 'ID']) {
      const form = PLAIN.form.replace('Id="NFe1"', `${name}="NFe1"`);
      assertIntact(nfe(INF.replace('Id=', `${name}=`), signature({ form })));
    }
  });
});

describe('verifySignature finds no signature', () => {
  it('when none stands beside the element', () => {
    const none = {
      resultado: 'sem_assinatura',
      motivo: null,
      algoritmo: null,
      titular: null,
      digestCalculado: SHA1_DE_INF,
      digestMetodo: 'sha1',
      signatario: null,
    };
    assert.deepEqual(verdictOf(nfe(INF)), none);
    assert.deepEqual(verdictOf(swap(INF, '<infNFe', `<infNFe xmlns="${NFE}"`)), none);
    assert.deepEqual(verdictOf(`<nfeProc>${nfe(INF)}${signature()}</nfeProc>`), none);
  });
});

describe('verifySignature finds altered', () => {
  const good = nfe(INF, signature());

  it('changed content', () => {
    assertAltered(swap(good, '10.00', '90.00'), /resumo \(digest\) de infNFe não confere/);
    assertAltered(swap(good, '<ide>', '<ide>\n  '), /digest/);
    assertAltered(swap(good, NFE, 'http://outro'), /digest/);
  });

  it('a changed SignedInfo, whose digest fits the changed content', () => {
    const form = PLAIN.form.replace('10.00', '90.00');
    const digest = createHash('sha1').update(form).digest('base64');
    const xml = swap(swap(good, '10.00', '90.00'), /<DigestValue>[^<]*/, `<DigestValue>${digest}`);
    assertAltered(xml, /assinatura RSA não confere/);
  });

  it('a signature made with another key than the certificate shows', () => {
    assertAltered(
      nfe(INF, signature({ identity: { ...COMPANY, key: issue(2048).key } })),
      /assinatura RSA não confere/,
    );
  });

  it('any single changed byte of content, SignedInfo or SignatureValue', () => {
    const bytes = Buffer.from(good);
    const from = good.indexOf('<infNFe');
    const to = good.indexOf('</SignatureValue>');
    let judged = 0;
    for (let at = from; at < to; at++) {
      const mutant = Buffer.from(bytes);
      mutant[at] = (mutant[at] ?? 0) ^ 1;
      const result = scanXml(mutant);
      if (!result.ok) continue;
      const signed = [...walk(result.tree.root)].find((element) => element.localName === 'infNFe');
      if (!signed) continue;
      judged++;
      const { resultado } = verifySignature(result.tree, signed);
      assert.notEqual(resultado, 'integra', `byte ${at}: ${mutant.toString('utf8', at - 20, at + 20)}`);
    }
    assert.ok(judged > 500, `only ${judged} mutants were judged`);
  });
});

describe('the digest of a verdict', () => {
  const digest = (xml: string) => {
    const { digestCalculado, digestMetodo } = verdictOf(xml);
    return [digestCalculado, digestMetodo];
  };
  const of = (hash: 'sha1' | 'sha256', form: string) => [
    createHash(hash).update(form).digest('base64'),
    hash,
  ];
  const CHANGED = PLAIN.form.replace('10.00', '90.00');

  it('is made of the content, in the form and with the method of the signature', () => {
    assert.deepEqual(digest(nfe(INF, signature())), of('sha1', PLAIN.form));
    const xml = `<x:a xmlns:x="u:x">${nfe(INF, signature(MODERN))}</x:a>`;
    assert.deepEqual(digest(xml), of('sha256', MODERN.form));
  });

  it('is never what the signature claims: a forger claims the digest that was authorised', () => {
    const forged = nfe(INF.replace('10.00', '90.00'), signature());
    assert.deepEqual(digest(forged), of('sha1', CHANGED));
    const modern = nfe(INF.replace('10.00', '90.00'), signature(MODERN));
    assert.deepEqual(digest(modern), of('sha256', CHANGED));
  });

  it('is made as the signature says where nothing else of it can be read', () => {
    const broken = swap(signature(MODERN), /<X509Certificate>[^<]*/, '<X509Certificate>x');
    assert.deepEqual(digest(nfe(INF, broken)), of('sha256', MODERN.form));
  });

  it('is the SHA-1 of Canonical XML 1.0 where no signature says how', () => {
    const plain = of('sha1', PLAIN.form);
    assert.deepEqual(digest(nfe(INF)), plain);
    assert.deepEqual(digest(nfe(INF, '<Signature/>')), plain);
    assert.deepEqual(digest(nfe(INF, swap(signature(MODERN), SHA256, 'u:md5'))), plain);
    assert.deepEqual(digest(nfe(INF, signature(MODERN), signature({ form: 'y' }))), plain);
  });
});
