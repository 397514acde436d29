/** Every statement of the console's users. One function is one statement. */

import type { Insertable, Updateable } from 'kysely';
import type { Db, Trx } from '../../banco/tabelas.ts';
import type { Papel, TabelaUsuario } from '../../banco/tabelas-console.ts';

const COLUNAS = [
  'usuario.id',
  'usuario.contador_id',
  'usuario.email',
  'usuario.nome',
  'usuario.papel',
  'usuario.limitado',
  'usuario.ativo',
  'usuario.senha',
  'usuario.criado_em',
  'usuario.entrou_em',
] as const;

/** Users of one e-mail address who may enter: one an office at most; index `usuario_email`. */
export async function findQuemPodeEntrar(
  db: Db,
  input: { emailChave: string; codigoCrm: string | null; limite: number },
) {
  const rows = db
    .selectFrom('usuario')
    .innerJoin('contador', 'contador.id', 'usuario.contador_id')
    .select([...COLUNAS, 'usuario.lugares', 'contador.codigo_crm', 'contador.nome as escritorio'])
    .where('usuario.email_chave', '=', input.emailChave)
    .where('usuario.ativo', '=', 1)
    .where('usuario.senha', 'is not', null)
    .orderBy('usuario.id')
    .limit(input.limite);
  return input.codigoCrm === null
    ? rows.execute()
    : rows.where('contador.codigo_crm', '=', input.codigoCrm).execute();
}

/** One user of an office, by the primary key, with whether a second factor is in use. */
export async function findUsuario(db: Db, input: { contadorId: number; id: number }) {
  return db
    .selectFrom('usuario')
    .leftJoin('totp_console', 'totp_console.usuario_id', 'usuario.id')
    .select([...COLUNAS, 'usuario.preferencias', 'totp_console.confirmado_em'])
    .where('usuario.id', '=', input.id)
    .where('usuario.contador_id', '=', input.contadorId)
    .executeTakeFirst();
}

/** From where somebody has entered; by the primary key. */
export async function findLugares(trx: Trx, usuarioId: number): Promise<string | null> {
  const row = await trx
    .selectFrom('usuario')
    .select('lugares')
    .where('id', '=', usuarioId)
    .executeTakeFirst();
  return row?.lugares ?? null;
}

/** Everybody of an office, by name: a few dozen rows. */
export async function findUsuarios(db: Db, contadorId: number) {
  return db
    .selectFrom('usuario')
    .leftJoin('totp_console', 'totp_console.usuario_id', 'usuario.id')
    .select([...COLUNAS, 'totp_console.confirmado_em'])
    .where('usuario.contador_id', '=', contadorId)
    .orderBy('usuario.nome')
    .orderBy('usuario.id')
    .execute();
}

/** Null when the address is taken in this office. */
export async function insertUsuario(trx: Trx, row: Insertable<TabelaUsuario>): Promise<number | null> {
  const made = await trx
    .insertInto('usuario')
    .values(row)
    .onConflict((conflict) => conflict.columns(['contador_id', 'email_chave']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return made?.id ?? null;
}

/** @returns whether there was such a user of this office */
export async function updateUsuario(
  trx: Db,
  input: { contadorId: number; id: number; set: Updateable<TabelaUsuario> },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('usuario')
    .set(input.set)
    .where('id', '=', input.id)
    .where('contador_id', '=', input.contadorId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteUsuario(trx: Trx, input: { contadorId: number; id: number }): Promise<void> {
  await trx
    .deleteFrom('usuario')
    .where('id', '=', input.id)
    .where('contador_id', '=', input.contadorId)
    .execute();
}

/** Active users of a role who have a password, besides one: enough to know whether there is another. */
export async function findOutroAtivo(
  db: Db,
  input: { contadorId: number; papel: Papel; menos: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('usuario')
    .select('id')
    .where('contador_id', '=', input.contadorId)
    .where('papel', '=', input.papel)
    .where('ativo', '=', 1)
    .where('senha', 'is not', null)
    .where('id', '<>', input.menos)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether anybody of any office can log in. */
export async function existsUsuario(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('usuario')
    .select('id')
    .where('senha', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
