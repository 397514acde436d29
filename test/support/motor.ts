/**
 * The engine that a run of the tests stands on: `MALOTE_TESTE_MOTOR=postgres`, else SQLite. A data folder stands for an
 * installation on both; on PostgreSQL it has a database of its own beside it.
 */
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import type { Tabelas } from '../../src/banco/tabelas.ts';
import { readConfig } from '../../src/config.ts';
import { connectHere, type Database } from '../../src/platform/db/connect.ts';
import type { Engine } from '../../src/platform/db/engine.ts';
import { type BancoDePostgres, createBanco } from './postgres/banco.ts';

export const MOTOR: Engine = process.env.MALOTE_TESTE_MOTOR === 'postgres' ? 'postgres' : 'sqlite';

/** By data folder; made when the folder is first worked on. */
const bancos = new Map<string, Promise<BancoDePostgres>>();

/** The settings of a data folder's database: for the environment of a process that works on it. */
export async function ambienteDoBanco(dataFolder: string): Promise<{ DATABASE_URL?: string }> {
  if (MOTOR === 'sqlite' && !bancos.has(dataFolder)) return {};
  const known = bancos.get(dataFolder) ?? createBanco();
  bancos.set(dataFolder, known);
  return { DATABASE_URL: (await known).url };
}

/** Gives a data folder a certain database, whatever the run stands on. */
export function adoptBanco(dataFolder: string, banco: BancoDePostgres): void {
  bancos.set(dataFolder, Promise.resolve(banco));
}

/** Drops what `ambienteDoBanco` made; the folder itself is its maker's. */
export async function releaseBanco(dataFolder: string): Promise<void> {
  const banco = bancos.get(dataFolder);
  bancos.delete(dataFolder);
  await (await banco)?.drop();
}

/** Works on the database of a data folder as it is, beside the service. */
export async function comBancoDe<T>(
  dataFolder: string,
  act: (db: Database<Tabelas>) => Promise<T>,
): Promise<T> {
  const db = connectHere<Tabelas>(
    readConfig({ MALOTE_DATA: dataFolder, ...(await ambienteDoBanco(dataFolder)) }),
  );
  try {
    return await act(db);
  } finally {
    await db.close();
  }
}

/** Runs plain statements, separated by semicolons: what somebody with the database's password could do. */
export async function runSql(dataFolder: string, texto: string): Promise<void> {
  await comBancoDe(dataFolder, async (db) => {
    await db.write.transaction().execute(async (trx) => {
      for (const statement of texto.split(';').filter((part) => part.trim() !== '')) {
        await trx.executeQuery(CompiledQuery.raw(statement));
      }
    });
  });
}

/** A copy of an installation's database for another data folder; the folder itself is copied by its maker. */
export async function copyBanco(de: string, para: string): Promise<void> {
  if (MOTOR === 'sqlite') return;
  const original = bancos.get(de);
  if (!original) throw new Error(`there is no database of ${de}`);
  bancos.set(para, createBanco({ copiaDe: await original }));
  await bancos.get(para);
}

/** An installation gets the database of another, in the place of its own. */
export async function moverBanco(de: string, para: string): Promise<void> {
  const banco = bancos.get(de);
  if (!banco) return;
  await releaseBanco(para);
  bancos.delete(de);
  bancos.set(para, banco);
}

/**
 * Every byte that the database keeps, by where it lies: on PostgreSQL the files of every table and the log, with what
 * was deleted, and every row as text, since long values lie compressed. On SQLite the data folder has them all.
 */
export async function bytesDoBanco(dataFolder: string): Promise<Map<string, Buffer>> {
  const places = new Map<string, Buffer>();
  const banco = await bancos.get(dataFolder);
  if (!banco) return places;
  const client = new pg.Client({ connectionString: banco.urlDoAdministrador });
  await client.connect();
  try {
    await client.query('checkpoint');
    const tables = await client.query<{ nome: string }>(
      "select oid::regclass::text as nome from pg_class where relkind in ('r', 't') and relnamespace in ('public'::regnamespace, 'pg_toast'::regnamespace)",
    );
    for (const { nome } of tables.rows) {
      const file = await client.query<{ bytes: Buffer }>(
        'select pg_read_binary_file(pg_relation_filepath($1::regclass)) as bytes',
        [nome],
      );
      places.set(`malote.postgres ${nome}`, file.rows[0]?.bytes ?? Buffer.alloc(0));
      if (nome.startsWith('pg_toast')) continue;
      const text = await client.query<{ linha: string }>(`select t::text as linha from ${nome} as t`);
      places.set(`rows of ${nome}`, Buffer.from(text.rows.map(({ linha }) => linha).join('\n')));
    }
    const wal = await client.query<{ name: string; bytes: Buffer }>(
      "select name, pg_read_binary_file('pg_wal/' || name) as bytes from pg_ls_waldir()",
    );
    for (const { name, bytes } of wal.rows) places.set(`log ${name}`, bytes);
    return places;
  } finally {
    await client.end();
  }
}
