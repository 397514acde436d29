/**
 * The form in which documents are stored. A form is for ever: a new one gets a new number, an old one stays readable.
 *
 * 1. zstd without dictionary; read, no longer written.
 * 2. zstd with dictionary 1, of the bytes without their certificate: an office's issuers have a few certificates, and
 *    each is kept once for all documents that carry it.
 * 3. zstd with dictionary 1, of the bytes as they are: where there is no certificate, or none that could be put back.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { constants, zstdDecompressSync } from 'node:zlib';
import type { Codificacao } from '../fiscal/tipos.ts';
import { ZstdWithDictionary } from '../platform/zstd.ts';
import { juntarCertificado, tirarCertificado } from './certificado-cortado.ts';
import type { ConteudoComprimido } from './tipos.ts';

const FORMATO_ZSTD = 1;
const FORMATO_SEM_CERTIFICADO = 2;
const FORMATO_INTEIRO = 3;
/** Level 3: the measurements found higher levels to cost several times the time for a few per cent. */
const ZSTD_LEVEL = 3;
/** No kept document is larger than one entry of a file may be (10 MB); the margin is for a transcoded upload. */
const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;

/** Of this thread; the dictionary is read with the first document. Made by `scripts/dicionario.ts`. */
let dicionario1: ZstdWithDictionary | null = null;
function comDicionario1(): ZstdWithDictionary {
  dicionario1 ??= new ZstdWithDictionary(readFileSync(new URL('../../dicionarios/1.zstd', import.meta.url)), {
    [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL,
    // Four bytes, so that a damaged document fails on every way out instead of being served as data.
    [constants.ZSTD_c_checksumFlag]: 1,
  });
  return dicionario1;
}

/** Reads what compressing needs, so that a broken installation is met here and not blamed on a document. @throws */
export function prepararCompressao(): void {
  comDicionario1();
}

/** Where documents without their certificates are put together; of this thread. */
const scratch = Buffer.alloc(64 * 1024);

/** Compresses a document for the store. Its hash is taken from the original bytes. */
export function comprimir(bytes: Uint8Array, codificacao: Codificacao): ConteudoComprimido {
  const cortado = tirarCertificado(bytes, scratch);
  return {
    formato: cortado ? FORMATO_SEM_CERTIFICADO : FORMATO_INTEIRO,
    // A copy of its own, so that it can be transferred between threads without dragging a pool along.
    bytes: comDicionario1().compress(cortado?.resto ?? bytes),
    certificado: cortado?.certificado ?? null,
    tamanho: bytes.length,
    sha256: sha256De(bytes),
    codificacao,
  };
}

export function sha256De(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

/** What is stored of one version, as its rows give it. */
export interface ConteudoGuardado {
  formato: number;
  bytes: Uint8Array;
  /** Text of the certificate that was cut out; null where none was. */
  certificado: string | null;
}

/** Gives the original bytes back. @throws when the form is unknown or the bytes are damaged */
export function descomprimir({ formato, bytes, certificado }: ConteudoGuardado): Buffer {
  switch (formato) {
    case FORMATO_ZSTD:
      return zstdDecompressSync(bytes, { maxOutputLength: MAX_DOCUMENT_BYTES });
    case FORMATO_SEM_CERTIFICADO:
      if (certificado === null) throw new Error('the certificate of stored bytes is missing');
      return juntarCertificado(comDicionario1().decompress(bytes, MAX_DOCUMENT_BYTES), certificado);
    case FORMATO_INTEIRO:
      return comDicionario1().decompress(bytes, MAX_DOCUMENT_BYTES);
    default:
      throw new Error(`unknown form of stored bytes: ${formato}`);
  }
}

/** The original bytes as far as they can still be had: null when they are not there, or not those with this hash. */
export function tentarDescomprimir(
  { formato, bytes, certificado }: { [K in keyof ConteudoGuardado]: ConteudoGuardado[K] | null },
  sha256: string,
): Buffer | null {
  if (formato === null || bytes === null) return null;
  try {
    const original = descomprimir({ formato, bytes, certificado });
    return sha256De(original) === sha256 ? original : null;
  } catch {
    return null;
  }
}
