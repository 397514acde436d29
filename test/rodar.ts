/**
 * `npm test`: every test once on the embedded engine, and those that come to a database again on PostgreSQL, both at the
 * same time where there is a core for each. One server for the whole run: from an address, the machine or npm
 * (`support/postgres/`). Without any, that half is left out and the reason is said. Arguments are for the test runner:
 * `npm test -- --test-name-pattern=…`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import { ENDERECO, servidorDeTeste } from './support/postgres/servidor.ts';

const TUDO = ['src/**/*.test.ts', 'console/src/**/*.test.ts', 'test/**/*.test.ts'];
/** What comes to rows: over HTTP, the suites of the areas that have statements, and the crash campaign. */
const COM_BANCO = [
  'test/e2e/**/*.test.ts',
  'src/{auditoria,autorizacao,console,contas,documentos,importacao,retencao}/**/*.test.ts',
  'src/platform/jobs/*.test.ts',
  'test/confiabilidade.test.ts',
];

/** One file after the other in each half: each starts processes of its own that keep a core busy. */
const DE_CADA_VEZ = '--test-concurrency=1';
/** For what would wait for ever; the longest file, the crash campaign, takes a third of it on a slow machine. */
const LIMITE = '--test-timeout=1200000';

/** @param para file that takes what the run prints; without one it goes where ours goes */
async function rodar(files: readonly string[], env: Record<string, string>, para?: string): Promise<boolean> {
  const child = spawn(process.execPath, ['--test', DE_CADA_VEZ, LIMITE, ...process.argv.slice(2), ...files], {
    env: { ...process.env, ...env },
    stdio: ['ignore', para === undefined ? 'inherit' : 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  if (para !== undefined && child.stdout) await pipeline(child.stdout, createWriteStream(para));
  const [code] = (await closed) as [number | null];
  return code === 0;
}

async function mostrar(file: string): Promise<void> {
  const text = createReadStream(file);
  text.pipe(process.stdout, { end: false });
  await finished(text);
}

const postgres = await servidorDeTeste();
const pasta = mkdtempSync(join(tmpdir(), 'malote-testes-'));

try {
  console.log('▶ todos os testes, em SQLite');
  if (postgres.url === null) {
    process.exitCode = (await rodar(TUDO, {})) ? 0 : 1;
    console.log(`▶ testes em PostgreSQL: pulados, ${postgres.motivo}`);
  } else {
    const endereco = { [ENDERECO]: postgres.url };
    // Into a file: what each half prints stays in one piece.
    const saida = join(pasta, 'postgres.txt');
    const noPostgres = () => rodar(COM_BANCO, { ...endereco, MALOTE_TESTE_MOTOR: 'postgres' }, saida);
    const juntos = availableParallelism() > 1 ? noPostgres() : null;
    const oks = [await rodar(TUDO, endereco), await (juntos ?? noPostgres())];
    console.log(`▶ de novo os que chegam ao banco, em PostgreSQL (${postgres.origem})`);
    await mostrar(saida);
    process.exitCode = oks.every(Boolean) ? 0 : 1;
    await postgres.stop();
  }
} finally {
  rmSync(pasta, { recursive: true, force: true });
}
