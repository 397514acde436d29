/** Checks a signature with nothing of the product: libxml2 parses and canonicalizes, OpenSSL verifies. */
import { createHash, verify, X509Certificate } from 'node:crypto';
import { ParseOption, XmlC14NMode, XmlDocument, XmlElement, XmlError } from 'libxml2-wasm';

const DS = { ds: 'http://www.w3.org/2000/09/xmldsig#' };
const SAFE = { option: ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE };

/** A namespace that is neither empty nor an absolute URI. */
const RELATIVE_NAMESPACE =
  /\sxmlns(?::[^\s=]+)?\s*=\s*(?:"(?![a-z][a-z0-9+.-]*:)[^"]|'(?![a-z][a-z0-9+.-]*:)[^'])/i;

/**
 * Whether a signature of the document holds, over the element beside it whose Id it names. Null where libxml2 gives no
 * canonical form of anything: a relative namespace, wherever it stands in the file, keeps it from that.
 * @param bytes UTF-8
 */
export function assinaturaConfere(bytes: Uint8Array): boolean | null {
  const document = XmlDocument.fromBuffer(bytes, SAFE);
  try {
    return document.find('//ds:Signature', DS).some((found) => found instanceof XmlElement && holds(found));
  } catch (error) {
    if (error instanceof XmlError && RELATIVE_NAMESPACE.test(Buffer.from(bytes).toString())) return null;
    throw error;
  } finally {
    document.dispose();
  }
}

function holds(signature: XmlElement): boolean {
  const at = (path: string) => {
    const found = signature.get(path, DS);
    return found instanceof XmlElement ? found : null;
  };
  const text = (path: string) => at(path)?.content.replace(/\s/g, '') ?? '';
  const algorithm = (path: string) => at(path)?.attr('Algorithm')?.value ?? '';
  const hash = (path: string) => (algorithm(path).endsWith('sha256') ? 'sha256' : 'sha1');

  const id = at('ds:SignedInfo/ds:Reference')?.attr('URI')?.value.slice(1) ?? '';
  const signed = at(`../*[@Id="${id}" or @ID="${id}" or @id="${id}"]`);
  const info = at('ds:SignedInfo');
  if (!signed || !info) return false;
  const reference = 'ds:SignedInfo/ds:Reference';
  const digest = createHash(hash(`${reference}/ds:DigestMethod`))
    .update(canonical(signed, algorithm(`${reference}/ds:Transforms/ds:Transform[2]`)))
    .digest('base64');
  if (digest !== text(`${reference}/ds:DigestValue`)) return false;
  const certificate = Buffer.from(text('ds:KeyInfo/ds:X509Data/ds:X509Certificate'), 'base64');
  const form = canonical(info, algorithm('ds:SignedInfo/ds:CanonicalizationMethod'));
  const key = new X509Certificate(certificate).publicKey;
  return verify(
    hash('ds:SignedInfo/ds:SignatureMethod'),
    form,
    key,
    Buffer.from(text('ds:SignatureValue'), 'base64'),
  );
}

function canonical(element: XmlElement, algorithm: string): Buffer {
  const mode = algorithm.includes('exc-c14n') ? XmlC14NMode.XML_C14N_EXCLUSIVE_1_0 : XmlC14NMode.XML_C14N_1_0;
  return Buffer.from(element.canonicalizeToString({ mode, withComments: false }), 'utf8');
}
