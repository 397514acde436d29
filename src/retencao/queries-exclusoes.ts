/** Statements of deletions: their steps, the documents they are about, and the packages that were made of these. */

import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db } from '../banco/tabelas.ts';
import type {
  EstadoDaExclusao,
  TabelaExclusao,
  TabelaExclusaoDocumento,
  TabelaExclusaoPacote,
} from '../banco/tabelas-retencao.ts';
import type { Trx } from '../documentos/tipos.ts';

export type Exclusao = Selectable<TabelaExclusao>;

export async function insertExclusao(trx: Trx, row: Insertable<TabelaExclusao>): Promise<void> {
  await trx.insertInto('exclusao').values(row).execute();
}

/** Undefined for another office’s; primary key. */
export async function findExclusao(
  db: Db,
  input: { contadorId: number; id: string },
): Promise<Exclusao | undefined> {
  return db
    .selectFrom('exclusao')
    .selectAll()
    .where('contador_id', '=', input.contadorId)
    .where('id', '=', input.id)
    .executeTakeFirst();
}

/** Index `exclusao_contador`, newest first. */
export async function findExclusoes(db: Db, contadorId: number): Promise<Exclusao[]> {
  return db
    .selectFrom('exclusao')
    .selectAll()
    .where('contador_id', '=', contadorId)
    .orderBy('criada_em', 'desc')
    .limit(200)
    .execute();
}

/** Deletions somebody asked for that wait for a process; index `exclusao_a_fazer`. */
export async function findExclusoesAFazer(db: Db): Promise<Exclusao[]> {
  return db
    .selectFrom('exclusao')
    .selectAll()
    .where('estado', 'in', [sql.lit('preparando' as const), sql.lit('confirmada' as const)])
    .orderBy('criada_em')
    .execute();
}

/** Nobody takes one for so long, whatever the clocks of hosts differ by: such a time came from a clock that was wrong. */
const LONGE_DEMAIS_MS = 3_600_000;

/** Takes a deletion for a while, or prolongs it. @returns false when another process has it */
export async function leaseExclusao(
  db: Db,
  input: { id: string; por: string; agora: number; ate: number },
): Promise<boolean> {
  const rows = await db
    .updateTable('exclusao')
    .set({ tomada_por: input.por, tomada_ate: input.ate })
    .where('id', '=', input.id)
    .where((eb) =>
      eb.or([
        eb('tomada_por', 'is', null),
        eb('tomada_por', '=', input.por),
        eb('tomada_ate', '<', input.agora),
        eb('tomada_ate', '>', input.agora + LONGE_DEMAIS_MS),
      ]),
    )
    .returning('id')
    .execute();
  return rows.length === 1;
}

/** Moves a deletion on. @returns false when it is in another state by now */
export async function moveExclusao(
  trx: Trx,
  input: {
    id: string;
    de: readonly EstadoDaExclusao[];
    mudanca: Partial<Omit<Insertable<TabelaExclusao>, 'id' | 'contador_id'>>;
  },
): Promise<boolean> {
  const rows = await trx
    .updateTable('exclusao')
    .set(input.mudanca)
    .where('id', '=', input.id)
    .where('estado', 'in', input.de)
    .returning('id')
    .execute();
  return rows.length === 1;
}

/** What one step has deleted and kept, on top of what is counted. */
export async function addToExclusao(
  trx: Trx,
  input: { id: string; excluidos: number; mantidos: number },
): Promise<void> {
  await trx
    .updateTable('exclusao')
    .set((eb) => ({
      excluidos: eb('excluidos', '+', input.excluidos),
      mantidos: eb('mantidos', '+', input.mantidos),
    }))
    .where('id', '=', input.id)
    .execute();
}

/** Whether an unconfirmed one's time is over. */
export async function hasLapsed(db: Db, agora: number): Promise<boolean> {
  const row = await db
    .selectFrom('exclusao')
    .select('id')
    .where('estado', '=', 'preparada')
    .where('expira_em', '<', agora)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Unconfirmed ones whose time is over, of all offices. @returns which */
export async function expireExclusoes(
  trx: Trx,
  agora: number,
): Promise<{ id: string; contador_id: number }[]> {
  return trx
    .updateTable('exclusao')
    .set({ estado: 'vencida' })
    .where('estado', '=', 'preparada')
    .where('expira_em', '<', agora)
    .returning(['id', 'contador_id'])
    .execute();
}

/** A page of documents, in one statement. */
export async function insertExclusaoDocumentos(
  trx: Trx,
  rows: readonly Insertable<TabelaExclusaoDocumento>[],
): Promise<void> {
  if (rows.length > 0) await trx.insertInto('exclusao_documento').values(rows).execute();
}

/** What a preparation that was interrupted had written. */
export async function deleteExclusaoDocumentos(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('exclusao_documento').where('exclusao_id', '=', id).execute();
}

/** Documents of a deletion that are neither deleted nor kept yet; primary key, a page. */
export async function findExclusaoPendentes(
  db: Db,
  input: { id: string; depoisDe: number; limite: number },
): Promise<Selectable<TabelaExclusaoDocumento>[]> {
  return db
    .selectFrom('exclusao_documento')
    .selectAll()
    .where('exclusao_id', '=', input.id)
    .where('documento_id', '>', input.depoisDe)
    .where('excluido_em', 'is', null)
    .where('mantido_por', 'is', null)
    .orderBy('documento_id')
    .limit(input.limite)
    .execute();
}

/** Primary key. */
export async function markExcluidos(
  trx: Trx,
  input: { id: string; documentoIds: readonly number[]; agora: number },
): Promise<void> {
  if (input.documentoIds.length === 0) return;
  await trx
    .updateTable('exclusao_documento')
    .set({ excluido_em: input.agora })
    .where('exclusao_id', '=', input.id)
    .where('documento_id', 'in', input.documentoIds)
    .execute();
}

/** `motivo`: `guarda_legal` or `versao_nova`. Primary key. */
export async function markMantidos(
  trx: Trx,
  input: { id: string; documentoIds: readonly number[]; motivo: string },
): Promise<void> {
  if (input.documentoIds.length === 0) return;
  await trx
    .updateTable('exclusao_documento')
    .set({ mantido_por: input.motivo })
    .where('exclusao_id', '=', input.id)
    .where('documento_id', 'in', input.documentoIds)
    .execute();
}

/** One more upload whose bytes are gone. */
export async function addArquivoApagado(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('exclusao')
    .set((eb) => ({ arquivos_apagados: eb('arquivos_apagados', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Uploads that stay, since they hold other documents too: counted anew by each try. */
export async function setArquivosMantidos(trx: Trx, input: { id: string; mantidos: number }): Promise<void> {
  await trx
    .updateTable('exclusao')
    .set({ arquivos_mantidos: input.mantidos })
    .where('id', '=', input.id)
    .execute();
}

/** Its ZIP lies among the blobs already. */
export async function insertPacote(trx: Trx, row: Insertable<TabelaExclusaoPacote>): Promise<void> {
  await trx.insertInto('exclusao_pacote').values(row).execute();
}

/** In their order; primary key. */
export async function findPacotes(db: Db, id: string): Promise<TabelaExclusaoPacote[]> {
  return db
    .selectFrom('exclusao_pacote')
    .selectAll()
    .where('exclusao_id', '=', id)
    .orderBy('parte')
    .execute();
}

/** Rows of a preparation that begins again; their blobs are gone already. */
export async function deletePacotes(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('exclusao_pacote').where('exclusao_id', '=', id).execute();
}

/** Packages of deletions that are over: a copy of deleted documents is not kept here. */
export async function findPacotesASoltar(db: Db): Promise<TabelaExclusaoPacote[]> {
  return db
    .selectFrom('exclusao_pacote')
    .innerJoin('exclusao', 'exclusao.id', 'exclusao_pacote.exclusao_id')
    .selectAll('exclusao_pacote')
    .where('exclusao.estado', 'in', ['concluida', 'cancelada', 'vencida'])
    .where('exclusao_pacote.blob', '<>', '')
    .limit(100)
    .execute();
}

/** The row stays, with the package's hash. */
export async function releasePacote(db: Db, input: { id: string; parte: number }): Promise<void> {
  await db
    .updateTable('exclusao_pacote')
    .set({ blob: '' })
    .where('exclusao_id', '=', input.id)
    .where('parte', '=', input.parte)
    .execute();
}

/** Primary key. */
export async function markBaixado(
  trx: Trx,
  input: { id: string; parte: number; agora: number },
): Promise<void> {
  await trx
    .updateTable('exclusao_pacote')
    .set({ baixado_em: input.agora })
    .where('exclusao_id', '=', input.id)
    .where('parte', '=', input.parte)
    .execute();
}
