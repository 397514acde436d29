/** Certificates in the forms in which files have them. */
import type { X509Certificate } from 'node:crypto';
import { readX509 } from './autoridades.ts';

const BLOCO = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END /g;

/**
 * @param bytes one certificate in DER, or any number of them in PEM
 * @returns DER of each, in the order of the file; what is none is passed over
 */
export function blocosDe(bytes: Uint8Array): Uint8Array[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const blocks = [...text.matchAll(BLOCO)].map(([, base64 = '']) => Buffer.from(base64, 'base64'));
  return blocks.length > 0 ? blocks : [bytes];
}

/** The same, read. */
export function readCertificados(bytes: Uint8Array): X509Certificate[] {
  return blocosDe(bytes).flatMap((der) => readX509(der) ?? []);
}
