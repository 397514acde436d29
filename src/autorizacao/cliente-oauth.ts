/** OAuth clients of the accounts area: what people do with them. How they authenticate is told in `emissor/`. */
import { randomBytes } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { hashSecret, makeSecret } from '../platform/crypto/segredo.ts';
import { clienteOauthNaoEncontrado } from './errors.ts';
import type { Leitor } from './queries.ts';
import * as queries from './queries-oauth.ts';

const ID_BYTES = 10;
/** While a new secret is being spread, the old one works on; a working day and a night suffice. */
export const OVERLAP_HOURS = 24;
const HOUR_MS = 3_600_000;

type DepsOfAct = Pick<Deps, 'db' | 'clock'>;

/**
 * Makes an OAuth client, bound to one or more offices. The secret is returned this once; only its scrypt hash is kept.
 * @param input `emiteTokens` false makes a resource server: it may introspect tokens and gets none
 */
export async function createClienteOauth(
  deps: DepsOfAct,
  input: { contadorIds: readonly number[]; nome: string; emiteTokens?: boolean },
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
  input: { clientId: string; horas?: number },
): Promise<{ clientSecret: string; anteriorValeAte: number }> {
  const clientSecret = makeSecret();
  const hash = await hashSecret(clientSecret);
  const agora = deps.clock.now();
  const anteriorValeAte = agora + (input.horas ?? OVERLAP_HOURS) * HOUR_MS;
  await deps.db.write.transaction().execute(async (trx) => {
    const cliente = await queries.findClienteOauth(trx, input.clientId);
    if (!cliente) throw clienteOauthNaoEncontrado(input.clientId);
    await queries.expirePresentSegredo(trx, { clienteOauthId: cliente.id, expiraEm: anteriorValeAte });
    await queries.deleteExpiredSegredos(trx, { clienteOauthId: cliente.id, agora });
    await queries.insertSegredo(trx, {
      cliente_oauth_id: cliente.id,
      hash,
      criado_em: agora,
      expira_em: null,
    });
  });
  return { clientSecret, anteriorValeAte };
}

/** Revokes a client: it gets no more tokens, and those it has stop within five seconds. @throws cliente_oauth_nao_encontrado */
export async function revokeClienteOauth(deps: DepsOfAct, input: { clientId: string }): Promise<void> {
  const { clientId } = input;
  const revoked = await deps.db.write
    .transaction()
    .execute((trx) => queries.revokeClienteOauth(trx, { clientId, agora: deps.clock.now() }));
  if (!revoked) throw clienteOauthNaoEncontrado(clientId);
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
  db: Leitor,
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
