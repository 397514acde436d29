/** Every statement of second factors and of what lies between password and code. One function is one statement. */

import type { Insertable } from 'kysely';
import type { Db, Trx } from '../../banco/tabelas.ts';
import type { TabelaDesafioConsole } from '../../banco/tabelas-console.ts';

export async function insertDesafio(trx: Db, row: Insertable<TabelaDesafioConsole>): Promise<void> {
  await trx.insertInto('desafio_console').values(row).execute();
}

/** Whose log-in waits for a code; the primary key, at most one row. */
export async function findDesafio(db: Db, input: { hash: string; agora: number }) {
  return db
    .selectFrom('desafio_console')
    .innerJoin('usuario', 'usuario.id', 'desafio_console.usuario_id')
    .select(['desafio_console.usuario_id', 'desafio_console.contador_id'])
    .where('desafio_console.hash', '=', input.hash)
    .where('desafio_console.expira_em', '>', input.agora)
    .where('usuario.ativo', '=', 1)
    .executeTakeFirst();
}

/** Every challenge of a user goes: it is answered, or its password is no longer the one. */
export async function deleteDesafios(trx: Db, usuarioId: number): Promise<void> {
  await trx.deleteFrom('desafio_console').where('usuario_id', '=', usuarioId).execute();
}

/** Challenges of a user that are over go; index `desafio_console_usuario`. */
export async function deleteDesafiosVencidos(
  trx: Db,
  input: { usuarioId: number; agora: number },
): Promise<void> {
  await trx
    .deleteFrom('desafio_console')
    .where('usuario_id', '=', input.usuarioId)
    .where('expira_em', '<=', input.agora)
    .execute();
}

export async function findTotp(db: Db, usuarioId: number) {
  return db.selectFrom('totp_console').selectAll().where('usuario_id', '=', usuarioId).executeTakeFirst();
}

/** A seed that is not proven yet takes the place of another such. Nothing happens to one in use. */
export async function upsertTotpNovo(
  trx: Trx,
  row: { usuario_id: number; contador_id: number; selada: Uint8Array },
): Promise<boolean> {
  const made = await trx
    .insertInto('totp_console')
    .values({ ...row, confirmado_em: null })
    .onConflict((conflict) =>
      conflict
        .column('usuario_id')
        .doUpdateSet({ selada: row.selada, ultimo_passo: 0, falhas: 0, bloqueado_ate: 0 })
        .where('totp_console.confirmado_em', 'is', null),
    )
    .returning('usuario_id')
    .executeTakeFirst();
  return made !== undefined;
}

/**
 * Counts a try before it is judged, and locks the row until the transaction ends, so that tries made at once cannot
 * outrun the count. A time beyond `ateNoMaximo` was written by a clock that was wrong, and holds nobody up.
 * @returns undefined when tries are held up, or there is no second factor
 */
export async function countTry(trx: Trx, input: { usuarioId: number; agora: number; ateNoMaximo: number }) {
  return trx
    .updateTable('totp_console')
    .set((eb) => ({ falhas: eb('falhas', '+', 1) }))
    .where('usuario_id', '=', input.usuarioId)
    .where((eb) =>
      eb.or([eb('bloqueado_ate', '<=', input.agora), eb('bloqueado_ate', '>', input.ateNoMaximo)]),
    )
    .returning(['selada', 'ultimo_passo', 'falhas', 'confirmado_em'])
    .executeTakeFirst();
}

export async function holdUp(trx: Trx, input: { usuarioId: number; ate: number }): Promise<void> {
  await trx
    .updateTable('totp_console')
    .set({ bloqueado_ate: input.ate })
    .where('usuario_id', '=', input.usuarioId)
    .execute();
}

/** A right code: it and those before it are used up. */
export async function markPasso(
  trx: Trx,
  input: { usuarioId: number; passo: number; confirmadoEm: number },
): Promise<void> {
  await trx
    .updateTable('totp_console')
    .set({ ultimo_passo: input.passo, falhas: 0, bloqueado_ate: 0, confirmado_em: input.confirmadoEm })
    .where('usuario_id', '=', input.usuarioId)
    .execute();
}

export async function deleteTotp(trx: Trx, usuarioId: number): Promise<void> {
  await trx.deleteFrom('totp_console').where('usuario_id', '=', usuarioId).execute();
}

export async function deleteCodigos(trx: Trx, usuarioId: number): Promise<void> {
  await trx.deleteFrom('codigo_de_recuperacao').where('usuario_id', '=', usuarioId).execute();
}

export async function insertCodigos(
  trx: Trx,
  input: { contadorId: number; usuarioId: number; hashes: readonly string[] },
): Promise<void> {
  await trx
    .insertInto('codigo_de_recuperacao')
    .values(
      input.hashes.map((hash) => ({ hash, contador_id: input.contadorId, usuario_id: input.usuarioId })),
    )
    .execute();
}

/** Uses a recovery code up. @returns whether there was such a one */
export async function spendCodigo(trx: Trx, input: { usuarioId: number; hash: string }): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('codigo_de_recuperacao')
    .where('hash', '=', input.hash)
    .where('usuario_id', '=', input.usuarioId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** How many recovery codes are left: ten at most. */
export async function countCodigos(db: Db, usuarioId: number): Promise<number> {
  const rows = await db
    .selectFrom('codigo_de_recuperacao')
    .select('hash')
    .where('usuario_id', '=', usuarioId)
    .execute();
  return rows.length;
}
