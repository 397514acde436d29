import { hash, type KeyObject, verify } from 'node:crypto';
import { canonicalBytes } from '../camadas.ts';
import { type Autoridades, SEM_AUTORIDADES } from '../certificado/autoridades.ts';
import type { VeredictoAssinatura } from '../tipos.ts';
import { CanonicalFormTooLong } from '../xml/c14n.ts';
import { descend, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { knownSigner, signerOf } from './certificate.ts';
import { SignatureFault } from './fault.ts';
import { rememberForm, verifyKnownForm } from './forma-conhecida.ts';
import type { Prova } from './provas.ts';
import { signatarioDe } from './signatario.ts';
import {
  algorithmName,
  type FormaDoResumo,
  hasSignatureInside,
  readFormaDoResumo,
  readSignature,
  type SignatureParts,
  signaturesBeside,
} from './structure.ts';

interface DepsDaAssinatura {
  /** Takes what is put off; `integra` then stands only if it holds (`provas.ts`). */
  provas?: Prova[] | undefined;
  /** Who answers for certificates; by default nobody. */
  autoridades?: Autoridades | undefined;
}

/** Where no signature tells how: Canonical XML 1.0 without comments, SHA-1. */
const SEM_FORMA: FormaDoResumo = {
  form: { exclusive: false, withComments: false, inclusivePrefixes: [] },
  hash: 'sha1',
};

/**
 * Verifies the signature of an element that was found in the document (`infNFe`, `infEvento`, `infNFSe` …): the
 * Signature that stands beside it, under the same parent. `integra` only when digest and RSA both verify, over
 * the very element given. Whether its holder may sign, and when, is not asked here.
 * @fonte XMLDSig Core; OWASP ASVS 5.0, 1.5.3; docs/hostis.md
 */
export function verifySignature(
  tree: XmlTree,
  signed: XmlElement,
  { provas, autoridades = SEM_AUTORIDADES }: DepsDaAssinatura = {},
): VeredictoAssinatura {
  const [signature, another] = signaturesBeside(signed);
  if (!signature) return withoutSignature(tree, signed);
  return (
    (another ? null : verifyKnownForm(tree, { signed, signature, provas, autoridades })) ??
    readAndVerify(tree, { signed, signature, another, autoridades })
  );
}

function readAndVerify(
  tree: XmlTree,
  input: {
    signed: XmlElement;
    signature: XmlElement;
    another: XmlElement | undefined;
    autoridades: Autoridades;
  },
): VeredictoAssinatura {
  const { signed, signature, another } = input;
  const forma = another ? SEM_FORMA : (readFormaDoResumo(signature) ?? SEM_FORMA);
  const { longa, ...resumo } = digestOf(tree, signed, forma);
  const verdict: VeredictoAssinatura = {
    resultado: 'alterada',
    motivo: null,
    algoritmo: algorithmName(signature),
    titular: null,
    ...resumo,
    signatario: null,
  };
  try {
    if (longa) throw longa;
    if (another) throw new SignatureFault(`Há mais de uma assinatura ao lado de ${signed.localName}.`);
    const parts = readSignature(tree, signed, signature);
    const { signer, enviados } = parts;
    verdict.titular = signer.titular;
    verdict.signatario = signatarioDe(signer, input.autoridades, enviados);
    proveDigest({ signed, parts, computed: verdict.digestCalculado });
    proveRsa(tree, { parts, key: signer.key });
    verdict.resultado = 'integra';
    rememberForm(tree, { signed, signature, parts, algoritmo: verdict.algoritmo });
  } catch (error) {
    if (!(error instanceof SignatureFault || error instanceof CanonicalFormTooLong)) throw error;
    verdict.motivo = error.message;
  }
  return verdict;
}

function withoutSignature(tree: XmlTree, signed: XmlElement): VeredictoAssinatura {
  const inside = hasSignatureInside(signed);
  const { longa: _longa, ...resumo } = digestOf(tree, signed, SEM_FORMA);
  return {
    resultado: inside ? 'alterada' : 'sem_assinatura',
    motivo: inside ? `A assinatura está dentro de ${signed.localName}; deveria estar ao lado dele.` : null,
    algoritmo: null,
    titular: null,
    ...resumo,
    signatario: null,
  };
}

/**
 * The Signature stands beside the signed element, so that enveloped-signature finds nothing in it to leave out. A content
 * whose canonical form is too long to be made is told from others by its bytes.
 */
function digestOf(
  tree: XmlTree,
  signed: XmlElement,
  forma: FormaDoResumo,
): Pick<VeredictoAssinatura, 'digestCalculado' | 'digestMetodo'> & { longa: CanonicalFormTooLong | null } {
  const digestMetodo = forma.hash;
  try {
    const digestCalculado = hash(digestMetodo, canonicalBytes(tree, signed, forma.form), 'base64');
    return { digestCalculado, digestMetodo, longa: null };
  } catch (error) {
    if (!(error instanceof CanonicalFormTooLong)) throw error;
    const bytes = tree.bytes.subarray(signed.start, signed.end);
    return { digestCalculado: hash(digestMetodo, bytes, 'base64'), digestMetodo, longa: error };
  }
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

function proveDigest(input: { signed: XmlElement; parts: SignatureParts; computed: string }): void {
  const { signed, parts, computed } = input;
  if (parts.digest.value.toString('base64') === computed) return;
  throw new SignatureFault(
    `O resumo (digest) de ${signed.localName} não confere: o conteúdo foi alterado depois de assinado.`,
  );
}

function proveRsa(tree: XmlTree, { parts, key }: { parts: SignatureParts; key: KeyObject }): void {
  const form = canonicalBytes(tree, parts.signedInfo, parts.signedInfoForm);
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
