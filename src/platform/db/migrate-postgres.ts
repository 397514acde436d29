import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { ConfigError } from '../../config.ts';
import { failpoint } from '../failpoint.ts';
import { type Migration, MOVE_TABLE, refuseNewerShape } from './migration-files.ts';
import { isDirect, keepTheirSessions } from './own-sessions.ts';
import { driver } from './pg.ts';
import { sessionSettings } from './postgres-pool.ts';
import { SILENT_FOR_MS } from './snapshot-postgres.ts';

/** Processes that start at once migrate one after the other: key of the advisory lock, of nobody else. */
const LOCK_KEY = 0x6d616c6f;
/** A server that starts together with this process (containers, a reboot) is ready within this. */
const SERVER_WITHIN_MS = 10_000;
const RETRY_EVERY_MS = 250;
const CONNECT_TIMEOUT_MS = 5_000;
/** SQLSTATE with which poolers refuse settings that they do not know. */
const PROTOCOL_VIOLATION = '08P01';
/** Older ones lack what the migrations use. */
const OLDEST_VERSION = 150_000;

/**
 * Brings a PostgreSQL database to the newest shape; see `migrateDatabase`.
 * @param migrations all that the program knows, in ascending order
 * @param options.moving for the one who moves rows into it, and may go on with that
 * @param options.which of them are applied; all of them by default
 * @throws ConfigError when there is no connection to be had, or none with a session of its own, or the server is too old or
 *   not in UTF-8, or a later version has changed the database
 */
export async function migratePostgres(
  url: string,
  migrations: readonly Migration[],
  options: { moving?: boolean; which?: (version: number) => boolean } = {},
): Promise<number[]> {
  const { moving = false, which = () => true } = options;
  const client = await connect(url);
  try {
    await refusePooler(client, url);
    await checkServer(client);
    if (!moving) await refuseHalfMoved(client);
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    // Rows of every office: see the policies of the first migration.
    await client.query("select set_config('malote.contador', '*', false)");
    await client.query(
      'create table if not exists migracao (versao bigint primary key, nome text not null, aplicada_em text not null)',
    );
    const { rows } = await client.query<{ versao: string; nome: string }>(
      'select versao, nome from migracao',
    );
    const applied = rows.map(({ versao, nome }) => ({ version: Number(versao), name: nome }));
    refuseNewerShape(applied, migrations);
    const done = new Set(applied.map(({ version }) => version));
    const missing = migrations.filter(({ version }) => which(version) && !done.has(version));
    for (const migration of missing) await apply(client, migration);
    return missing.map(({ version }) => version);
  } finally {
    // The end of the connection frees the lock.
    await client.end();
  }
}

/** See `isMigrated`. */
export async function isPostgresMigrated(url: string): Promise<boolean> {
  const client = await connect(url);
  try {
    await refusePooler(client, url);
    const { rows } = await client.query("select to_regclass('migracao') is not null as there");
    return rows[0]?.there === true;
  } finally {
    await client.end();
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin');
    await client.query(migration.sql);
    await client.query(
      "insert into migracao (versao, nome, aplicada_em) values ($1, $2, to_char(now() at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS'))",
      [migration.version, migration.name],
    );
    failpoint('migracao_antes_do_commit');
    await client.query('commit');
    failpoint('migracao_depois_do_commit');
  } catch (error) {
    throw new Error(`migration ${migration.name} failed`, { cause: error });
  }
}

/** Rows that are still to come would meet others with their numbers. */
async function refuseHalfMoved(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select to_regclass($1) is not null as there', [MOVE_TABLE]);
  if (!rows[0]?.there) return;
  throw new ConfigError(
    'A mudança de SQLite para este PostgreSQL não terminou: rode malote migrar-banco de novo, que continua de onde parou.',
  );
}

/** Waits for a server that is still starting. */
async function connect(url: string, settings: pg.ClientConfig = {}): Promise<pg.Client> {
  const start = performance.now();
  for (;;) {
    const client = new (driver().Client)({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'malote (migração)',
      keepAlive: true,
      keepAliveInitialDelayMillis: SILENT_FOR_MS,
      ...settings,
    });
    // A server that goes away is told by the statement that meets it.
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      if (!mayComeYet(error) || performance.now() - start > SERVER_WITHIN_MS) throw unreachable(url, error);
    }
    await sleep(RETRY_EVERY_MS);
  }
}

/** A wrong password or name stays wrong. */
function mayComeYet(error: unknown): boolean {
  const code = String((error as NodeJS.ErrnoException).code ?? '');
  return /^(ECONNREFUSED|ECONNRESET|ENOENT|57P03|53300)$/.test(code);
}

/** Names no password. */
function unreachable(url: string, error: unknown): ConfigError {
  const { message, code } = error as NodeJS.ErrnoException;
  if (code === PROTOCOL_VIOLATION) {
    const names = Object.keys(sessionSettings()).join(', ');
    return new ConfigError(
      `O pooler de DATABASE_URL (${addressOf(url)}) não aceita os ajustes de uma conexão do Malote (${message}). No PgBouncer: ignore_startup_parameters = extra_float_digits, ${names}.`,
    );
  }
  return new ConfigError(
    `Não foi possível conectar ao PostgreSQL de DATABASE_URL (${addressOf(url)}): ${message || String(code)}`,
  );
}

/** Host, port and database: what may be shown. */
export function addressOf(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return 'endereço inválido';
  const host = decodeURIComponent(parsed.host) || parsed.searchParams.get('host') || 'localhost';
  return `${host}${parsed.pathname}`;
}

/** One that keeps a session for each connection is as good as the server, if it lets the settings of a connection pass. */
async function refusePooler(client: pg.Client, url: string): Promise<void> {
  if (await isDirect(client)) return;
  const other = await connect(url, sessionSettings());
  try {
    if (await keepTheirSessions(client, other)) return;
  } finally {
    await other.end();
  }
  throw new ConfigError(
    `O endereço de DATABASE_URL (${addressOf(url)}) é de um pooler que troca a sessão a cada transação (no PgBouncer, pool_mode = transaction). O Malote precisa de uma sessão por conexão: use o endereço do próprio servidor ou um pooler em modo de sessão.`,
  );
}

async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    "select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding",
  );
  const { version = '0', encoding = '' } = rows[0] ?? {};
  if (Number(version) < OLDEST_VERSION) {
    throw new ConfigError(
      `O PostgreSQL de DATABASE_URL é antigo demais (${version}): o Malote precisa da versão 15 ou mais nova.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new ConfigError(`O banco de DATABASE_URL está em ${encoding}: crie-o com a codificação UTF8.`);
  }
}
