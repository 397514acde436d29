/**
 * `npm test`: every test once on the embedded engine, and those that come to a database again on PostgreSQL, both at the
 * same time where there is a core for each. One server for the whole run: from an address, the machine or npm
 * (`support/postgres/`). Without any, that half is left out and the reason is said. Arguments are for the test runner:
 * `npm test -- --test-name-pattern=…`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
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
/** Hundreds of processes load the same code: what has been compiled once is kept beside the packages. */
const COMPILADO = join(import.meta.dirname, '..', 'node_modules', '.cache', 'malote');
/** Where the runner begins to tell the failures of a run again. */
const FALHAS = '✖ failing tests:';
/** For what would wait for ever; the longest file, the crash campaign, takes a third of it on a slow machine. */
const LIMITE = '--test-timeout=1200000';

interface Metade {
  files: readonly string[];
  env: Record<string, string>;
  /** File that takes what the run prints. */
  saida: string;
  /** Prints it here too, as it comes. */
  aoVivo: boolean;
}

async function rodar({ files, env, saida, aoVivo }: Metade): Promise<boolean> {
  const child = spawn(process.execPath, ['--test', DE_CADA_VEZ, LIMITE, ...process.argv.slice(2), ...files], {
    env: { NODE_COMPILE_CACHE: COMPILADO, ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const printed: Readable = aoVivo ? child.stdout.pipe(new PassThrough()) : child.stdout;
  if (aoVivo) child.stdout.pipe(process.stdout, { end: false });
  await pipeline(printed, createWriteStream(saida));
  const [code] = (await closed) as [number | null];
  return code === 0;
}

async function mostrar(file: string): Promise<void> {
  const text = createReadStream(file);
  text.pipe(process.stdout, { end: false });
  await finished(text);
}

/** What failed in a half whose output is far above. */
function mostrarFalhas(file: string): void {
  const text = readFileSync(file, 'utf8');
  const at = text.lastIndexOf(FALHAS);
  if (at >= 0) console.log(`▶ o que falhou em SQLite\n${text.slice(at)}`);
}

const postgres = await servidorDeTeste();
const pasta = mkdtempSync(join(tmpdir(), 'malote-testes-'));

const embutido = { files: TUDO, saida: join(pasta, 'sqlite.txt'), aoVivo: true };

try {
  console.log('▶ todos os testes, em SQLite');
  if (postgres.url === null) {
    process.exitCode = (await rodar({ ...embutido, env: {} })) ? 0 : 1;
    console.log(`▶ testes em PostgreSQL: pulados, ${postgres.motivo}`);
  } else {
    const endereco = { [ENDERECO]: postgres.url };
    // Into a file: what each half prints stays in one piece.
    const saida = join(pasta, 'postgres.txt');
    const env = { ...endereco, MALOTE_TESTE_MOTOR: 'postgres' };
    const noPostgres = () => rodar({ files: COM_BANCO, env, saida, aoVivo: false });
    const juntos = availableParallelism() > 1 ? noPostgres() : null;
    const oks = [await rodar({ ...embutido, env: endereco }), await (juntos ?? noPostgres())];
    console.log(`▶ de novo os que chegam ao banco, em PostgreSQL (${postgres.origem})`);
    await mostrar(saida);
    mostrarFalhas(embutido.saida);
    process.exitCode = oks.every(Boolean) ? 0 : 1;
    await postgres.stop();
  }
} finally {
  rmSync(pasta, { recursive: true, force: true });
}
