import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Entry, fromBufferPromise } from 'yauzl';
import { type DirectoryRecord, readRecord } from './unpack-record.ts';
import { type Forged, forgeZip, signature, u32, u64 } from './unpack-testing.ts';

const MARK = 0xffffffff;
const ZIP64 = Buffer.from([1, 0]);
const zip64 = (...values: number[]) =>
  Buffer.concat([ZIP64, Buffer.from([8 * values.length, 0]), ...values.map(u64)]);

const FIELDS = [
  'versionMadeBy',
  'generalPurposeBitFlag',
  'compressionMethod',
  'crc32',
  'compressedSize',
  'uncompressedSize',
  'externalFileAttributes',
  'relativeOffsetOfLocalHeader',
] as const;
/** What one reading found: each record as numbers and texts, and whether it came to the announced end. */
interface Reading {
  records: unknown[];
  whole: boolean;
}

const shown = (record: DirectoryRecord | Entry) => [
  ...FIELDS.map((field) => record[field]),
  record.fileNameRaw.toString('latin1'),
  record.extraFields.map(({ id, data }) => [id, data.toString('hex')]),
];

async function byYauzl(zip: Buffer): Promise<Reading> {
  const records: unknown[] = [];
  try {
    const options = { lazyEntries: true, decodeStrings: false, validateEntrySizes: false };
    for await (const entry of (await fromBufferPromise(zip, options)).eachEntry()) records.push(shown(entry));
  } catch {
    return { records, whole: false };
  }
  return { records, whole: true };
}

async function byUs(zip: Buffer): Promise<Reading> {
  const records: unknown[] = [];
  const file = await fromBufferPromise(zip, { lazyEntries: true, decodeStrings: false }).catch(() => null);
  if (file === null) return { records, whole: false };
  for (let at = Number(file.readEntryCursor); records.length < file.entryCount; ) {
    const record = readRecord(zip, at);
    if ('codigo' in record) return { records, whole: false };
    records.push(shown(record));
    at = record.end;
  }
  return { records, whole: true };
}

const ENTRIES: Forged[] = [
  { name: 'a.xml', body: '<a/>' },
  { name: 'pasta/', attributes: 0x10 },
  { name: Buffer.from('São.xml', 'latin1'), flags: 0, madeBy: 20, extra: Buffer.from([0x99, 0x75, 1, 0, 7]) },
  { name: 'b.xml', body: '<b/>', size: MARK, compressedSize: MARK, extra: zip64(4, 6) },
  { name: 'c.xml', body: '<c/>', size: MARK, extra: zip64(2 ** 40 + 5) },
  { name: 'd.xml', offset: MARK, extra: zip64(0) },
];
const ZIP = forgeZip(ENTRIES);
const DIRECTORY = ZIP.indexOf(signature(1, 2));

describe('a record of the directory', () => {
  test('is read as yauzl reads it, with names as bytes, extra fields and the long sizes of Zip64', async () => {
    const ours = await byUs(ZIP);
    assert.equal(ours.records.length, ENTRIES.length);
    assert.deepEqual(ours, await byYauzl(ZIP));
  });

  test('with any one byte of the directory changed, is read or refused as by yauzl', async () => {
    let refused = 0;
    for (let at = DIRECTORY; at < ZIP.length; at++) {
      for (const value of [0x00, 0x01, 0x40, 0x7f, 0xff]) {
        const mutant = Buffer.from(ZIP);
        mutant[at] = value;
        const ours = await byUs(mutant);
        if (!ours.whole) refused++;
        assert.deepEqual(ours, await byYauzl(mutant), `byte ${at} as ${value}`);
      }
    }
    assert.ok(refused > 100, `${refused} were refused`);
  });

  test('cut anywhere before the end of the directory is refused, never read beyond the zip', () => {
    const directory = ZIP.subarray(DIRECTORY, ZIP.indexOf(signature(5, 6)));
    const first = readRecord(directory, 0);
    assert.ok('end' in first);
    for (let length = 0; length < first.end; length++)
      assert.ok('codigo' in readRecord(directory.subarray(0, length), 0), `${length} bytes`);
  });

  test('outside of the zip is refused, wherever a forged end says that it is', () => {
    for (const place of [ZIP.length, ZIP.length + 1, 2 ** 40, Number.MAX_SAFE_INTEGER, 2 ** 64])
      assert.equal((readRecord(ZIP, place) as { codigo?: string }).codigo, 'zip_corrompido');
  });

  test('whose long sizes are announced and missing is refused', () => {
    for (const extra of [zip64(), zip64(4), Buffer.concat([ZIP64, Buffer.from([9, 0]), u64(4), u32(0)])]) {
      const zip = forgeZip([{ name: 'a.xml', size: MARK, compressedSize: MARK, extra }]);
      const record = readRecord(zip, zip.indexOf(signature(1, 2)));
      assert.equal((record as { codigo?: string }).codigo, 'zip_corrompido');
    }
  });
});
