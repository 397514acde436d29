/** Every statement about the names of master keys. One function is one statement; a handful of rows each. */
import type { Kysely, Transaction } from 'kysely';
import type { Tabelas } from '../banco/tabelas.ts';

type Leitor = Kysely<Tabelas>;
type Trx = Transaction<Tabelas>;

/** @returns whether the name is new */
export async function insertChaveMestra(trx: Trx, row: { kid: string; criada_em: number }): Promise<boolean> {
  const made = await trx
    .insertInto('chave_mestra')
    .values({ ...row, aposentada_em: null })
    .onConflict((conflict) => conflict.column('kid').doNothing())
    .returning('kid')
    .executeTakeFirst();
  return made !== undefined;
}

export async function retireChavesMestras(trx: Trx, input: { menos: string; agora: number }): Promise<void> {
  await trx
    .updateTable('chave_mestra')
    .set({ aposentada_em: input.agora })
    .where('kid', '<>', input.menos)
    .where('aposentada_em', 'is', null)
    .execute();
}

export async function findChavesMestras(db: Leitor) {
  return db.selectFrom('chave_mestra').selectAll().orderBy('criada_em').orderBy('kid').execute();
}

/** How many certificates are under each key. */
export async function countCertificadosPorChave(db: Leitor) {
  return db
    .selectFrom('certificado')
    .select((eb) => ['kid', eb.fn.countAll<number>().as('total')])
    .where('kid', 'is not', null)
    .groupBy('kid')
    .execute();
}
