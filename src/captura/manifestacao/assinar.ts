/** The client's own signature over an event: enveloped XMLDSig, RSA-SHA1, C14N 1.0, one X509Certificate. */
import { createPrivateKey, hash, sign } from 'node:crypto';
import { verifySignature } from '../../fiscal/assinatura/verify.ts';
import { canonicalize } from '../../fiscal/xml/c14n.ts';
import { scanXml } from '../../fiscal/xml/scan.ts';
import { attribute, child, type XmlElement, type XmlTree } from '../../fiscal/xml/tree.ts';

const NS_DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const C14N_1_0 = { exclusive: false, withComments: false, inclusivePrefixes: [] };

/** With what an event is signed, as the sealed store gives it. */
export interface CertificadoParaAssinar {
  /** PKCS#8, DER. */
  chave: Uint8Array;
  /** X.509, DER, the holder's first. */
  cadeia: readonly Uint8Array[];
}

/**
 * Puts the signature of the element that is the root's only child behind it, and verifies it as any reader of the
 * document would.
 * @param xml a root with one child that has an `Id`, without white space between elements
 * @throws Error when the certificate's key does not fit the certificate: nothing that does not verify leaves the house
 * @fonte XMLDSig Core; XSD xmldsig-core-schema_v1.01
 */
export function signFilho(xml: string, certificado: CertificadoParaAssinar): string {
  const { tree, filho } = scan(xml);
  const id = attribute(filho, 'Id') ?? '';
  const digest = hash('sha1', canonicalize(tree, filho, C14N_1_0), 'base64');
  const info = signedInfo(id, digest);
  const canonical = `<SignedInfo xmlns="${NS_DSIG}">${info}</SignedInfo>`;
  const key = createPrivateKey({ key: Buffer.from(certificado.chave), format: 'der', type: 'pkcs8' });
  const value = sign('RSA-SHA1', Buffer.from(canonical), key).toString('base64');
  const [holder = new Uint8Array()] = certificado.cadeia;
  const signature =
    `<Signature xmlns="${NS_DSIG}"><SignedInfo>${info}</SignedInfo><SignatureValue>${value}</SignatureValue>` +
    `<KeyInfo><X509Data><X509Certificate>${Buffer.from(holder).toString('base64')}</X509Certificate></X509Data></KeyInfo></Signature>`;
  const signed =
    Buffer.from(xml).subarray(0, filho.end).toString() +
    signature +
    Buffer.from(xml).subarray(filho.end).toString();
  requireIntegra(signed);
  return signed;
}

function requireIntegra(signed: string): void {
  const { tree, filho } = scan(signed);
  const { resultado, motivo } = verifySignature(tree, filho);
  if (resultado !== 'integra') throw new Error(`the event's own signature does not verify: ${motivo}`);
}

function scan(xml: string): { tree: XmlTree; filho: XmlElement } {
  const result = scanXml(Buffer.from(xml));
  const filho = result.ok ? child(result.tree.root, 'infEvento') : null;
  if (!result.ok || !filho) throw new Error('an event of ours is no XML with infEvento');
  return { tree: result.tree, filho };
}

/** Inside of SignedInfo, in the form that C14N gives it. */
function signedInfo(id: string, digest: string): string {
  return (
    `<CanonicalizationMethod Algorithm="${C14N}"></CanonicalizationMethod>` +
    `<SignatureMethod Algorithm="${NS_DSIG}rsa-sha1"></SignatureMethod>` +
    `<Reference URI="#${id}"><Transforms>` +
    `<Transform Algorithm="${NS_DSIG}enveloped-signature"></Transform>` +
    `<Transform Algorithm="${C14N}"></Transform></Transforms>` +
    `<DigestMethod Algorithm="${NS_DSIG}sha1"></DigestMethod>` +
    `<DigestValue>${digest}</DigestValue></Reference>`
  );
}
