/** What the OpenAPI document tells of the token endpoint; the form itself is judged by the steps of `token.ts`. */

import { ERROS_HTTP } from '../../platform/http/catalogo.ts';
import { Type } from '../../platform/http/esquema.ts';
import { errorResponses, jsonResponse } from '../../platform/http/respostas.ts';
import { ACCESS_SECONDS, REFRESH_SECONDS } from './tempos.ts';

const FORMULARIO = Type.Object(
  {
    grant_type: Type.String({
      enum: ['client_credentials', 'refresh_token'],
      description: 'Como o token é pedido.',
    }),
    client_id: Type.Optional(
      Type.String({
        description: 'Aqui, com `client_secret`, ou no cabeçalho `Authorization: Basic`.',
        'x-variavel': 'CLIENT_ID',
      }),
    ),
    client_secret: Type.Optional(Type.String({ 'x-variavel': 'CLIENT_SECRET' })),
    refresh_token: Type.Optional(Type.String({ description: 'Só com `grant_type=refresh_token`.' })),
    scope: Type.Optional(Type.String({ description: 'Pode faltar.' })),
  },
  { title: 'PedidoDeToken' },
);

const TOKEN = Type.Object(
  {
    access_token: Type.String({ description: 'Vai em `Authorization: Bearer` na área de contas.' }),
    expires_in: Type.Integer({ description: 'Segundos.', examples: [ACCESS_SECONDS] }),
    refresh_expires_in: Type.Integer({ description: 'Segundos.', examples: [REFRESH_SECONDS] }),
    refresh_token: Type.String({ description: 'Vale uma vez; a resposta traz outro.' }),
    token_type: Type.String({ examples: ['Bearer'] }),
    'not-before-policy': Type.Integer(),
    session_state: Type.String(),
    scope: Type.String({ description: 'Separados por espaços.' }),
  },
  { title: 'TokenDeAcesso' },
);

const ERRO = Type.Object(
  {
    error: Type.String({ description: 'Código do OAuth 2.0.', examples: ['invalid_client'] }),
    error_description: Type.Optional(Type.String({ description: 'Em inglês, como a do Keycloak.' })),
  },
  { title: 'ErroDoOAuth' },
);

const recusa = (description: string) => ({
  description,
  content: { 'application/json': { schema: ERRO } },
});

export const tokenSchema = {
  operationId: 'obterToken',
  security: [],
  summary: 'Dá um token de acesso',
  tags: ['Contas'],
  description:
    'OAuth 2.0, client credentials. Um token vale 300 segundos; depois, repita o pedido. Os erros vêm como os do OAuth, com `error` e `error_description`.',
  params: Type.Object({ realm: Type.String({ description: 'Reino do emissor.', examples: ['service'] }) }),
  body: { content: { 'application/x-www-form-urlencoded': { schema: FORMULARIO } } },
  response: {
    ...jsonResponse('O token', TOKEN),
    // What never became a request is answered before anybody knows whose it is.
    ...errorResponses(ERROS_HTTP, []),
    400: recusa(
      '`invalid_request`, `unsupported_grant_type`, `invalid_grant` ou `invalid_scope`: o formulário está errado, ou o `refresh_token` não vale mais.',
    ),
    401: recusa('`invalid_client`: `client_id` e `client_secret` não conferem.'),
    403: recusa('`invalid_request`: esta instalação exige https.'),
    404: recusa('O reino do caminho não existe.'),
    413: recusa('`invalid_request`: o corpo passa de 64 KB.'),
    415: recusa('`invalid_request`: o corpo não é `application/x-www-form-urlencoded`.'),
    429: recusa('`temporarily_unavailable`: falhas demais em um minuto; espere o que diz `Retry-After`.'),
    500: recusa('`server_error`: o serviço falhou; o registro dele tem o resto.'),
    503: recusa(
      '`temporarily_unavailable`: o serviço não consegue atender agora; espere o que diz `Retry-After`.',
    ),
  },
};
