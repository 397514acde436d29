/** A text as one gzip member by one compressor: what its parts repeat of each other takes no room, and no time. */
import { constants, createGzip, gzipSync } from 'node:zlib';
import { ZlibEngine } from '../bytes/zlib-engine.ts';

/**
 * Speed counts, as in `membro.ts`. But documents of some KB repeat each other within the largest window only. And with more
 * memory fewer tables of codes are made (measured on pages of a hundred: a tenth of the time).
 */
const COMPRESSION = { level: 1, memLevel: 9 };
/** A member that is larger takes the ordinary way. */
const LARGEST_BYTES = 2 * 1024 * 1024;

/** One for each thread. */
let compressor: ZlibEngine | null = null;

/** @returns bytes of their own */
export function membroInteiro(text: Uint8Array): Uint8Array {
  compressor ??= new ZlibEngine(createGzip(COMPRESSION), constants.Z_FINISH, LARGEST_BYTES);
  const member = compressor.runAlone(text);
  if (member) return new Uint8Array(member);
  compressor = null;
  return new Uint8Array(gzipSync(text, COMPRESSION));
}
