/** Every statement of the issuer's keys and sessions. One function is one statement. */
import type { Insertable } from 'kysely';
import type { Db, TabelaChaveDoEmissor, TabelaSessaoOauth, Trx } from '../../banco/tabelas.ts';

/** Every signing key, newest first: a handful of rows. */
export async function findChaves(db: Db) {
  return db
    .selectFrom('chave_do_emissor')
    .select(['kid', 'selada', 'certificado', 'criada_em'])
    .orderBy('criada_em', 'desc')
    .orderBy('kid')
    .execute();
}

export async function insertChave(trx: Trx, row: Insertable<TabelaChaveDoEmissor>): Promise<void> {
  await trx.insertInto('chave_do_emissor').values(row).execute();
}

/** Deletes the keys made before an instant; what they signed is refused from then on. */
export async function deleteChavesBefore(trx: Trx, criadasAntesDe: number): Promise<void> {
  await trx.deleteFrom('chave_do_emissor').where('criada_em', '<', criadasAntesDe).execute();
}

/** By the primary key. */
export async function findSessao(db: Db, sid: string) {
  return db
    .selectFrom('sessao_oauth')
    .select(['geracao', 'encerrada_em'])
    .where('sid', '=', sid)
    .executeTakeFirst();
}

export async function insertSessao(trx: Trx, row: Insertable<TabelaSessaoOauth>): Promise<void> {
  await trx.insertInto('sessao_oauth').values(row).execute();
}

export async function updateSessao(
  trx: Trx,
  input: { sid: string; geracao?: number; encerradaEm?: number },
): Promise<void> {
  await trx
    .updateTable('sessao_oauth')
    .set({
      ...(input.geracao === undefined ? {} : { geracao: input.geracao }),
      ...(input.encerradaEm === undefined ? {} : { encerrada_em: input.encerradaEm }),
    })
    .where('sid', '=', input.sid)
    .execute();
}

/** Forgets sessions of which no token can be valid any more; index on `expira_em`. */
export async function deleteExpiredSessoes(trx: Trx, agora: number): Promise<void> {
  await trx.deleteFrom('sessao_oauth').where('expira_em', '<', agora).execute();
}
