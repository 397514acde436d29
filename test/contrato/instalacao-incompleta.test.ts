/** A file of the installation is not there: nothing that was acknowledged is lost, and no document is blamed. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createEscritorio, imported, makeDataFolder, startMalote, upload } from '../support/malote.ts';
import { generateRemessa } from '../support/remessa.ts';

const PROJETO = fileURLToPath(new URL('../..', import.meta.url));
const FAILED_WITHIN_MS = 120_000;
/** What is needed to read and to store documents, and a file of each. */
const FALTAS = [
  ['dicionarios', '1.zstd'],
  ['certificados', 'icp-brasil-acs.pem'],
] as const;
const PASTAS = FALTAS.map(([pasta]) => pasta);

/** What this project needs to run, but for one folder of its data. */
function copyWithout(falta: string, raiz: string): void {
  for (const name of [
    'bin',
    'migrations',
    'package.json',
    'src',
    ...PASTAS.filter((pasta) => pasta !== falta),
  ])
    cpSync(join(PROJETO, name), join(raiz, name), { recursive: true });
  symlinkSync(join(PROJETO, 'node_modules'), join(raiz, 'node_modules'));
}

for (const [falta, arquivo] of FALTAS)
  describe(`an installation without ${falta}`, () => {
    let raiz: string;
    let dataFolder: string;
    before(() => {
      raiz = mkdtempSync(join(tmpdir(), 'malote-incompleta-'));
      dataFolder = makeDataFolder();
      copyWithout(falta, raiz);
    });
    after(() => {
      for (const folder of [raiz, dataFolder]) rmSync(folder, { recursive: true, force: true });
    });

    it('says so in its log, and imports what it acknowledged once the file is there', async () => {
      const remessa = await generateRemessa({
        semente: 'incompleta',
        clientes: 1,
        documentos: 9,
        porArquivo: 4,
      });
      const nota = remessa.arquivos.find(({ extension }) => extension === '.xml');
      assert.ok(nota);
      // A large document is compressed where it is read, and could be taken for one that cannot be read.
      const bytes = Buffer.concat([nota.bytes, Buffer.from(`<!--${'x'.repeat(40_000)}-->`)]);
      const { token } = await createEscritorio(dataFolder, { crm: '7', clientes: remessa.clientes });
      await using malote = await startMalote({ dataFolder, raiz });
      const id = await upload(malote, { token, bytes, extension: '.xml' });
      await malote.logged(/an import failed/, FAILED_WITHIN_MS);
      assert.match(malote.log.join('\n'), new RegExp(`ENOENT[^\\n]+${falta}/${arquivo}`));
      cpSync(join(PROJETO, falta), join(raiz, falta), { recursive: true });
      const { status, log } = await imported(malote, { token, id });
      assert.deepEqual({ status, log }, { status: 'Uploaded', log: '' });
    });
  });
