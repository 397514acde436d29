/** What a token is (RFC 7662), for a client that may ask; and the end of one (RFC 7009). */
import type { ClienteOauth } from '../clientes-oauth.ts';
import { readCredenciais } from './credenciais.ts';
import type { Emissor } from './emissor.ts';
import { OauthError, pedidoInvalido } from './erros.ts';
import { type PedidoOauth, readForm, refuseDuplicates } from './formulario.ts';
import { type ClaimsDeAcesso, type ClaimsDeRefresh, readAccess, readRefresh } from './jwt.ts';

type Introspeccao = { active: false } | ({ active: true } & Record<string, unknown>);

/** @throws OauthError */
export async function answerIntrospection(emissor: Emissor, pedido: PedidoOauth): Promise<Introspeccao> {
  const { form } = await authenticated(emissor, pedido);
  const token = form.get('token') ?? '';
  if (token === '') throw pedidoInvalido('Token not provided.');
  const claims = await readAlive(emissor, token);
  if (!claims) return { active: false };
  return {
    ...claims,
    client_id: claims.azp,
    username: `service-account-${claims.azp}`,
    token_type: claims.typ,
    active: true,
  };
}

/**
 * Ends the session of a token, and with it every token under the session.
 * @throws OauthError; an unknown token is one of status 200, as Keycloak answers it
 */
export async function answerRevocation(emissor: Emissor, pedido: PedidoOauth): Promise<void> {
  const { form, cliente } = await authenticated(emissor, pedido);
  const token = form.get('token') ?? '';
  if (token === '') throw pedidoInvalido('Token not provided');
  const claims = (await readAccess(emissor, token)) ?? (await readRefresh(emissor, token));
  if (!claims) throw new OauthError({ status: 200, error: 'invalid_token', description: 'Invalid token' });
  if (claims.azp !== cliente.clientId) throw pedidoInvalido('Unmatching clients');
  await emissor.sessoes.end({
    sid: claims.sid,
    geracao: 'geracao' in claims ? Number(claims.geracao) : 0,
    fim: claims.exp,
    clienteOauthId: cliente.id,
  });
}

async function authenticated(
  emissor: Emissor,
  pedido: PedidoOauth,
): Promise<{ form: URLSearchParams; cliente: ClienteOauth }> {
  const form = readForm(pedido);
  const credenciais = readCredenciais(pedido, { form, reino: emissor.reino });
  const cliente = await emissor.autenticador.authenticate(credenciais, pedido);
  refuseDuplicates(form);
  return { form, cliente };
}

/** Claims of a token that works at this very moment. */
async function readAlive(emissor: Emissor, token: string): Promise<ClaimsDeAcesso | ClaimsDeRefresh | null> {
  const access = await readAccess(emissor, token);
  const refresh = access ? null : await readRefresh(emissor, token);
  const claims = access ?? refresh;
  if (!claims || !(await emissor.clientes.find(claims.azp))) return null;
  const alive = refresh
    ? await emissor.sessoes.isPresent(refresh)
    : !(await emissor.sessoes.isEnded(claims.sid));
  return alive ? claims : null;
}
