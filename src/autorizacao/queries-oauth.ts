/** Every statement of OAuth clients and their secrets. One function is one statement. */
import type { Insertable } from 'kysely';
import type { Db, TabelaClienteOauth, TabelaSegredoOauth, Trx } from '../banco/tabelas.ts';

/** A client that is not revoked; unique index on `client_id`, at most one row. */
export async function findClienteOauth(db: Db, clientId: string) {
  return db
    .selectFrom('cliente_oauth')
    .select(['id', 'client_id', 'nome', 'emite_tokens', 'ultimo_uso_em'])
    .where('client_id', '=', clientId)
    .where('revogado_em', 'is', null)
    .executeTakeFirst();
}

/** Secrets of a client that still work: one, or two during a rotation. */
export async function findSegredos(db: Db, input: { clienteOauthId: number; agora: number }) {
  return db
    .selectFrom('segredo_oauth')
    .select(['hash', 'expira_em'])
    .where('cliente_oauth_id', '=', input.clienteOauthId)
    .where((eb) => eb.or([eb('expira_em', 'is', null), eb('expira_em', '>', input.agora)]))
    .orderBy('id', 'desc')
    .execute();
}

/** Codes of the offices that a client may act for, by the primary key. */
export async function findCodigosCrm(db: Db, clienteOauthId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('cliente_oauth_contador')
    .innerJoin('contador', 'contador.id', 'cliente_oauth_contador.contador_id')
    .select('contador.codigo_crm')
    .where('cliente_oauth_contador.cliente_oauth_id', '=', clienteOauthId)
    .orderBy('contador.codigo_crm')
    .execute();
  return rows.map((row) => row.codigo_crm);
}

export async function insertClienteOauth(trx: Trx, row: Insertable<TabelaClienteOauth>): Promise<number> {
  const made = await trx.insertInto('cliente_oauth').values(row).returning('id').executeTakeFirstOrThrow();
  return made.id;
}

export async function insertContadoresDoClienteOauth(
  trx: Trx,
  input: { clienteOauthId: number; contadorIds: readonly number[] },
): Promise<void> {
  await trx
    .insertInto('cliente_oauth_contador')
    .values(input.contadorIds.map((id) => ({ cliente_oauth_id: input.clienteOauthId, contador_id: id })))
    .execute();
}

export async function insertSegredo(trx: Trx, row: Insertable<TabelaSegredoOauth>): Promise<void> {
  await trx.insertInto('segredo_oauth').values(row).execute();
}

/** The present secret stops working at an instant; one that is already running out keeps its own. */
export async function expirePresentSegredo(
  trx: Trx,
  input: { clienteOauthId: number; expiraEm: number },
): Promise<void> {
  await trx
    .updateTable('segredo_oauth')
    .set({ expira_em: input.expiraEm })
    .where('cliente_oauth_id', '=', input.clienteOauthId)
    .where('expira_em', 'is', null)
    .execute();
}

/** Secrets of a client whose time is over: their hashes go too. */
export async function deleteExpiredSegredos(
  trx: Trx,
  input: { clienteOauthId: number; agora: number },
): Promise<void> {
  await trx
    .deleteFrom('segredo_oauth')
    .where('cliente_oauth_id', '=', input.clienteOauthId)
    .where('expira_em', '<=', input.agora)
    .execute();
}

export async function touchClienteOauth(db: Db, input: { id: number; agora: number }): Promise<void> {
  await db
    .updateTable('cliente_oauth')
    .set({ ultimo_uso_em: input.agora })
    .where('id', '=', input.id)
    .execute();
}

/** @returns whether there was such a client, not yet revoked */
export async function revokeClienteOauth(
  trx: Trx,
  input: { clientId: string; agora: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('cliente_oauth')
    .set({ revogado_em: input.agora })
    .where('client_id', '=', input.clientId)
    .where('revogado_em', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Every OAuth client with each of its offices, one row a pair; for people, a few hundred rows at most. */
export async function findClientesOauth(db: Db) {
  return db
    .selectFrom('cliente_oauth')
    .leftJoin('cliente_oauth_contador', 'cliente_oauth_contador.cliente_oauth_id', 'cliente_oauth.id')
    .leftJoin('contador', 'contador.id', 'cliente_oauth_contador.contador_id')
    .select([
      'cliente_oauth.client_id',
      'cliente_oauth.nome',
      'cliente_oauth.emite_tokens',
      'cliente_oauth.criado_em',
      'cliente_oauth.revogado_em',
      'cliente_oauth.ultimo_uso_em',
      'contador.codigo_crm',
    ])
    .orderBy('cliente_oauth.id')
    .orderBy('contador.codigo_crm')
    .execute();
}
