import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import forge from 'node-forge';
import { scanXml } from '../xml/scan.ts';
import { walk, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { verifySignature } from './verify.ts';

/** Signed documents for the tests of this folder, made without the code under test. */

export const NFE = 'http://www.portalfiscal.inf.br/nfe';
export const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
export const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
export const EXC = 'http://www.w3.org/2001/10/xml-exc-c14n#';
export const ENVELOPED = `${DSIG}enveloped-signature`;
export const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
export const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';

interface Identity {
  key: KeyObject;
  certificate: string;
}

const A1: readonly forge.pki.CertificateField[] = [
  { name: 'commonName', value: 'EMPRESA DE TESTE LTDA:12345678000195' },
  { name: 'countryName', value: 'BR' },
];

/** A self-signed certificate as an A1 has it: CN is the company and its CNPJ. */
export function issue(bits: number, name: readonly forge.pki.CertificateField[] = A1): Identity {
  const pair = generateKeyPairSync('rsa', { modulusLength: bits });
  const pem = pair.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(
    pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  );
  certificate.serialNumber = '01';
  certificate.validity.notBefore = new Date(Date.UTC(2026, 0, 1));
  certificate.validity.notAfter = new Date(Date.UTC(2027, 0, 1));
  certificate.setSubject([...name]);
  certificate.setIssuer([...name]);
  certificate.sign(forge.pki.privateKeyFromPem(pem), forge.md.sha256.create());
  const der = forge.asn1.toDer(forge.pki.certificateToAsn1(certificate)).getBytes();
  return { key: pair.privateKey, certificate: forge.util.encode64(der) };
}

export const COMPANY = issue(2048);

interface Recipe {
  identity: Identity;
  hash: 'sha1' | 'sha256';
  signatureMethod: string;
  digestMethod: string;
  canonicalization: string;
  /** Content of Transforms in the document, and its canonical form. */
  transforms: string;
  uri: string;
  /** Canonical form of the signed element, written by hand. */
  form: string;
}

export const CONTENT = '<ide><cUF>35</cUF></ide><total><vNF>10.00</vNF></total>';
export const INF = `<infNFe Id="NFe1" versao="4.00">${CONTENT}</infNFe>`;

export const PLAIN: Recipe = {
  identity: COMPANY,
  hash: 'sha1',
  signatureMethod: `${DSIG}rsa-sha1`,
  digestMethod: `${DSIG}sha1`,
  canonicalization: C14N,
  transforms: transform(ENVELOPED) + transform(C14N),
  uri: '#NFe1',
  form: `<infNFe xmlns="${NFE}" Id="NFe1" versao="4.00">${CONTENT}</infNFe>`,
};

export const MODERN: Recipe = {
  ...PLAIN,
  hash: 'sha256',
  signatureMethod: RSA_SHA256,
  digestMethod: SHA256,
  canonicalization: EXC,
  transforms: transform(ENVELOPED) + transform(EXC),
};

export function transform(algorithm: string): string {
  return `<Transform Algorithm="${algorithm}"></Transform>`;
}

/**
 * A Signature made without the code under test: all canonical forms are spelled out here, in a document whose
 * SignedInfo inherits no namespace but its own.
 */
export function signature(
  recipe: Partial<Recipe> = {},
  edit: (signedInfo: string) => string = (text) => text,
): string {
  const r = { ...PLAIN, ...recipe };
  const digest = createHash(r.hash).update(r.form).digest('base64');
  const inner =
    `<CanonicalizationMethod Algorithm="${r.canonicalization}"></CanonicalizationMethod>` +
    `<SignatureMethod Algorithm="${r.signatureMethod}"></SignatureMethod>` +
    `<Reference URI="${r.uri}"><Transforms>${r.transforms}</Transforms>` +
    `<DigestMethod Algorithm="${r.digestMethod}"></DigestMethod><DigestValue>${digest}</DigestValue></Reference>`;
  const canonical = edit(`<SignedInfo xmlns="${DSIG}">${inner}</SignedInfo>`);
  const value = sign(r.hash, Buffer.from(canonical), r.identity.key).toString('base64');
  return (
    `<Signature xmlns="${DSIG}">${canonical.replace(` xmlns="${DSIG}"`, '')}<SignatureValue>${value}</SignatureValue>` +
    `<KeyInfo><X509Data><X509Certificate>${r.identity.certificate}</X509Certificate></X509Data></KeyInfo></Signature>`
  );
}

export function nfe(...children: string[]): string {
  return `<NFe xmlns="${NFE}">${children.join('')}</NFe>`;
}

export function scan(xml: string): XmlTree {
  const result = scanXml(Buffer.from(xml));
  return result.ok ? result.tree : assert.fail(result.rejeicao.mensagem);
}

/** First element with this local name: what an extractor would read. */
export function first(tree: XmlTree, localName = 'infNFe'): XmlElement {
  for (const element of walk(tree.root)) if (element.localName === localName) return element;
  return assert.fail(`no ${localName}`);
}

export function verdictOf(xml: string) {
  const tree = scan(xml);
  return verifySignature(tree, first(tree));
}

export function assertAltered(xml: string, reason: RegExp): void {
  const { resultado, motivo } = verdictOf(xml);
  assert.equal(resultado, 'alterada');
  assert.match(motivo ?? '', reason);
}

export function assertIntact(xml: string): void {
  const { resultado, motivo } = verdictOf(xml);
  assert.deepEqual({ resultado, motivo }, { resultado: 'integra', motivo: null });
}

/** Replaces a piece that must be there. */
export function swap(text: string, from: string | RegExp, to: string): string {
  const changed = text.replace(from, to);
  assert.notEqual(changed, text, `nothing to replace: ${from}`);
  return changed;
}
