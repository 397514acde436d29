/** Migrated databases for tests that work on one directly, on the engine that the run stands on (`motor.ts`). */
import { existsSync, rmSync } from 'node:fs';
import { CompiledQuery, type Kysely } from 'kysely';
import pg from 'pg';
import { MIGRATIONS } from '../../src/banco/migrations.ts';
import type { Tabelas } from '../../src/banco/tabelas.ts';
import {
  connectForServer,
  connectHere,
  type Database,
  type DatabaseSettings,
  openSqlite,
} from '../../src/platform/db/connect.ts';
import type { Engine } from '../../src/platform/db/engine.ts';
import { migrateSqlite } from '../../src/platform/db/migrate.ts';
import { openMigrado } from './molde.ts';
import { MOTOR } from './motor.ts';
import { createBanco } from './postgres/banco.ts';

/** Several writers at once are what some tests are about. */
const CONNECTIONS = 8;

export interface BancoAberto {
  db: Database<Tabelas>;
  /** For another connection to the same database; a database in memory has none. */
  settings: DatabaseSettings;
  /** As its administrator; '' on SQLite. */
  urlDoAdministrador: string;
  /** The same database again, as another process of the service would open it. Close it first. */
  abrirOutra(): Database<Tabelas>;
  /**
   * Runs one statement behind the back of foreign keys and triggers, as somebody could who has the file or the
   * server. @returns how many rows it touched
   */
  danificar(texto: string): Promise<number>;
  /** Closes, and removes the database. */
  close(): Promise<void>;
}

/**
 * @param options.path file of SQLite; without one the database lives in memory there
 * @param options.motor without it, that of the run
 */
export async function openBanco(options: { path?: string; motor?: Engine } = {}): Promise<BancoAberto> {
  const { path, motor = MOTOR } = options;
  if (motor === 'postgres') return openInPostgres();
  if (path === undefined) return openInMemory();
  if (existsSync(path)) migrateSqlite(path, MIGRATIONS);
  else openMigrado(path).close();
  const settings = { databaseUrl: '', sqlitePath: path, conexoes: CONNECTIONS };
  const db = connectHere<Tabelas>(settings);
  return {
    db,
    settings,
    urlDoAdministrador: '',
    abrirOutra: () => connectForServer<Tabelas>(settings),
    danificar: (texto) => danificarSqlite(db, texto),
    async close() {
      await db.close();
      for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
    },
  };
}

function openInMemory(): BancoAberto {
  const db = openSqlite<Tabelas>(openMigrado(':memory:'));
  return {
    db,
    settings: { databaseUrl: '', sqlitePath: ':memory:', conexoes: CONNECTIONS },
    urlDoAdministrador: '',
    abrirOutra: () => {
      throw new Error('a database in memory has one connection');
    },
    danificar: (texto) => danificarSqlite(db, texto),
    close: () => db.close(),
  };
}

async function openInPostgres(): Promise<BancoAberto> {
  const banco = await createBanco();
  const settings = { databaseUrl: banco.url, sqlitePath: '', conexoes: CONNECTIONS };
  const db = connectForServer<Tabelas>(settings);
  return {
    db,
    settings,
    urlDoAdministrador: banco.urlDoAdministrador,
    abrirOutra: () => connectForServer<Tabelas>(settings),
    danificar: (texto) => danificarPostgres(banco.urlDoAdministrador, texto),
    async close() {
      await db.close();
      await banco.drop();
    },
  };
}

async function danificarSqlite(db: Database<Tabelas>, texto: string): Promise<number> {
  await db.write.executeQuery(CompiledQuery.raw('pragma foreign_keys = off'));
  // The driver runs one statement a call and passes over what stands behind it; the last one's rows count.
  let rows = 0;
  for (const statement of texto.split(';').filter((part) => part.trim() !== '')) {
    rows = Number((await db.write.executeQuery(CompiledQuery.raw(statement))).numAffectedRows);
  }
  return rows;
}

async function danificarPostgres(url: string, texto: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    return (await client.query(texto)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

/** Runs plain statements, separated by semicolons, in one transaction. */
export async function executar(db: Kysely<Tabelas>, texto: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const statement of texto.split(';').filter((part) => part.trim() !== '')) {
      await trx.executeQuery(CompiledQuery.raw(statement));
    }
  });
}

/** Bytes as each engine writes them in a statement. */
export function literalDeBytes(db: Pick<Database<Tabelas>, 'engine'>, bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  return db.engine === 'postgres' ? `'\\x${hex}'` : `x'${hex}'`;
}
