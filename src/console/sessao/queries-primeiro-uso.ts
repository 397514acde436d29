/** Every statement of the first run. One function is one statement. */

import type { Insertable } from 'kysely';
import type { Db, Trx } from '../../banco/tabelas.ts';
import type { TabelaPrimeiroUso } from '../../banco/tabelas-console.ts';

export async function insertPrimeiroUso(trx: Trx, row: Insertable<TabelaPrimeiroUso>): Promise<void> {
  await trx.insertInto('primeiro_uso').values(row).execute();
}

/** Whether a code works; the primary key. */
export async function findPrimeiroUso(db: Db, input: { hash: string; agora: number }): Promise<boolean> {
  const row = await db
    .selectFrom('primeiro_uso')
    .select('hash')
    .where('hash', '=', input.hash)
    .where('expira_em', '>', input.agora)
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes codes away. @returns how many there were: of two who take all at once, one finds none */
export async function deletePrimeirosUsos(trx: Trx, input: { expiradosAntesDe: number }): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('primeiro_uso')
    .where('expira_em', '<=', input.expiradosAntesDe)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** An administrator of an office who has no password yet, by address; the unique index, at most one row. */
export async function findConvidado(
  db: Db,
  input: { contadorId: number; email: string },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('usuario')
    .select('id')
    .where('contador_id', '=', input.contadorId)
    .where('email_chave', '=', input.email.normalize('NFKC').toLowerCase())
    .where('papel', '=', 'administrador')
    .where('senha', 'is', null)
    .executeTakeFirst();
  return row?.id;
}
