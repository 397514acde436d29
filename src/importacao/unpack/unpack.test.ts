import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import yazl from 'yazl';
import { looksLikeZip, unpack, unpackZip } from './unpack.ts';
import { forgeZip, lines, signature, u32, u64, unpackAll, unpackLines } from './unpack-testing.ts';

/** A zip as the library yazl writes it. */
async function writtenByYazl(
  fill: (zip: yazl.ZipFile) => void,
  end?: Partial<yazl.EndOptions>,
): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  fill(zip);
  zip.end({ forceZip64Format: false, comment: '', ...end });
  const pieces: Buffer[] = [];
  for await (const piece of zip.outputStream) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

const xml = (name: string): Buffer => Buffer.from(`<${name}/>`);

describe('reading an honest zip', () => {
  it('yields deflated and stored files in the order of the directory, numbered from 0, without the folders', async () => {
    const zip = await writtenByYazl((file) => {
      file.addBuffer(xml('b'), 'notas/b.xml');
      file.addEmptyDirectory('notas/vazia');
      file.addBuffer(xml('a'), 'notas/a.xml', { compress: false });
    });
    const entries = await unpackAll(zip);
    assert.deepEqual(lines(entries), ['notas/b.xml = <b/>', 'notas/a.xml = <a/>']);
    assert.deepEqual(
      entries.map((entry) => entry.ordem),
      [0, 1],
    );
  });

  it('gives the same numbers, labels and contents every time', async () => {
    const inner = forgeZip([{ name: 'c.xml', body: '<c/>' }]);
    const zip = forgeZip([
      { name: 'a.xml', body: '<a/>' },
      { name: 'mau.xml', body: '<x/>', crc32: 1 },
      { name: 'i.zip', body: inner },
      { name: 'z.xml', body: '<z/>' },
    ]);
    const first = await unpackAll(zip);
    assert.deepEqual(await unpackAll(zip), first);
    assert.deepEqual(
      first.map((entry) => entry.ordem),
      [0, 1, 2, 3],
    );
  });

  it('yields an empty file as an empty file, with or without a deflate stream', async () => {
    const zip = forgeZip([
      { name: 'a.xml', body: '' },
      { name: 'b.xml', body: '', data: Buffer.alloc(0) },
      { name: 'c.xml', body: '', method: 0 },
    ]);
    assert.deepEqual(await unpackLines(zip), ['a.xml = ', 'b.xml = ', 'c.xml = ']);
  });

  it('yields both of two files with the same name', async () => {
    const zip = forgeZip([
      { name: 'nota.xml', body: '<a/>' },
      { name: 'nota.xml', body: '<b/>' },
    ]);
    assert.deepEqual(await unpackLines(zip), ['nota.xml = <a/>', 'nota.xml = <b/>']);
  });

  it('reads entries whose sums follow the data in a descriptor', async () => {
    const zip = await writtenByYazl((file) => {
      file.addReadStream(Readable.from([xml('a')]), 'a.xml');
      file.addReadStream(Readable.from([xml('b')]), 'b.xml', { compress: false });
    });
    assert.equal(zip.readUInt32LE(14), 0, 'the local header has no CRC');
    assert.deepEqual(await unpackLines(zip), ['a.xml = <a/>', 'b.xml = <b/>']);
  });

  it('reads descriptors without signature, and does not trust their sums over the directory', async () => {
    const descriptor = Buffer.concat([u32(7), u32(7), u32(7)]);
    const local = { crc32: 0, compressedSize: 0, size: 0, flags: 0x0808 };
    const zip = forgeZip([{ name: 'a.xml', body: '<a/>', flags: 0x0808, local, descriptor }]);
    assert.deepEqual(await unpackLines(zip), ['a.xml = <a/>']);
  });

  it('reads Zip64 entries and a Zip64 end record', async () => {
    const zip = await writtenByYazl(
      (file) => {
        file.addBuffer(xml('a'), 'a.xml', { forceZip64Format: true } as Partial<yazl.Options>);
        file.addBuffer(xml('b'), 'b.xml');
      },
      { forceZip64Format: true },
    );
    assert.ok(zip.includes(signature(6, 6)), 'has a Zip64 end record');
    assert.deepEqual(await unpackLines(zip), ['a.xml = <a/>', 'b.xml = <b/>']);
  });

  it('reads an entry whose sizes stand in a Zip64 field although they are small', async () => {
    const data = deflateRawSync('<a/>');
    const extra = Buffer.concat([Buffer.from([1, 0, 16, 0]), u64(4), u64(data.length)]);
    const sizes = { size: 0xffffffff, compressedSize: 0xffffffff };
    const zip = forgeZip([{ name: 'a.xml', body: '<a/>', extra, ...sizes }]);
    assert.deepEqual(await unpackLines(zip), ['a.xml = <a/>']);
  });

  it('reads a self-extractor whose offsets count from the start of the file, and a zip with a comment', async () => {
    const zip = forgeZip([{ name: 'a.xml', body: '<a/>' }], { prefix: Buffer.from('MZ programa') });
    assert.deepEqual(await unpackLines(zip), ['a.xml = <a/>']);
    const commented = await writtenByYazl((file) => file.addBuffer(xml('a'), 'a.xml'), { comment: 'do ERP' });
    assert.deepEqual(await unpackLines(commented), ['a.xml = <a/>']);
  });

  it('reads a zip with bytes of a transfer in front of it or behind it', async () => {
    const zip = forgeZip([{ name: 'a.xml', body: '<a/>' }]);
    const headers = Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: application/zip\r\n\r\n');
    const behind = Buffer.from('\r\n--limite--\r\n');
    const inner = (content: Buffer) => forgeZip([{ name: 'mes.bin', body: content }]);
    for (const odd of [
      [zip, behind],
      [headers, zip],
      [headers, zip, behind],
      [Buffer.from('\ufeff'), zip],
    ]) {
      const bytes = Buffer.concat(odd);
      const found: string[] = [];
      for await (const { caminho } of unpack(bytes) ?? []) found.push(caminho);
      assert.deepEqual(found, ['a.xml']);
      assert.deepEqual(await unpackLines(inner(bytes)), ['mes.bin/a.xml = <a/>']);
    }
    // The same as a stored entry of another zip, whose own end is the one that counts.
    assert.deepEqual(await unpackLines(forgeZip([{ name: 'z.zip', body: zip, data: zip, method: 0 }])), [
      'z.zip/a.xml = <a/>',
    ]);
  });

  it('reads from a view that does not begin at the start of its memory', async () => {
    const zip = forgeZip([{ name: 'a.xml', body: '<a/>' }]);
    const memory = new Uint8Array(zip.length + 7);
    memory.set(zip, 7);
    assert.deepEqual(await unpackLines(memory.subarray(7)), ['a.xml = <a/>']);
  });

  it('touches the data of an entry only when it is asked for', async () => {
    const zip = forgeZip([
      { name: 'a.xml', body: '<a/>', method: 0 },
      { name: 'b.xml', body: '<b/>', method: 0 },
    ]);
    const iterator = unpackZip(zip);
    await iterator.next();
    zip.write('<X/>', zip.indexOf('<b/>'));
    assert.deepEqual(lines([(await iterator.next()).value]), ['b.xml ! zip_crc_invalido']);
  });

  it('lets the caller stop half-way', async () => {
    const zip = forgeZip([
      { name: 'i.zip', body: forgeZip([{ name: 'a.xml', body: '<a/>' }]) },
      { name: 'b.xml', body: '<b/>' },
    ]);
    const iterator = unpackZip(zip);
    assert.equal((await iterator.next()).value?.caminho, 'i.zip/a.xml');
    await iterator.return(undefined);
    assert.deepEqual(await iterator.next(), { value: undefined, done: true });
  });
});

describe('a zip inside a zip', () => {
  const nested = (levels: number): Buffer => {
    let zip = forgeZip([{ name: 'nota.xml', body: '<n/>' }]);
    for (let level = levels - 1; level >= 1; level--) {
      zip = forgeZip([
        { name: `z${level}.zip`, body: zip },
        { name: `v${level}.xml`, body: '<v/>' },
      ]);
    }
    return zip;
  };

  it('is followed to the third level', async () => {
    assert.deepEqual(await unpackLines(nested(3)), [
      'z1.zip/z2.zip/nota.xml = <n/>',
      'z1.zip/v2.xml = <v/>',
      'v1.xml = <v/>',
    ]);
  });

  it('is refused at the fourth, and the neighbours are read', async () => {
    assert.deepEqual(await unpackLines(nested(4)), [
      'z1.zip/z2.zip/z3.zip ! zip_profundo_demais',
      'z1.zip/z2.zip/v3.xml = <v/>',
      'z1.zip/v2.xml = <v/>',
      'v1.xml = <v/>',
    ]);
  });

  it('is known by its content, not by its name', async () => {
    const inner = forgeZip([{ name: 'a.xml', body: '<a/>' }]);
    const zip = forgeZip([
      { name: 'dados.bin', body: inner },
      { name: 'nota.zip', body: '<n/>' },
    ]);
    assert.deepEqual(await unpackLines(zip), ['dados.bin/a.xml = <a/>', 'nota.zip = <n/>']);
  });

  it('that is damaged is one bad entry of the zip around it', async () => {
    const inner = forgeZip([{ name: 'a.xml', body: '<a/>' }]);
    const zip = forgeZip([
      { name: 'i.zip', body: inner.subarray(0, inner.length - 4) },
      { name: 'b.xml', body: '<b/>' },
    ]);
    assert.deepEqual(await unpackLines(zip), ['i.zip ! zip_corrompido', 'b.xml = <b/>']);
  });

  it('that is empty is ignored, as a month without notes is no fault', async () => {
    const zip = forgeZip([
      { name: 'i.zip', body: forgeZip([]) },
      { name: 'b.xml', body: '<b/>' },
    ]);
    assert.deepEqual(await unpackLines(zip), ['i.zip ~ zip_vazio', 'b.xml = <b/>']);
  });

  it('that is a spreadsheet is ignored as a whole, wherever its mark stands in it', async () => {
    const sheet = forgeZip([
      { name: 'docProps/app.xml', body: '<p/>' },
      { name: '[Content_Types].xml', body: '<t/>' },
    ]);
    const text = forgeZip([{ name: 'mimetype', body: 'application/vnd.oasis.opendocument.text' }]);
    const zip = forgeZip([
      { name: 'notas.xlsx', body: sheet },
      { name: 'carta.odt', body: text },
      { name: 'b.xml', body: '<b/>' },
    ]);
    assert.deepEqual(await unpackLines(zip), [
      'notas.xlsx ~ documento_de_escritorio',
      'carta.odt ~ documento_de_escritorio',
      'b.xml = <b/>',
    ]);
  });

  it('that a Java tool has made is opened, a Java program is ignored', async () => {
    const manifest = { name: 'META-INF/MANIFEST.MF', body: 'Manifest-Version: 1.0' };
    const zip = forgeZip([
      { name: 'notas.zip', body: forgeZip([manifest, { name: 'b.xml', body: '<b/>' }]) },
      { name: 'programa.jar', body: forgeZip([manifest, { name: 'a/Main.class', body: 'x' }]) },
    ]);
    assert.deepEqual(await unpackLines(zip), [
      'notas.zip/META-INF/MANIFEST.MF = Manifest-Version: 1.0',
      'notas.zip/b.xml = <b/>',
      'programa.jar ~ documento_de_escritorio',
    ]);
  });

  it('may be bigger than a document, up to its own limit', async () => {
    const inner = forgeZip([{ name: 'a.xml', body: 'a'.repeat(900), method: 0 }]);
    const noise = Buffer.from(Array.from({ length: 900 }, (_, i) => crc32(`${i}`) & 0xff));
    const zip = forgeZip([
      { name: 'i.zip', body: inner },
      { name: 's.zip', body: inner, method: 0 },
      { name: 'n.bin', body: noise },
    ]);
    const seen = await unpackLines(zip, { documentBytes: 899, nestedZipBytes: 2000 });
    assert.deepEqual(seen, [
      'i.zip/a.xml ! zip_documento_grande_demais',
      's.zip/a.xml ! zip_documento_grande_demais',
      'n.bin ! zip_documento_grande_demais',
    ]);
    const smaller = await unpackLines(zip, { documentBytes: 899, nestedZipBytes: 999 });
    assert.deepEqual(smaller.slice(0, 2), [
      'i.zip ! zip_interno_grande_demais',
      's.zip ! zip_interno_grande_demais',
    ]);
  });
});

describe('looksLikeZip', () => {
  it('knows a zip, an empty zip and a Zip64 end by their first bytes, and nothing else', () => {
    assert.equal(looksLikeZip(forgeZip([{ name: 'a', body: 'a' }])), true);
    assert.equal(looksLikeZip(forgeZip([])), true);
    assert.equal(looksLikeZip(signature(6, 6)), true);
    assert.equal(looksLikeZip(Buffer.from('<a/>')), false);
    assert.equal(looksLikeZip(Buffer.from('PK')), false);
    assert.equal(looksLikeZip(new Uint8Array()), false);
  });
});
