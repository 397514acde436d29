import { attribute, child, childrenNamed, descend, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { knownSigner, type Signer, signerOf } from './certificate.ts';
import { SignatureFault } from './fault.ts';

/**
 * Reads an XML signature into a value, and refuses every shape but the one that fiscal layouts have. All the
 * rules against wrapping attacks are here: what is not exactly at its place, exactly once, is not looked at.
 * @fonte xmldsig-core-schema_v1.01.xsd; XMLDSig Core
 */

export interface Canonicalization {
  exclusive: boolean;
  withComments: boolean;
  inclusivePrefixes: string[];
}

export interface SignatureParts {
  signedInfo: XmlElement;
  /** How SignedInfo becomes the bytes that RSA signed. */
  signedInfoForm: Canonicalization;
  /** How the signed element becomes the bytes that were digested. */
  referenceForm: Canonicalization;
  digest: { hash: HashName; value: Buffer };
  signature: { hash: HashName; value: Buffer };
  /** The signer, as the first certificate says. */
  signer: Signer;
  /** The certificates behind the first, DER: its authorities, if what they say is true. */
  enviados: Uint8Array[];
}

/** How a signed element becomes its digest. */
export interface FormaDoResumo {
  form: Canonicalization;
  hash: HashName;
}

export type HashName = 'sha1' | 'sha256';

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = `${DSIG}enveloped-signature`;

const C14N: Record<string, { exclusive: boolean; withComments: boolean }> = {
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315': { exclusive: false, withComments: false },
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments': { exclusive: false, withComments: true },
  [EXCLUSIVE]: { exclusive: true, withComments: false },
  [`${EXCLUSIVE}WithComments`]: { exclusive: true, withComments: true },
};

const SIGNATURE_HASH: Record<string, HashName> = {
  [`${DSIG}rsa-sha1`]: 'sha1',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256': 'sha256',
};

const DIGEST_HASH: Record<string, HashName> = {
  [`${DSIG}sha1`]: 'sha1',
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
};

const DIGEST_BYTES: Record<HashName, number> = { sha1: 20, sha256: 32 };

/** Names under which an attribute is an Id for someone who reads the document. */
export const ID_NAMES: readonly string[] = ['Id', 'ID', 'id'];

/** Signatures beside the element, under the same parent, whatever namespace they claim. */
export function signaturesBeside(signed: XmlElement): XmlElement[] {
  return childrenNamed(signed.parent, 'Signature');
}

/** Whether a signature stands inside the element itself, where no fiscal layout has it. */
export function hasSignatureInside(signed: XmlElement): boolean {
  return child(signed, 'Signature') !== null;
}

/** `rsa-sha1`, `rsa-sha256` …: the last part of the SignatureMethod, for show; null when it cannot be read. */
export function algorithmName(signature: XmlElement): string | null {
  const method = descend(signature, 'SignedInfo', 'SignatureMethod');
  return attribute(method, 'Algorithm')?.split('#').at(-1)?.slice(0, 40) ?? null;
}

/**
 * How a signature says that the element beside it is digested, whatever else of it can be read; null where that
 * cannot.
 */
export function readFormaDoResumo(signature: XmlElement): FormaDoResumo | null {
  const reference = descend(signature, 'SignedInfo', 'Reference');
  const [list, method] = [descend(reference, 'Transforms'), descend(reference, 'DigestMethod')];
  if (!list || !method) return null;
  try {
    return { form: transforms(list), hash: allowed(DIGEST_HASH, method, 'de resumo (digest)') };
  } catch (error) {
    if (error instanceof SignatureFault) return null;
    throw error;
  }
}

/** Proves the position of the signature and of what it signs, and reads it. Throws {@link SignatureFault}. */
export function readSignature(tree: XmlTree, signed: XmlElement, signature: XmlElement): SignatureParts {
  if (childrenNamed(signed.parent, signed.localName).length !== 1)
    throw new SignatureFault(`Há mais de um ${signed.localName} ao lado da assinatura.`);
  const parts = onlyChildren(signature, ['SignedInfo', 'SignatureValue', 'KeyInfo']);
  const info = onlyChildren(parts.SignedInfo, ['CanonicalizationMethod', 'SignatureMethod', 'Reference']);
  const reference = onlyChildren(info.Reference, ['Transforms', 'DigestMethod', 'DigestValue']);
  proveTarget(tree, signed, info.Reference);
  const signatureHash = allowed(SIGNATURE_HASH, info.SignatureMethod, 'de assinatura');
  const digestHash = allowed(DIGEST_HASH, reference.DigestMethod, 'de resumo (digest)');
  return {
    signedInfo: parts.SignedInfo,
    signedInfoForm: canonicalization(info.CanonicalizationMethod),
    referenceForm: transforms(reference.Transforms),
    digest: { hash: digestHash, value: digestValue(tree, reference.DigestValue, digestHash) },
    signature: { hash: signatureHash, value: base64(tree, parts.SignatureValue) },
    ...readCertificates(tree, parts.KeyInfo),
  };
}

/** The children of an element: exactly these, once each, all of the signature's namespace. */
function onlyChildren<N extends string>(element: XmlElement, names: readonly N[]): Record<N, XmlElement> {
  requireNamespace(element);
  const found: Partial<Record<N, XmlElement>> = {};
  for (const part of element.children) {
    const name = names.find((candidate) => candidate === part.localName);
    if (!name) throw new SignatureFault(`A assinatura traz um elemento inesperado: ${part.localName}.`);
    if (found[name]) throw new SignatureFault(`A assinatura traz mais de um ${name}.`);
    requireNamespace(part);
    found[name] = part;
  }
  const missing = names.find((name) => !found[name]);
  if (missing) throw new SignatureFault(`A assinatura não traz ${missing}.`);
  return found as Record<N, XmlElement>;
}

function requireNamespace(element: XmlElement): void {
  if (element.namespace === DSIG) return;
  throw new SignatureFault(`${element.localName} não está no namespace de assinaturas XML (${DSIG}).`);
}

/** URI must be `#` and the Id of the very element that is read, and no other attribute may carry that Id. */
function proveTarget(tree: XmlTree, signed: XmlElement, reference: XmlElement): void {
  const uri = attribute(reference, 'URI');
  const shown = (uri ?? '').slice(0, 80);
  const own = signed.attributes.filter((a) => a.namespace === '' && ID_NAMES.includes(a.localName));
  const id = own.find((a) => uri === `#${a.value}`)?.value;
  if (!uri)
    throw new SignatureFault(
      `A Reference não diz o que foi assinado; deveria apontar para ${signed.localName}.`,
    );
  if (!id)
    throw new SignatureFault(
      `A Reference aponta para ${shown}, que não é o ${signed.localName} deste documento.`,
    );
  // Whoever carries this value as an Id, prefixed (xml:id) or not, could be taken for the signed element.
  if (tree.root.countAttributes(ID_NAMES, id) !== 1)
    throw new SignatureFault(`O Id ${id.slice(0, 80)} aparece mais de uma vez no documento.`);
}

function allowed<T>(list: Record<string, T>, element: XmlElement, what: string): T {
  const algorithm = attribute(element, 'Algorithm') ?? '';
  const found = Object.hasOwn(list, algorithm) ? list[algorithm] : undefined;
  if (found === undefined || element.children.length > 0) {
    throw new SignatureFault(`O algoritmo ${what} não é aceito: ${algorithm.slice(0, 80) || 'ausente'}.`);
  }
  return found;
}

/** Enveloped-signature, then at most one canonicalization; without one, Canonical XML 1.0. */
function transforms(element: XmlElement): Canonicalization {
  const list = element.children;
  for (const transform of list) {
    requireNamespace(transform);
    if (transform.localName !== 'Transform') {
      throw new SignatureFault(`A assinatura traz um elemento inesperado: ${transform.localName}.`);
    }
  }
  const [first, second] = list;
  if (!first || attribute(first, 'Algorithm') !== ENVELOPED || first.children.length > 0 || list.length > 2) {
    throw new SignatureFault(
      'As transformações (Transforms) não são as permitidas: enveloped-signature e uma C14N.',
    );
  }
  const form = second
    ? canonicalization(second)
    : { exclusive: false, withComments: false, inclusivePrefixes: [] };
  // A reference by "#Id" selects the element without its comments, whatever the form says (XMLDSig §4.4.3.3).
  return { ...form, withComments: false };
}

function canonicalization(element: XmlElement): Canonicalization {
  const algorithm = attribute(element, 'Algorithm') ?? '';
  const form = Object.hasOwn(C14N, algorithm) ? C14N[algorithm] : undefined;
  if (!form) {
    throw new SignatureFault(`A forma canônica (C14N) não é aceita: ${algorithm.slice(0, 80) || 'ausente'}.`);
  }
  const [list, more] = element.children;
  if (!list) return { ...form, inclusivePrefixes: [] };
  if (!form.exclusive || more || list.localName !== 'InclusiveNamespaces' || list.namespace !== EXCLUSIVE) {
    throw new SignatureFault(`A forma canônica (C14N) traz um parâmetro inesperado: ${list.localName}.`);
  }
  const prefixes = (attribute(list, 'PrefixList') ?? '').split(/\s+/).filter((prefix) => prefix !== '');
  return { ...form, inclusivePrefixes: prefixes.map((prefix) => (prefix === '#default' ? '' : prefix)) };
}

function digestValue(tree: XmlTree, element: XmlElement, hash: HashName): Buffer {
  const value = base64(tree, element);
  if (value.length === DIGEST_BYTES[hash]) return value;
  throw new SignatureFault(`O DigestValue não tem o tamanho de um resumo ${hash}.`);
}

/** Only one text per value: spare bits and padding must be as an encoder writes them. */
function base64(tree: XmlTree, element: XmlElement): Buffer {
  const text = bareText(tree, element);
  const value = Buffer.from(text, 'base64');
  // Decoding passes over what is no Base64, and encoding does not bring it back.
  if (text === '' || value.toString('base64') !== text)
    throw new SignatureFault(`${element.localName} não é um texto em Base64.`);
  return value;
}

/**
 * Text without white space that stands alone in its element. A comment, CDATA or element inside could make two
 * readers see two values (CVE-2025-29775), so that any markup is refused.
 */
function bareText(tree: XmlTree, element: XmlElement): string {
  const text = tree.text(element);
  const { contentStart, contentEnd } = element;
  // Text that is as long as its bytes is nothing but these.
  if (
    text.length !== contentEnd - contentStart &&
    tree.bytes.subarray(contentStart, contentEnd).includes(0x3c)
  )
    throw new SignatureFault(`${element.localName} contém comentário ou outro elemento dentro do valor.`);
  return /\s/.test(text) ? text.replace(/\s+/g, '') : text;
}

/** A chain of ICP-Brasil has three authorities. */
const MAX_ENVIADOS = 8;
/** Base64 characters of one of them. */
const MAX_ENVIADO_LENGTH = 16_384;

/** The first certificate of KeyInfo is the signer's; the others, where there are any, are its chain. */
function readCertificates(tree: XmlTree, keyInfo: XmlElement): { signer: Signer; enviados: Uint8Array[] } {
  const of = (parent: XmlElement, name: string) =>
    parent.children.filter((c) => c.localName === name && c.namespace === DSIG);
  const [first, ...others] = of(keyInfo, 'X509Data').map((data) => of(data, 'X509Certificate'));
  const [certificate, ...chain] = first ?? [];
  if (!certificate) throw new SignatureFault('A assinatura não traz o certificado (X509Certificate).');
  const content = tree.bytes.subarray(certificate.contentStart, certificate.contentEnd);
  const signer = knownSigner(content) ?? signerOf(bareText(tree, certificate), content);
  const enviados = [...chain, ...others.flat()]
    .slice(0, MAX_ENVIADOS)
    .filter(({ contentStart, contentEnd }) => contentEnd - contentStart <= MAX_ENVIADO_LENGTH)
    .map((element) => Buffer.from(tree.text(element), 'base64'));
  return { signer, enviados };
}
