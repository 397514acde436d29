/**
 * `npm test`: every test once on the embedded engine, then those that come to a database again on PostgreSQL. One server
 * for the whole run: from an address, the machine or npm (`support/postgres/`). Without any, that half is left out and the
 * reason is said. Arguments are for the test runner: `npm test -- --test-name-pattern=…`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ENDERECO, servidorDeTeste } from './support/postgres/servidor.ts';

const TUDO = ['src/**/*.test.ts', 'console/src/**/*.test.ts', 'test/**/*.test.ts'];
/** What comes to rows: over HTTP, and the suites of the areas that have statements. */
const COM_BANCO = [
  'test/e2e/**/*.test.ts',
  'src/{auditoria,autorizacao,console,contas,documentos,importacao,retencao}/**/*.test.ts',
  'src/platform/jobs/*.test.ts',
];

/** One file after the other: tests of the database server change what all of its databases share. */
const DE_CADA_VEZ = '--test-concurrency=1';

async function rodar(files: readonly string[], env: Record<string, string>): Promise<boolean> {
  const child = spawn(process.execPath, ['--test', DE_CADA_VEZ, ...process.argv.slice(2), ...files], {
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0;
}

const postgres = await servidorDeTeste();
const endereco: Record<string, string> = postgres.url === null ? {} : { [ENDERECO]: postgres.url };
console.log('▶ todos os testes, em SQLite');
let ok = await rodar(TUDO, endereco);
if (postgres.url === null) {
  console.log(`▶ testes em PostgreSQL: pulados, ${postgres.motivo}`);
} else {
  console.log(`▶ de novo os que chegam ao banco, em PostgreSQL (${postgres.origem})`);
  ok = (await rodar(COM_BANCO, { ...endereco, MALOTE_TESTE_MOTOR: 'postgres' })) && ok;
  await postgres.stop();
}
process.exitCode = ok ? 0 : 1;
