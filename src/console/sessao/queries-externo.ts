/** Statements of logging in by an identity provider. One function is one statement. */

import type { Insertable } from 'kysely';
import type { Db, Trx } from '../../banco/tabelas.ts';
import type { TabelaEntradaExterna, TabelaIdentidadeExterna } from '../../banco/tabelas-console.ts';

export async function insertEntrada(trx: Trx, row: Insertable<TabelaEntradaExterna>): Promise<void> {
  await trx.insertInto('entrada_externa').values(row).execute();
}

/** Who has come back with a secret; the primary key. */
export async function findEntrada(db: Db, input: { hash: string; agora: number }) {
  return db
    .selectFrom('entrada_externa')
    .selectAll()
    .where('hash', '=', input.hash)
    .where('expira_em', '>', input.agora)
    .executeTakeFirst();
}

/** Uses one up. @returns false for the second of two who come at once */
export async function spendEntrada(trx: Trx, hash: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('entrada_externa')
    .where('hash', '=', hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Takes away what nobody used: a handful of rows. */
export async function deleteEntradasVencidas(trx: Trx, agora: number): Promise<void> {
  await trx.deleteFrom('entrada_externa').where('expira_em', '<=', agora).execute();
}

const QUEM = [
  'usuario.id',
  'usuario.contador_id',
  'contador.codigo_crm',
  'contador.nome as escritorio',
] as const;

/** Users that a provider's account belongs to, one an office at most; index `identidade_externa_sub`. */
export async function findLigados(db: Db, input: { emissor: string; sub: string; limite: number }) {
  return db
    .selectFrom('identidade_externa')
    .innerJoin('usuario', 'usuario.id', 'identidade_externa.usuario_id')
    .innerJoin('contador', 'contador.id', 'usuario.contador_id')
    .select(QUEM)
    .where('identidade_externa.emissor', '=', input.emissor)
    .where('identidade_externa.sub', '=', input.sub)
    .where('usuario.ativo', '=', 1)
    .orderBy('usuario.id')
    .limit(input.limite)
    .execute();
}

/** Users of an address who have no account of this provider yet, one an office at most; index `usuario_email`. */
export async function findPorEmail(db: Db, input: { emissor: string; emailChave: string; limite: number }) {
  return db
    .selectFrom('usuario')
    .innerJoin('contador', 'contador.id', 'usuario.contador_id')
    .select(QUEM)
    .where('usuario.email_chave', '=', input.emailChave)
    .where('usuario.ativo', '=', 1)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('identidade_externa')
            .select('identidade_externa.sub')
            .whereRef('identidade_externa.usuario_id', '=', 'usuario.id')
            .where('identidade_externa.emissor', '=', input.emissor),
        ),
      ),
    )
    .orderBy('usuario.id')
    .limit(input.limite)
    .execute();
}

/** @returns false when the user has an account of this provider already */
export async function insertIdentidade(trx: Trx, row: Insertable<TabelaIdentidadeExterna>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('identidade_externa')
    .values(row)
    .onConflict((conflict) => conflict.columns(['usuario_id', 'emissor']).doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** @returns whether there was any */
export async function deleteIdentidades(
  trx: Trx,
  input: { contadorId: number; usuarioId: number },
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('identidade_externa')
    .where('usuario_id', '=', input.usuarioId)
    .where('contador_id', '=', input.contadorId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
