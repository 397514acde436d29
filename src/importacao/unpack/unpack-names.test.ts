import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import { isSystemFile, joinLabel, labelOf } from './unpack-names.ts';
import { type Forged, forgeZip, u32, unpackAll, unpackLines } from './unpack-testing.ts';

/** The label that an entry gets. */
async function labelOfEntry(entry: Forged): Promise<string | undefined> {
  return (await unpackAll(forgeZip([entry])))[0]?.caminho;
}

describe('the label of an entry', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['../../etc/passwd', 'etc/passwd'],
    ['..\\..\\windows\\a.xml', 'windows/a.xml'],
    ['/etc/passwd', 'etc/passwd'],
    ['C:\\notas\\a.xml', 'notas/a.xml'],
    ['C:a.xml', 'a.xml'],
    ['\\\\servidor\\pasta\\a.xml', 'servidor/pasta/a.xml'],
    ['./a//b/./c.xml', 'a/b/c.xml'],
    ['a..b/...xml', 'a..b/...xml'],
    ['nota\u0000.exe', 'nota\\u{0}.exe'],
    ['linha\r\nfalsa: ok [x]', 'linha\\u{d}\\u{a}falsa: ok [x]'],
    ['\u001b[31mvermelho', '\\u{1b}[31mvermelho'],
    ['nota\u202elmx.exe', 'nota\\u{202e}lmx.exe'],
    ['São Paulo/é.xml', 'São Paulo/é.xml'],
    ['', '(sem nome)'],
    ['../..', '(sem nome)'],
  ];
  for (const [name, label] of cases) {
    it(`${JSON.stringify(name)} is shown as ${label}`, async () => {
      assert.equal(labelOf(name), label);
      assert.equal(await labelOfEntry({ name, body: 'x' }), label);
    });
  }

  it('is decoded from CP850, as Windows in Brazil writes it, when the entry does not say UTF-8', async () => {
    // "nota_çäo", which is the same in CP437, and "AÇÃO PINHÕES", which is not.
    const alike = Buffer.from([0x6e, 0x6f, 0x74, 0x61, 0x5f, 0x87, 0x84, 0x6f]);
    assert.equal(await labelOfEntry({ name: alike, body: 'x', flags: 0 }), 'nota_çäo');
    const name = Buffer.from('A\x80\xc7O PINH\xe5ES\\a.xml', 'latin1');
    assert.equal(await labelOfEntry({ name, body: 'x', flags: 0 }), 'AÇÃO PINHÕES/a.xml');
  });

  it('is decoded from CP1252 where the names of the zip read better so', async () => {
    const labelsOf = async (...names: string[]) =>
      (
        await unpackAll(
          forgeZip(names.map((name) => ({ name: Buffer.from(name, 'latin1'), body: 'x', flags: 0 }))),
        )
      ).map(({ caminho }) => caminho);
    // "Café" and "é" in CP1252 are "CafÚ" and "Ú" in CP850: the first tells what the second is.
    assert.deepEqual(await labelsOf('Caf\xe9.xml', '\xe9.xml'), ['Café.xml', 'é.xml']);
    assert.deepEqual(await labelsOf('Mar\xe7o/Jo\xe3o.xml', 'P\xc3O.xml'), ['Março/João.xml', 'PÃO.xml']);
    assert.deepEqual(await labelsOf('Mar\x87o/Jo\xc6o n\xa7 1.xml'), ['Março/João nº 1.xml']);
    assert.deepEqual(await labelsOf('Caf\x82/\x90.xml'), ['Café/É.xml']);
  });

  it('is decoded from UTF-8 when it is valid UTF-8, as macOS does not say so', async () => {
    assert.equal(await labelOfEntry({ name: 'notação.xml', body: 'x', flags: 0 }), 'notação.xml');
  });

  it('comes from the Unicode path field when there is one for that very name', async () => {
    const raw = Buffer.from('nota_?.xml');
    const data = Buffer.concat([Buffer.from([1]), u32(crc32(raw)), Buffer.from('nota_ç.xml')]);
    const extra = Buffer.concat([Buffer.from([0x75, 0x70, data.length, 0]), data]);
    assert.equal(await labelOfEntry({ name: raw, body: 'x', flags: 0, extra }), 'nota_ç.xml');
  });

  it('is cut in the middle at 400 characters, inner zips included, and stays well-formed', async () => {
    const long = `inicio${'😀'.repeat(900)}fim.xml`;
    const zip = forgeZip([{ name: long, body: forgeZip([{ name: long, body: 'x' }]) }]);
    const label = (await unpackAll(zip))[0]?.caminho ?? '';
    assert.ok(label.length <= 400);
    assert.ok(label.startsWith('inicio') && label.endsWith('fim.xml') && label.includes('…'));
    assert.ok(label.isWellFormed());
    assert.ok(joinLabel('', `a${'😀'.repeat(300)}`, 400).isWellFormed());
    assert.equal(joinLabel('a', 'b'.repeat(398), 400).length, 400);
  });
});

describe('what is not a document by its kind', () => {
  it('is ignored when the operating system left it, and its data is not read', async () => {
    const damaged = { body: 'x', crc32: 1 };
    const names = ['__MACOSX/._a.xml', 'p/__MACOSX/b', '.DS_Store', 'p/Thumbs.db', 'DESKTOP.INI'];
    const zip = forgeZip(names.map((name) => ({ name, ...damaged })));
    assert.deepEqual(
      await unpackLines(zip),
      names.map((name) => `${name} ~ arquivo_de_sistema`),
    );
    assert.equal(isSystemFile('minha__MACOSX/a.xml'), false);
  });

  it('a link is known by its Unix mode, on Unix and macOS only', async () => {
    const link = { name: 'l', body: 'alvo', attributes: 0xa1ff0000 };
    assert.deepEqual(await unpackLines(forgeZip([{ ...link, madeBy: 0x0314 }])), ['l ~ zip_link_simbolico']);
    assert.deepEqual(await unpackLines(forgeZip([{ ...link, madeBy: 0x1314 }])), ['l ~ zip_link_simbolico']);
    assert.deepEqual(await unpackLines(forgeZip([{ ...link, madeBy: 0x0014 }])), ['l = alvo']);
    assert.deepEqual(await unpackLines(forgeZip([{ ...link, attributes: 0x81a40000 }])), ['l = alvo']);
  });

  it('a folder is known by its slash or its attributes, but not when it carries data', async () => {
    const zip = forgeZip([
      { name: 'a/', method: 0 },
      { name: 'b\\', method: 0 },
      { name: 'c', method: 0, attributes: 0x10 },
      { name: 'd', method: 0, attributes: 0x41ed0000 },
      { name: 'e/', body: '<e/>' },
    ]);
    assert.deepEqual(await unpackLines(zip), ['e = <e/>']);
  });
});
