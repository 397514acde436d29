/** Every statement of console sessions. One function is one statement. */
import type { Insertable } from 'kysely';
import type { Db, Trx } from '../../banco/tabelas.ts';
import type { TabelaSessaoConsole } from '../../banco/tabelas-console.ts';

/** A session with its user and office; unique index on `hash`, at most one row. */
export async function findSessao(db: Db, hash: string) {
  return db
    .selectFrom('sessao_console')
    .innerJoin('usuario', 'usuario.id', 'sessao_console.usuario_id')
    .innerJoin('contador', 'contador.id', 'sessao_console.contador_id')
    .select([
      'sessao_console.id',
      'sessao_console.contador_id',
      'sessao_console.usuario_id',
      'sessao_console.vista_em',
      'sessao_console.expira_em',
      'usuario.nome',
      'usuario.email',
      'usuario.papel',
      'usuario.limitado',
      'contador.codigo_crm',
      'contador.nome as escritorio',
    ])
    .where('sessao_console.hash', '=', hash)
    .where('usuario.ativo', '=', 1)
    .executeTakeFirst();
}

export async function insertSessao(trx: Trx, row: Insertable<TabelaSessaoConsole>): Promise<void> {
  await trx.insertInto('sessao_console').values(row).execute();
}

export async function touchSessao(db: Db, input: { id: number; agora: number }): Promise<void> {
  await db.updateTable('sessao_console').set({ vista_em: input.agora }).where('id', '=', input.id).execute();
}

/** Ends the session of a cookie. */
export async function deleteSessaoByHash(trx: Db, hash: string): Promise<void> {
  await trx.deleteFrom('sessao_console').where('hash', '=', hash).execute();
}

/** Ends one session of a user. @returns whether there was such a one */
export async function deleteSessao(
  trx: Db,
  input: { contadorId: number; usuarioId: number; id: number },
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('sessao_console')
    .where('id', '=', input.id)
    .where('usuario_id', '=', input.usuarioId)
    .where('contador_id', '=', input.contadorId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends every session of a user but one (0: every one); index `sessao_console_usuario`. */
export async function deleteSessoesDoUsuario(
  trx: Db,
  input: { contadorId: number; usuarioId: number; menos: number },
): Promise<void> {
  await trx
    .deleteFrom('sessao_console')
    .where('usuario_id', '=', input.usuarioId)
    .where('contador_id', '=', input.contadorId)
    .where('id', '<>', input.menos)
    .execute();
}

/** Takes away what is over; index `sessao_console_expira`. */
export async function deleteSessoesVencidas(
  trx: Db,
  input: { contadorId: number; agora: number },
): Promise<void> {
  await trx
    .deleteFrom('sessao_console')
    .where('contador_id', '=', input.contadorId)
    .where('expira_em', '<', input.agora)
    .execute();
}

/** Sessions of a user that are not over, the latest first: a handful of rows. */
export async function findSessoesDoUsuario(
  db: Db,
  input: { contadorId: number; usuarioId: number; agora: number; vistaDepoisDe: number },
) {
  return db
    .selectFrom('sessao_console')
    .select(['id', 'criada_em', 'vista_em', 'expira_em', 'ip', 'agente'])
    .where('usuario_id', '=', input.usuarioId)
    .where('contador_id', '=', input.contadorId)
    .where('expira_em', '>', input.agora)
    .where('vista_em', '>', input.vistaDepoisDe)
    .orderBy('vista_em', 'desc')
    .execute();
}
