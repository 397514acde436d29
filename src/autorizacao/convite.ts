import type { Trx } from '../banco/tabelas.ts';
import { hashToken, isTokenShaped, makeToken } from '../platform/crypto/token-opaco.ts';
import * as queries from './queries.ts';

const CONVITE_PREFIX = 'mlc';
/** Long enough for an e-mail to be found after a holiday, short enough that a forgotten one is worthless. */
const VALID_MS = 7 * 86_400_000;

export interface Convite {
  codigo: string;
  /** Path of the set-up link, with the code behind `#`, which browsers never send to a server. */
  caminho: string;
  /** Milliseconds UTC. */
  expiraEm: number;
}

/**
 * Invites a user to choose a console password; invitations before this one stop working. The code is returned this
 * once; only its SHA-256 is kept.
 */
export async function createConvite(
  trx: Trx,
  input: { contadorId: number; usuarioId: number; email: string; agora: number },
): Promise<Convite> {
  const { contadorId, usuarioId, email, agora } = input;
  const codigo = makeToken(CONVITE_PREFIX);
  const expiraEm = agora + VALID_MS;
  await queries.revokeConvites(trx, { usuarioId, agora });
  await queries.insertConvite(trx, {
    contador_id: contadorId,
    usuario_id: usuarioId,
    email,
    hash: hashToken(codigo),
    criado_em: agora,
    expira_em: expiraEm,
    usado_em: null,
  });
  return { codigo, caminho: `/console/convite#${codigo}`, expiraEm };
}

/** Whether a text may be the code of an invitation at all. */
export const isCodigoDeConvite = (text: string) => isTokenShaped(text, CONVITE_PREFIX);
