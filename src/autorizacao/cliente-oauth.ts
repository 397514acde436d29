/** OAuth clients of the accounts area: what people do with them. How they authenticate is told in `emissor/`. */

import { randomBytes } from 'node:crypto';
import { ACAO, auditar } from '../auditoria/auditar.ts';
import type { Db, Trx } from '../banco/tabelas.ts';
import type { Deps } from '../deps.ts';
import { hashSecret, makeSecret } from '../platform/crypto/segredo.ts';
import { LOCK, lockFor } from '../platform/db/locks.ts';
import { clienteOauthNaoEncontrado } from './errors.ts';
import * as queries from './queries-oauth.ts';

const ID_BYTES = 10;
/** While a new secret is being spread, the old one works on; a working day and a night suffice. */
export const OVERLAP_HOURS = 24;
const HOUR_MS = 3_600_000;

type DepsOfAct = Pick<Deps, 'db' | 'clock'>;

interface Ato {
  clientId: string;
  /** Who does it, for the audit log; absent: the command line. */
  autor?: string;
  /** The office whose audit log shows it; absent: the installation's. */
  contadorId?: number;
}

/**
 * Makes an OAuth client, bound to one or more offices. The secret is returned this once; only its scrypt hash is kept.
 * @param input `emiteTokens` false makes a resource server: it may introspect tokens and gets none
 */
export async function createClienteOauth(
  deps: DepsOfAct,
  input: { contadorIds: readonly number[]; nome: string; emiteTokens?: boolean; autor?: string },
): Promise<{ clientId: string; clientSecret: string }> {
  const { contadorIds, nome, emiteTokens = true } = input;
  if (contadorIds.length === 0 && emiteTokens) throw new Error('an OAuth client needs at least one office');
  const clientId = `malote-${randomBytes(ID_BYTES).toString('hex')}`;
  const clientSecret = makeSecret();
  const hash = await hashSecret(clientSecret);
  const agora = deps.clock.now();
  await deps.db.write.transaction().execute(async (trx) => {
    const id = await queries.insertClienteOauth(trx, {
      client_id: clientId,
      nome,
      criado_em: agora,
      revogado_em: null,
      emite_tokens: emiteTokens ? 1 : 0,
    });
    await queries.insertSegredo(trx, { cliente_oauth_id: id, hash, criado_em: agora, expira_em: null });
    const unique = [...new Set(contadorIds)];
    if (unique.length > 0)
      await queries.insertContadoresDoClienteOauth(trx, { clienteOauthId: id, contadorIds: unique });
    const [contadorId] = unique;
    await note(trx, { acao: ACAO.oauthCriado, em: agora, clientId, autor: input.autor, contadorId });
  });
  return { clientId, clientSecret };
}

/**
 * Gives a client another secret, returned this once. The one before works on for some hours, the ones before that
 * stop at their own time.
 * @param input `horas` 0: the one before stops at once (everywhere within five seconds)
 * @throws cliente_oauth_nao_encontrado
 */
export async function rotateSegredo(
  deps: DepsOfAct,
  input: Ato & { horas?: number },
): Promise<{ clientSecret: string; anteriorValeAte: number }> {
  const clientSecret = makeSecret();
  const hash = await hashSecret(clientSecret);
  const agora = deps.clock.now();
  const anteriorValeAte = agora + (input.horas ?? OVERLAP_HOURS) * HOUR_MS;
  await deps.db.write.transaction().execute(async (trx) => {
    const cliente = await queries.findClienteOauth(trx, input.clientId);
    if (!cliente) throw clienteOauthNaoEncontrado(input.clientId);
    await lockFor(trx, LOCK.clienteOauth, [cliente.id]);
    await queries.expirePresentSegredo(trx, { clienteOauthId: cliente.id, expiraEm: anteriorValeAte });
    await queries.deleteExpiredSegredos(trx, { clienteOauthId: cliente.id, agora });
    await queries.insertSegredo(trx, {
      cliente_oauth_id: cliente.id,
      hash,
      criado_em: agora,
      expira_em: null,
    });
    await note(trx, { acao: ACAO.oauthAlterado, em: agora, ...input });
  });
  return { clientSecret, anteriorValeAte };
}

/** Revokes a client: it gets no more tokens, and those it has stop within five seconds. @throws cliente_oauth_nao_encontrado */
export async function revokeClienteOauth(deps: DepsOfAct, input: Ato): Promise<void> {
  const { clientId } = input;
  const agora = deps.clock.now();
  await deps.db.write.transaction().execute(async (trx) => {
    if (!(await queries.revokeClienteOauth(trx, { clientId, agora })))
      throw clienteOauthNaoEncontrado(clientId);
    await note(trx, { acao: ACAO.oauthRevogado, em: agora, ...input });
  });
}

/** An act in the audit log; of the installation, except that a new client is shown to its first office. */
async function note(
  trx: Trx,
  input: {
    acao: (typeof ACAO)[keyof typeof ACAO];
    em: number;
    clientId: string;
    autor?: string | undefined;
    contadorId?: number | undefined;
  },
): Promise<void> {
  await auditar(trx, {
    em: input.em,
    acao: input.acao,
    contadorId: input.contadorId ?? null,
    autor: input.autor ?? 'cli',
    alvo: `oauth/${input.clientId}`,
  });
}

/** What people see of an OAuth client. Times are milliseconds UTC. */
export interface ClienteOauthListado {
  clientId: string;
  nome: string;
  codigosCrm: string[];
  emiteTokens: boolean;
  criadoEm: number;
  revogadoEm: number | null;
  ultimoUsoEm: number | null;
}

/** Lists the OAuth clients of an office, or all of them, in order of making. */
export async function listClientesOauth(
  db: Db,
  input: { codigoCrm?: string } = {},
): Promise<ClienteOauthListado[]> {
  const listed = new Map<string, ClienteOauthListado>();
  for (const row of await queries.findClientesOauth(db)) {
    const known = listed.get(row.client_id) ?? {
      clientId: row.client_id,
      nome: row.nome,
      codigosCrm: [],
      emiteTokens: row.emite_tokens === 1,
      criadoEm: row.criado_em,
      revogadoEm: row.revogado_em,
      ultimoUsoEm: row.ultimo_uso_em,
    };
    if (row.codigo_crm !== null) known.codigosCrm.push(row.codigo_crm);
    listed.set(row.client_id, known);
  }
  const { codigoCrm } = input;
  return [...listed.values()].filter((one) => codigoCrm === undefined || one.codigosCrm.includes(codigoCrm));
}
