/** Statements of the clients that somebody is limited to. One function is one statement. */
import type { Db, Trx } from '../../banco/tabelas.ts';
import { rowBatches } from '../../documentos/bytes/chunks.ts';
import { insertMany } from '../../platform/db/many-rows.ts';

/** Ids of the clients of a user, in their order; the primary key. */
export async function findClientesDoUsuario(db: Db, usuarioId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('usuario_cliente')
    .select('cliente_id')
    .where('usuario_id', '=', usuarioId)
    .orderBy('cliente_id')
    .execute();
  return rows.map((row) => row.cliente_id);
}

/** Who of an office is limited to which clients, by their names: a few rows for each limited user. */
export async function findClientesDosUsuarios(
  db: Db,
  input: { contadorId: number; usuarioId: number | null },
) {
  const rows = db
    .selectFrom('usuario_cliente')
    .innerJoin('cliente', 'cliente.id', 'usuario_cliente.cliente_id')
    .select(['usuario_cliente.usuario_id', 'cliente.id', 'cliente.cpf_cnpj', 'cliente.nome'])
    .where('usuario_cliente.contador_id', '=', input.contadorId)
    .orderBy('cliente.nome')
    .orderBy('cliente.id');
  return input.usuarioId === null
    ? rows.execute()
    : rows.where('usuario_cliente.usuario_id', '=', input.usuarioId).execute();
}

export async function deleteClientesDoUsuario(trx: Trx, usuarioId: number): Promise<void> {
  await trx.deleteFrom('usuario_cliente').where('usuario_id', '=', usuarioId).execute();
}

export async function insertClientesDoUsuario(
  trx: Trx,
  input: { contadorId: number; usuarioId: number; clienteIds: readonly number[] },
): Promise<void> {
  const { contadorId, usuarioId, clienteIds } = input;
  const rows = clienteIds.map((cliente_id) => ({
    usuario_id: usuarioId,
    cliente_id,
    contador_id: contadorId,
  }));
  for (const part of rowBatches(rows)) await insertMany(trx, 'usuario_cliente', part).execute();
}

/** These clients of an office, by their CPF/CNPJ; the unique index. */
export async function findPorCpfCnpj(db: Db, input: { contadorId: number; cpfCnpjs: readonly string[] }) {
  return db
    .selectFrom('cliente')
    .select(['id', 'cpf_cnpj'])
    .where('contador_id', '=', input.contadorId)
    .where('cpf_cnpj', 'in', input.cpfCnpjs)
    .execute();
}
