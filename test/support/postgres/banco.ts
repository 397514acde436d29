/** Databases for tests: one for each test, copied from one that has all migrations. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { MIGRATIONS } from '../../../src/banco/migrations.ts';
import { migratePostgres } from '../../../src/platform/db/migrate-postgres.ts';
import { migrationFiles } from '../../../src/platform/db/migration-files.ts';
import { servidorDeTeste } from './servidor.ts';

/** Who the service runs as: the owner of its tables, no superuser, so that the wall between offices stands. */
const PAPEL = 'malote_teste';
/** Key of the advisory lock under which role and template are made, once a server. */
const LOCK_KEY = 0x7465_7374;

export interface BancoDePostgres {
  /** As the service's own role. */
  url: string;
  /** As the administrator, in the same database. */
  urlDoAdministrador: string;
  nome: string;
  drop(): Promise<void>;
}

let count = 0;
/** Name of the database with all migrations, by server. */
const templates = new Map<string, Promise<string>>();

/** Why there is no PostgreSQL to test with, or null when there is: what a test is skipped with. */
export async function semPostgres(): Promise<string | null> {
  const servidor = await servidorDeTeste();
  return servidor.url === null ? servidor.motivo : null;
}

/**
 * A database with all migrations, an empty one, or a copy of one that nobody is connected to.
 * @param options.servidor address of another server than that of the run
 * @throws when there is no server: ask `semPostgres` first
 */
export async function createBanco(
  options: { vazio?: boolean; copiaDe?: BancoDePostgres; servidor?: string } = {},
): Promise<BancoDePostgres> {
  const { vazio, copiaDe } = options;
  const admin = options.servidor ?? (await enderecoDoAdministrador());
  const pronto = await comMigracoes(admin);
  const modelo = copiaDe?.nome ?? (vazio ? 'template0' : pronto);
  const nome = `malote_teste_${process.pid}_${Date.now().toString(36)}_${++count}`;
  await comoAdministrador(admin, async (client) => {
    await client.query(
      `create database ${nome} template ${modelo} owner ${PAPEL} ${await comoCopiar(client)}`,
    );
  });
  return {
    nome,
    url: enderecoDe(admin, nome, PAPEL),
    urlDoAdministrador: enderecoDe(admin, nome),
    drop: () =>
      comoAdministrador(admin, async (client) => {
        await client.query(`drop database if exists ${nome} with (force)`);
      }),
  };
}

/** Files are copied in a third of the time that pages take through the log; servers before 15 know nothing else. */
async function comoCopiar(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
  return Number(rows[0]?.server_version_num) >= 150_000 ? 'strategy file_copy' : '';
}

async function enderecoDoAdministrador(): Promise<string> {
  const servidor = await servidorDeTeste();
  if (servidor.url === null) throw new Error(servidor.motivo);
  return servidor.url;
}

/** The same server, another database and, when given, role. */
export function enderecoDe(url: string, banco: string, papel?: string): string {
  const trocado = url.replace(/^(\w+:\/\/[^/]*)\/[^?]*/, `$1/${banco}`);
  return papel === undefined ? trocado : trocado.replace(/^(\w+:\/\/)(?:[^@/]*@)?/, `$1${papel}:${papel}@`);
}

function comMigracoes(admin: string): Promise<string> {
  const known = templates.get(admin) ?? makeModelo(admin);
  templates.set(admin, known);
  return known;
}

/** Named by what the migrations say, so that a server that is kept does not serve an old shape. */
async function makeModelo(admin: string): Promise<string> {
  const migrations = migrationFiles(MIGRATIONS, 'postgres');
  const hash = createHash('sha256').update(migrations.map(({ sql }) => sql).join('\n'));
  const nome = `malote_modelo_${hash.digest('hex').slice(0, 16)}`;
  await comoAdministrador(
    admin,
    async (client) => {
      await createPapel(client);
      const { rowCount } = await client.query(
        'select from pg_database where datname = $1 and datistemplate',
        [nome],
      );
      if (rowCount === 1) return;
      await client.query(`drop database if exists ${nome}`);
      await client.query(`create database ${nome} template template0 owner ${PAPEL}`);
      await migratePostgres(enderecoDe(admin, nome, PAPEL), migrations);
      await client.query(`alter database ${nome} with is_template true`);
    },
    'cadeado',
  );
  return nome;
}

async function createPapel(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [PAPEL]);
  if (rowCount === 0) await client.query(`create role ${PAPEL} login password '${PAPEL}'`);
}

/** One connection; with `sob` under a lock that all test processes share. */
async function comoAdministrador(
  url: string,
  act: (client: pg.Client) => Promise<void>,
  sob?: 'cadeado',
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    if (sob) await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    await act(client);
  } finally {
    await client.end();
  }
}
