import { looksLikeZip } from './unpack-entry.ts';

const END_SIGNATURE = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
const END_BYTES = 22;
/** What may stand behind the end of a zip, and be its comment: as far back as other programs look. */
const TAIL_BYTES = END_BYTES + 0xffff;
const RECORD_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const RECORD_BYTES = 46;
/** Stands for "see the Zip64 record". */
const ZIP64_MARK = 0xffffffff;

/** The last end record: where it stands, and what it says. */
interface End {
  at: number;
  /** One past its comment. */
  end: number;
  directoryBytes: number;
  directoryAt: number;
}

function lastEnd(bytes: Buffer): End | null {
  const at = bytes.lastIndexOf(END_SIGNATURE, bytes.length - END_BYTES);
  if (at < 0 || at < bytes.length - TAIL_BYTES) return null;
  const end = at + END_BYTES + bytes.readUInt16LE(at + 20);
  const directoryBytes = bytes.readUInt32LE(at + 12);
  const directoryAt = bytes.readUInt32LE(at + 16);
  return end > bytes.length || directoryAt === ZIP64_MARK ? null : { at, end, directoryBytes, directoryAt };
}

/** Whether another end record stands where some program would take it for the last. */
function isAmbiguous(bytes: Buffer, { at }: End): boolean {
  return at > 0 && bytes.lastIndexOf(END_SIGNATURE, at - 1) >= Math.max(0, bytes.length - TAIL_BYTES);
}

/** Whether a directory record stands there that leads to a local header. */
function isDirectory(bytes: Buffer, at: number, start: number): boolean {
  if (at < 0 || at + RECORD_BYTES > bytes.length || bytes.readUInt32LE(at) !== RECORD_SIGNATURE) return false;
  const local = start + bytes.readUInt32LE(at + 42);
  return local + 4 <= bytes.length && bytes.readUInt32LE(local) === LOCAL_SIGNATURE;
}

/** A content that begins as a zip, without what a transfer left behind it: a line end, a boundary of HTTP. */
export function zipIn(bytes: Buffer): Buffer | null {
  if (!looksLikeZip(bytes)) return null;
  const last = lastEnd(bytes);
  return last === null || isUnclear(bytes, last) ? bytes : bytes.subarray(0, last.end);
}

/**
 * The zip at the end of a content that begins as nothing that is known: behind headers, behind a program that extracts it.
 * Where two programs could see two zips in it, there is none.
 */
export function zipBehind(bytes: Buffer): Buffer | null {
  if (beginsAsXml(bytes)) return null;
  const last = lastEnd(bytes);
  if (last === null || isUnclear(bytes, last)) return null;
  const start = last.at - last.directoryBytes - last.directoryAt;
  if (start > 0 && isDirectory(bytes, start + last.directoryAt, start))
    return bytes.subarray(start, last.end);
  // Its offsets count from the start of the file, program and all.
  return isDirectory(bytes, last.directoryAt, 0) ? bytes.subarray(0, last.end) : null;
}

function isUnclear(bytes: Buffer, last: End): boolean {
  return last.end < bytes.length && isAmbiguous(bytes, last);
}

/** Nearly every content does: no such one is looked at any further. */
export function beginsAsXml(bytes: Uint8Array): boolean {
  const start = bytes[0] === 0xef ? 3 : 0;
  return bytes[start] === 0x3c;
}
