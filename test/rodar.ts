/**
 * `npm test`: every test once on the embedded engine, then the tests over HTTP again on PostgreSQL. One server for the
 * whole run: from an address, the machine or npm (`support/postgres/`). Without any, that half is left out and the
 * reason is said. Arguments are for the test runner: `npm test -- --test-name-pattern=…`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ENDERECO, servidorDeTeste } from './support/postgres/servidor.ts';

const TUDO = ['src/**/*.test.ts', 'test/**/*.test.ts'];
const PELO_HTTP = ['test/e2e/**/*.test.ts'];

async function rodar(files: readonly string[], env: Record<string, string>): Promise<boolean> {
  const child = spawn(process.execPath, ['--test', ...process.argv.slice(2), ...files], {
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
  console.log(`▶ testes pelo HTTP, em PostgreSQL (${postgres.origem})`);
  ok = (await rodar(PELO_HTTP, { ...endereco, MALOTE_TESTE_MOTOR: 'postgres' })) && ok;
  await postgres.stop();
}
process.exitCode = ok ? 0 : 1;
