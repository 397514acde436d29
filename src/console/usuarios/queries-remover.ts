import type { Trx } from '../../banco/tabelas.ts';
/** Statements of removing users. One function is one statement. */

/** Holds every other change of an office's users back until this transaction ends, on either engine. */
export async function lockContador(trx: Trx, contadorId: number): Promise<void> {
  await trx
    .updateTable('contador')
    .set((eb) => ({ nome: eb.ref('nome') }))
    .where('id', '=', contadorId)
    .execute();
}

export async function deleteConvitesDoUsuario(trx: Trx, usuarioId: number): Promise<void> {
  await trx.deleteFrom('convite_console').where('usuario_id', '=', usuarioId).execute();
}
