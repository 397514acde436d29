/** What the OpenAPI documents say of this installation: one for integrators, one for the console. */
import type { FastifyRequest } from 'fastify';
import { enderecosPublicos, UPLOAD_PATH } from './autorizacao/criar-contexto.ts';
import { CAMINHOS } from './autorizacao/emissor/descoberta.ts';
import { caminhoDoReino } from './autorizacao/emissor/emissor.ts';
import { API_DO_CONSOLE } from './console/acesso.ts';
import { COOKIE_SEGURO } from './console/sessao/cookie.ts';
import type { Deps } from './deps.ts';
import type { AreaDaApi } from './platform/http/documentacao/documentos.ts';
import type { DocumentoServido } from './platform/http/openapi.ts';
import { versaoDoMalote } from './versao.ts';

const version = versaoDoMalote();

const DOS_INTEGRADORES = {
  title: 'Malote',
  version,
  description: [
    'Importação e exportação de documentos fiscais eletrônicos e cadastro de clientes de um escritório contábil.',
    'Erros vêm como `application/problem+json`: programe pelo `codigo`, que é estável. Outros códigos podem ser acrescentados; nenhum muda de nome.',
    'Nomes de parâmetros são lidos em maiúsculas ou minúsculas; um valor vazio vale como ausente; parâmetros desconhecidos são ignorados.',
  ].join('\n\n'),
  tags: [
    {
      name: 'Importacao',
      'x-displayName': 'Importação',
      description: 'Peça um endereço, envie o arquivo para ele e acompanhe a importação.',
    },
    {
      name: 'Exportacao',
      'x-displayName': 'Exportação',
      description:
        'Documentos de um cliente por NSU, por chave e por filtros. Para acompanhar a fila, guarde o último `nsu` tratado e peça o que vem depois dele.',
    },
    {
      name: 'Captura',
      description:
        'O que o Malote busca sozinho na SEFAZ, no ADN e no SAE com o certificado de cada cliente: como está, ligar, desligar, pedir.',
    },
    { name: 'Contas', description: 'Tokens de acesso, clientes do contador e os seus certificados A1.' },
  ],
};

const DO_CONSOLE = {
  title: 'Console do Malote',
  version,
  description:
    'O que o console usa no navegador: sessão por cookie, `X-CSRF-Token` em tudo o que altera dados. Muda sem aviso; integrações usam as outras áreas.',
  tags: [{ name: 'Console', description: 'Rotas do console.' }],
};

const TOKEN = { type: 'http', scheme: 'bearer', description: 'Token de integração do escritório (`mlt_…`).' };
const SESSAO = {
  type: 'apiKey',
  in: 'cookie',
  name: COOKIE_SEGURO,
  description: 'Sessão do console; `malote_sessao` onde não há https.',
};

/** @param tokenUrl where this installation gives access tokens */
function oauth(tokenUrl: string) {
  return {
    type: 'oauth2',
    description:
      'Token de acesso (client credentials), válido por 300 segundos: para a área de contas, e também para importar e exportar.',
    flows: { clientCredentials: { tokenUrl, refreshUrl: tokenUrl, scopes: {} } },
  };
}

/** Every scheme that a route names; where tokens come from differs from request to request. */
export const ESQUEMAS_DE_ACESSO = { token: TOKEN, oauth: oauth(''), sessao: SESSAO };

/** The documents that are served, and where. */
export function documentosDaApi(deps: Pick<Deps, 'config'>): DocumentoServido[] {
  const doConsole = (caminho: string) => caminho.startsWith(`${API_DO_CONSOLE}/`);
  return [
    {
      path: '/openapi.json',
      pagina: '/docs',
      inclui: (caminho) => !doConsole(caminho),
      descrever(request) {
        const { auth, base } = enderecosPublicos(deps, request);
        const tokenUrl = auth + caminhoDoReino(deps.config.reino) + CAMINHOS.token;
        return {
          ...DOS_INTEGRADORES,
          url: base,
          areas: areas(deps, request),
          securitySchemes: { token: TOKEN, oauth: oauth(tokenUrl) },
        };
      },
    },
    {
      path: '/console/openapi.json',
      inclui: doConsole,
      descrever: (request) => ({
        ...DO_CONSOLE,
        url: enderecosPublicos(deps, request).base,
        areas: [],
        securitySchemes: { sessao: SESSAO },
      }),
    },
  ];
}

/** In the order in which one meets them. Areas may have addresses of their own (`MALOTE_URL_*`). */
function areas(deps: Pick<Deps, 'config'>, request: FastifyRequest): AreaDaApi[] {
  const { base, importacao, upload, contas, auth } = enderecosPublicos(deps, request);
  // An upload address that ends otherwise is told by the ticket only: a path below a server cannot say it.
  const envio = upload.endsWith(UPLOAD_PATH) ? upload.slice(0, -UPLOAD_PATH.length) : importacao;
  return [
    { area: '/storage', url: importacao },
    { area: UPLOAD_PATH, url: envio },
    { area: '/storage/arquivo', url: importacao },
    { area: '/api/v1', url: base },
    { area: '/download', url: base },
    { area: '/finalidade', url: base },
    { area: '/auth', url: auth },
    { area: '/api/contas', url: contas },
  ];
}
