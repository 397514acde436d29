import { type ExtraField, parseExtraFields } from 'yauzl';
import {
  type CentralRecord,
  FLAG_DATA_DESCRIPTOR,
  FLAG_STRONG_ENCRYPTION,
  FLAGS_OF_ENCRYPTION,
  LOCAL_BYTES,
  LOCAL_SIGNATURE,
  ZIP64_MARK,
} from './unpack-entry.ts';
import { type FalhaDeZip, zipCifrado, zipCorrompido } from './unpack-faults.ts';

/** A record of the central directory: what the body is judged by, and what the name and the kind are read from. */
export interface DirectoryRecord extends CentralRecord {
  versionMadeBy: number;
  externalFileAttributes: number;
  extraFields: ExtraField[];
  /** One past its last byte. */
  end: number;
}

const SIGNATURE = 0x02014b50;
const FIXED_BYTES = 46;
const DESCRIPTOR_SIGNATURE = Buffer.from([0x50, 0x4b, 0x07, 0x08]);
const DESCRIPTOR_BYTES = 16;
/** Data that have no descriptor behind so many bytes are not searched any further: each piece that comes begins anew. */
const DESCRIBED_BYTES = 1_000_000;
const EXTRA_ZIP64 = 0x0001;
const UPPER_HALF = 2 ** 32;

/**
 * The record at a place of the directory, Zip64 sizes resolved. Names are views into the zip, raw; sizes are not compared:
 * one strange entry must not end the whole zip.
 * @returns why nothing behind this place can be read either: with strong encryption even the directory is encrypted
 * @fonte APPNOTE.TXT 4.3.12, 4.4.4 (bit 6), 4.5.3
 */
export function readRecord(zip: Buffer, start: number): DirectoryRecord | FalhaDeZip {
  const nameStart = start + FIXED_BYTES;
  if (nameStart > zip.length || zip.readUInt32LE(start) !== SIGNATURE) return zipCorrompido();
  const generalPurposeBitFlag = zip.readUInt16LE(start + 8);
  if (generalPurposeBitFlag & FLAG_STRONG_ENCRYPTION) return zipCifrado();
  const nameEnd = nameStart + zip.readUInt16LE(start + 28);
  const extraEnd = nameEnd + zip.readUInt16LE(start + 30);
  const end = extraEnd + zip.readUInt16LE(start + 32);
  if (end > zip.length) return zipCorrompido();
  const extraFields = extraFieldsIn(zip.subarray(nameEnd, extraEnd));
  if (extraFields === null) return zipCorrompido();
  const record: DirectoryRecord = {
    versionMadeBy: zip.readUInt16LE(start + 4),
    generalPurposeBitFlag,
    compressionMethod: zip.readUInt16LE(start + 10),
    crc32: zip.readUInt32LE(start + 16),
    compressedSize: zip.readUInt32LE(start + 20),
    uncompressedSize: zip.readUInt32LE(start + 24),
    fileNameRaw: zip.subarray(nameStart, nameEnd),
    externalFileAttributes: zip.readUInt32LE(start + 38),
    relativeOffsetOfLocalHeader: zip.readUInt32LE(start + 42),
    extraFields,
    end,
  };
  return resolveZip64(record) ? record : zipCorrompido();
}

/**
 * The record that the directory is likely to have of the entry whose local header stands here: the kind of file, which it
 * tells alone, is taken for the usual one.
 * @param arrived so many bytes of the zip are here
 * @returns null while its data are not all here; `other` for what only the directory tells: sizes in the Zip64 field, or
 * nowhere that is known, encryption, or no entry at all
 * @fonte APPNOTE.TXT 4.3.7, 4.4.4
 */
export function readLocalRecord(
  zip: Buffer,
  start: number,
  arrived: number,
): DirectoryRecord | 'other' | null {
  const nameStart = start + LOCAL_BYTES;
  if (nameStart > arrived) return null;
  if (zip.readUInt32LE(start) !== LOCAL_SIGNATURE) return 'other';
  const generalPurposeBitFlag = zip.readUInt16LE(start + 6);
  if (generalPurposeBitFlag & FLAGS_OF_ENCRYPTION) return 'other';
  const nameEnd = nameStart + zip.readUInt16LE(start + 26);
  const dataStart = nameEnd + zip.readUInt16LE(start + 28);
  const isDescribed = (generalPurposeBitFlag & FLAG_DATA_DESCRIPTOR) !== 0;
  const sums = isDescribed ? findDescriptor(zip, dataStart, arrived) : readSums(zip, start + 14);
  if (sums === null || sums === 'other') return sums;
  const end = dataStart + sums.compressedSize + (isDescribed ? DESCRIPTOR_BYTES : 0);
  if (sums.uncompressedSize === ZIP64_MARK || end > zip.length) return 'other';
  if (end > arrived) return null;
  return {
    versionMadeBy: 0,
    generalPurposeBitFlag,
    compressionMethod: zip.readUInt16LE(start + 8),
    fileNameRaw: zip.subarray(nameStart, nameEnd),
    externalFileAttributes: 0,
    relativeOffsetOfLocalHeader: start,
    extraFields: [],
    ...sums,
    end,
  };
}

/** What a record says of its data. */
type Sums = Pick<DirectoryRecord, 'crc32' | 'compressedSize' | 'uncompressedSize'>;

function readSums(zip: Buffer, at: number): Sums {
  return {
    crc32: zip.readUInt32LE(at),
    compressedSize: zip.readUInt32LE(at + 4),
    uncompressedSize: zip.readUInt32LE(at + 8),
  };
}

/**
 * The descriptor that streaming writers put behind the data: where its signature stands, it tells of just the bytes before
 * it, and the next record follows. Without the signature, which the format does not ask for, it is not looked for.
 * @returns null while it is not here
 * @fonte APPNOTE.TXT 4.3.9
 */
function findDescriptor(zip: Buffer, dataStart: number, arrived: number): Sums | 'other' | null {
  const data = zip.subarray(dataStart, arrived);
  for (let length = -1; ; ) {
    length = data.indexOf(DESCRIPTOR_SIGNATURE, length + 1);
    const next = dataStart + length + DESCRIPTOR_BYTES;
    if (length < 0 || next + 4 > arrived) return data.length > DESCRIBED_BYTES ? 'other' : null;
    const sums = readSums(data, length + 4);
    if (sums.compressedSize === length && isRecord(zip.readUInt32LE(next))) return sums;
  }
}

function isRecord(found: number): boolean {
  return found === LOCAL_SIGNATURE || found === SIGNATURE;
}

function extraFieldsIn(raw: Buffer): ExtraField[] | null {
  if (raw.length === 0) return [];
  try {
    return parseExtraFields(raw);
  } catch {
    return null;
  }
}

/** Of the three values only those stand in the extra field that are marked, in this order. @returns whether all are there */
function resolveZip64(record: DirectoryRecord): boolean {
  const wide = record.extraFields.find(({ id }) => id === EXTRA_ZIP64)?.data;
  if (!wide) return true;
  let at = 0;
  for (const field of ['uncompressedSize', 'compressedSize', 'relativeOffsetOfLocalHeader'] as const) {
    if (record[field] !== ZIP64_MARK) continue;
    if (at + 8 > wide.length) return false;
    record[field] = wide.readUInt32LE(at) + wide.readUInt32LE(at + 4) * UPPER_HALF;
    at += 8;
  }
  return true;
}
