import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Conjunto } from '../conjunto.ts';
import { shortestRun } from '../melhor.ts';
import type { Resultado } from '../razoes.ts';

/**
 * Native baseline: libxml2 in C, one process, parse and XSD of every file, the schema compiled once. Start of the
 * process and reading of the files are in the time; signatures, fields and storing are not done.
 *
 * @returns documents a second, null where xmllint is not installed
 */
export function medirXmllint(conjunto: Conjunto): { docsPorSegundo: number | null; resultado: Resultado } {
  const titulo = 'Linha de base nativa (xmllint --schema, um processo)';
  const empty = { titulo, linhas: [], razoes: {}, motivos: {} };
  const schema = join(conjunto.esquema.pasta, conjunto.esquema.arquivo);
  const names = conjunto.documentos.map(({ nome }) => nome);
  const run = () => {
    const { status, error, stderr } = spawnSync(
      'xmllint',
      ['--noout', '--nonet', '--schema', schema, ...names],
      { cwd: conjunto.pasta, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    );
    if (error) return false;
    if (status !== 0)
      throw new Error(`xmllint: ${stderr.split('\n').find((line) => !line.endsWith('validates'))}`);
    return true;
  };
  // The first run brings program, schema and files into the cache.
  if (!run()) return { docsPorSegundo: null, resultado: empty };
  const docsPorSegundo = names.length / shortestRun(run);
  const linhas = [{ oQue: 'forma e XSD', valor: docsPorSegundo, unidade: 'docs/s', nota: '' }];
  return { docsPorSegundo, resultado: { ...empty, linhas } };
}
