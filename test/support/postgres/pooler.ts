/** PgBouncer before the server of the tests. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../espera.ts';
import type { BancoDePostgres } from './banco.ts';

const PORTA = 6432;
/** Debian's place is not in everybody's path. */
const PROGRAMA = ['pgbouncer', '/usr/sbin/pgbouncer'].find(
  (one) => spawnSync(one, ['--version']).status === 0,
);

/** Why there is no pooler to test with, or null when there is. */
export const semPooler = PROGRAMA === undefined ? 'não há pgbouncer nesta máquina' : null;

/**
 * A pooler before one database, reached as that is.
 * @param options.ignora settings of a connection that it does not refuse
 */
export async function openPooler(
  banco: BancoDePostgres,
  options: { modo: 'transaction' | 'session' | 'statement'; ignora?: string },
): Promise<{ url: string } & AsyncDisposable> {
  if (PROGRAMA === undefined) throw new Error('ask semPooler first');
  const servidor = new URL(banco.url);
  const pasta = mkdtempSync(join(tmpdir(), 'malote-pooler-'));
  chmodSync(pasta, 0o777);
  const ini = join(pasta, 'pgbouncer.ini');
  const destino = {
    host: decodeURIComponent(servidor.hostname),
    port: servidor.port || '5432',
    dbname: banco.nome,
    user: servidor.username,
    password: servidor.password,
  };
  const ajustes = {
    unix_socket_dir: pasta,
    listen_port: PORTA,
    auth_type: 'any',
    pool_mode: options.modo,
    ignore_startup_parameters: options.ignora ?? 'extra_float_digits',
  };
  const linhas = (valores: object, entre: string) =>
    Object.entries(valores)
      .map(([nome, valor]) => `${nome} = ${valor}`)
      .join(entre);
  writeFileSync(
    ini,
    `[databases]\n${banco.nome} = ${linhas(destino, ' ').replaceAll(' = ', '=')}\n[pgbouncer]\n${linhas(ajustes, '\n')}\n`,
  );
  // It refuses to run as root.
  const quem = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const processo = spawn(PROGRAMA, ['-q', ...quem, ini], { stdio: 'ignore' });
  const matar = () => processo.kill('SIGKILL');
  process.once('exit', matar);
  await until('the pooler listens', () => existsSync(join(pasta, `.s.PGSQL.${PORTA}`)));
  return {
    url: `postgres://x@${encodeURIComponent(pasta)}:${PORTA}/${banco.nome}`,
    async [Symbol.asyncDispose]() {
      process.removeListener('exit', matar);
      const ended = once(processo, 'exit');
      matar();
      await ended;
      rmSync(pasta, { recursive: true, force: true });
    },
  };
}
