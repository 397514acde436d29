/** Statements of terms and of legal holds. */

import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db } from '../banco/tabelas.ts';
import type { TabelaGuardaLegal, TabelaRegraRetencao } from '../banco/tabelas-retencao.ts';
import type { Trx } from '../documentos/tipos.ts';

/** At most one row a kind; primary key. */
export async function findRegras(db: Db, contadorId: number): Promise<TabelaRegraRetencao[]> {
  return db.selectFrom('regra_retencao').selectAll().where('contador_id', '=', contadorId).execute();
}

/** One row a kind; primary key. */
export async function upsertRegra(trx: Trx, row: TabelaRegraRetencao): Promise<void> {
  const { meses, alterada_em, alterada_por } = row;
  await trx
    .insertInto('regra_retencao')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['contador_id', 'modelo']).doUpdateSet({ meses, alterada_em, alterada_por }),
    )
    .execute();
}

/** Then the office’s general term counts, or ours. */
export async function deleteRegra(trx: Trx, input: { contadorId: number; modelo: string }): Promise<void> {
  await trx
    .deleteFrom('regra_retencao')
    .where('contador_id', '=', input.contadorId)
    .where('modelo', '=', input.modelo)
    .execute();
}

export async function insertGuarda(trx: Trx, row: Insertable<TabelaGuardaLegal>): Promise<number> {
  const { id } = await trx.insertInto('guarda_legal').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** @returns false when there is none in force with that id */
export async function liftGuarda(
  trx: Trx,
  input: { contadorId: number; id: number; em: number; por: string; motivo: string },
): Promise<boolean> {
  const rows = await trx
    .updateTable('guarda_legal')
    .set({ levantada_em: input.em, levantada_por: input.por, levantada_motivo: input.motivo })
    .where('contador_id', '=', input.contadorId)
    .where('id', '=', input.id)
    .where('levantada_em', 'is', null)
    .returning('id')
    .execute();
  return rows.length === 1;
}

/** Index `guarda_legal_contador`; a person makes each of them, so they are few. */
export async function findGuardas(db: Db, contadorId: number) {
  return db
    .selectFrom('guarda_legal')
    .leftJoin('cliente', 'cliente.id', 'guarda_legal.cliente_id')
    .selectAll('guarda_legal')
    .select(['cliente.cpf_cnpj', 'cliente.nome'])
    .where('guarda_legal.contador_id', '=', contadorId)
    .orderBy(sql`case when guarda_legal.levantada_em is null then 0 else 1 end`)
    .orderBy('guarda_legal.id', 'desc')
    .execute();
}

/** Holds that nobody has lifted, the oldest first; index `guarda_legal_contador`. */
export async function findGuardasEmVigor(
  db: Db,
  contadorId: number,
): Promise<Selectable<TabelaGuardaLegal>[]> {
  return db
    .selectFrom('guarda_legal')
    .selectAll()
    .where('contador_id', '=', contadorId)
    .where('levantada_em', 'is', null)
    .orderBy('id')
    .execute();
}
