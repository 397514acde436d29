/**
 * `npm test`: every test once on the embedded engine; those that come to a database again on PostgreSQL, and then the
 * crash campaign, beside them where there is a core for each. One server for the whole run: from an address, the machine
 * or npm (`support/postgres/`). Without any, what needs it is left out and the reason is said. Arguments are for the test
 * runner: `npm test -- --test-name-pattern=…`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import { ENDERECO, servidorDeTeste } from './support/postgres/servidor.ts';

const TUDO = [
  'src/**/*.test.ts',
  'console/src/**/*.test.ts',
  'test/!(confiabilidade).test.ts',
  'test/*/**/*.test.ts',
];
/** Long, and mostly waiting: beside the others. It chooses its engines itself. */
const CAMPANHA = ['test/confiabilidade.test.ts'];
/** What comes to rows: over HTTP, and the suites of the areas that have statements. */
const COM_BANCO = [
  'test/e2e/**/*.test.ts',
  'src/{auditoria,autorizacao,console,contas,documentos,importacao,retencao}/**/*.test.ts',
  'src/platform/jobs/*.test.ts',
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

/** One half, whose output goes into a file: what is printed stays in one piece. */
async function aoLado(): Promise<{ ok: boolean; saidas: { titulo: string; arquivo: string }[] }> {
  const saidas: { titulo: string; arquivo: string }[] = [];
  let ok = true;
  const rodarNela = async (titulo: string, files: readonly string[], env: Record<string, string>) => {
    const arquivo = join(pasta, `${saidas.length}.txt`);
    saidas.push({ titulo, arquivo });
    ok = (await rodar(files, env, arquivo)) && ok;
  };
  if (postgres.url !== null) {
    const env = { [ENDERECO]: postgres.url, MALOTE_TESTE_MOTOR: 'postgres' };
    await rodarNela(`▶ de novo os que chegam ao banco, em PostgreSQL (${postgres.origem})`, COM_BANCO, env);
  }
  await rodarNela('▶ a campanha de quedas, forma curta', CAMPANHA, {});
  return { ok, saidas };
}

try {
  console.log('▶ todos os testes, em SQLite');
  const juntos = availableParallelism() > 1 ? aoLado() : null;
  const ok = await rodar(TUDO, postgres.url === null ? {} : { [ENDERECO]: postgres.url });
  const outra = await (juntos ?? aoLado());
  for (const { titulo, arquivo } of outra.saidas) {
    console.log(titulo);
    await mostrar(arquivo);
  }
  if (postgres.url === null) console.log(`▶ testes em PostgreSQL: pulados, ${postgres.motivo}`);
  else await postgres.stop();
  process.exitCode = ok && outra.ok ? 0 : 1;
} finally {
  rmSync(pasta, { recursive: true, force: true });
}
