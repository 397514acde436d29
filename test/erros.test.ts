import assert from 'node:assert/strict';
import { it } from 'node:test';
import { codigosDocumentados, renderErros } from '../scripts/docs-erros.ts';
import { isTest, readSources, withoutComments } from './tidy/fontes.ts';

/** Code that integrators never see: the client's own errors and the words of the command line. */
const OWN_WORDS = /^src\/(?:cliente|cli)\//;

const sources = readSources('src')
  .filter(({ path }) => !isTest(path) && !OWN_WORDS.test(path))
  .map((source) => withoutComments(source.text));

/** Codes that the source writes out: as the field of an error, or as what `errorsOf` makes one of. */
const WRITTEN = /\b(?:codigo: |erro\(\s*)'([a-z][a-z0-9_]+)'/g;
const written = sources.flatMap((text) => [...text.matchAll(WRITTEN)].map(([, codigo = '']) => codigo));

it('docs/erros.md tells every code that the source declares', () => {
  const documented = new Set(codigosDocumentados());
  assert.ok(written.length > 50);
  const missing = written.filter((codigo) => !documented.has(codigo));
  assert.deepEqual([...new Set(missing)], []);
});

it('docs/erros.md tells no code that the source does not know', () => {
  const everything = sources.join('\n');
  const unknown = codigosDocumentados().filter((codigo) => !new RegExp(`\\b${codigo}\\b`).test(everything));
  assert.deepEqual(unknown, []);
});

it('every code of the HTTP catalogue is answered somewhere', () => {
  const used = new Set(written);
  const table = renderErros().split('\n## ')[1] ?? '';
  const listed = [...table.matchAll(/^\| `([a-z0-9_]+)` \| \d{3} \|/gm)].map(([, codigo = '']) => codigo);
  const words = new Set(['tipo_invalido', 'status_invalido']);
  const idle = listed.filter((codigo) => !used.has(codigo) && !words.has(codigo));
  assert.deepEqual(idle, []);
});
