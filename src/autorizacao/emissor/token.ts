/** The token endpoint: an ordered list of small steps (RFC 6749 §5; errors in Keycloak's words). */
import type { ClienteOauth } from '../clientes-oauth.ts';
import { type Credenciais, readCredenciais } from './credenciais.ts';
import type { Emissor } from './emissor.ts';
import {
  concessaoDesconhecida,
  concessaoInvalida,
  concessaoNaoPermitida,
  escopoInvalido,
  pedidoInvalido,
} from './erros.ts';
import { type PedidoOauth, readForm, refuseDuplicates } from './formulario.ts';
import { type Emissao, readRefresh, SCOPES, signAccess, signRefresh } from './jwt.ts';
import type { Sessao } from './sessoes.ts';
import { ACCESS_SECONDS, REFRESH_SECONDS } from './tempos.ts';

/** In the order of the specification 2.5. */
interface RespostaDeToken {
  access_token: string;
  expires_in: number;
  refresh_expires_in: number;
  refresh_token: string;
  token_type: 'Bearer';
  'not-before-policy': number;
  session_state: string;
  scope: string;
}

/** A grant that has passed the checks which all grants share. */
interface Concessao {
  form: URLSearchParams;
  cliente: ClienteOauth;
  credenciais: Credenciais;
  pedido: PedidoOauth;
}

type Grant = (emissor: Emissor, concessao: Concessao) => Promise<Sessao>;

/** What each grant type makes: the session that the new tokens belong to. */
const GRANTS: Readonly<Record<string, Grant>> = {
  client_credentials: async (emissor) => emissor.sessoes.make(),
  refresh_token: useRefreshToken,
};
export const GRANT_TYPES = Object.keys(GRANTS);

/** @throws OauthError */
export async function answerToken(emissor: Emissor, pedido: PedidoOauth): Promise<RespostaDeToken> {
  const form = readForm(pedido);
  const grant = grantOf(form);
  const credenciais = readCredenciais(pedido, { form, reino: emissor.reino });
  const cliente = await emissor.autenticador.authenticate(credenciais, pedido);
  refuseDuplicates(form);
  refuseWithoutServiceAccount(emissor, { cliente, credenciais });
  const scope = scopeOf(form);
  const sessao = await grant(emissor, { form, cliente, credenciais, pedido });
  return makeTokens(emissor, { cliente, sessao, scope, pedido });
}

/** Before client authentication, as Keycloak does it. */
function grantOf(form: URLSearchParams): Grant {
  const name = form.get('grant_type') ?? '';
  if (name === '') throw pedidoInvalido('Missing form parameter: grant_type');
  const grant = Object.hasOwn(GRANTS, name) ? GRANTS[name] : undefined;
  if (!grant) throw concessaoDesconhecida();
  return grant;
}

function refuseWithoutServiceAccount(
  { reino }: Emissor,
  { cliente, credenciais }: Pick<Concessao, 'cliente' | 'credenciais'>,
): void {
  if (!cliente.emiteTokens) throw concessaoNaoPermitida({ reino, porCabecalho: credenciais.porCabecalho });
}

/** Always the same scopes; others may not be asked for. `openid` may, and makes no difference: there is no user. */
function scopeOf(form: URLSearchParams): string {
  const asked = form.get('scope') ?? '';
  const known: readonly string[] = [...SCOPES, 'openid'];
  const names = asked.split(' ').filter((name) => name !== '');
  if (names.some((name) => !known.includes(name))) throw escopoInvalido(asked);
  return SCOPES.join(' ');
}

async function useRefreshToken(
  emissor: Emissor,
  { form, cliente }: Pick<Concessao, 'form' | 'cliente'>,
): Promise<Sessao> {
  const token = form.get('refresh_token') ?? '';
  if (token === '') throw pedidoInvalido('No refresh token');
  const claims = await readRefresh(emissor, token);
  if (!claims || claims.azp !== cliente.clientId) throw concessaoInvalida('Invalid refresh token');
  const sessao = { sid: claims.sid, geracao: claims.geracao, fim: claims.exp };
  const giro = await emissor.sessoes.rotate({ ...sessao, clienteOauthId: cliente.id });
  if (giro === 'encerrada') throw concessaoInvalida('Session not active');
  if (giro === 'reutilizada') throw concessaoInvalida('Invalid refresh token');
  return { ...sessao, geracao: sessao.geracao + 1 };
}

async function makeTokens(emissor: Emissor, emissao: Emissao): Promise<RespostaDeToken> {
  const [access, refresh] = await Promise.all([signAccess(emissor, emissao), signRefresh(emissor, emissao)]);
  const left = Math.ceil(emissao.sessao.fim - emissor.clock.now() / 1_000);
  return {
    access_token: access,
    expires_in: ACCESS_SECONDS,
    refresh_expires_in: Math.min(REFRESH_SECONDS, left),
    refresh_token: refresh,
    token_type: 'Bearer',
    'not-before-policy': 0,
    session_state: emissao.sessao.sid,
    scope: emissao.scope,
  };
}
