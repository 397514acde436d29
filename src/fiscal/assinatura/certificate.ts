import { type KeyObject, X509Certificate } from 'node:crypto';
import { SignatureFault } from './fault.ts';
import { KnownContents } from './known-contents.ts';

/** The signer: key to verify with, and the name to show. */
export interface Signer {
  /** The certificate. */
  der: Uint8Array;
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

const LESS_THAN = 0x3c;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})+$|^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;

/** Reading a certificate costs more than verifying with it. */
const signers = new KnownContents<Signer>(500);

/** The signer whose certificate was read from an element with these bytes in it before; null for a new one. */
export function knownSigner(content: Uint8Array): Signer | null {
  return signers.get(content);
}

/**
 * Reads a certificate. Throws {@link SignatureFault}.
 *
 * @param certificate Base64 without white space
 * @param content the bytes of the element that it stands in
 */
export function signerOf(certificate: string, content: Uint8Array): Signer {
  if (certificate.length > MAX_CERTIFICATE_LENGTH)
    throw new SignatureFault('O certificado da assinatura é grande demais.');
  if (!BASE64.test(certificate)) throw new SignatureFault('X509Certificate não é um texto em Base64.');
  const signer = readSigner(Buffer.from(certificate, 'base64'));
  // With markup in it the text is not for everybody: it is judged each time. Nor are megabytes of blanks around it kept.
  if (content.length <= 2 * MAX_CERTIFICATE_LENGTH && !content.includes(LESS_THAN))
    signers.set(content, signer);
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
  return { der: x509.raw, key, titular: commonName(x509, 'subject'), emissor: commonName(x509, 'issuer') };
}

/** What only an escaped text has in it, or one with two attributes in a line. */
const INTRICATE = /\\| \+ /;

/** The last CN, which is the most specific. An object of the whole certificate costs ten times the text of its names. */
function commonName(x509: X509Certificate, of: 'subject' | 'issuer'): string | null {
  // Node gives no text at all for a name without attributes.
  const text: string | undefined = x509[of];
  if (!text) return null;
  if (INTRICATE.test(text)) return commonNameOf(x509.toLegacyObject()[of]);
  const lines = text.split('\n').filter((line) => line.startsWith('CN='));
  return lines.at(-1)?.slice('CN='.length).trim() || null;
}

function commonNameOf(name: { CN?: string | string[] } | undefined): string | null {
  const names = name?.CN;
  const last = Array.isArray(names) ? names.at(-1) : names;
  return last?.trim() || null;
}
