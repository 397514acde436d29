import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { crc32, deflateRawSync } from 'node:zlib';
import { ArrivingZip, Misread } from './unpack-arriving.ts';
import { type Forged, forgeZip, lines, signature, u32, unpackAll, unpackArriving } from './unpack-testing.ts';

const A: Forged = { name: 'a.xml', body: '<a/>' };
const B: Forged = { name: 'pasta/b.xml', body: '<b>ç</b>', method: 0 };
const C: Forged = { name: 'c.xml', body: '<c/>' };

/** What has been read when all but the last of the zip is here; so much of it was here `before`. */
async function readAhead(zip: Buffer, { before = 0 } = {}): Promise<string[]> {
  const memory = Buffer.from(zip);
  const arriving = new ArrivingZip(memory);
  arriving.arrive(before);
  const seen: string[] = [];
  const reading = (async () => {
    for await (const entry of arriving.entries()) seen.push(...lines([entry]));
  })();
  reading.catch(() => {});
  await pause(5);
  arriving.arrive(zip.length - 1);
  await pause(5);
  arriving.fail(new Error('the end of the test'));
  await assert.rejects(reading, /the end of the test/);
  return seen;
}

describe('a zip whose bytes are still coming', () => {
  it('is read as far as it is here, and by its directory from there on', async () => {
    const zip = forgeZip([A, B, C]);
    const memory = Buffer.alloc(zip.length);
    const arriving = new ArrivingZip(memory);
    const entries = arriving.entries();
    const behindA = zip.indexOf('pasta/b.xml') - 30;
    let next = entries.next();
    for (const end of [10, 40, behindA - 1]) {
      zip.copy(memory, 0, 0, end);
      arriving.arrive(end);
      assert.equal(await Promise.race([next, pending()]), 'pending', `with ${end} bytes of it`);
    }
    zip.copy(memory, 0, 0, behindA);
    arriving.arrive(behindA);
    assert.deepEqual(lines([(await next).value]), ['a.xml = <a/>']);
    next = entries.next();
    zip.copy(memory);
    arriving.arrive(zip.length);
    await arriving.confirmed();
    assert.deepEqual(lines([(await next).value]), ['pasta/b.xml = <b>ç</b>']);
    assert.deepEqual(lines([(await entries.next()).value]), ['c.xml = <c/>']);
    assert.deepEqual(await entries.next(), { value: undefined, done: true });
  });

  it('is read ahead with its folders, its inner zips and its faults', async () => {
    const zip = forgeZip([
      { name: 'pasta/', body: '', method: 0 },
      A,
      { name: 'interno.zip', body: forgeZip([B]) },
      { name: 'ruim.xml', body: '<x/>', crc32: 1 },
      { name: '__MACOSX/._a.xml', body: 'x' },
      C,
    ]);
    const all = lines(await unpackAll(zip));
    assert.equal(all.length, 5);
    assert.deepEqual(await readAhead(zip), all);
    assert.deepEqual(lines((await unpackArriving(zip, { step: 1 })) ?? []), all);
  });

  it('is not read ahead where only the directory tells what there is', async () => {
    const data = deflateRawSync('<x/>');
    const cases: Record<string, Forged> = {
      'sizes behind the data, without a signature': {
        name: 'x',
        body: '<x/>',
        data,
        flags: 0x0808,
        descriptor: described('<x/>', data).subarray(4),
      },
      'a password': { name: 'x', body: '<x/>', flags: 0x0801 },
      'sizes in the Zip64 field': { name: 'x', body: '<x/>', local: { size: 0xffffffff } },
      'more data than the zip has': { name: 'x', body: '<x/>', local: { compressedSize: 1e6 } },
    };
    for (const [what, odd] of Object.entries(cases)) {
      const zip = forgeZip([A, odd, C]);
      assert.deepEqual(await readAhead(zip), ['a.xml = <a/>'], what);
      const early = await unpackArriving(zip, { step: 7 });
      assert.deepEqual(lines(early ?? []), lines(await unpackAll(zip)), what);
    }
  });

  it('is read ahead where the sums stand behind the data, even where these look like them', async () => {
    const body = `PK\x07\x08${'\0'.repeat(16)}<x/>`;
    const data = Buffer.from(body);
    const zip = forgeZip([
      { ...streamed(A), local: { crc32: 0, compressedSize: 0, size: 0 } },
      { name: 'x', body, method: 0, flags: 0x0808, descriptor: described(body, data) },
      streamed(C),
    ]);
    const all = lines(await unpackAll(zip));
    assert.equal(all.length, 3);
    assert.deepEqual(await readAhead(zip), all);
    for (const step of [1, 7, 1_000])
      assert.deepEqual(lines((await unpackArriving(zip, { step })) ?? []), all);
  });

  it('is not searched for sums any more when a megabyte of data has come without them', async () => {
    const body = randomBytes(1_200_000).toString('latin1');
    const zip = forgeZip([A, streamed({ name: 'x', body }), C]);
    assert.equal((await readAhead(zip, { before: 900_000 })).length, 3);
    assert.deepEqual(await readAhead(zip, { before: 1_100_000 }), ['a.xml = <a/>']);
    const early = await unpackArriving(zip, { step: 250_000 });
    assert.deepEqual(lines(early ?? []), lines(await unpackAll(zip)));
  });

  it('is not confirmed when its directory tells of something else', async () => {
    const cases: Record<string, Buffer> = {
      'another checksum behind the data': forgeZip([
        { ...A, flags: 0x0808, descriptor: described('<z/>', deflateRawSync('<a/>')) },
        C,
      ]),
      'another name': forgeZip([{ ...A, local: { name: 'z.xml' } }, C]),
      'a link': forgeZip([{ ...A, attributes: 0xa1ff0000 }, C]),
      'another checksum': forgeZip([{ ...A, local: { crc32: 9 } }, C]),
      'another order': forgeZip([{ ...C, offset: 0 }, A]),
      'fewer entries': withoutFirstRecord(forgeZip([A, C])),
      'two that overlap': forgeZip([A, { ...A, offset: 0 }]),
    };
    for (const [what, zip] of Object.entries(cases)) {
      assert.equal((await readAhead(zip)).length > 0, true, what);
      assert.equal(await unpackArriving(zip, { step: 7 }), null, what);
      assert.ok((await unpackAll(zip)).length > 0, what);
    }
  });

  it('is not confirmed when the budget is spent before its directory is here', async () => {
    const zip = forgeZip([A, B, C]);
    assert.equal(await unpackArriving(zip, { step: 7, limits: { totalBytes: 5 } }), null);
    assert.equal(await unpackArriving(zip, { step: 7, limits: { entries: 2 } }), null);
  });

  it('says to who waits that it does not come to its end', async () => {
    const zip = forgeZip([A, B]);
    const arriving = new ArrivingZip(Buffer.from(zip));
    arriving.arrive(10);
    const next = arriving.entries().next();
    arriving.fail(new Misread('broken off'));
    await assert.rejects(next, /broken off/);
    await assert.rejects(arriving.confirmed(), /broken off/);
  });
});

/** As a writer leaves it that cannot go back to the header once the data are written. */
function streamed(entry: Forged): Forged {
  const body = Buffer.from(entry.body ?? '');
  return { ...entry, flags: 0x0808, descriptor: described(body, deflateRawSync(body)) };
}

function described(body: string | Buffer, data: Buffer): Buffer {
  const size = Buffer.from(body).length;
  return Buffer.concat([signature(7, 8), u32(crc32(body)), u32(data.length), u32(size)]);
}

function pending(): Promise<string> {
  return new Promise((resolve) => setImmediate(() => resolve('pending')));
}

/** As a tool leaves it that takes an entry out of a zip: the data stay where they are. */
function withoutFirstRecord(zip: Buffer): Buffer {
  const first = zip.indexOf('PK\x01\x02');
  const second = zip.indexOf('PK\x01\x02', first + 4);
  const left = Buffer.concat([zip.subarray(0, first), zip.subarray(second)]);
  const end = left.length - 22;
  left.writeUInt16LE(1, end + 8);
  left.writeUInt16LE(1, end + 10);
  left.writeUInt32LE(end - first, end + 12);
  return left;
}
