import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { PAGINAS } from '../scripts/docs.ts';

describe('the pages that are made from the code', () => {
  for (const { path, render } of PAGINAS) {
    it(`${path} is fresh: else run "npm run docs"`, () => {
      const file = join(import.meta.dirname, '..', path);
      assert.equal(readFileSync(file, 'utf8'), render());
    });
  }
});

/** Of a shell of Unix alone: both `&&` and `curl` are something else in PowerShell 5.1, quotes something else in cmd. */
const SO_DE_UNIX = /&&|\\$|^\s*export |^\s*[A-Z_]+=\S*|\$[A-Z{(]|'/m;

interface Bloco {
  titulo: string;
  lingua: string;
  texto: string;
}

function blocosDe(path: string): Bloco[] {
  const page = readFileSync(join(import.meta.dirname, '..', path), 'utf8');
  return page.split(/^## /m).flatMap((section) => {
    const [titulo = ''] = section.split('\n');
    return [...section.matchAll(/^ *```(\w+)\n([\s\S]*?)^ *```/gm)].map(([, lingua = '', texto = '']) => ({
      titulo,
      lingua,
      texto,
    }));
  });
}

describe('the commands of the README', () => {
  it('work as they stand in PowerShell and cmd too, or stand in both forms here and on the page for Windows', () => {
    const blocos = blocosDe('README.md');
    const windows = blocosDe('docs/windows.md');
    const has = (where: readonly Bloco[], titulo: string, lingua: string) =>
      where.some((one) => one.titulo === titulo && one.lingua === lingua);
    const shell = blocos.filter(({ lingua }) => lingua === 'sh');
    assert.ok(shell.length > 5);
    const faulty = shell
      .filter(({ texto }) => SO_DE_UNIX.test(texto))
      .filter(
        ({ titulo }) =>
          !has(blocos, titulo, 'powershell') ||
          !has(windows, titulo, 'powershell') ||
          !has(windows, titulo, 'bat'),
      );
    assert.deepEqual(faulty, []);
  });

  it('for Windows are of Windows', () => {
    const pages = ['README.md', 'docs/windows.md', 'docs/rede.md', 'docs/copia-de-seguranca.md'];
    const blocos = pages.flatMap(blocosDe);
    for (const { lingua, texto } of blocos) {
      if (lingua === 'powershell') assert.doesNotMatch(texto, /&&|\\$|^\s*(?:export|set) |^curl /m, texto);
      if (lingua === 'bat') assert.doesNotMatch(texto, /&&|\^$|\$|'|^\s*[A-Z_]+=|^curl /m, texto);
    }
    assert.ok(blocos.filter(({ lingua }) => lingua === 'powershell').length > 8);
  });
});
