/** Every statement of the audit log. One function is one statement. */
import type { Insertable } from 'kysely';
import type { Db, TabelaAuditoria, Trx } from '../banco/tabelas.ts';

/** Where the log ends: one row by its key. */
export async function findFim(db: Db): Promise<{ n: number; hash: string }> {
  return db.selectFrom('auditoria_fim').select(['n', 'hash']).where('id', '=', 1).executeTakeFirstOrThrow();
}

/** The same for a transaction that writes the next row: whoever else wants to waits for its end. */
export async function lockFim(trx: Trx): Promise<{ n: number; hash: string }> {
  return trx
    .selectFrom('auditoria_fim')
    .select(['n', 'hash'])
    .where('id', '=', 1)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function insertRegistro(trx: Trx, row: Insertable<TabelaAuditoria>): Promise<void> {
  await trx.insertInto('auditoria').values(row).execute();
}

export async function updateFim(trx: Trx, fim: { n: number; hash: string }): Promise<void> {
  await trx.updateTable('auditoria_fim').set(fim).where('id', '=', 1).execute();
}

/** Rows after a number, in order: a range of the primary key, at most `limite` rows. */
export async function findRegistrosAfter(db: Db, input: { depoisDe: number; limite: number }) {
  return db
    .selectFrom('auditoria')
    .selectAll()
    .where('n', '>', input.depoisDe)
    .orderBy('n')
    .limit(input.limite)
    .execute();
}

/** The newest rows, of everybody or of one office (index `auditoria_contador`), at most `limite`. */
export async function findUltimosRegistros(db: Db, input: { contadorId: number | null; limite: number }) {
  const rows = db.selectFrom('auditoria').selectAll().orderBy('n', 'desc').limit(input.limite);
  return input.contadorId === null
    ? rows.execute()
    : rows.where('contador_id', '=', input.contadorId).execute();
}
