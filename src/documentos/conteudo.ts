import { createHash } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Codificacao } from '../fiscal/tipos.ts';
import type { ConteudoComprimido } from './tipos.ts';

/** Forms of stored bytes. A form is for ever: a new one gets a new number, an old one stays readable. */
const FORMATO_ZSTD = 1;
/** Level 3: the measurements found higher levels to cost several times the time for a few per cent. */
const ZSTD_LEVEL = 3;
/** No kept document is larger than one entry of a file may be (10 MB); the margin is for a transcoded upload. */
const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;

/** Compresses a document for the store. Its hash is taken from the original bytes. */
export function comprimir(bytes: Uint8Array, codificacao: Codificacao): ConteudoComprimido {
  const compressed = zstdCompressSync(bytes, {
    params: {
      [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL,
      // Four bytes, so that a damaged document fails on every way out instead of being served as data.
      [constants.ZSTD_c_checksumFlag]: 1,
    },
  });
  return {
    formato: FORMATO_ZSTD,
    // A copy of its own, so that it can be transferred between threads without dragging a pool along.
    bytes: new Uint8Array(compressed),
    tamanho: bytes.length,
    sha256: sha256De(bytes),
    codificacao,
  };
}

export function sha256De(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Gives the original bytes back. @throws when the form is unknown or the bytes are damaged */
export function descomprimir(conteudo: { formato: number; bytes: Uint8Array }): Buffer {
  if (conteudo.formato !== FORMATO_ZSTD) throw new Error(`unknown form of stored bytes: ${conteudo.formato}`);
  return zstdDecompressSync(conteudo.bytes, { maxOutputLength: MAX_DOCUMENT_BYTES });
}
