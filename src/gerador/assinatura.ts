import { createHash, sign } from 'node:crypto';
import type { Certificado } from './certificado.ts';
import type { EstiloXml } from './empresas.ts';

const NS_DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const C14N_EXCLUSIVA = 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments';

type Resumo = 'sha1' | 'sha256';

/** Which algorithms a signature uses. */
export interface FormaDeAssinatura {
  hash: Resumo;
  c14n: string;
}

/** NF-e, CT-e, their events, and what a taxpayer signs of a national NFS-e. @fonte XMLDSig Core */
export const FORMA_CLASSICA: FormaDeAssinatura = { hash: 'sha1', c14n: C14N };
/** SAT devices. @fonte layout of CF-e SAT 0.08; XMLDSig Core */
export const FORMA_SAT: FormaDeAssinatura = { hash: 'sha256', c14n: C14N };
/** What the national system signs: NFS-e and their events, layout 1.01. @fonte XMLDSig Core */
export const FORMA_NACIONAL: FormaDeAssinatura = { hash: 'sha256', c14n: C14N_EXCLUSIVA };

const METODOS: Record<Resumo, { rsa: string; digest: string; node: string }> = {
  sha1: { rsa: `${NS_DSIG}rsa-sha1`, digest: `${NS_DSIG}sha1`, node: 'RSA-SHA1' },
  sha256: {
    rsa: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    digest: 'http://www.w3.org/2001/04/xmlenc#sha256',
    node: 'RSA-SHA256',
  },
};

/** `empty elements` of SignedInfo in the form that C14N gives them. */
function signedInfoBody(id: string, digest: string, { hash, c14n }: FormaDeAssinatura): string {
  return (
    `<CanonicalizationMethod Algorithm="${c14n}"></CanonicalizationMethod>` +
    `<SignatureMethod Algorithm="${METODOS[hash].rsa}"></SignatureMethod>` +
    `<Reference URI="#${id}"><Transforms>` +
    `<Transform Algorithm="${NS_DSIG}enveloped-signature"></Transform>` +
    `<Transform Algorithm="${c14n}"></Transform></Transforms>` +
    `<DigestMethod Algorithm="${METODOS[hash].digest}"></DigestMethod>` +
    `<DigestValue>${digest}</DigestValue></Reference>`
  );
}

/** Digest of an element in its canonical form, Base64: what `DigestValue` and `digVal` hold. */
export function digestOf(canonical: string, hash: Resumo = 'sha1'): string {
  return createHash(hash).update(canonical, 'utf8').digest('base64');
}

/** A `Signature` element. */
interface AssinaturaEscrita {
  /** As its author wrote it. */
  xml: string;
  /** As C14N writes it, for a signature around it. */
  canonica: string;
}

/**
 * Signs an element by its Id (enveloped XMLDSig, one X509Certificate).
 *
 * @param digest `digestOf` the element as C14N writes it, that is with its inherited default namespace.
 * @fonte XMLDSig Core
 */
export function assinar(
  id: string,
  digest: string,
  certificado: Certificado,
  opcoes: { estilo: Pick<EstiloXml, 'autoFechado'>; forma: FormaDeAssinatura },
): AssinaturaEscrita {
  const { estilo, forma } = opcoes;
  const body = signedInfoBody(id, digest, forma);
  const canonical = Buffer.from(`<SignedInfo xmlns="${NS_DSIG}">${body}</SignedInfo>`, 'utf8');
  const value = sign(METODOS[forma.hash].node, canonical, certificado.chavePrivada).toString('base64');
  const whole = (signedInfo: string) =>
    `<Signature xmlns="${NS_DSIG}"><SignedInfo>${signedInfo}</SignedInfo>` +
    `<SignatureValue>${value}</SignatureValue><KeyInfo><X509Data>` +
    `<X509Certificate>${certificado.base64}</X509Certificate></X509Data></KeyInfo></Signature>`;
  const canonica = whole(body);
  const xml = estilo.autoFechado ? whole(body.replace(/><\/(?:\w+Method|Transform)>/g, '/>')) : canonica;
  return { xml, canonica };
}

/** The `Signature` element of DF-e layouts (RSA-SHA1, C14N 1.0), as {@link assinar} takes its parts. */
export function signatureXml(
  id: string,
  digest: string,
  certificado: Certificado,
  estilo: Pick<EstiloXml, 'autoFechado'>,
): string {
  return assinar(id, digest, certificado, { estilo, forma: FORMA_CLASSICA }).xml;
}
