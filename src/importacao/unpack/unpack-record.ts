import { type ExtraField, parseExtraFields } from 'yauzl';
import { type CentralRecord, FLAG_STRONG_ENCRYPTION, ZIP64_MARK } from './unpack-entry.ts';
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

function extraFieldsIn(raw: Buffer): ExtraField[] | null {
  if (raw.length === 0) return [];
  try {
    return parseExtraFields(raw);
  } catch {
    return null;
  }
}

/** The extra field holds only those of the three values that are marked, in this order. @returns whether all are there */
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
