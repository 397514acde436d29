import type { Db, Trx } from '../banco/tabelas.ts';

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

export async function findChavesMestras(db: Db) {
  return db.selectFrom('chave_mestra').selectAll().orderBy('criada_em').orderBy('kid').execute();
}

/** How many certificates are under each key. */
export async function countCertificadosPorChave(db: Db) {
  return db
    .selectFrom('certificado')
    .select((eb) => ['kid', eb.fn.countAll<number>().as('total')])
    .where('kid', 'is not', null)
    .groupBy('kid')
    .execute();
}

/** Certificates whose key nobody can open any more: they stay as history, as replaced ones do. @returns how many */
export async function dropChavesDosCertificados(trx: Trx, agora: number): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('certificado')
    .set({ substituido_em: agora, chave_selada: null, kid: null, selado: null })
    .where('chave_selada', 'is not', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** @returns of how many users the second factor is gone */
export async function deleteSegundosFatores(trx: Trx): Promise<number> {
  const { numDeletedRows } = await trx.deleteFrom('totp_console').executeTakeFirst();
  return Number(numDeletedRows);
}

export async function deleteChavesDeAssinatura(trx: Trx): Promise<void> {
  await trx.deleteFrom('chave_de_endereco').execute();
  await trx.deleteFrom('chave_do_emissor').execute();
}
