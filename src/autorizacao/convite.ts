import type { Deps } from '../deps.ts';
import { hashToken, makeToken } from '../platform/crypto/token-opaco.ts';
import * as queries from './queries.ts';

const CONVITE_PREFIX = 'mlc';
/** Long enough for an e-mail to be found after a holiday, short enough that a forgotten one is worthless. */
const VALID_MS = 7 * 86_400_000;

/**
 * Invites a person to set a console password. The code is returned this once; only its SHA-256 is kept.
 * @returns `caminho`: path of the set-up link, with the code behind `#`, which browsers never send to a server
 */
export async function createConvite(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: { contadorId: number; email: string },
): Promise<{ codigo: string; caminho: string; expiraEm: number }> {
  const codigo = makeToken(CONVITE_PREFIX);
  const agora = deps.clock.now();
  const expiraEm = agora + VALID_MS;
  await deps.db.write.transaction().execute((trx) =>
    queries.insertConvite(trx, {
      contador_id: input.contadorId,
      email: input.email,
      hash: hashToken(codigo),
      criado_em: agora,
      expira_em: expiraEm,
      usado_em: null,
    }),
  );
  return { codigo, caminho: `/convite#${codigo}`, expiraEm };
}
