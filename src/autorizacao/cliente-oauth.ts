import { randomBytes } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { hashSecret, makeSecret } from '../platform/crypto/segredo.ts';
import * as queries from './queries.ts';

const ID_BYTES = 10;

/**
 * Makes an OAuth client for the accounts area, bound to one or more offices. The secret is returned this once;
 * only its scrypt hash is kept.
 */
export async function createClienteOauth(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: { contadorIds: readonly number[]; nome: string },
): Promise<{ clientId: string; clientSecret: string }> {
  if (input.contadorIds.length === 0) throw new Error('an OAuth client needs at least one office');
  const clientId = `malote-${randomBytes(ID_BYTES).toString('hex')}`;
  const clientSecret = makeSecret();
  const segredoHash = await hashSecret(clientSecret);
  await deps.db.write.transaction().execute(async (trx) => {
    const id = await queries.insertClienteOauth(trx, {
      client_id: clientId,
      segredo_hash: segredoHash,
      nome: input.nome,
      criado_em: deps.clock.now(),
      revogado_em: null,
    });
    await queries.insertContadoresDoClienteOauth(trx, { clienteOauthId: id, contadorIds: input.contadorIds });
  });
  return { clientId, clientSecret };
}
