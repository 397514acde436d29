/** Every statement about backups. */
import type { Insertable, Kysely } from 'kysely';
import type { Tabelas } from '../banco/tabelas.ts';
import type { TabelaCopiaDeSeguranca } from '../banco/tabelas-copia.ts';

export async function insertCopia(
  db: Kysely<Tabelas>,
  row: Insertable<TabelaCopiaDeSeguranca>,
): Promise<void> {
  await db.insertInto('copia_de_seguranca').values(row).execute();
}

/** The last good backup; undefined when there was none. Primary key, from its end. */
export async function findUltimaCopia(db: Kysely<Tabelas>) {
  return db.selectFrom('copia_de_seguranca').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
}
