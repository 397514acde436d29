import { hash, type KeyObject, verify } from 'node:crypto';
import type { VeredictoAssinatura } from '../tipos.ts';
import { CanonicalFormTooLong, canonicalize } from '../xml/c14n.ts';
import { descend, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { knownSigner, signerOf } from './certificate.ts';
import { SignatureFault } from './fault.ts';
import { rememberForm, verifyKnownForm } from './forma-conhecida.ts';
import type { Prova } from './provas.ts';
import {
  algorithmName,
  hasSignatureInside,
  readSignature,
  type SignatureParts,
  signaturesBeside,
} from './structure.ts';

/**
 * Verifies the signature of an element that was found in the document (`infNFe`, `infEvento`, `infNFSe` …): the
 * Signature that stands beside it, under the same parent. `integra` only when digest and RSA both verify, over
 * the very element given. Whether the certificate is valid, or its holder may sign, is not asked here.
 * @param provas takes what is put off; `integra` then stands only if it holds (`provas.ts`)
 * @fonte domain 12; trust C1 S03–S07
 */
export function verifySignature(tree: XmlTree, signed: XmlElement, provas?: Prova[]): VeredictoAssinatura {
  const [signature, another] = signaturesBeside(signed);
  if (!signature) return withoutSignature(signed);
  return (
    (another ? null : verifyKnownForm(tree, { signed, signature, provas })) ??
    readAndVerify(tree, { signed, signature, another })
  );
}

function readAndVerify(
  tree: XmlTree,
  {
    signed,
    signature,
    another,
  }: { signed: XmlElement; signature: XmlElement; another: XmlElement | undefined },
): VeredictoAssinatura {
  const verdict: VeredictoAssinatura = {
    resultado: 'alterada',
    motivo: null,
    algoritmo: algorithmName(signature),
    titular: null,
  };
  try {
    if (another) throw new SignatureFault(`Há mais de uma assinatura ao lado de ${signed.localName}.`);
    const parts = readSignature(tree, signed, signature);
    const { signer } = parts;
    verdict.titular = signer.titular;
    proveDigest(tree, { signed, parts });
    proveRsa(tree, { parts, key: signer.key });
    verdict.resultado = 'integra';
    rememberForm(tree, { signed, signature, parts, algoritmo: verdict.algoritmo });
  } catch (error) {
    if (!(error instanceof SignatureFault || error instanceof CanonicalFormTooLong)) throw error;
    verdict.motivo = error.message;
  }
  return verdict;
}

function withoutSignature(signed: XmlElement): VeredictoAssinatura {
  const verdict = { algoritmo: null, titular: null };
  if (!hasSignatureInside(signed)) return { resultado: 'sem_assinatura', motivo: null, ...verdict };
  const motivo = `A assinatura está dentro de ${signed.localName}; deveria estar ao lado dele.`;
  return { resultado: 'alterada', motivo, ...verdict };
}

/**
 * Identity of the signed content, Base64: the DigestValue of its Signature; without a readable one, the SHA-1 of
 * its canonical form (Canonical XML 1.0, without comments).
 */
export function digestOf(tree: XmlTree, signed: XmlElement): string {
  const [signature, another] = signaturesBeside(signed);
  const value = another ? null : descend(signature, 'SignedInfo', 'Reference', 'DigestValue');
  const text = value ? tree.text(value).replace(/\s+/g, '') : '';
  if (/^(?:[A-Za-z0-9+/]{27}|[A-Za-z0-9+/]{43})=$/.test(text)) return text;
  const form = canonicalize(tree, signed, { exclusive: false, withComments: false });
  return hash('sha1', form, 'base64');
}

/**
 * Issuer of the certificate that came with the signature beside an element: the CN of the authority, null where
 * none can be read. It is told, not proven.
 */
export function emissorDaAssinatura(tree: XmlTree, signed: XmlElement): string | null {
  const [signature] = signaturesBeside(signed);
  const certificate = descend(signature, 'KeyInfo', 'X509Data', 'X509Certificate');
  if (!certificate) return null;
  try {
    const content = tree.bytes.subarray(certificate.contentStart, certificate.contentEnd);
    const signer = knownSigner(content) ?? signerOf(tree.text(certificate).replace(/\s+/g, ''), content);
    return signer.emissor;
  } catch (error) {
    if (error instanceof SignatureFault) return null;
    throw error;
  }
}

function proveDigest(tree: XmlTree, { signed, parts }: { signed: XmlElement; parts: SignatureParts }): void {
  // The Signature stands beside the signed element, so enveloped-signature finds nothing in it to leave out.
  const computed = hash(parts.digest.hash, canonicalize(tree, signed, parts.referenceForm), 'buffer');
  if (computed.equals(parts.digest.value)) return;
  throw new SignatureFault(
    `O resumo (digest) de ${signed.localName} não confere: o conteúdo foi alterado depois de assinado.`,
  );
}

function proveRsa(tree: XmlTree, { parts, key }: { parts: SignatureParts; key: KeyObject }): void {
  const form = canonicalize(tree, parts.signedInfo, parts.signedInfoForm);
  if (rsaVerifies(parts, form, key)) return;
  throw new SignatureFault('A assinatura RSA não confere com o certificado que a acompanha.');
}

/** OpenSSL throws on a key that it cannot calculate with, such as one with an even modulus. */
function rsaVerifies({ signature }: SignatureParts, form: Uint8Array, key: KeyObject): boolean {
  try {
    return verify(signature.hash, form, key, signature.value);
  } catch {
    return false;
  }
}
