import { type KeyObject, X509Certificate } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { SignatureFault } from './fault.ts';

/** The signer: key to verify with, and the name to show. */
export interface Signer {
  key: KeyObject;
  /** Subject CN. */
  titular: string | null;
  /** Issuer CN: the authority that gave the certificate out. */
  emissor: string | null;
}

/** Below this an RSA key proves nothing; above, verifying costs too much. A1 certificates have 2048. */
const MIN_RSA_BITS = 1024;
const MAX_RSA_BITS = 8192;
/** Base64 characters. A1 certificates take about 3,000. */
const MAX_CERTIFICATE_LENGTH = 32_768;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})+$|^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;

/** One issuer signs thousands of documents, and reading a certificate costs more than verifying with it. */
const signers = new LRUCache<string, Signer>({ max: 500 });

/** Reads a certificate from Base64 without white space. Throws {@link SignatureFault}. */
export function signerOf(certificate: string): Signer {
  const known = signers.get(certificate);
  if (known) return known;
  if (certificate.length > MAX_CERTIFICATE_LENGTH)
    throw new SignatureFault('O certificado da assinatura é grande demais.');
  if (!BASE64.test(certificate)) throw new SignatureFault('X509Certificate não é um texto em Base64.');
  const signer = readSigner(Buffer.from(certificate, 'base64'));
  signers.set(certificate, signer);
  return signer;
}

function readSigner(der: Buffer): Signer {
  let x509: X509Certificate;
  let key: KeyObject;
  try {
    x509 = new X509Certificate(der);
    key = x509.publicKey;
  } catch {
    throw new SignatureFault('O certificado da assinatura não pôde ser lido.');
  }
  if (key.asymmetricKeyType !== 'rsa')
    throw new SignatureFault('O certificado da assinatura não tem chave RSA.');
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS) {
    throw new SignatureFault(
      `A chave RSA do certificado tem ${bits} bits; o aceito é de ${MIN_RSA_BITS} a ${MAX_RSA_BITS}.`,
    );
  }
  const { subject, issuer } = x509.toLegacyObject();
  return { key, titular: commonName(subject), emissor: commonName(issuer) };
}

function commonName(name: { CN?: string | string[] } | undefined): string | null {
  const names = name?.CN;
  const last = Array.isArray(names) ? names.at(-1) : names;
  return last?.trim() || null;
}
