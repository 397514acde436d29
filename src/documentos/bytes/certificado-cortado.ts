/** Takes the signer's certificate out of a document's bytes and puts it back exactly where it was. */
import { hash } from 'node:crypto';
import { KnownContents } from '../../fiscal/assinatura/known-contents.ts';
import type { CertificadoCortado } from '../tipos.ts';

/** Ends the opening and the closing tag of the element, whatever its prefix. */
const MARCA = Buffer.from('X509Certificate>');
const MENOR = 0x3c;
/** A certificate has a thousand characters and more; what is shorter gains nothing. */
const MIN_CARACTERES = 500;
const MAX_CARACTERES = 20_000;
/** Base64 with the white space that some write into it: nothing that another encoding would write otherwise. */
const BASE64 = /^[A-Za-z0-9+/=\t\r\n ]+$/;

export interface Cortado {
  resto: Buffer;
  certificado: CertificadoCortado;
}

/** One for each thread. Most documents have a certificate that was seen before, and share one object of it. */
const vistos = new KnownContents<CertificadoCortado>(500);

/**
 * Only where the mark stands exactly twice, so that in what remains the place is the first mark, without doubt.
 * @param scratch where the remains are put if they fit: they are good until it is used again
 * @returns null where nothing can be cut: no certificate, or several
 */
export function takeCertificado(bytes: Uint8Array, scratch?: Buffer): Cortado | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const primeira = buffer.indexOf(MARCA);
  if (primeira < 0) return null;
  const inicio = primeira + MARCA.length;
  const segunda = buffer.indexOf(MARCA, inicio);
  if (segunda < 0 || buffer.indexOf(MARCA, segunda + MARCA.length) >= 0) return null;
  const fim = buffer.indexOf(MENOR, inicio);
  if (fim < 0 || fim > segunda) return null;
  if (fim - inicio < MIN_CARACTERES || fim - inicio > MAX_CARACTERES) return null;
  const certificado = certificadoDe(buffer.subarray(inicio, fim));
  return certificado && { resto: without(buffer, { inicio, fim, scratch }), certificado };
}

function certificadoDe(bytes: Buffer): CertificadoCortado | null {
  const visto = vistos.get(bytes);
  if (visto) return visto;
  if (!BASE64.test(bytes.toString('latin1'))) return null;
  const certificado = { bytes: Uint8Array.from(bytes), sha256: hash('sha256', bytes, 'hex') };
  vistos.set(bytes, certificado);
  return certificado;
}

function without(
  buffer: Buffer,
  { inicio, fim, scratch }: { inicio: number; fim: number; scratch: Buffer | undefined },
): Buffer {
  const length = buffer.length - (fim - inicio);
  const target = scratch && length <= scratch.length ? scratch : Buffer.allocUnsafe(length);
  buffer.copy(target, 0, 0, inicio);
  buffer.copy(target, inicio, fim);
  return target.subarray(0, length);
}

/** How a certificate is kept. */
export function textoDe({ bytes }: CertificadoCortado): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

/**
 * @param scratch where the document is put if it fits: it is good until that is used again
 * @throws when the bytes have no place for a certificate: they are not those it was cut from
 */
export function joinCertificado(resto: Buffer, certificado: string, scratch?: Buffer): Buffer {
  const primeira = resto.indexOf(MARCA);
  if (primeira < 0) throw new Error('stored bytes have no place for their certificate');
  const inicio = primeira + MARCA.length;
  const fim = inicio + certificado.length;
  const length = resto.length + certificado.length;
  const target = scratch && length <= scratch.length ? scratch : Buffer.allocUnsafe(length);
  resto.copy(target, 0, 0, inicio);
  target.write(certificado, inicio, 'latin1');
  resto.copy(target, fim, inicio);
  return target.subarray(0, length);
}
