/** Statements of the authorities that an operator has installed. */
import type { Insertable, Selectable } from 'kysely';
import type { Db, TabelaAutoridade } from '../../banco/tabelas.ts';

/** All, in the order in which they came: some hundreds at most. */
export async function findAutoridades(db: Db): Promise<Selectable<TabelaAutoridade>[]> {
  return db.selectFrom('autoridade').selectAll().orderBy('id').execute();
}

/** The last that was installed; 0 for none. End of the primary key. */
export async function findUltimaAutoridade(db: Db): Promise<number> {
  const row = await db
    .selectFrom('autoridade')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? 0;
}

/** Those that are there already stay as they are. @returns how many are new */
export async function insertAutoridades(
  trx: Db,
  rows: readonly Insertable<TabelaAutoridade>[],
): Promise<number> {
  let novas = 0;
  for (const row of rows) {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('autoridade')
      .values(row)
      .onConflict((conflict) => conflict.column('sha256').doNothing())
      .executeTakeFirst();
    novas += Number(numInsertedOrUpdatedRows ?? 0);
  }
  return novas;
}
