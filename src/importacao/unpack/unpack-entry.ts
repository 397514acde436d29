import { constants, crc32, inflateRawSync } from 'node:zlib';
import { inflateRawInto } from '../../platform/bytes/inflate-raw.ts';
import { recipienteDe } from './containers/abrir.ts';
import type { UnpackBudget } from './unpack-budget.ts';
import type { FalhaDeZip } from './unpack-faults.ts';
import {
  cabecalhoDivergente,
  crcInvalido,
  documentoGrandeDemais,
  entradaCorrompida,
  metodoDesconhecido,
  razaoSuspeita,
  tamanhoDivergente,
  zipCifrado,
  zipInternoGrandeDemais,
} from './unpack-faults.ts';
import { inflatedBytesAllowed } from './unpack-limits.ts';

/** The fields of a central directory record that the body is judged by; sizes in bytes, Zip64 already resolved. */
export interface CentralRecord {
  fileNameRaw: Buffer;
  generalPurposeBitFlag: number;
  compressionMethod: number;
  crc32: number;
  compressedSize: number;
  uncompressedSize: number;
  relativeOffsetOfLocalHeader: number;
}

/** What is kept of a record: its sums, and where its local header and data lie in the zip. */
export interface EntryPlace {
  method: number;
  crc32: number;
  size: number;
  /** Offset of the local header. */
  start: number;
  dataStart: number;
  /** One past the last byte of the data. */
  end: number;
}

export type EntryBody =
  | { bytes: Buffer }
  /** `ends`: the shared budget is used up, so nothing more may be read from the whole upload. */
  | { falha: FalhaDeZip; ends: boolean };

const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
/** WinZip's AES stands as a method of its own. */
const AES = 99;
const FLAG_ENCRYPTED = 0x0001;
export const FLAG_STRONG_ENCRYPTION = 0x0040;
const FLAG_MASKED_HEADERS = 0x2000;
const FLAGS_OF_ENCRYPTION = FLAG_ENCRYPTED | FLAG_STRONG_ENCRYPTION | FLAG_MASKED_HEADERS;
const FLAG_DATA_DESCRIPTOR = 0x0008;
/** Stands for "see the Zip64 extra field". */
export const ZIP64_MARK = 0xffffffff;

const ZIP_STARTS: ReadonlySet<number> = new Set([
  LOCAL_SIGNATURE,
  0x06054b50, // a zip without entries is only its end record
  0x06064b50, // the same in Zip64 form
]);

/** Enough input for the code tables of a dynamic deflate block and the first bytes behind them. */
const PEEK_INPUT_BYTES = 1_024;
/** A zip's beginning does not shrink 64 times; whatever does is none. */
const PEEK_OUTPUT_BYTES = 65_536;
/** zlib's smallest output buffer. */
const MIN_CHUNK_BYTES = 64;

/** Whether the content begins as a zip does; the name plays no part. */
export function looksLikeZip(bytes: Uint8Array): boolean {
  if (bytes.length < 4) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, 4);
  return ZIP_STARTS.has(view.getUint32(0, true));
}

/** Whether the bytes of an entry are compressed; else they lie there as they are. */
export function isDeflated(place: EntryPlace): boolean {
  return place.method === DEFLATED;
}

/** Why an entry cannot be read by any means of ours; null when it can. */
export function unreadable(record: CentralRecord): FalhaDeZip | null {
  const encrypted = (record.generalPurposeBitFlag & FLAGS_OF_ENCRYPTION) !== 0;
  if (encrypted || record.compressionMethod === AES) return zipCifrado();
  const method = record.compressionMethod;
  return method === STORED || method === DEFLATED ? null : metodoDesconhecido(method);
}

/**
 * Finds an entry's data through its local header, which must agree with the central record: a zip that tells two
 * stories shows other tools (an antivirus, the sender's) other content than us. The sums in the local header are
 * compared only where they are filled in; the data itself is checked against the central record in any case.
 *
 * `limit`: offset of the central directory, which data must not reach.
 */
export function locate(zip: Buffer, record: CentralRecord, limit: number): EntryPlace | FalhaDeZip {
  const start = record.relativeOffsetOfLocalHeader;
  if (start + LOCAL_BYTES > limit || zip.readUInt32LE(start) !== LOCAL_SIGNATURE) return entradaCorrompida();
  const nameStart = start + LOCAL_BYTES;
  const nameEnd = nameStart + zip.readUInt16LE(start + 26);
  const dataStart = nameEnd + zip.readUInt16LE(start + 28);
  const end = dataStart + record.compressedSize;
  if (end > limit) return entradaCorrompida();
  if (!record.fileNameRaw.equals(zip.subarray(nameStart, nameEnd)) || !sameLocalFields(zip, start, record)) {
    return cabecalhoDivergente();
  }
  return {
    method: record.compressionMethod,
    crc32: record.crc32,
    size: record.uncompressedSize,
    start,
    dataStart,
    end,
  };
}

function sameLocalFields(zip: Buffer, start: number, record: CentralRecord): boolean {
  const flags = zip.readUInt16LE(start + 6);
  if ((flags ^ record.generalPurposeBitFlag) & FLAGS_OF_ENCRYPTION) return false;
  if (zip.readUInt16LE(start + 8) !== record.compressionMethod) return false;
  // With a data descriptor the sums follow the data, and what stands here means nothing.
  if (flags & FLAG_DATA_DESCRIPTOR) return true;
  const sameSum = (local: number, central: number) =>
    local === 0 || local === ZIP64_MARK || local === central;
  return (
    sameSum(zip.readUInt32LE(start + 14), record.crc32) &&
    sameSum(zip.readUInt32LE(start + 18), record.compressedSize) &&
    sameSum(zip.readUInt32LE(start + 22), record.uncompressedSize)
  );
}

/**
 * Reads one entry's content and checks its length and CRC-32. What the headers announce is refused when it is too
 * much; what is really there is cut at the smallest of all limits, so a header that lies costs no memory.
 *
 * The ratio of one entry rejects only that entry: it is refused without being inflated, and a blank scan or a log
 * among the notes is reason enough for it. The budget of the whole upload ends the reading.
 */
export function readBody(zip: Buffer, place: EntryPlace, budget: UnpackBudget): EntryBody {
  const data = zip.subarray(place.dataStart, place.end);
  const announced = announcedFault(place, data, budget);
  if (announced !== null) return { falha: announced, ends: false };

  const left = budget.remaining();
  const outOfBudget = (): EntryBody => ({ falha: left.falha(), ends: true });
  if (place.method === STORED && place.size > left.bytes) return outOfBudget();
  const allowed = Math.min(place.size, left.bytes);
  const content = place.method === STORED ? data : inflate(data, allowed);
  if (typeof content === 'string') {
    // A failed attempt is charged as if it had gone to its limit: how far zlib came is not known.
    budget.charge(allowed);
    if (content === 'too_long' && allowed < place.size) return outOfBudget();
    return { falha: content === 'damaged' ? entradaCorrompida() : tamanhoDivergente(), ends: false };
  }
  budget.charge(content.length);
  if (content.length !== place.size) return { falha: tamanhoDivergente(), ends: false };
  if (crc32(content) !== place.crc32) return { falha: crcInvalido(), ends: false };
  return { bytes: content };
}

/** What the headers alone are refused for. */
function announcedFault(place: EntryPlace, data: Buffer, budget: UnpackBudget): FalhaDeZip | null {
  const { limits } = budget;
  if (place.method === STORED && place.size !== data.length) return tamanhoDivergente();
  if (place.size > inflatedBytesAllowed(limits, data.length)) return razaoSuspeita(limits);
  if (place.size <= limits.documentBytes) return null;
  if (!beginsLikeContainer(place, data, budget)) return documentoGrandeDemais(limits);
  return place.size > limits.nestedZipBytes ? zipInternoGrandeDemais(limits) : null;
}

/** Looks at the first bytes only, to know which limit of size an entry is under. */
function beginsLikeContainer(place: EntryPlace, data: Buffer, budget: UnpackBudget): boolean {
  const isOne = (start: Buffer): boolean => looksLikeZip(start) || recipienteDe(start) !== null;
  if (place.method === STORED) return isOne(data);
  budget.charge(PEEK_OUTPUT_BYTES);
  try {
    const start = inflateRawSync(data.subarray(0, PEEK_INPUT_BYTES), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: PEEK_OUTPUT_BYTES,
    });
    return isOne(start);
  } catch {
    return false;
  }
}

/** With `info`, zlib also answers its engine, which knows how much input it used; the type does not say so. */
interface InflateInfo {
  buffer: Buffer;
  engine: { bytesWritten: number };
}

/**
 * Inflates to at most `maxBytes`. `too_long`: there is more than that; `too_short`: the deflate stream ends before
 * the data that is announced for it; `damaged`: not a deflate stream, or a cut one.
 */
function inflate(data: Buffer, maxBytes: number): Buffer | 'too_long' | 'too_short' | 'damaged' {
  // Some writers mark an empty file as deflated and write no stream at all.
  if (data.length === 0 && maxBytes === 0) return data;
  // With room for the byte too many.
  const whole = inflateRawInto(data, Buffer.allocUnsafeSlow(maxBytes + 1));
  if (whole) return whole;
  try {
    const result = inflateRawSync(data, {
      info: true,
      // One buffer with room for the byte too many: no pieces to join, and no slack kept alive by the result.
      chunkSize: Math.max(MIN_CHUNK_BYTES, maxBytes + 1),
      maxOutputLength: Math.max(1, maxBytes),
    }) as unknown as InflateInfo;
    if (result.buffer.length > maxBytes) return 'too_long';
    return result.engine.bytesWritten === data.length ? result.buffer : 'too_short';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_long' : 'damaged';
  }
}
