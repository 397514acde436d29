/** Every statement of tokens, OAuth clients, invitations and address keys. One function is one statement. */
import type { Insertable, Kysely, Transaction } from 'kysely';
import type {
  TabelaChaveDeEndereco,
  TabelaClienteOauth,
  TabelaConviteConsole,
  Tabelas,
  TabelaTokenIntegracao,
} from '../banco/tabelas.ts';

export type Leitor = Kysely<Tabelas>;
export type Trx = Transaction<Tabelas>;

/** A live token with its office; unique index on `hash`, at most one row. */
export async function findTokenByHash(db: Leitor, hash: string) {
  return db
    .selectFrom('token_integracao')
    .innerJoin('contador', 'contador.id', 'token_integracao.contador_id')
    .select([
      'token_integracao.id',
      'token_integracao.contador_id',
      'token_integracao.expira_em',
      'token_integracao.ultimo_uso_em',
      'contador.codigo_crm',
    ])
    .where('token_integracao.hash', '=', hash)
    .where('token_integracao.revogado_em', 'is', null)
    .executeTakeFirst();
}

export async function insertToken(trx: Trx, row: Insertable<TabelaTokenIntegracao>): Promise<void> {
  await trx.insertInto('token_integracao').values(row).execute();
}

/** Revokes the single key of an office; additional tokens stay. Index on `contador_id`. */
export async function revokeMainTokens(
  trx: Trx,
  input: { contadorId: number; agora: number },
): Promise<void> {
  await trx
    .updateTable('token_integracao')
    .set({ revogado_em: input.agora })
    .where('contador_id', '=', input.contadorId)
    .where('adicional', '=', 0)
    .where('revogado_em', 'is', null)
    .execute();
}

export async function touchToken(db: Leitor, input: { id: number; agora: number }): Promise<void> {
  await db
    .updateTable('token_integracao')
    .set({ ultimo_uso_em: input.agora })
    .where('id', '=', input.id)
    .execute();
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

export async function insertConvite(trx: Trx, row: Insertable<TabelaConviteConsole>): Promise<void> {
  await trx.insertInto('convite_console').values(row).execute();
}

/** Address keys that are not retired, newest first: a handful of rows. */
export async function findChavesDeEndereco(db: Leitor) {
  return db
    .selectFrom('chave_de_endereco')
    .select(['kid', 'selada', 'criada_em'])
    .where('aposentada_em', 'is', null)
    .orderBy('criada_em', 'desc')
    .orderBy('kid')
    .execute();
}

export async function insertChaveDeEndereco(trx: Trx, row: Insertable<TabelaChaveDeEndereco>): Promise<void> {
  await trx.insertInto('chave_de_endereco').values(row).execute();
}

/** Retires keys that were made before an instant; addresses signed by them stop working. */
export async function retireChavesDeEndereco(
  trx: Trx,
  input: { criadasAntesDe: number; agora: number },
): Promise<void> {
  await trx
    .updateTable('chave_de_endereco')
    .set({ aposentada_em: input.agora })
    .where('aposentada_em', 'is', null)
    .where('criada_em', '<', input.criadasAntesDe)
    .execute();
}
