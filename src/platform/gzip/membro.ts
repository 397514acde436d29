/**
 * One valid gzip member out of prepared parts. Texts were compressed before, each by a compressor of its own, and ended so
 * that they are aligned and refer to nothing outside of themselves; plain bytes stand between them. Nothing is inflated or
 * deflated here. The checksum of the whole comes from those of the parts.
 * @fonte RFC 1951 (blocks), RFC 1952 (member)
 */
import { constants, crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';
import { ZlibEngine } from '../bytes/zlib-engine.ts';
import { combineCrc, shiftOf } from './crc.ts';

/** A text in compressed form. */
export interface Segmento {
  /** Raw deflate, ended by a full flush: aligned, no final block. */
  bytes: Uint8Array;
  /** CRC-32 of the text. */
  crc: number;
  /** Length of the text, bytes. */
  tamanho: number;
  /** `shiftOf(tamanho)`. */
  shift: number;
}

/** Plain bytes, or a text in compressed form. */
export type Parte = Uint8Array | Segmento;

/**
 * Speed counts: higher levels cost several times as much for a tenth less. Documents have some KB, so little window and
 * memory do.
 */
const COMPRESSION = { level: 1, windowBits: 14, memLevel: 7 };
/** A text of this size certainly fits what `ZlibEngine` writes to. */
const SMALL_BYTES = 128 * 1024;
/** Most bytes of a stored block. */
const STORED_MAX = 65_535;
const STORED_HEADER = 5;
const FLAGS_AND_TIME = [0, 0, 0, 0, 0];
const FASTEST = 4;
const UNKNOWN_SYSTEM = 255;
const HEADER = Uint8Array.from([0x1f, 0x8b, 8, ...FLAGS_AND_TIME, FASTEST, UNKNOWN_SYSTEM]);
/** A final block of fixed codes with nothing but its end. */
const END = Uint8Array.from([0x03, 0x00]);
const TRAILER = 8;

/**
 * Compresses a text so that it can stand anywhere in a member. One engine does one text after the other, since setting
 * one up costs as much as a document; a full flush makes it forget what came before.
 */
export function segmentoDe(text: Uint8Array): Segmento {
  return { bytes: deflated(text), crc: crc32(text), tamanho: text.length, shift: shiftOf(text.length) };
}

/** One for each thread. */
let compressor: ZlibEngine | null = null;

function deflated(text: Uint8Array): Uint8Array {
  if (text.length > 0 && text.length < SMALL_BYTES) {
    compressor ??= new ZlibEngine(createDeflateRaw(COMPRESSION), constants.Z_FULL_FLUSH);
    const bytes = compressor.run(text);
    if (bytes) return new Uint8Array(bytes);
    compressor = null;
  }
  return deflateRawSync(text, { ...COMPRESSION, finishFlush: constants.Z_FULL_FLUSH });
}

/**
 * Joins parts in their order. @returns the member, which holds their texts one behind the other
 * @param allocate gives memory of that very length
 */
export function membroDe(
  partes: readonly Parte[],
  allocate: (bytes: number) => Buffer = Buffer.allocUnsafe,
): Buffer {
  const member = allocate(partes.reduce((sum, parte) => sum + roomOf(parte), roomAround()));
  member.set(HEADER);
  let at = HEADER.length;
  let crc = 0;
  let length = 0;
  for (const parte of partes) {
    if (parte instanceof Uint8Array) {
      at = store(member, at, parte);
      crc = crc32(parte, crc);
      length += parte.length;
    } else {
      member.set(parte.bytes, at);
      at += parte.bytes.length;
      crc = combineCrc(crc, parte.crc, parte.shift);
      length += parte.tamanho;
    }
  }
  member.set(END, at);
  at = member.writeUInt32LE(crc, at + END.length);
  // The length is told modulo 2^32.
  at = member.writeUInt32LE(length % 2 ** 32, at);
  // The memory may have held something else before.
  if (at !== member.length) throw new Error(`a gzip member has ${at} bytes instead of ${member.length}`);
  return member;
}

function roomAround(): number {
  return HEADER.length + END.length + TRAILER;
}

function roomOf(parte: Parte): number {
  if (!(parte instanceof Uint8Array)) return parte.bytes.length;
  return parte.length + Math.ceil(parte.length / STORED_MAX) * STORED_HEADER;
}

/** Writes plain bytes as stored blocks. @returns where the next part begins */
function store(member: Buffer, start: number, bytes: Uint8Array): number {
  let at = start;
  for (let from = 0; from < bytes.length; from += STORED_MAX) {
    const length = Math.min(STORED_MAX, bytes.length - from);
    member[at] = 0;
    member.writeUInt16LE(length, at + 1);
    member.writeUInt16LE(length ^ 0xffff, at + 3);
    member.set(bytes.subarray(from, from + length), at + STORED_HEADER);
    at += STORED_HEADER + length;
  }
  return at;
}
