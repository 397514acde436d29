import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  assertAltered,
  assertIntact,
  C14N,
  COMPANY,
  DSIG,
  ENVELOPED,
  INF,
  issue,
  nfe,
  PLAIN,
  SHA256,
  signature,
  swap,
  transform,
} from './amostras-de-teste.ts';

describe('verifySignature refuses wrapping', () => {
  const evil = INF.replace('10.00', '90.00');

  it('the signed element moved into an Object of the Signature', () => {
    const wrapped = swap(signature(), '</KeyInfo>', `</KeyInfo><Object>${INF}</Object>`);
    assertAltered(nfe(evil.replace('NFe1', 'NFe2'), wrapped), /elemento inesperado: Object/);
  });

  it('another element put beside the signed one', () => {
    assertAltered(nfe(evil.replace('NFe1', 'NFe2'), INF, signature()), /mais de um infNFe/);
    assertAltered(
      nfe(evil.replace('NFe1', 'NFe2'), `<x>${INF}</x>`, signature()),
      /aponta para #NFe1, que não é o infNFe/,
    );
  });

  it('the same Id twice, under any name of an Id', () => {
    assertAltered(nfe(evil, `<x>${INF}</x>`, signature()), /Id NFe1 aparece mais de uma vez/);
    for (const twin of ['id="NFe1"', 'ID="NFe1"', 'xml:id="NFe1"', 'xmlns:p="u:p" p:Id="NFe1"']) {
      assertAltered(nfe(INF, signature(), `<x ${twin}/>`), /Id NFe1 aparece mais de uma vez/);
    }
  });

  it('two Ids on the signed element', () => {
    const form = PLAIN.form.replace('Id="NFe1"', 'ID="NFe1" Id="NFe1"');
    assertAltered(nfe(INF.replace('Id=', 'ID="NFe1" Id='), signature({ form })), /mais de uma vez/);
  });

  it('the Signature inside the signed element', () => {
    assertAltered(nfe(INF.replace('</infNFe>', `${signature()}</infNFe>`)), /está dentro de infNFe/);
  });

  it('two Signatures', () => {
    assertAltered(nfe(INF, signature(), signature()), /mais de uma assinatura/);
  });

  it('a Reference to nothing, to the whole document or elsewhere', () => {
    assertAltered(nfe(INF, signature({ uri: '' })), /não diz o que foi assinado/);
    assertAltered(nfe(INF, swap(signature(), ' URI="#NFe1"', '')), /não diz o que foi assinado/);
    assertAltered(nfe(INF, signature({ uri: '#NFe2' })), /aponta para #NFe2/);
    assertAltered(nfe(INF, signature({ uri: "#xpointer(id('NFe1'))" })), /aponta para/);
    assertAltered(nfe(INF.replace(' Id="NFe1"', ''), signature()), /aponta para #NFe1/);
  });

  it('two of what must be one', () => {
    for (const name of [
      'SignedInfo',
      'Reference',
      'SignatureMethod',
      'DigestValue',
      'SignatureValue',
      'Transforms',
      'KeyInfo',
    ]) {
      const doubled = signature().replace(new RegExp(`<${name}[ >].*</${name}>`), '$&$&');
      assertAltered(nfe(INF, doubled), new RegExp(`mais de um ${name}`));
    }
  });

  it('none of what must be one', () => {
    for (const name of ['SignedInfo', 'Reference', 'DigestMethod', 'SignatureValue', 'KeyInfo']) {
      const without = signature().replace(new RegExp(`<${name}[ >].*</${name}>`), '');
      assertAltered(nfe(INF, without), new RegExp(`não traz ${name}`));
    }
  });

  it('markup inside a Base64 value', () => {
    for (const markup of ['<!-- x -->', '<?p?>', '<![CDATA[]]>', '<x/>']) {
      for (const name of ['DigestValue', 'SignatureValue', 'X509Certificate']) {
        const xml = nfe(INF, swap(signature(), `<${name}>`, `<${name}>${markup}`));
        assertAltered(xml, new RegExp(`${name} contém comentário`));
      }
    }
  });

  it('a Base64 value written in another way', () => {
    const value = /<SignatureValue>([^<]*)/.exec(signature())?.[1] ?? '';
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const last = alphabet[alphabet.indexOf(value.at(-3) ?? '') ^ 1];
    const spareBitSet = `${value.slice(0, -3)}${last}==`;
    assert.deepEqual(Buffer.from(spareBitSet, 'base64'), Buffer.from(value, 'base64'));
    for (const other of [spareBitSet, value.replace(/=+$/, ''), '', `${value.slice(0, -4)}*===`]) {
      assertAltered(nfe(INF, signature().replace(value, other)), /SignatureValue não é um texto em Base64/);
    }
  });

  it('a signature of another namespace', () => {
    assertAltered(nfe(INF, signature().replace(DSIG, 'u:x')), /namespace de assinaturas/);
    assertAltered(
      nfe(INF, swap(signature(), '<SignedInfo>', '<SignedInfo xmlns="u:x">')),
      /SignedInfo não está no namespace/,
    );
  });
});

describe('verifySignature refuses algorithms', () => {
  it('of signature and digest that are not on the list', () => {
    for (const signatureMethod of [
      `${DSIG}hmac-sha1`,
      `${DSIG}dsa-sha1`,
      'http://www.w3.org/2001/04/xmldsig-more#rsa-md5',
      '',
      'toString',
    ]) {
      assertAltered(nfe(INF, signature({ signatureMethod })), /algoritmo de assinatura não é aceito/);
    }
    for (const digestMethod of ['http://www.w3.org/2001/04/xmldsig-more#md5', '', 'constructor']) {
      assertAltered(nfe(INF, signature({ digestMethod })), /algoritmo de resumo \(digest\) não é aceito/);
    }
  });

  it('of canonicalization that are not on the list', () => {
    const canonicalization = 'http://www.w3.org/2006/12/xml-c14n11';
    assertAltered(nfe(INF, signature({ canonicalization })), /forma canônica \(C14N\) não é aceita/);
    assertAltered(
      nfe(INF, signature({ transforms: transform(ENVELOPED) + transform(canonicalization) })),
      /forma canônica/,
    );
  });

  it('of transformation that are not enveloped-signature and one canonicalization', () => {
    const xslt = transform('http://www.w3.org/TR/1999/REC-xslt-19991116');
    for (const transforms of [
      '',
      transform(C14N),
      transform(C14N) + transform(ENVELOPED),
      xslt + transform(ENVELOPED),
      transform(ENVELOPED) + transform(C14N) + transform(C14N),
    ]) {
      assertAltered(nfe(INF, signature({ transforms })), /transformações \(Transforms\)/);
    }
    assertAltered(nfe(INF, signature({ transforms: transform(ENVELOPED) + xslt })), /forma canônica/);
    assertAltered(
      nfe(INF, signature({ transforms: `${transform(ENVELOPED)}<XPath></XPath>` })),
      /inesperado: XPath/,
    );
  });

  it('with parameters that nobody asked for', () => {
    const parameter = swap(transform(C14N), '><', '><x></x><');
    assertAltered(
      nfe(INF, signature({ transforms: transform(ENVELOPED) + parameter })),
      /parâmetro inesperado: x/,
    );
  });

  it('of digest whose value has another size', () => {
    assertAltered(nfe(INF, signature({ digestMethod: SHA256 })), /tamanho de um resumo sha256/);
  });
});

describe('verifySignature refuses certificates', () => {
  it('that are missing or unreadable', () => {
    assertAltered(
      nfe(INF, swap(signature(), /<X509Data>.*<\/X509Data>/, '<KeyName>x</KeyName>')),
      /não traz o certificado/,
    );
    assertAltered(
      nfe(INF, signature({ identity: { ...COMPANY, certificate: 'AAAA' } })),
      /certificado da assinatura não pôde ser lido/,
    );
    const huge = 'AAAA'.repeat(10_000);
    assertAltered(nfe(INF, signature({ identity: { ...COMPANY, certificate: huge } })), /grande demais/);
  });

  it('whose RSA key is too short, and takes the shortest allowed', () => {
    assertAltered(nfe(INF, signature({ identity: issue(512) })), /512 bits; o aceito é de 1024/);
    assertIntact(nfe(INF, signature({ identity: issue(1024) })));
  });
});
