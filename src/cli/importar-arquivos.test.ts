import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { unpackZip } from '../importacao/unpack/unpack.ts';
import { type ArquivoLocal, listArquivos, packArquivos, planRemessas } from './importar-arquivos.ts';

const arquivo = (nome: string, sizeBytes = 8_000): ArquivoLocal => ({
  path: `./${nome}`,
  nome,
  extensao: nome.slice(nome.lastIndexOf('.')) as ArquivoLocal['extensao'],
  sizeBytes,
});
const many = (n: number, sizeBytes?: number) =>
  Array.from({ length: n }, (_, i) => arquivo(`${i}.xml`, sizeBytes));
const shape = (arquivos: ArquivoLocal[]) =>
  planRemessas(arquivos).map((r) => (r.sozinho ? r.arquivos[0]?.nome : r.arquivos.length));

describe('planejar', () => {
  it('sends few .xml one by one and zips as they are', () => {
    assert.deepEqual(shape([arquivo('a.xml'), arquivo('b.zip'), arquivo('c.xml')]), [
      'a.xml',
      'b.zip',
      'c.xml',
    ]);
  });

  it('packs many small .xml into one, and a .txt always', () => {
    assert.deepEqual(shape([...many(10), arquivo('m.zip')]), ['m.zip', 10]);
    assert.deepEqual(shape([arquivo('chaves.txt')]), [1]);
  });

  it('keeps each pack below the limits of the service', () => {
    for (const arquivos of [many(9_000, 100), many(100, 1_500_000)]) {
      const packs = planRemessas(arquivos);
      assert.ok(packs.length > 1);
      for (const { arquivos: files } of packs) {
        assert.ok(files.length <= 20_000);
        assert.ok(files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) < 30_000_000);
      }
      assert.equal(
        packs.reduce((sum, { arquivos: files }) => sum + files.length, 0),
        arquivos.length,
      );
    }
  });

  it('sends a large .xml alone, and still a file that is larger than a pack', () => {
    assert.deepEqual(shape([...many(5), arquivo('grande.xml', 5_000_000)]), ['grande.xml', 5]);
    assert.deepEqual(shape([arquivo('lista.txt', 40_000_000), arquivo('outra.txt')]), [1, 1]);
  });
});

describe('listarArquivos', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'malote-importar-'));
    for (const name of ['a/nota.xml', 'b/nota.xml', 'b/Fora.XML', 'b/foto.jpg', '.oculto.xml']) {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), name);
    }
    symlinkSync(folder, join(folder, 'a', 'circulo'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('walks folders, in any case of the extension, without running in circles or taking hidden files', async () => {
    const { arquivos, ignorados, ilegiveis } = await listArquivos([folder]);
    assert.deepEqual(ilegiveis, []);
    assert.deepEqual(arquivos.map(({ nome }) => nome).sort(), ['a/nota.xml', 'b/Fora.XML', 'b/nota.xml']);
    assert.equal(ignorados, 1);
  });

  it('follows links, and goes on behind what cannot be looked at', async () => {
    const shelf = mkdtempSync(join(tmpdir(), 'malote-estante-'));
    symlinkSync(join(folder, 'b'), join(shelf, 'b'));
    symlinkSync(join(folder, 'a', 'nota.xml'), join(shelf, 'c.xml'));
    symlinkSync(join(folder, 'nada.xml'), join(shelf, 'a.xml'));
    const { arquivos, ilegiveis } = await listArquivos([shelf]);
    rmSync(shelf, { recursive: true });
    assert.deepEqual(
      arquivos.map(({ nome }) => nome),
      ['b/Fora.XML', 'b/nota.xml', 'c.xml'],
    );
    assert.deepEqual(
      ilegiveis.map(({ nome, erro }) => [nome, (erro as NodeJS.ErrnoException).code]),
      [['a.xml', 'ENOENT']],
    );
  });

  it('tells files of the same name apart', async () => {
    const { arquivos } = await listArquivos([join(folder, 'a', 'nota.xml'), join(folder, 'b', 'nota.xml')]);
    assert.deepEqual(
      arquivos.map(({ nome }) => nome),
      ['nota.xml', 'b/nota.xml'],
    );
  });

  it('refuses a named file of another kind, and one that is not there', async () => {
    await assert.rejects(listArquivos([join(folder, 'b', 'foto.jpg')]), { codigo: 'extensao_invalida' });
    await assert.rejects(listArquivos([join(folder, 'nada')]), { code: 'ENOENT' });
  });
});

it('a pack holds the files under the names that the service shows', async () => {
  const zip = await packArquivos([{ nome: 'São João/nota é.xml', bytes: Buffer.from('<x/>') }]);
  const found: string[] = [];
  for await (const entry of unpackZip(zip)) found.push(entry.caminho);
  assert.deepEqual(found, ['São João/nota é.xml']);
});
