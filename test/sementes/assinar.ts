/** Signs documents for the tests: canonical forms come from libxml2, none of the product's own code takes part. */
import { createHash, sign } from 'node:crypto';
import { ParseOption, XmlC14NMode, XmlDocument, type XmlElement } from 'libxml2-wasm';
import { type Certificado, certificadoDe, type Titular } from '../../src/gerador/certificado.ts';

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const INCLUSIVE = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const EM = new Date('2026-03-10T13:00:00Z');

export interface Forma {
  exclusive: boolean;
  withComments: boolean;
}

export interface Algoritmos extends Forma {
  hash: 'sha1' | 'sha256';
}

/** What DF-e layouts ask for. */
export const CLASSICA: Algoritmos = { hash: 'sha1', exclusive: false, withComments: false };
/** What the national system signs NFS-e with. */
export const MODERNA: Algoritmos = { hash: 'sha256', exclusive: true, withComments: true };

export function parseXml(xml: string | Uint8Array): XmlDocument {
  const option = ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_HUGE;
  return typeof xml === 'string'
    ? XmlDocument.fromString(xml, { option })
    : XmlDocument.fromBuffer(xml, { option });
}

/** Canonical form of one element, by libxml2. */
export function canonical(element: XmlElement, { exclusive, withComments }: Forma): string {
  const mode = exclusive ? XmlC14NMode.XML_C14N_EXCLUSIVE_1_0 : XmlC14NMode.XML_C14N_1_0;
  return element.canonicalizeToString({ mode, withComments });
}

function methodOf({ exclusive, withComments }: Forma): string {
  if (exclusive) return withComments ? `${EXCLUSIVE}WithComments` : EXCLUSIVE;
  return withComments ? `${INCLUSIVE}#WithComments` : INCLUSIVE;
}

function signedInfo(id: string, digest: string, algoritmos: Algoritmos): string {
  const method = methodOf(algoritmos);
  const [rsa, sum] =
    algoritmos.hash === 'sha1'
      ? [`${DSIG}rsa-sha1`, `${DSIG}sha1`]
      : ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2001/04/xmlenc#sha256'];
  return (
    `<SignedInfo><CanonicalizationMethod Algorithm="${method}"/><SignatureMethod Algorithm="${rsa}"/>` +
    `<Reference URI="#${id}"><Transforms><Transform Algorithm="${DSIG}enveloped-signature"/>` +
    `<Transform Algorithm="${method}"/></Transforms><DigestMethod Algorithm="${sum}"/>` +
    `<DigestValue>${digest}</DigestValue></Reference></SignedInfo>`
  );
}

const PLACEHOLDER = '@@SignatureValue@@';

function certificate(titular: Titular): Certificado {
  return certificadoDe(titular, 'sementes', EM);
}

/** First element with this local name in the text, and where its end tag ends. */
function locate(xml: string, nome: string): { document: XmlDocument; element: XmlElement; end: number } {
  const document = parseXml(xml);
  const element = document.root.get(`//*[local-name()="${nome}"]`) as XmlElement | null;
  const end = [...xml.matchAll(new RegExp(`</(?:[\\w-]+:)?${nome}>`, 'g'))].at(-1);
  if (!element || !end) throw new Error(`no ${nome} in ${xml.slice(0, 80)}`);
  return { document, element, end: end.index + end[0].length };
}

/**
 * Puts a Signature behind the only element of that name, as a file of the real world has it.
 * @param input.nome local name of the signed element, which has an Id
 */
export function assinar(
  xml: string,
  input: { nome: string; titular: Titular; algoritmos?: Algoritmos },
): string {
  const { nome, titular, algoritmos = CLASSICA } = input;
  const { base64, chavePrivada } = certificate(titular);
  const { document, element, end } = locate(xml, nome);
  const id = (element as XmlElement).attr('Id')?.value ?? '';
  const digest = createHash(algoritmos.hash).update(canonical(element, algoritmos)).digest('base64');
  document.dispose();
  const signature =
    `<Signature xmlns="${DSIG}">${signedInfo(id, digest, algoritmos)}<SignatureValue>${PLACEHOLDER}</SignatureValue>` +
    `<KeyInfo><X509Data><X509Certificate>${base64}</X509Certificate></X509Data></KeyInfo></Signature>`;
  const unsigned = xml.slice(0, end) + signature + xml.slice(end);
  using whole = parseXml(unsigned);
  const info = whole.root
    .find('//*[local-name()="SignedInfo"]')
    .find((found) => (found as XmlElement).find(`.//*[@URI="#${id}"]`).length > 0) as XmlElement;
  const value = sign(algoritmos.hash, Buffer.from(canonical(info, algoritmos)), chavePrivada);
  return unsigned.replace(PLACEHOLDER, value.toString('base64'));
}
