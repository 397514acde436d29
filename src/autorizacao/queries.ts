/** Every statement of tokens, invitations and address keys. One function is one statement. */
import type { Insertable } from 'kysely';
import type {
  Db,
  TabelaChaveDeEndereco,
  TabelaConviteConsole,
  TabelaTokenIntegracao,
  Trx,
} from '../banco/tabelas.ts';

/** A live token with its office; unique index on `hash`, at most one row. */
export async function findTokenByHash(db: Db, hash: string) {
  return db
    .selectFrom('token_integracao')
    .innerJoin('contador', 'contador.id', 'token_integracao.contador_id')
    .select([
      'token_integracao.id',
      'token_integracao.contador_id',
      'token_integracao.expira_em',
      'token_integracao.ultimo_uso_em',
      'token_integracao.escopo',
      'token_integracao.restrito',
      'contador.codigo_crm',
    ])
    .where('token_integracao.hash', '=', hash)
    .where('token_integracao.revogado_em', 'is', null)
    .executeTakeFirst();
}

export async function insertToken(trx: Trx, row: Insertable<TabelaTokenIntegracao>): Promise<number> {
  const made = await trx.insertInto('token_integracao').values(row).returning('id').executeTakeFirstOrThrow();
  return made.id;
}

/** Clients that a restricted token is for: by the primary key, as many as were named. */
export async function findClientesDoToken(db: Db, tokenId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('token_integracao_cliente')
    .select('cliente_id')
    .where('token_id', '=', tokenId)
    .execute();
  return rows.map((row) => row.cliente_id);
}

export async function insertClientesDoToken(
  trx: Trx,
  input: { tokenId: number; clienteIds: readonly number[] },
): Promise<void> {
  await trx
    .insertInto('token_integracao_cliente')
    .values(input.clienteIds.map((id) => ({ token_id: input.tokenId, cliente_id: id })))
    .execute();
}

/** Every token of an office, newest first; index on `contador_id`, a handful of rows. */
export async function findTokensDoContador(db: Db, contadorId: number) {
  return db
    .selectFrom('token_integracao')
    .select([
      'id',
      'nome',
      'finais',
      'adicional',
      'escopo',
      'restrito',
      'criado_em',
      'expira_em',
      'revogado_em',
      'ultimo_uso_em',
      'ultimo_uso_ip',
    ])
    .where('contador_id', '=', contadorId)
    .orderBy('id', 'desc')
    .execute();
}

/** CPF/CNPJ of the clients that the restricted tokens of an office are for, by token. */
export async function findClientesDosTokens(db: Db, contadorId: number) {
  return db
    .selectFrom('token_integracao')
    .innerJoin('token_integracao_cliente', 'token_integracao_cliente.token_id', 'token_integracao.id')
    .innerJoin('cliente', 'cliente.id', 'token_integracao_cliente.cliente_id')
    .select(['token_integracao.id as token_id', 'cliente.cpf_cnpj'])
    .where('token_integracao.contador_id', '=', contadorId)
    .orderBy('cliente.cpf_cnpj')
    .execute();
}

/** @returns whether there was such a live token of this office */
export async function revokeToken(
  trx: Trx,
  input: { id: number; contadorId: number; agora: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('token_integracao')
    .set({ revogado_em: input.agora })
    .where('id', '=', input.id)
    .where('contador_id', '=', input.contadorId)
    .where('revogado_em', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
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

export async function touchToken(
  db: Db,
  input: { id: number; agora: number; ip: string | null },
): Promise<void> {
  await db
    .updateTable('token_integracao')
    .set({ ultimo_uso_em: input.agora, ultimo_uso_ip: input.ip })
    .where('id', '=', input.id)
    .execute();
}

/** @returns whether there was such a token of this office, not revoked */
export async function renameToken(
  trx: Trx,
  input: { contadorId: number; id: number; nome: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('token_integracao')
    .set({ nome: input.nome })
    .where('id', '=', input.id)
    .where('contador_id', '=', input.contadorId)
    .where('revogado_em', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function insertConvite(trx: Trx, row: Insertable<TabelaConviteConsole>): Promise<void> {
  await trx.insertInto('convite_console').values(row).execute();
}

/** An invitation that still works, with whom it is for; unique index on `hash`, at most one row. */
export async function findConvite(db: Db, input: { hash: string; agora: number }) {
  return db
    .selectFrom('convite_console')
    .innerJoin('contador', 'contador.id', 'convite_console.contador_id')
    .leftJoin('usuario', 'usuario.id', 'convite_console.usuario_id')
    .select([
      'convite_console.id',
      'convite_console.contador_id',
      'convite_console.usuario_id',
      'convite_console.email',
      'contador.codigo_crm',
      'contador.nome as escritorio',
      'usuario.nome',
      'usuario.papel',
      'usuario.ativo',
      'usuario.senha',
    ])
    .where('convite_console.hash', '=', input.hash)
    .where('convite_console.usado_em', 'is', null)
    .where('convite_console.expira_em', '>', input.agora)
    .executeTakeFirst();
}

/** @returns whether it was still to be used: of two who use it at once one is first */
export async function spendConvite(trx: Trx, input: { id: number; agora: number }): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('convite_console')
    .set({ usado_em: input.agora })
    .where('id', '=', input.id)
    .where('usado_em', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Invitations of a user that were not used stop working; index `convite_console_usuario`. */
export async function revokeConvites(trx: Trx, input: { usuarioId: number; agora: number }): Promise<void> {
  await trx
    .updateTable('convite_console')
    .set({ usado_em: input.agora })
    .where('usuario_id', '=', input.usuarioId)
    .where('usado_em', 'is', null)
    .execute();
}

/** Address keys that are not retired, newest first: a handful of rows. */
export async function findChavesDeEndereco(db: Db) {
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

/** Retires keys; addresses signed by them stop working. */
export async function retireChavesDeEndereco(
  trx: Trx,
  input: { kids: readonly string[]; agora: number },
): Promise<void> {
  if (input.kids.length === 0) return;
  await trx
    .updateTable('chave_de_endereco')
    .set({ aposentada_em: input.agora })
    .where('aposentada_em', 'is', null)
    .where('kid', 'in', input.kids)
    .execute();
}
