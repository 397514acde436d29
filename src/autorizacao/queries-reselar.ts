/** Every statement that puts sealed keys under another master key. A handful of rows each. */
import type { Kysely } from 'kysely';
import type { Tabelas, Trx } from '../banco/tabelas.ts';

/** Whether anything is sealed: the keys of addresses and of the issuer are the first that a server makes. */
export async function haSelados(db: Kysely<Tabelas>): Promise<boolean> {
  const endereco = await db.selectFrom('chave_de_endereco').select('kid').limit(1).executeTakeFirst();
  if (endereco) return true;
  return (await db.selectFrom('chave_do_emissor').select('kid').limit(1).executeTakeFirst()) !== undefined;
}

/** All address keys, retired ones too: nothing may stay under a key that is about to be forgotten. */
export async function findEnderecosSelados(trx: Trx) {
  return trx.selectFrom('chave_de_endereco').select(['kid', 'selada']).orderBy('kid').forUpdate().execute();
}

export async function updateEnderecoSelado(
  trx: Trx,
  input: { kid: string; selada: Uint8Array },
): Promise<void> {
  await trx
    .updateTable('chave_de_endereco')
    .set({ selada: input.selada })
    .where('kid', '=', input.kid)
    .execute();
}

export async function findChavesDoEmissorSeladas(trx: Trx) {
  return trx.selectFrom('chave_do_emissor').select(['kid', 'selada']).orderBy('kid').forUpdate().execute();
}

export async function updateChaveDoEmissorSelada(
  trx: Trx,
  input: { kid: string; selada: Uint8Array },
): Promise<void> {
  await trx
    .updateTable('chave_do_emissor')
    .set({ selada: input.selada })
    .where('kid', '=', input.kid)
    .execute();
}

/** Seeds of second factors, known by their user. */
export async function findTotpSelados(trx: Trx) {
  const rows = await trx.selectFrom('totp_console').select(['usuario_id', 'selada']).execute();
  return rows.map(({ usuario_id, selada }) => ({ kid: String(usuario_id), selada }));
}

export async function updateTotpSelado(trx: Trx, input: { kid: string; selada: Uint8Array }): Promise<void> {
  await trx
    .updateTable('totp_console')
    .set({ selada: input.selada })
    .where('usuario_id', '=', Number(input.kid))
    .execute();
}
