/**
 * The form in which documents are stored. A form is for ever: a new one gets a new number, an old one stays readable.
 *
 * 1. zstd without dictionary; read, no longer written.
 * 2. zstd with dictionary 1, of the bytes without their certificate: an office's issuers have a few certificates, and
 *    each is kept once for all documents that carry it.
 * 3. zstd with dictionary 1, of the bytes as they are: where there is no certificate, or none that could be put back.
 * 4. A part of a block: of the bytes without their certificate. A block is zstd with dictionary 1 over several documents,
 *    so that what they repeat of each other takes no room: how many, how long each is (4 bytes each, little-endian),
 *    then one behind the other. A part of no bytes has left the block.
 * 5. A part of a block: of the bytes as they are.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { constants, zstdDecompressSync } from 'node:zlib';
import type { Codificacao } from '../../fiscal/tipos.ts';
import { ZstdWithDictionary } from '../../platform/bytes/zstd.ts';
import type { ConteudoPreparado } from '../tipos.ts';
import { Arena } from './arena.ts';
import { joinCertificado, takeCertificado } from './certificado-cortado.ts';

const FORMATO_ZSTD = 1;
const FORMATO_SEM_CERTIFICADO = 2;
const FORMATO_INTEIRO = 3;
const FORMATO_SEM_CERTIFICADO_EM_BLOCO = 4;
const FORMATO_INTEIRO_EM_BLOCO = 5;
/**
 * The fast search of level 1, over a table of 64 KB, for repeats of 7 bytes and more: what documents have in common is long.
 * Level 3 takes half as long again and makes blocks 1 % smaller, of documents that have little in common 5 %; higher ones
 * several times as long for a few per cent. Whoever reads need not know.
 */
const ZSTD_PARAMS = {
  [constants.ZSTD_c_compressionLevel]: 1,
  [constants.ZSTD_c_hashLog]: 14,
  [constants.ZSTD_c_minMatch]: 7,
  // Four bytes, so that a damaged document fails on every way out instead of being served as data.
  [constants.ZSTD_c_checksumFlag]: 1,
};
/** Larger documents are compressed where they are read, and never stand in a block: these are to be small and many. */
const PEQUENO_BYTES = 32 * 1024;
/** Size of each number at the head of a block: how many parts, and how long each is. */
const U32_BYTES = 4;
/** Blocks that a thread keeps open: documents that stand in one are mostly read together. */
const BLOCOS_ABERTOS = 16;
/** What a block opens to is at most this, by `blocos.ts`; memory for each is used again. */
const ABERTO_BYTES = 128 * 1024;
/** No kept document is larger than one entry of a file may be (10 MB); the margin is for a transcoded upload. */
const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;

/** One for each thread; the dictionary is read with the first document. Made by `scripts/dicionario.ts`. */
let dicionario1: ZstdWithDictionary | null = null;
function comDicionario1(): ZstdWithDictionary {
  dicionario1 ??= new ZstdWithDictionary(
    readFileSync(new URL('../../../dicionarios/1.zstd', import.meta.url)),
    ZSTD_PARAMS,
  );
  return dicionario1;
}

/** Reads what compressing needs, so that a broken installation is met here and not blamed on a document. @throws */
export function prepareCompressao(): void {
  comDicionario1();
}

/** Memory for documents of these lengths, taken apart: a large one that hardly compresses finds no room in it. */
export function arenaPara(tamanhos: readonly number[]): Arena {
  return new Arena(tamanhos.reduce((sum, tamanho) => sum + Math.min(tamanho, PEQUENO_BYTES), 0));
}

/** Where documents without their certificates are put together; of this thread. */
const scratch = Buffer.alloc(64 * 1024);

/**
 * Takes a document apart for the store.
 * @param parts.arena where its bytes are put; by default memory of their own
 * @param parts.sha256 of the original bytes, if it is known
 */
export function prepareConteudo(
  bytes: Uint8Array,
  codificacao: Codificacao,
  parts: { arena?: Arena | undefined; sha256?: string | undefined } = {},
): ConteudoPreparado {
  const { arena = new Arena(0), sha256 = sha256De(bytes) } = parts;
  const cortado = takeCertificado(bytes, scratch);
  const resto = cortado?.resto ?? bytes;
  const preparado = {
    certificado: cortado && arena.putShared(cortado.certificado),
    tamanho: bytes.length,
    sha256,
    codificacao,
  };
  if (resto.length <= PEQUENO_BYTES) return { ...preparado, comprimido: false, bytes: arena.put(resto) };
  return { ...preparado, comprimido: true, bytes: arena.put(comDicionario1().compress(resto)) };
}

/** How one document is stored by itself. */
export function comprimir(conteudo: ConteudoPreparado): { formato: number; bytes: Uint8Array } {
  return {
    formato: conteudo.certificado === null ? FORMATO_INTEIRO : FORMATO_SEM_CERTIFICADO,
    bytes: conteudo.comprimido ? conteudo.bytes : comDicionario1().compress(conteudo.bytes),
  };
}

/** The form of a document that stands in a block. */
export function formatoEmBloco({ certificado }: Pick<ConteudoPreparado, 'certificado'>): number {
  return certificado === null ? FORMATO_INTEIRO_EM_BLOCO : FORMATO_SEM_CERTIFICADO_EM_BLOCO;
}

/** Where blocks are put together before they are compressed; of this thread. */
const juntos = Buffer.alloc(ABERTO_BYTES);

/** @param partes documents that are not compressed yet, in the order of their positions */
export function closeBloco(partes: readonly Uint8Array[]): Uint8Array {
  let length = U32_BYTES * (1 + partes.length);
  for (const parte of partes) length += parte.length;
  const bloco = length <= juntos.length ? juntos.subarray(0, length) : Buffer.alloc(length);
  let [head, at] = [bloco.writeUInt32LE(partes.length), U32_BYTES * (1 + partes.length)];
  for (const parte of partes) {
    head = bloco.writeUInt32LE(parte.length, head);
    bloco.set(parte, at);
    at += parte.length;
  }
  return comDicionario1().compress(bloco);
}

/**
 * @param room where the parts lie, if they fit
 * @returns the parts, in the order of their positions
 * @throws when the block is damaged
 */
export function openBloco(bytes: Uint8Array, room?: Buffer): readonly Buffer[] {
  const conteudo = comDicionario1().decompress(bytes, MAX_DOCUMENT_BYTES, room);
  const head = U32_BYTES * (1 + conteudo.readUInt32LE());
  const partes: Buffer[] = [];
  let end = head;
  for (let at = U32_BYTES; at < head; at += U32_BYTES) {
    const length = conteudo.readUInt32LE(at);
    partes.push(conteudo.subarray(end, end + length));
    end += length;
  }
  if (end !== conteudo.length) throw new Error('the lengths in a block are not those of its parts');
  return partes;
}

interface BlocoAberto {
  bytes: Uint8Array;
  partes: readonly Buffer[];
  room: Buffer;
}
/** One list for each thread, the latest first. Blocks are found by their bytes: another database may have the same numbers. */
const abertos: BlocoAberto[] = [];

function blocoAberto(bytes: Uint8Array): BlocoAberto {
  const at = abertos.findIndex((bloco) => bloco.bytes === bytes || isSame(bloco.bytes, bytes));
  const [known] = at < 0 ? [] : abertos.splice(at, 1);
  const bloco = known ?? openedIn(roomForBlock(), bytes);
  abertos.unshift(bloco);
  return bloco;
}

const isSame = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && Buffer.compare(one, other) === 0;

/** Memory for one more block: once there are as many as may be, that of the one not read for the longest time. */
function roomForBlock(): Buffer {
  const last = abertos.length < BLOCOS_ABERTOS ? undefined : abertos.pop();
  return last?.room ?? Buffer.allocUnsafeSlow(ABERTO_BYTES);
}

function openedIn(room: Buffer, bytes: Uint8Array): BlocoAberto {
  const partes = openBloco(bytes, room);
  // Not a view, which would keep all of the memory that it looks at.
  const alone = bytes.length === bytes.buffer.byteLength;
  return { bytes: alone ? bytes : new Uint8Array(bytes), partes, room };
}

/** @returns a view, good until other blocks are read */
function parteDoBloco(bytes: Uint8Array, posicao: number | null): Buffer {
  const parte = blocoAberto(bytes).partes[posicao ?? -1];
  if (!parte || parte.length === 0) throw new Error('a block has no such part');
  return parte;
}

/** Hash of the original bytes, hex: it tells versions of a document apart. */
export function sha256De(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

/** What is stored of one version, as its rows give it. */
export interface ConteudoGuardado {
  formato: number;
  /** Stored bytes of the document, or of the block that it stands in. */
  bytes: Uint8Array;
  /** Where it stands in its block; null where it does not stand in one. */
  posicao: number | null;
  /** Text of the certificate that was cut out; null where none was. */
  certificado: string | null;
}

/**
 * Gives the original bytes back.
 * @param scratch where they may be put if they fit: they are good until it is used again
 * @throws when the form is unknown or the bytes are damaged
 */
export function descomprimir(
  { formato, bytes, posicao, certificado }: ConteudoGuardado,
  scratch?: Buffer,
): Buffer {
  switch (formato) {
    case FORMATO_ZSTD:
      return zstdDecompressSync(bytes, { maxOutputLength: MAX_DOCUMENT_BYTES });
    case FORMATO_SEM_CERTIFICADO:
      return comCertificado(comDicionario1().decompress(bytes, MAX_DOCUMENT_BYTES), certificado);
    case FORMATO_INTEIRO:
      return comDicionario1().decompress(bytes, MAX_DOCUMENT_BYTES);
    case FORMATO_SEM_CERTIFICADO_EM_BLOCO:
      return comCertificado(parteDoBloco(bytes, posicao), certificado, scratch);
    case FORMATO_INTEIRO_EM_BLOCO:
      return Buffer.from(parteDoBloco(bytes, posicao));
    default:
      throw new Error(`unknown form of stored bytes: ${formato}`);
  }
}

function comCertificado(resto: Buffer, certificado: string | null, scratch?: Buffer): Buffer {
  if (certificado === null) throw new Error('the certificate of stored bytes is missing');
  return joinCertificado(resto, certificado, scratch);
}

type TalvezGuardado = { [K in keyof ConteudoGuardado]: ConteudoGuardado[K] | null };

/** The original bytes as far as they can still be had: null when they are not there, or not those with this hash. */
export function tryDescomprimir(guardado: TalvezGuardado, sha256: string): Buffer | null {
  const original = tryLer(guardado);
  return original !== null && sha256De(original) === sha256 ? original : null;
}

/** Whatever bytes they are; null when they are not there or cannot be read. */
export function tryLer({ formato, bytes, posicao, certificado }: TalvezGuardado): Buffer | null {
  if (formato === null || bytes === null) return null;
  try {
    return descomprimir({ formato, bytes, posicao, certificado });
  } catch {
    return null;
  }
}
