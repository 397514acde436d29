import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { type UnpackedEntry, unpack } from '../unpack.ts';
import { UNPACK_LIMITS, type UnpackLimits } from '../unpack-limits.ts';
import { forgeZip } from '../unpack-testing.ts';
import {
  type Anexo,
  type Arvore,
  assinadoDe,
  cfbDe,
  der,
  indefinite,
  mensagemDe,
  oid,
  tarDe,
} from './amostras-de-teste.ts';

const NOTA = '<NFe>ação</NFe>';
const xml = (nome: string): { nome: string; bytes: string } => ({ nome, bytes: NOTA });

async function found(bytes: Buffer, limits: Partial<UnpackLimits> = {}): Promise<UnpackedEntry[]> {
  const entries = unpack(bytes, { limits: { ...UNPACK_LIMITS, ...limits } });
  assert.ok(entries, 'it is known for what it is');
  const all: UnpackedEntry[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

/** `caminho = content`, `caminho ! codigo` (refused), `caminho ~ codigo` (ignored). */
async function lines(bytes: Buffer, limits: Partial<UnpackLimits> = {}): Promise<string[]> {
  return (await found(bytes, limits)).map((entry) =>
    entry.resultado === 'arquivo'
      ? `${entry.caminho} = ${Buffer.from(entry.bytes).toString().slice(0, 40)}`
      : `${entry.caminho} ${entry.resultado === 'rejeitado' ? '!' : '~'} ${entry.codigo}`,
  );
}

const BZIP2 = Buffer.from(
  'QlpoOTFBWSZTWdOqeSAAAAGdAAABgAUBASIAIAAxDAgaBmpNzhCjlMXi7kinChIadU8kAA==',
  'base64',
);
const XZ = Buffer.from(
  '/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4AA8ABBdAB4ThMaE/iLjqOouod47QAAA29Y7yYbWLxQAASw9lJLfQR+2830BAAAAAARZWg==',
  'base64',
);
/** Three million zeros. */
const BZIP2_BOMB = Buffer.from(
  'QlpoOTFBWSZTWaZFgLIAFvpACMAAQAAACCAAMMwJqmmpAi2pIEXi7kinChIUyLAWQA==',
  'base64',
);
const COMPRESSED = `<NFe>${'a'.repeat(50)}</NFe>`.slice(0, 40);

describe('a tar archive', () => {
  it('is read, with names of every kind, and links told as such', async () => {
    const long = `${'pasta/'.repeat(30)}nota.xml`;
    const tar = tarDe(
      { nome: 'Notas/', tipo: '5' },
      xml('Notas/março.xml'),
      { nome: '././@LongLink', tipo: 'L', bytes: `${long}\0` },
      xml('cortado'),
      { nome: 'pax', tipo: 'x', bytes: '21 path=d/acentuação\n' },
      xml('curto'),
      { nome: 'atalho.xml', tipo: '2' },
      xml('__MACOSX/._a.xml'),
    );
    assert.deepEqual(await lines(tar), [
      `Notas/março.xml = ${NOTA}`,
      `${long} = ${NOTA}`,
      `d/acentuação = ${NOTA}`,
      'atalho.xml ~ zip_link_simbolico',
      '__MACOSX/._a.xml ~ arquivo_de_sistema',
    ]);
  });

  it('compressed as a whole is one container', async () => {
    const tar = tarDe({ nome: 'a.zip', bytes: forgeZip([{ name: 'b.xml', body: NOTA }]) }, xml('c.xml'));
    const inZip = forgeZip([{ name: 'mes.tar.gz', body: gzipSync(tar) }]);
    assert.deepEqual(await lines(inZip), [`mes.tar.gz/a.zip/b.xml = ${NOTA}`, `mes.tar.gz/c.xml = ${NOTA}`]);
  });

  it('that is cut or lies gives what stood before, and an end', async () => {
    const first = tarDe(xml('a.xml')).subarray(0, 1024);
    const expected = [`a.xml = ${NOTA}`, ' ! recipiente_danificado'];
    for (const bad of [
      { ...xml('b.xml'), tamanho: '-0000001000\0' },
      { ...xml('b.xml'), tamanho: '77777777777\0' },
      { ...xml('b.xml'), soma: 1 },
    ])
      assert.deepEqual(await lines(Buffer.concat([first, tarDe(bad)])), expected);
    assert.deepEqual(
      await lines(tarDe(xml('a.xml'), { nome: 'b', bytes: 'x'.repeat(900) }).subarray(0, 1700)),
      expected,
    );
  });

  it('that holds a file in part says so of it', async () => {
    const parts = ['S', 'M'].map((tipo) => ({ nome: `${tipo}.xml`, bytes: '<a/>', tipo }));
    assert.deepEqual(await lines(tarDe(...parts, xml('a.xml'))), [
      'S.xml ! recipiente_danificado',
      'M.xml ! recipiente_danificado',
      `a.xml = ${NOTA}`,
    ]);
  });
});

describe('a compressed file', () => {
  it('is read: bzip2, XZ, and gzip of another container', async () => {
    assert.deepEqual(await lines(BZIP2), [` = ${COMPRESSED}`]);
    assert.deepEqual(await lines(XZ), [` = ${COMPRESSED}`]);
    assert.deepEqual(await lines(gzipSync(gzipSync(forgeZip([{ name: 'a.xml', body: NOTA }])))), [
      `a.xml = ${NOTA}`,
    ]);
    assert.equal(unpack(gzipSync(NOTA)), null, 'a document in gzip is read as one');
  });

  it('that is cut or altered is told as damaged', async () => {
    for (const whole of [BZIP2, XZ]) {
      const altered = Buffer.from(whole);
      altered[40] = (altered[40] ?? 0) ^ 0xff;
      for (const bytes of [whole.subarray(0, -20), altered])
        assert.deepEqual(await lines(bytes), [' ! recipiente_danificado']);
    }
    assert.deepEqual(await lines(XZ), [` = ${COMPRESSED}`], 'the next one is read all the same');
  });

  it('of hundreds of blocks with next to nothing in them is not opened', async () => {
    const blocks = (count: number) => Buffer.concat(Array.from({ length: count }, () => BZIP2));
    assert.deepEqual(await lines(blocks(150)), [` = ${COMPRESSED.repeat(2).slice(0, 40)}`]);
    assert.deepEqual(await lines(blocks(200)), [' ! zip_interno_grande_demais']);
  });

  it('is opened step by step: others have their turn between two blocks', async () => {
    let turns = 0;
    let open = true;
    const others = (async () => {
      for (; open; turns++) await nextTurn();
    })();
    const streams = 20;
    const [whole] = await found(Buffer.concat(Array.from({ length: streams }, () => BZIP2)));
    open = false;
    await others;
    assert.equal(
      whole?.resultado === 'arquivo' && whole.bytes.length,
      streams * '<NFe></NFe>'.length + streams * 50,
    );
    assert.ok(turns >= 2 * streams, `${turns} turns`);
  });

  it('that is a bomb is stopped at its limit', async () => {
    assert.deepEqual(await lines(BZIP2_BOMB), [' ! zip_razao_suspeita']);
    const bombs = forgeZip([
      { name: 'a.bz2', body: BZIP2_BOMB, method: 0 },
      { name: 'b.xml', body: NOTA },
    ]);
    assert.deepEqual(await lines(bombs), ['a.bz2 ! zip_razao_suspeita']);
    const zeros = gzipSync(tarDe({ nome: 'a', bytes: Buffer.alloc(3_000_000) }));
    assert.deepEqual(await lines(zeros), [' ! zip_razao_suspeita']);
    assert.deepEqual(await lines(zeros, { ratioFromBytes: 10_000_000, nestedZipBytes: 2_000_000 }), [
      ' ! zip_interno_grande_demais',
    ]);
    assert.deepEqual(await lines(zeros, { ratioFromBytes: 10_000_000, totalBytes: 2_000_000 }), [
      ' ! zip_grande_demais',
    ]);
  });
});

describe('a message', () => {
  const anexos: Anexo[] = [
    { nome: 'nota.xml', bytes: NOTA },
    { nome: 'mes.zip', bytes: forgeZip([{ name: 'b.xml', body: NOTA }]) },
    { nome: 'c.xml', bytes: '<a>\r\n  <b/>\r\n</a>', tipo: 'text/xml', codificacao: '8bit' },
    { nome: '=?iso-8859-1?Q?mar=E7o.xml?=', bytes: NOTA },
  ];
  const expected = (folder: string) => [
    `${folder}nota.xml = ${NOTA}`,
    `${folder}mes.zip/b.xml = ${NOTA}`,
    `${folder}c.xml = <a>\r\n  <b/>\r\n</a>`,
    `${folder}março.xml = ${NOTA}`,
  ];

  it('gives its attachments byte for byte, however named, and not its words', async () => {
    assert.deepEqual(await lines(mensagemDe(anexos)), expected(''));
  });

  it('in a message, as an attachment, is one level more', async () => {
    const inner = mensagemDe(anexos);
    const outer = mensagemDe([
      { nome: 'encaminhada.eml', bytes: inner, tipo: 'message/rfc822', codificacao: '8bit' },
    ]);
    assert.deepEqual(await lines(outer), expected('encaminhada.eml/'));
    const deep = forgeZip([{ name: 'a.eml', body: outer }]);
    assert.ok((await lines(deep)).includes('a.eml/encaminhada.eml/mes.zip ! zip_profundo_demais'));
  });

  it('of which a folder holds several, with lines that look like the next', async () => {
    const from = 'From nfe@fornecedor.example Mon Mar  2 10:00:00 2026\r\n';
    const quoted = { nome: 'd.txt', bytes: 'a\r\n>From mim\r\nb', codificacao: '8bit' } as const;
    const folder = Buffer.concat([
      Buffer.from(from),
      mensagemDe(anexos.slice(0, 1)),
      Buffer.from(`\r\n${from}`),
      mensagemDe([quoted], 'From now on\r\n\r\nFrom here'),
    ]);
    assert.deepEqual(await lines(folder), [
      `mensagem 1/nota.xml = ${NOTA}`,
      'mensagem 2/d.txt = a\r\nFrom mim\r\nb',
    ]);
  });

  it('of words alone is told as such; with an XML in its words it is read', async () => {
    assert.deepEqual(await lines(mensagemDe([])), [' ~ mensagem_sem_anexo']);
    assert.deepEqual(await lines(mensagemDe([], '<?xml version="1.0"?><NFe/>')), [
      'anexo = <?xml version="1.0"?><NFe/>',
    ]);
    const words = 'Segue:\r\n\r\n<a x="1">\r\n<b/></a>';
    assert.deepEqual(await lines(mensagemDe([], words)), [`anexo = ${words}`]);
    for (const written of ['<maria@b.example> escreveu:\r\noi', 'veja <b>isto</b>', '<https://a.example>'])
      assert.deepEqual(await lines(mensagemDe([], written)), [' ~ mensagem_sem_anexo'], written);
  });

  it('that is a page which a browser saved gives the page alone', async () => {
    const part = (type: string, body: string) => `--B\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`;
    const page = `From: <Saved by Blink>\r\nSubject: NFS-e\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=B\r\n\r\n${part('text/html', '<html>NFS-e</html>')}${part('image/png', 'x')}${part('text/css', 'a{}')}--B--\r\n`;
    assert.deepEqual(await lines(Buffer.from(page)), ['página salva = <html>NFS-e</html>']);
  });

  it('is known behind a byte order mark', async () => {
    const marked = Buffer.concat([Buffer.from('\ufeff'), mensagemDe(anexos)]);
    assert.deepEqual(await lines(marked), expected(''));
    assert.equal(unpack(Buffer.from('\ufeff<a/>')), null);
    assert.equal(unpack(Buffer.from('\ufeffDe: a\nPara: b\n')), null);
  });

  it('is no list of headers that a browser saved', () => {
    for (const text of [
      'Content-Type: text/xml\r\nServer: x\r\n\r\n<a/>',
      'Obs: nota\nValor: 10\n',
      'De: a\nPara: b\n',
    ])
      assert.equal(unpack(Buffer.from(text)), null);
  });

  it('of a hundred thousand parts ends at a limit', async () => {
    const part = '--limite0\r\n\r\n\r\n';
    const [head = ''] = mensagemDe([]).toString().split('--limite0');
    const parts = (count: number) => Buffer.from(head + part.repeat(count));
    assert.deepEqual(await lines(parts(100_000)), [' ! recipiente_danificado']);
    assert.deepEqual(await lines(parts(30), { entries: 20 }), [' ! zip_entradas_demais']);
  });

  it('of parts in parts is read as deep as people make them, and no deeper', async () => {
    const deep = (levels: number) => {
      const open = Array.from(
        { length: levels },
        (_, i) => `Content-Type: multipart/mixed; boundary="b${i}"\r\n\r\n--b${i}\r\n`,
      );
      const anexo = `Content-Type: text/xml; name=a.xml\r\n\r\n${NOTA}`;
      const shut = Array.from({ length: levels }, (_, i) => `\r\n--b${levels - 1 - i}--`);
      return Buffer.from(
        `From: a@b.example\r\nTo: c@d.example\r\nMIME-Version: 1.0\r\n${open.join('')}${anexo}${shut.join('')}\r\n`,
      );
    };
    assert.deepEqual(await lines(deep(20)), [`a.xml = ${NOTA}`]);
    assert.deepEqual(await lines(deep(60)), [' ! recipiente_danificado']);
  });

  it('with a header that does not end is told as damaged', async () => {
    const [head = ''] = mensagemDe([]).toString().split('\r\n\r\n');
    const bytes = Buffer.from(`${head}\r\nX-A: ${'a'.repeat(400_000)}\r\n\r\n`);
    assert.deepEqual(await lines(bytes), [' ! recipiente_danificado']);
  });
});

describe('a message of Outlook', () => {
  const utf16 = (text: string) => Buffer.from(text, 'utf16le');
  const anexo = (nome: string): Arvore => ({
    '__substg1.0_3707001F': utf16(nome),
    '__substg1.0_37010102': Buffer.from(NOTA),
  });
  const message = {
    '__properties_version1.0': Buffer.alloc(32),
    '__attach_version1.0_#00000000': anexo('março.xml'),
    '__attach_version1.0_#00000001': {
      '__substg1.0_3701000D': { '__attach_version1.0_#00000000': anexo('dentro.xml') },
    },
  };

  it('gives its attachments, and those of messages attached to it', async () => {
    assert.deepEqual(await lines(cfbDe(message)), [`março.xml = ${NOTA}`, `dentro.xml = ${NOTA}`]);
    const words = { '__properties_version1.0': Buffer.alloc(32), '__substg1.0_1000001F': utf16('oi') };
    assert.deepEqual(await lines(cfbDe(words)), [' ~ mensagem_sem_anexo']);
    assert.equal(unpack(cfbDe({ Workbook: Buffer.from('x') })), null, 'a spreadsheet is none');
  });

  it('is followed as far as a stream is long, whatever its chain says', async () => {
    const bytes = cfbDe(message);
    // A sector of the file holds the table of small sectors, which goes round, and the small sectors themselves.
    const small = Buffer.from(bytes);
    small.writeUInt32LE(0xffffffff, 56);
    assert.deepEqual(await lines(small), [' ! recipiente_danificado']);
    const long = Buffer.from(bytes);
    const fatAt = 512 * (1 + bytes.readUInt32LE(76));
    // What comes behind a stream of one sector is not read, nor missed where it is no sector.
    for (let at = 0; at < 40; at++)
      if (long.readUInt32LE(fatAt + 4 * at) === 0xfffffffe && at < bytes.readUInt32LE(48))
        long.writeUInt32LE(0x00ffffff, fatAt + 4 * at);
    assert.deepEqual(await lines(long), [`março.xml = ${NOTA}`, `dentro.xml = ${NOTA}`]);
  });

  it('whose chains go round, or whose bytes are altered, comes to an end', async () => {
    const bytes = cfbDe(message);
    const fatAt = 512 * (1 + bytes.readUInt32LE(76));
    const round = Buffer.from(bytes);
    for (let at = 0; at < 40; at++) round.writeUInt32LE(0, fatAt + 4 * at);
    assert.deepEqual(await lines(round), [' ! recipiente_danificado']);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 9), fc.nat(255), async (at, value) => {
        const altered = Buffer.from(bytes);
        altered[8 + at] = value;
        const entries = unpack(altered);
        for await (const entry of entries ?? []) assert.ok(entry.caminho.length <= 400);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a signed content', () => {
  const octets = der(0x04, NOTA);

  it('gives what was signed, in one piece or in several, as bytes or as text', async () => {
    const pieces = indefinite(0x24, der(0x04, NOTA.slice(0, 5)), der(0x04, NOTA.slice(5)));
    const streamed = indefinite(
      0x30,
      oid('signed'),
      indefinite(
        0xa0,
        indefinite(
          0x30,
          Buffer.from([2, 1, 1]),
          der(0x31),
          indefinite(0x30, oid('data'), indefinite(0xa0, pieces)),
        ),
      ),
    );
    const signed = assinadoDe(octets);
    const base64 = signed.toString('base64').replace(/(.{64})/g, '$1\n');
    for (const bytes of [
      signed,
      streamed,
      Buffer.from(`-----BEGIN PKCS7-----\n${base64}\n-----END PKCS7-----\n`),
      Buffer.from(`-----BEGIN CMS-----\r\n${base64}\r\n-----END CMS-----\r\n`),
    ])
      assert.deepEqual(await lines(bytes), [` = ${NOTA}`]);
    const inZip = forgeZip([{ name: 'nota.xml.p7s', body: signed }]);
    assert.deepEqual(await lines(inZip), [`nota.xml.p7s = ${NOTA}`]);
  });

  it('that holds nothing, is encrypted or damaged is told as such', async () => {
    assert.deepEqual(await lines(assinadoDe(null)), [' ~ assinatura_sem_conteudo']);
    assert.deepEqual(await lines(assinadoDe(octets, 'enveloped')), [' ! conteudo_cifrado']);
    assert.deepEqual(await lines(assinadoDe(octets).subarray(0, -30)), [' ! recipiente_danificado']);
  });
});

describe('containers in each other', () => {
  it('are opened to the third level, whatever they are', async () => {
    const inner = tarDe(xml('a.xml'));
    const three = forgeZip([{ name: 'b.eml', body: mensagemDe([{ nome: 'c.tar', bytes: inner }]) }]);
    assert.deepEqual(await lines(three), [`b.eml/c.tar/a.xml = ${NOTA}`]);
    assert.deepEqual(await lines(tarDe({ nome: 'd.zip', bytes: three })), [
      'd.zip/b.eml/c.tar ! zip_profundo_demais',
    ]);
  });

  it('are what their beginning says, whatever stands at their end', async () => {
    const zip = forgeZip([{ name: 'b.xml', body: NOTA }]);
    assert.deepEqual(await lines(tarDe(xml('a.xml'), { nome: 'z.zip', bytes: zip })), [
      `a.xml = ${NOTA}`,
      `z.zip/b.xml = ${NOTA}`,
    ]);
  });

  it('are paid from one purse, and a document has its limit in each', async () => {
    const many = tarDe(...Array.from({ length: 6 }, (_, i) => xml(`${i}.xml`)));
    const zip = forgeZip([
      { name: 'a.tar', body: many },
      { name: 'b.xml', body: NOTA },
    ]);
    assert.equal((await lines(zip, { entries: 5 })).at(-1), 'a.tar ! zip_entradas_demais');
    for (const big of [
      tarDe({ nome: 'a.xml', bytes: `<a>${'x'.repeat(5_000)}</a>` }),
      mensagemDe([{ nome: 'a.xml', bytes: `<a>${'x'.repeat(5_000)}</a>` }]),
    ])
      assert.deepEqual(await lines(big, { documentBytes: 4_000 }), ['a.xml ! zip_documento_grande_demais']);
  });

  it('give the same labels and order every time', async () => {
    const zip = forgeZip([
      { name: 'a.eml', body: mensagemDe([xml('x.xml'), xml('y.xml')]) },
      { name: 'b.tar', body: tarDe(xml('z.xml')) },
    ]);
    const labels = async () => (await found(zip)).map(({ ordem, caminho }) => [ordem, caminho]);
    assert.deepEqual(await labels(), await labels());
  });
});
