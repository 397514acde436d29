import {
  constants,
  createZstdCompress,
  createZstdDecompress,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib';
import { ZlibEngine } from './zlib-engine.ts';

/** Larger contents take the ordinary way: their setting up is nothing beside the work itself. */
const SMALL_BYTES = 128 * 1024;
/** What is smaller is compressed by another engine: zstd takes memory anew when the sizes that it meets change much. */
const TINY_BYTES = 32 * 1024;

/**
 * zstd with one dictionary and one level, for many small contents. Node's one-shot calls load the dictionary anew
 * each time, which costs several times the compression itself (measured: 150 µs against 20 for a document of 7 KB);
 * so one stream's engine is kept and given one frame after another. Node has no public call for that: where its
 * streams are built otherwise than expected, the one-shot calls are used, and the bytes are the same.
 *
 * One object a thread; frames carry a checksum.
 */
export class ZstdWithDictionary {
  readonly #dictionary: Uint8Array;
  readonly #params: Record<number, number>;
  readonly #compressors = new Map<'tiny' | 'small', ZlibEngine>();
  #decompressor: ZlibEngine | null = null;

  /** `params`: as of `zstdCompressSync`. */
  constructor(dictionary: Uint8Array, params: Record<number, number>) {
    this.#dictionary = dictionary;
    this.#params = params;
  }

  /** @returns bytes of their own, with nothing behind them */
  compress(bytes: Uint8Array): Uint8Array {
    const dictionary = this.#dictionary;
    if (bytes.length < SMALL_BYTES) {
      const size = bytes.length < TINY_BYTES ? 'tiny' : 'small';
      const frame = this.#compressor(size).run(bytes);
      if (frame) return new Uint8Array(frame);
      this.#compressors.delete(size);
    }
    return new Uint8Array(zstdCompressSync(bytes, { dictionary, params: this.#params }));
  }

  #compressor(size: 'tiny' | 'small'): ZlibEngine {
    const known = this.#compressors.get(size);
    if (known) return known;
    const stream = createZstdCompress({ dictionary: this.#dictionary, params: this.#params });
    const engine = new ZlibEngine(stream, constants.ZSTD_e_end);
    this.#compressors.set(size, engine);
    return engine;
  }

  /**
   * @param room where the content is put, if it is larger: fresh memory for each is what V8 collects garbage for
   * @throws when the frame is damaged, cut, or holds more than `maxBytes`
   */
  decompress(frame: Uint8Array, maxBytes: number, room?: Buffer): Buffer {
    const dictionary = this.#dictionary;
    this.#decompressor ??= new ZlibEngine(createZstdDecompress({ dictionary }), constants.ZSTD_e_end);
    const length = announcedLength(frame);
    // With a byte to spare: the engine is given the room only where it does not fill it.
    const isRoomy = room !== undefined && length !== null && length < room.length;
    const content = this.#decompressor.run(frame, isRoomy ? room : undefined);
    // The engine does not tell a cut frame from a whole one: the length that the frame announces does.
    if (content && content.length === length && content.length <= maxBytes) {
      return isRoomy ? room.subarray(0, length) : Buffer.from(content);
    }
    this.#decompressor = null;
    return zstdDecompressSync(frame, { dictionary, maxOutputLength: maxBytes });
  }
}

/** Content size of a frame's header; null when it has none. @fonte RFC 8878, 3.1.1.1 */
function announcedLength(frame: Uint8Array): number | null {
  if (frame.length < 6) return null;
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
  const descriptor = view.getUint8(4);
  const singleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const at = 5 + (singleSegment ? 0 : 1) + dictionaryBytes;
  const bytes = sizeFlag === 0 ? (singleSegment ? 1 : 0) : 2 ** sizeFlag;
  if (bytes === 0 || at + bytes > frame.length) return null;
  if (bytes === 1) return view.getUint8(at);
  if (bytes === 2) return view.getUint16(at, true) + 256;
  return bytes === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
}
