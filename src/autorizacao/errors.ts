import { AppError } from '../platform/errors.ts';
import { type CatalogoDeErros, errorsOf } from '../platform/http/catalogo.ts';

export const ERROS_AUTORIZACAO = {
  crm_invalido: {
    status: 400,
    titulo: 'Código CRM inválido',
    significado: 'O codigoCrm do caminho, ou do cabeçalho X-Codigo-Crm, não tem de 1 a 6 dígitos.',
    acao: 'Use o código da conta, com ou sem os zeros à esquerda.',
  },
  token_ausente: {
    status: 401,
    titulo: 'Token ausente',
    significado: 'A requisição não traz um token no cabeçalho Authorization (na URL ele é ignorado).',
    acao: 'Envie Authorization: Bearer <token>.',
  },
  token_invalido: {
    status: 401,
    titulo: 'Token inválido',
    significado: 'O token não existe, foi revogado ou expirou.',
    acao: 'Gere um novo token e troque-o no integrador.',
  },
  crm_nao_autorizado: {
    status: 403,
    titulo: 'CRM não autorizado',
    significado:
      'O codigoCrm não é o do token; a resposta é a mesma exista ou não esse código. Na importação também: o cliente OAuth atende vários escritórios, e o pedido não diz qual.',
    acao: 'Use o codigoCrm da conta em que o token foi gerado; na importação com cliente OAuth de vários escritórios, diga qual no cabeçalho X-Codigo-Crm.',
  },
  escopo_insuficiente: {
    status: 403,
    titulo: 'Escopo insuficiente',
    significado: 'O token é bom e não alcança esta operação: é restrito, ou de outra espécie.',
    acao: 'Use um token com o escopo necessário; na área de contas, o access_token do endpoint de tokens.',
  },
  cliente_oauth_nao_encontrado: {
    status: 404,
    titulo: 'Cliente OAuth não encontrado',
    significado: 'O client_id não existe ou foi revogado (somente na linha de comando).',
    acao: 'Confira o client_id com `malote oauth listar`.',
  },
  token_nao_encontrado: {
    status: 404,
    titulo: 'Token não encontrado',
    significado: 'O escritório não tem token ativo com esse número (somente na linha de comando).',
    acao: 'Confira o número com `malote token listar`.',
  },
} as const satisfies CatalogoDeErros;

const erro = errorsOf(ERROS_AUTORIZACAO);

/** What the guards of every route behind a token can answer. */
export const DO_TOKEN = [
  'credencial_repetida',
  'token_ausente',
  'token_invalido',
  'limite_excedido',
  'escopo_insuficiente',
  'crm_invalido',
  'crm_nao_autorizado',
] as const;

const CHALLENGE = 'Bearer realm="malote"';

/** Two credentials in one request (RFC 6750 §3.1). */
export const credencialRepetida = () =>
  new AppError({
    codigo: 'credencial_repetida',
    status: 400,
    mensagem: 'O cabeçalho Authorization veio mais de uma vez. Envie um só.',
    headers: { 'www-authenticate': `${CHALLENGE}, error="invalid_request"` },
  });

export const tokenAusente = () =>
  erro('token_ausente', 'Envie o token no cabeçalho Authorization: Bearer <token>.', {
    headers: { 'www-authenticate': CHALLENGE },
  });

/** Whoever holds none that works is told where the next one comes from. */
const TOKEN_INVALIDO =
  'O token não existe, foi revogado ou expirou. Gere outro no console (Opções da conta, aba Integração); um access_token, peça-o ' +
  'de novo ao endpoint de tokens.';

export const tokenInvalido = () =>
  erro('token_invalido', TOKEN_INVALIDO, {
    headers: { 'www-authenticate': `${CHALLENGE}, error="invalid_token"` },
  });

/** The token is good and does not reach this area. */
export const escopoInsuficiente = () =>
  erro('escopo_insuficiente', 'O token não alcança esta operação. Use um token com o escopo necessário.', {
    headers: { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope"` },
  });

export const clienteOauthNaoEncontrado = (clientId: string) =>
  erro('cliente_oauth_nao_encontrado', `Não há cliente OAuth ativo com o client_id ${clientId}.`);

export const tokenNaoEncontrado = (id: number) =>
  erro('token_nao_encontrado', `O escritório não tem token ativo com o número ${id}.`);

/** An integration token where an access token is wanted: nothing is wrong with it, so it is not called expired. */
export const pedeTokenDeAcesso = () =>
  erro(
    'escopo_insuficiente',
    'A área de contas não usa o token de integração (mlt_…), e sim um access_token de cliente OAuth: peça-o ao endpoint de tokens com client_id e client_secret.',
    { headers: { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope"` } },
  );

/** The one of two tokens that renews the other. */
export const pedeOAccessToken = () =>
  erro('token_invalido', 'Este é o refresh_token. Envie o access_token que veio com ele.', {
    headers: { 'www-authenticate': `${CHALLENGE}, error="invalid_token"` },
  });

export const crmInvalido = () =>
  erro('crm_invalido', 'codigoCrm deve ter de 1 a 6 dígitos.', {
    erros: [{ campo: 'codigoCrm', codigo: 'crm_invalido', mensagem: 'codigoCrm deve ter de 1 a 6 dígitos.' }],
  });

/** An OAuth client of no office, or of several on a route whose path names none. */
export const crmNaoEscolhido = (escritorios: number) =>
  erro(
    'crm_nao_autorizado',
    escritorios === 0
      ? 'O cliente OAuth deste token não atende nenhum escritório.'
      : 'O cliente OAuth deste token atende vários escritórios: diga qual no cabeçalho X-Codigo-Crm.',
    { headers: { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope"` } },
  );

export const crmNaoAutorizado = () =>
  erro(
    'crm_nao_autorizado',
    'O token não dá acesso a este codigoCrm. Confira o codigoCrm, ou use um token do escritório.',
    {
      headers: { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope"` },
    },
  );
