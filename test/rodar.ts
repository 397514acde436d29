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

/** What comes to no file, database or process: all in one process, since loading its code takes longer than most of it. */
const PUROS = ['src/{fiscal,gerador}/**/*.test.ts', 'console/src/**/*.test.ts'];
const OUTROS = ['src/*.test.ts', 'src/!(fiscal|gerador)/**/*.test.ts', 'test/**/*.test.ts'];
/** What comes to rows: over HTTP, the suites of the areas that have statements, and the crash campaign. */
const COM_BANCO = [
  'test/e2e/**/*.test.ts',
  'src/{auditoria,autorizacao,console,contas,documentos,importacao,retencao}/**/*.test.ts',
  'src/platform/jobs/*.test.ts',
  'test/confiabilidade.test.ts',
];

/** One file after the other in each half: each starts processes of its own that keep a core busy. */
const DE_CADA_VEZ = '--test-concurrency=1';
const NUM_PROCESSO = '--test-isolation=none';
/** Hundreds of processes load the same code: what has been compiled once is kept beside the packages. */
const COMPILADO = join(import.meta.dirname, '..', 'node_modules', '.cache', 'malote');
/** Where the runner begins to tell the failures of a run again. */
const FALHAS = '✖ failing tests:';
/** For what would wait for ever; the longest file, the crash campaign, takes a third of it on a slow machine. */
const LIMITE = '--test-timeout=1200000';

interface Corrida {
  files: readonly string[];
  /** How the runner takes them. */
  modo: typeof DE_CADA_VEZ | typeof NUM_PROCESSO;
  env: Record<string, string>;
  /** File that takes what the run prints. */
  saida: string;
  /** Prints it here too, as it comes. */
  aoVivo: boolean;
}

async function rodar({ files, modo, env, saida, aoVivo }: Corrida): Promise<boolean> {
  const child = spawn(process.execPath, ['--test', modo, LIMITE, ...process.argv.slice(2), ...files], {
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

/** What failed in a run whose output is far above. */
function mostrarFalhas({ saida, titulo }: Titulada): void {
  const text = readFileSync(saida, 'utf8');
  const at = text.lastIndexOf(FALHAS);
  if (at >= 0) console.log(`▶ o que falhou: ${titulo}\n${text.slice(at)}`);
}

type Titulada = Omit<Corrida, 'env'> & { titulo: string };

/** One run behind the other, each told with its title. */
async function rodarTodas(corridas: readonly Titulada[], env: Record<string, string>): Promise<boolean> {
  let ok = true;
  for (const corrida of corridas) {
    console.log(`▶ ${corrida.titulo}`);
    if (!(await rodar({ ...corrida, env }))) ok = false;
  }
  return ok;
}

const postgres = await servidorDeTeste('memoria');
const pasta = mkdtempSync(join(tmpdir(), 'malote-testes-'));

const embutidas: Titulada[] = [
  {
    titulo: 'os que não chegam a arquivo, banco nem processo',
    files: PUROS,
    modo: NUM_PROCESSO,
    saida: join(pasta, 'puros.txt'),
    aoVivo: true,
  },
  {
    titulo: 'todos os outros, em SQLite',
    files: OUTROS,
    modo: DE_CADA_VEZ,
    saida: join(pasta, 'sqlite.txt'),
    aoVivo: true,
  },
];

try {
  if (postgres.url === null) {
    process.exitCode = (await rodarTodas(embutidas, {})) ? 0 : 1;
    console.log(`▶ testes em PostgreSQL: pulados, ${postgres.motivo}`);
  } else {
    const endereco = { [ENDERECO]: postgres.url };
    // Into a file: what each half prints stays in one piece.
    const saida = join(pasta, 'postgres.txt');
    const env = { ...endereco, MALOTE_TESTE_MOTOR: 'postgres' };
    const noPostgres = () => rodar({ files: COM_BANCO, modo: DE_CADA_VEZ, env, saida, aoVivo: false });
    const juntos = availableParallelism() > 1 ? noPostgres() : null;
    const oks = [await rodarTodas(embutidas, endereco), await (juntos ?? noPostgres())];
    console.log(`▶ de novo os que chegam ao banco, em PostgreSQL (${postgres.origem})`);
    await mostrar(saida);
    for (const corrida of embutidas) mostrarFalhas(corrida);
    process.exitCode = oks.every(Boolean) ? 0 : 1;
    await postgres.stop();
  }
} finally {
  rmSync(pasta, { recursive: true, force: true });
}
