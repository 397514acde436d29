/**
 * Signatures that are written as one before: the same bytes, but for the Id, the digest, the signature's value and
 * the certificate. Nearly all are, for a handful of programs sign nearly all documents. What was proven of the form
 * once (`structure.ts`) holds for all that have it; the four values are proven each time. Whatever differs is left,
 * without a word, to the reading by elements, which alone has messages.
 */
import { hash, type KeyObject, verify } from 'node:crypto';
import { canonicalBytes } from '../camadas.ts';
import { type Autoridades, SEM_AUTORIDADES } from '../certificado/autoridades.ts';
import { DECLARATION_ROW, ELEMENT, ELEMENT_ROW } from '../rapido/tape.ts';
import { TapeElement, TapeTree } from '../rapido/view.ts';
import type { VeredictoAssinatura } from '../tipos.ts';
import { CanonicalFormTooLong } from '../xml/c14n.ts';
import { descend, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { knownSigner } from './certificate.ts';
import type { Prova } from './provas.ts';
import { signatarioDe } from './signatario.ts';
import { type Canonicalization, type HashName, ID_NAMES, type SignatureParts } from './structure.ts';

interface Forma {
  /** The stretches between the four values, in the order of the document. */
  trechos: readonly [Buffer, Buffer, Buffer, Buffer, Buffer];
  idLength: number;
  digestLength: number;
  valueLength: number;
  /** Canonical form of SignedInfo, of which Id and digest are written anew each time, and where they stand in it. */
  signedInfo: Buffer;
  idAt: number;
  digestAt: number;
  referenceForm: Canonicalization;
  digestHash: HashName;
  signatureHash: HashName;
  algoritmo: string | null;
}

const MAX_FORMAS = 8;
/** A form with megabytes of blanks in it is not worth its memory; signatures take some 5,000. */
const MAX_FORM_BYTES = 65_536;
/** Ids that are written in one way only: no quote, no reference. */
const PLAIN_ID = /^[A-Za-z0-9_.-]+$/;
const LESS_THAN = 0x3c;
const NUMBER_SIGN = '#';

/** The one that fitted last comes first. */
const formas: Forma[] = [];

/**
 * What a signature says of the element beside it, where it has a known form and holds; null: it is to be read.
 * @param input.provas takes the calculation of RSA; the verdict then stands only if that holds
 */
export function verifyKnownForm(
  tree: XmlTree,
  input: {
    signed: XmlElement;
    signature: XmlElement;
    provas?: Prova[] | undefined;
    autoridades?: Autoridades;
  },
): VeredictoAssinatura | null {
  const { signed, signature, provas, autoridades = SEM_AUTORIDADES } = input;
  if (!(tree instanceof TapeTree) || !(signature instanceof TapeElement)) return null;
  if (!hasBareContext(signature) || signed.parent?.namedChildren(signed.localName).length !== 1) return null;
  const id = signed.attributeValue('Id');
  if (id === null || !PLAIN_ID.test(id) || tree.root.countAttributes(ID_NAMES, id) !== 1) return null;
  for (const [i, forma] of formas.entries()) {
    const found = match(tree, forma, { signature, id });
    if (found === null) continue;
    if (i > 0) {
      formas.splice(i, 1);
      formas.unshift(forma);
    }
    return holds(tree, { forma, signed, id, found, provas, autoridades });
  }
  return null;
}

/** Where the values of a signature stand. */
interface Encontrado {
  digest: string;
  value: string;
  certificate: Buffer;
}

function match(
  tree: TapeTree,
  forma: Forma,
  { signature, id }: { signature: TapeElement; id: string },
): Encontrado | null {
  const { bytes, latin1 } = tree;
  const [head, middle, beforeValue, beforeCertificate, tail] = forma.trechos;
  const idAt = signature.start + head.length;
  const digestAt = idAt + forma.idLength + middle.length;
  const valueAt = digestAt + forma.digestLength + beforeValue.length;
  const certificateAt = valueAt + forma.valueLength + beforeCertificate.length;
  if (id.length !== forma.idLength || certificateAt > signature.end) return null;
  const isLike =
    isAt(bytes, signature.start, head) &&
    isAt(bytes, idAt + forma.idLength, middle) &&
    isAt(bytes, digestAt + forma.digestLength, beforeValue) &&
    isAt(bytes, valueAt + forma.valueLength, beforeCertificate) &&
    latin1.startsWith(id, idAt);
  if (!isLike) return null;
  const certificateEnd = signature.end - tail.length;
  if (certificateEnd < certificateAt) return null;
  if (!isAt(bytes, certificateEnd, tail) || bytes.indexOf(LESS_THAN, certificateAt) !== certificateEnd)
    return null;
  return {
    digest: latin1.slice(digestAt, digestAt + forma.digestLength),
    value: latin1.slice(valueAt, valueAt + forma.valueLength),
    certificate: bytes.subarray(certificateAt, certificateEnd),
  };
}

function isAt(bytes: Buffer, at: number, part: Buffer): boolean {
  return at + part.length <= bytes.length && bytes.compare(part, 0, part.length, at, at + part.length) === 0;
}

function holds(
  tree: XmlTree,
  input: {
    forma: Forma;
    signed: XmlElement;
    id: string;
    found: Encontrado;
    provas: Prova[] | undefined;
    autoridades: Autoridades;
  },
): VeredictoAssinatura | null {
  const { forma, signed, id, found, provas } = input;
  const { digest } = found;
  const signer = knownSigner(found.certificate);
  const value = Buffer.from(found.value, 'base64');
  // Only one text per value: what an encoder writes.
  if (signer === null || value.toString('base64') !== found.value) return null;
  const computed = digestBy(tree, signed, forma);
  if (computed !== digest) return null;
  const prova = () => rsaHolds(forma, { id, digest, value, key: signer.key });
  if (provas) provas.push(prova);
  else if (!prova()) return null;
  return {
    resultado: 'integra',
    motivo: null,
    algoritmo: forma.algoritmo,
    titular: signer.titular,
    digestCalculado: digest,
    digestMetodo: forma.digestHash,
    signatario: signatarioDe(signer, input.autoridades),
  };
}

/** null of what has no canonical form that is worth writing. */
function digestBy(tree: XmlTree, signed: XmlElement, { digestHash, referenceForm }: Forma): string | null {
  try {
    return hash(digestHash, canonicalBytes(tree, signed, referenceForm), 'base64');
  } catch (error) {
    if (error instanceof CanonicalFormTooLong) return null;
    throw error;
  }
}

/** A signature that does not hold, or a key that cannot be calculated with, is for the reading by elements. */
function rsaHolds(
  forma: Forma,
  { id, digest, value, key }: { id: string; digest: string; value: Buffer; key: KeyObject },
): boolean {
  forma.signedInfo.write(id, forma.idAt, 'latin1');
  forma.signedInfo.write(digest, forma.digestAt, 'latin1');
  try {
    return verify(forma.signatureHash, forma.signedInfo, key, value);
  } catch {
    return false;
  }
}

/** Whether no prefix is bound where a signature stands: nothing but the default namespace is inherited, or is there to be. */
function hasBareContext({ tree, index }: TapeElement): boolean {
  const { elements, declarations } = tree.tape;
  for (let at = index; at >= 0; at = elements[at * ELEMENT_ROW + ELEMENT.PARENT] as number) {
    const last = elements[(at + 1) * ELEMENT_ROW + ELEMENT.DECLARATIONS] as number;
    for (let i = elements[at * ELEMENT_ROW + ELEMENT.DECLARATIONS] as number; i < last; i++)
      if (declarations[i * DECLARATION_ROW] !== 0) return false;
  }
  return true;
}

/** Keeps the form of a signature that was read by elements and holds; not of one that brings authorities along, which are few. */
export function rememberForm(
  tree: XmlTree,
  input: {
    signed: XmlElement;
    signature: XmlElement;
    parts: SignatureParts;
    algoritmo: string | null;
  },
): void {
  const { signed, signature, parts, algoritmo } = input;
  if (!(tree instanceof TapeTree) || !(signature instanceof TapeElement)) return;
  if (parts.enviados.length > 0) return;
  const id = signed.attributeValue('Id');
  const places = placesOf(tree, signature, id ?? '');
  if (
    id === null ||
    !PLAIN_ID.test(id) ||
    places === null ||
    signature.end - signature.start > MAX_FORM_BYTES ||
    !hasBareContext(signature) ||
    !declaresItself(signature)
  )
    return;
  const { idAt, digest, value, certificate } = places;
  const { bytes, latin1 } = tree;
  const cut = (from: number, to: number) => Buffer.from(bytes.subarray(from, to));
  const signedInfo = Buffer.from(canonicalBytes(tree, parts.signedInfo, parts.signedInfoForm));
  const text = latin1.slice(digest.contentStart, digest.contentEnd);
  const idInInfo = onlyPlace(signedInfo, `"${NUMBER_SIGN}${id}"`);
  const digestInInfo = onlyPlace(signedInfo, `>${text}<`);
  if (idInInfo < 0 || digestInInfo < 0) return;
  formas.unshift({
    trechos: [
      cut(signature.start, idAt),
      cut(idAt + id.length, digest.contentStart),
      cut(digest.contentEnd, value.contentStart),
      cut(value.contentEnd, certificate.contentStart),
      cut(certificate.contentEnd, signature.end),
    ],
    idLength: id.length,
    digestLength: text.length,
    valueLength: value.contentEnd - value.contentStart,
    signedInfo,
    idAt: idInInfo + '"#'.length,
    digestAt: digestInInfo + '>'.length,
    referenceForm: parts.referenceForm,
    digestHash: parts.digest.hash,
    signatureHash: parts.signature.hash,
    algoritmo,
  });
  if (formas.length > MAX_FORMAS) formas.pop();
}

/** Whether the signature declares its namespace, without prefix, and nothing in it declares another. */
function declaresItself(signature: TapeElement): boolean {
  const { elements } = signature.tree.tape;
  let behind = signature.index + 1;
  for (let row = behind; row < signature.tree.tape.count; row++) {
    if ((elements[row * ELEMENT_ROW + ELEMENT.START] as number) >= signature.end) break;
    if (elements[row * ELEMENT_ROW + ELEMENT.PREFIX] !== 0) return false;
    behind = row + 1;
  }
  const declared =
    (elements[behind * ELEMENT_ROW + ELEMENT.DECLARATIONS] as number) -
    (elements[signature.index * ELEMENT_ROW + ELEMENT.DECLARATIONS] as number);
  return declared === 1 && signature.prefix === '' && signature.declarations.length === 1;
}

/** The values of a signature in the order in which nearly all have them; null where one is not bare ASCII text. */
function placesOf(
  tree: TapeTree,
  signature: TapeElement,
  id: string,
): { idAt: number; digest: XmlElement; value: XmlElement; certificate: XmlElement } | null {
  const { latin1 } = tree;
  const reference = descend(signature, 'SignedInfo', 'Reference');
  const digest = descend(reference, 'DigestValue');
  const value = descend(signature, 'SignatureValue');
  const certificate = descend(signature, 'KeyInfo', 'X509Data', 'X509Certificate');
  if (!reference || !digest || !value || !certificate) return null;
  const tag = latin1.slice(reference.start, reference.contentStart);
  const uri = tag.indexOf(`"${NUMBER_SIGN}${id}"`);
  const inOrder = digest.end <= value.start && value.end <= certificate.start;
  const bare = [digest, value, certificate].every((element) =>
    /^[A-Za-z0-9+/]+={0,2}$/.test(latin1.slice(element.contentStart, element.contentEnd)),
  );
  if (uri < 0 || !inOrder || !bare) return null;
  return { idAt: reference.start + uri + '"#'.length, digest, value, certificate };
}

/** Where a text stands, if it stands there once; else -1. */
function onlyPlace(bytes: Buffer, text: string): number {
  const at = bytes.indexOf(text, 0, 'latin1');
  return at >= 0 && bytes.indexOf(text, at + 1, 'latin1') < 0 ? at : -1;
}
