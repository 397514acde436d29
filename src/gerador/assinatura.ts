import { createHash, sign } from 'node:crypto';
import type { Certificado } from './certificado.ts';
import type { EstiloXml } from './empresas.ts';

const NS_DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';

/** `empty elements` of SignedInfo in the form that C14N gives them. */
function signedInfoBody(id: string, digest: string): string {
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

/** SHA-1 of an element in its canonical form, Base64: what `DigestValue` and `digVal` hold. */
export function digestOf(canonical: string): string {
  return createHash('sha1').update(canonical, 'utf8').digest('base64');
}

/**
 * Writes the `Signature` element of an enveloped XMLDSig over the element with that Id (RSA-SHA1, C14N 1.0, one
 * X509Certificate).
 *
 * @param digest `digestOf` the element as C14N writes it, that is with its inherited default namespace.
 * @fonte domain 12
 */
export function signatureXml(
  id: string,
  digest: string,
  certificado: Certificado,
  estilo: Pick<EstiloXml, 'autoFechado'>,
): string {
  const body = signedInfoBody(id, digest);
  const canonical = `<SignedInfo xmlns="${NS_DSIG}">${body}</SignedInfo>`;
  const value = sign('RSA-SHA1', Buffer.from(canonical, 'utf8'), certificado.chavePrivada).toString('base64');
  const written = estilo.autoFechado ? body.replace(/><\/(?:\w+Method|Transform)>/g, '/>') : body;
  return (
    `<Signature xmlns="${NS_DSIG}"><SignedInfo>${written}</SignedInfo>` +
    `<SignatureValue>${value}</SignatureValue><KeyInfo><X509Data>` +
    `<X509Certificate>${certificado.base64}</X509Certificate></X509Data></KeyInfo></Signature>`
  );
}
