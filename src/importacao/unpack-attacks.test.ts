import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import { boundedLimits, UNPACK_LIMITS } from './unpack/unpack-limits.ts';
import { type Forged, forgeZip, lines, u64, unpackAll, unpackLines } from './unpack/unpack-testing.ts';

const GOOD: Forged = { name: 'boa.xml', body: '<boa/>' };
const GOOD_LINE = 'boa.xml = <boa/>';

/** The bad entry stands between good neighbours, which must be read. */
async function amongGood(bad: Forged): Promise<string[]> {
  const seen = await unpackLines(forgeZip([GOOD, bad, GOOD]));
  assert.deepEqual([seen[0], seen[2]], [GOOD_LINE, GOOD_LINE]);
  assert.equal(seen.length, 3);
  return seen.slice(1, 2);
}

describe('a faulty entry is rejected and its neighbours are read', () => {
  const body = '<nota>valor</nota>';
  const data = deflateRawSync(body);
  const cases: readonly (readonly [string, string, Forged])[] = [
    ['password (ZipCrypto)', 'zip_cifrado', { name: 'x', body, flags: 0x0801 }],
    ['password (AES)', 'zip_cifrado', { name: 'x', body, flags: 0x0801, method: 99 }],
    ['LZMA', 'zip_metodo_desconhecido', { name: 'x', body, method: 14, data }],
    ['Zstandard', 'zip_metodo_desconhecido', { name: 'x', body, method: 93, data }],
    ['wrong CRC-32, deflated', 'zip_crc_invalido', { name: 'x', body, crc32: 1 }],
    ['wrong CRC-32, stored', 'zip_crc_invalido', { name: 'x', body, method: 0, crc32: 1 }],
    ['size announced too small', 'zip_tamanho_divergente', { name: 'x', body, size: body.length - 1 }],
    ['size announced as 0', 'zip_tamanho_divergente', { name: 'x', body, size: 0 }],
    ['size announced too big', 'zip_tamanho_divergente', { name: 'x', body, size: body.length + 1 }],
    ['stored with two sizes', 'zip_tamanho_divergente', { name: 'x', body, method: 0, size: 5 }],
    [
      'bytes hidden behind the deflate stream',
      'zip_tamanho_divergente',
      { name: 'x', body, data: Buffer.concat([data, data]) },
    ],
    ['cut deflate stream', 'zip_entrada_corrompida', { name: 'x', body, data: data.subarray(0, -3) }],
    ['stored text called deflated', 'zip_entrada_corrompida', { name: 'x', body, data: Buffer.from(body) }],
    ['no data for a size', 'zip_entrada_corrompida', { name: 'x', body, data: Buffer.alloc(0) }],
    ['local header of another name', 'zip_cabecalho_divergente', { name: 'x', body, local: { name: 'y' } }],
    ['local header of another method', 'zip_cabecalho_divergente', { name: 'x', body, local: { method: 0 } }],
    [
      'local header with encryption',
      'zip_cabecalho_divergente',
      { name: 'x', body, local: { flags: 0x0801 } },
    ],
    ['local header of another size', 'zip_cabecalho_divergente', { name: 'x', body, local: { size: 9 } }],
    [
      'local header of another compressed size',
      'zip_cabecalho_divergente',
      { name: 'x', body, local: { compressedSize: 9 } },
    ],
    ['local header of another CRC-32', 'zip_cabecalho_divergente', { name: 'x', body, local: { crc32: 9 } }],
    ['offset beyond the file', 'zip_entrada_corrompida', { name: 'x', body, offset: 0x7fff0000 }],
    ['offset into another entry', 'zip_entrada_corrompida', { name: 'x', body, offset: 3 }],
    ['data into the directory', 'zip_entrada_corrompida', { name: 'x', body, compressedSize: 4000 }],
    [
      'Zip64 marks without a Zip64 field',
      'zip_entrada_corrompida',
      { name: 'x', body, compressedSize: 0xffffffff },
    ],
    ['size 0xFFFFFFFF', 'zip_razao_suspeita', { name: 'x', body, size: 0xffffffff }],
    ['a symbolic link', 'zip_link_simbolico', { name: 'x', body: '/etc/passwd', attributes: 0xa1ff0000 }],
    ['a device', 'zip_link_simbolico', { name: 'x', attributes: 0x21ff0000 }],
    ['a name of 64 KB', 'zip_nome_longo_demais', { name: 'x'.repeat(65_000), body }],
  ];
  for (const [what, codigo, bad] of cases) {
    it(`${what}: ${codigo}`, async () => {
      const [line] = await amongGood(bad);
      assert.equal(line?.split(' ').at(-1), codigo);
    });
  }

  it('tells which compression was used, by name', async () => {
    const [entry] = await unpackAll(forgeZip([{ name: 'x', body, method: 14 }]));
    assert.ok(entry?.resultado === 'rejeitado');
    assert.match(entry.mensagem, /LZMA \(método 14\)/);
  });

  it('a Zip64 size beyond every number is refused like any other', async () => {
    const extra = Buffer.concat([Buffer.from([1, 0, 16, 0]), u64(2 ** 53), u64(2 ** 53)]);
    const sizes = { size: 0xffffffff, compressedSize: 0xffffffff };
    assert.deepEqual(await amongGood({ name: 'x', body, extra, ...sizes }), ['x ! zip_entrada_corrompida']);
  });

  it('a document over its limit is refused by its header: its data, which is no deflate stream, is not tried', async () => {
    const size = UNPACK_LIMITS.documentBytes + 1;
    const bad = { name: 'x', data: Buffer.alloc(200_000, 7), crc32: 1 };
    assert.deepEqual(await amongGood({ ...bad, size }), ['x ! zip_documento_grande_demais']);
    assert.deepEqual(await amongGood({ ...bad, size: size - 1 }), ['x ! zip_entrada_corrompida']);
  });

  it('a fault of every kind is told in Portuguese with something to do', async () => {
    for (const [what, , bad] of cases) {
      for (const entry of await unpackAll(forgeZip([bad]))) {
        assert.ok(entry.resultado !== 'arquivo', what);
        assert.match(entry.mensagem, /^[A-ZÉ].{20,}\. [A-Z].{10,}\.$/, what);
      }
    }
  });
});

describe('bombs', () => {
  it('an entry that grows more than 100 times is rejected alone, above 1 MB only', async () => {
    const zip = forgeZip([
      { name: 'limite.txt', body: Buffer.alloc(1_000_000) },
      { name: 'bomba.txt', body: Buffer.alloc(1_000_001) },
      // Enough real bytes that the ratio of the whole is not in question.
      { name: 'boa.bin', body: Buffer.alloc(60_000, 'x'), method: 0 },
    ]);
    const seen = (await unpackAll(zip)).map((entry) => [entry.caminho, entry.resultado]);
    assert.deepEqual(seen, [
      ['limite.txt', 'arquivo'],
      ['bomba.txt', 'rejeitado'],
      ['boa.bin', 'arquivo'],
    ]);
  });

  it('a header that hides a bomb behind a small size stops the inflating there', async () => {
    const data = deflateRawSync(Buffer.alloc(50_000_000));
    const before = process.memoryUsage().arrayBuffers;
    assert.deepEqual(await amongGood({ name: 'x', data, size: 1000, crc32: 1 }), [
      'x ! zip_tamanho_divergente',
    ]);
    assert.ok(process.memoryUsage().arrayBuffers - before < 10_000_000);
  });

  it('many entries just under the ratio end the file once the whole grows more than 100 times', async () => {
    const body = Buffer.alloc(900_000);
    const zip = forgeZip(Array.from({ length: 10 }, (_, index) => ({ name: `${index}.txt`, body })));
    assert.ok(zip.length < 18_000);
    const seen = (await unpackAll(zip)).map((entry) => entry.resultado === 'arquivo' || entry.codigo);
    assert.deepEqual(seen, [true, 'zip_razao_suspeita']);
  });

  it('the total of inflated bytes ends the file, after the neighbours before it', async () => {
    const zip = forgeZip([GOOD, { name: 'm.xml', body: 'm'.repeat(100) }, GOOD]);
    assert.deepEqual(await unpackLines(zip, { totalBytes: 50 }), [GOOD_LINE, ' ! zip_grande_demais']);
    const stored = forgeZip([GOOD, { name: 'm.xml', body: 'm'.repeat(100), method: 0 }, GOOD]);
    assert.deepEqual(await unpackLines(stored, { totalBytes: 50 }), [GOOD_LINE, ' ! zip_grande_demais']);
  });

  it('attempts that fail are paid for too', async () => {
    const bad: Forged = { name: 'x', body: 'x'.repeat(100), crc32: 1 };
    const cut: Forged = {
      name: 'y',
      data: deflateRawSync('y'.repeat(100)).subarray(0, -2),
      size: 100,
      crc32: 1,
    };
    const lying: Forged = { name: 'z', data: deflateRawSync('z'.repeat(100)), size: 50, crc32: 1 };
    assert.deepEqual(await unpackLines(forgeZip([bad, cut, lying, GOOD]), { totalBytes: 255 }), [
      'x ! zip_crc_invalido',
      'y ! zip_entrada_corrompida',
      'z ! zip_tamanho_divergente',
      ' ! zip_grande_demais',
    ]);
  });

  it('the budget of bytes is one for all zips, and ends them all', async () => {
    const inner = forgeZip([{ name: 'i.xml', body: 'i'.repeat(1000) }]);
    const zip = forgeZip([{ name: '1.zip', body: inner }, { name: '2.zip', body: inner }, GOOD]);
    const seen = await unpackAll(zip, { totalBytes: 2 * inner.length + 1500 });
    assert.deepEqual(
      seen.map((entry) => [entry.caminho, entry.resultado === 'arquivo' || entry.codigo]),
      [
        ['1.zip/i.xml', true],
        ['2.zip', 'zip_grande_demais'],
      ],
    );
  });

  it('overlapping entries are refused before anything is inflated (one body, a thousand names)', async () => {
    const body = Buffer.alloc(900_000);
    const one = { name: 'a', data: deflateRawSync(body), size: body.length, crc32: crc32(body) };
    const zip = forgeZip([one, ...Array.from({ length: 999 }, () => ({ ...one, offset: 0 }))]);
    assert.deepEqual(await unpackLines(zip), [' ! zip_sobreposto']);
  });

  it('overlap by quoting the next local header inside a stored block is refused too', async () => {
    const second = forgeZip([{ name: 'b', body: '<b/>' }]).subarray(0, 31 + deflateRawSync('<b/>').length);
    const quote = Buffer.concat([Buffer.from([0, second.length, 0, ~second.length & 0xff, 0xff]), second]);
    const zip = forgeZip([
      { name: 'a', data: quote, size: second.length, crc32: 0 },
      { name: 'b', body: '<b/>', offset: 31 + 5 },
    ]);
    assert.deepEqual(await unpackLines(zip), [' ! zip_sobreposto']);
  });

  it('an inner zip that overlaps is one bad entry of the outer', async () => {
    const inner = forgeZip([
      { name: 'a', body: 'a' },
      { name: 'a', body: 'a', offset: 0 },
    ]);
    assert.deepEqual(await amongGood({ name: 'i.zip', body: inner }), ['i.zip ! zip_sobreposto']);
  });

  it('a zip that contains itself again and again stops at the depth', async () => {
    let zip = forgeZip([GOOD]);
    for (let level = 0; level < 12; level++) zip = forgeZip([{ name: 'r.zip', body: zip }]);
    assert.deepEqual(await unpackLines(zip), ['r.zip/r.zip/r.zip ! zip_profundo_demais']);
  });
});

describe('too many entries', () => {
  const empty = (count: number): Forged[] =>
    Array.from({ length: count }, (_, index) => ({ name: `${index}`, method: 0 }));

  it('25,000 empty entries with one real are refused by their count alone', async () => {
    assert.deepEqual(await unpackLines(forgeZip([GOOD, ...empty(24_999)])), [' ! zip_entradas_demais']);
  });

  it('the limit itself passes, and folders count', async () => {
    const zip = forgeZip([GOOD, { name: 'pasta/', method: 0 }]);
    assert.deepEqual(await unpackLines(zip, { entries: 2 }), [GOOD_LINE]);
    assert.deepEqual(await unpackLines(zip, { entries: 1 }), [' ! zip_entradas_demais']);
  });

  it('the budget of entries is one for all zips, and ends them all', async () => {
    const inner = forgeZip(empty(3));
    const zip = forgeZip([{ name: '1.zip', body: inner }, { name: '2.zip', body: inner }, GOOD]);
    assert.deepEqual(await unpackLines(zip, { entries: 8 }), [
      '1.zip/0 = ',
      '1.zip/1 = ',
      '1.zip/2 = ',
      '2.zip ! zip_entradas_demais',
    ]);
  });

  it('no setting goes beyond 50,000, nor beyond 1 GiB or a ratio of 200', async () => {
    const zip = forgeZip([GOOD], { count: 50_001 });
    assert.deepEqual(await unpackLines(zip, { entries: 1_000_000 }), [' ! zip_entradas_demais']);
    const widest = boundedLimits({ ...UNPACK_LIMITS, totalBytes: 2 ** 40, ratio: 5_000 });
    assert.deepEqual([widest.totalBytes, widest.ratio], [2 ** 30, 200]);
  });
});

describe('a zip that cannot be read to its end', () => {
  it('tells of a directory with fewer entries than announced, after those it has', async () => {
    const zip = forgeZip([GOOD], { count: 2 });
    assert.deepEqual(await unpackLines(zip), [GOOD_LINE, ' ! zip_corrompido']);
  });

  it('tells of a directory with more entries than announced, after those announced', async () => {
    const zip = forgeZip([GOOD, { name: 'oculta.xml', body: '<o/>' }], { count: 1 });
    assert.deepEqual(await unpackLines(zip), [GOOD_LINE, ' ! zip_corrompido']);
  });

  it('tells of a damaged directory record, after the entries before it', async () => {
    const zip = forgeZip([GOOD, { name: 'x.xml', body: '<x/>' }]);
    zip.writeUInt32LE(0, zip.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2])));
    assert.deepEqual(await unpackLines(zip), [GOOD_LINE, ' ! zip_corrompido']);
  });

  it('wherever it is cut, it is rejected and nothing is thrown', async () => {
    const zip = forgeZip([GOOD, { name: 'i.zip', body: forgeZip([GOOD]) }]);
    for (let length = 0; length < zip.length; length++) {
      const seen = await unpackLines(zip.subarray(0, length));
      assert.equal(seen.at(-1), ' ! zip_corrompido', `cut at ${length}`);
    }
  });

  it('whatever byte is changed, nothing is thrown and no content is altered', async () => {
    const honest = forgeZip([GOOD, { name: 'i.zip', body: forgeZip([GOOD]), method: 0 }]);
    for (let position = 0; position < honest.length; position++) {
      const zip = Buffer.from(honest);
      zip[position] = (zip[position] ?? 0) ^ 0xff;
      for (const line of (await unpackLines(zip)).filter((text) => text.includes(' = '))) {
        assert.match(line, / = <boa\/>$/, `byte ${position}`);
      }
    }
  });

  it('bytes that are no zip are rejected as one', async () => {
    assert.deepEqual(await unpackLines(Buffer.from('<nfeProc/>')), [' ! zip_corrompido']);
    assert.deepEqual(await unpackLines(new Uint8Array()), [' ! zip_corrompido']);
  });

  it('bytes behind the end record are rejected, as two tools would see two zips', async () => {
    const two = Buffer.concat([forgeZip([GOOD]), forgeZip([GOOD]), Buffer.from('resto')]);
    assert.deepEqual(await unpackLines(two), [' ! zip_corrompido']);
  });

  it('an empty zip, or one of folders only, is told as empty', async () => {
    assert.deepEqual(await unpackLines(forgeZip([])), [' ! zip_vazio']);
    assert.deepEqual(await unpackLines(forgeZip([{ name: 'pasta/', method: 0 }])), [' ! zip_vazio']);
  });

  it('a volume of a divided zip is named for what it is', async () => {
    assert.deepEqual(await unpackLines(forgeZip([GOOD], { disk: 2 })), [' ! zip_dividido']);
  });

  it('strong encryption is named for what it is', async () => {
    const zip = forgeZip([GOOD, { name: 'x', body: 'x', flags: 0x0841 }]);
    assert.deepEqual(await unpackLines(zip), [GOOD_LINE, ' ! zip_cifrado']);
  });

  it('the last thing said carries the next number', async () => {
    const seen = await unpackAll(forgeZip([GOOD, GOOD], { count: 3 }));
    assert.deepEqual(lines(seen).at(-1), ' ! zip_corrompido');
    assert.deepEqual(
      seen.map((entry) => entry.ordem),
      [0, 1, 2],
    );
  });
});
