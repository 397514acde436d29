/**
 * The engine that a run of the tests stands on: `MALOTE_TESTE_MOTOR=postgres`, else SQLite. A data folder stands for an
 * installation on both; on PostgreSQL it has a database of its own beside it.
 */
import { readConfig } from '../../src/config.ts';
import { connectHere, type Database } from '../../src/platform/db/connect.ts';
import type { Engine } from '../../src/platform/db/engine.ts';
import type { Tabelas } from '../../src/banco/tabelas.ts';
import { CompiledQuery } from 'kysely';
import { type BancoDePostgres, criarBanco } from './postgres/banco.ts';

export const MOTOR: Engine = process.env.MALOTE_TESTE_MOTOR === 'postgres' ? 'postgres' : 'sqlite';

/** By data folder; made when the folder is first worked on. */
const bancos = new Map<string, Promise<BancoDePostgres>>();

/** The settings of a data folder's database: for the environment of a process that works on it. */
export async function ambienteDoBanco(dataFolder: string): Promise<{ DATABASE_URL?: string }> {
  if (MOTOR === 'sqlite') return {};
  const known = bancos.get(dataFolder) ?? criarBanco();
  bancos.set(dataFolder, known);
  return { DATABASE_URL: (await known).url };
}

/** Drops what `ambienteDoBanco` made; the folder itself is its maker's. */
export async function soltarBanco(dataFolder: string): Promise<void> {
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
export async function executarSql(dataFolder: string, texto: string): Promise<void> {
  await comBancoDe(dataFolder, async (db) => {
    await db.write.transaction().execute(async (trx) => {
      for (const statement of texto.split(';').filter((part) => part.trim() !== '')) {
        await trx.executeQuery(CompiledQuery.raw(statement));
      }
    });
  });
}

/** A copy of an installation's database for another data folder; the folder itself is copied by its maker. */
export async function copiarBanco(de: string, para: string): Promise<void> {
  if (MOTOR === 'sqlite') return;
  const original = bancos.get(de);
  if (!original) throw new Error(`there is no database of ${de}`);
  bancos.set(para, criarBanco({ copiaDe: await original }));
  await bancos.get(para);
}
