/** HTTP of what the office's programs use; administrators only. */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createClienteOauth, revokeClienteOauth, rotateSegredo } from '../../autorizacao/cliente-oauth.ts';
import { createToken, renameToken, revokeToken } from '../../autorizacao/tokens.ts';
import { Campos } from '../../contas/campos.ts';
import { listClientes } from '../../contas/clientes.ts';
import { forgetEnvio } from '../../importacao/esquecer.ts';
import { autorOf, type ConsoleHttp, requireClienteDaSessao, sessaoOf } from '../contexto.ts';
import type { AddRoute } from '../rota.ts';
import { ID_DO_CAMINHO, MENSAGEM } from '../schemas.ts';
import {
  CLIENT_ID_DO_CAMINHO,
  CLIENTES_OAUTH,
  OAUTH_NOVO,
  OAUTH_SEGREDO,
  TESTADO,
  TESTAR,
  TOKEN_CRIADO,
  TOKEN_NOME,
  TOKEN_NOVO,
  TOKENS,
} from '../schemas-integracao.ts';
import { instanteDe } from '../tempo.ts';
import { type PedidoInterno, type RespostaInterna, testarIntegracao } from './testar.ts';
import { isDeOutro, limitesDoToken, presentClientesOauth, presentTokens, requireProprio } from './tokens.ts';

/** A request to oneself takes milliseconds; one that hangs is a fault to be told. */
const PEDIDO_MS = 20_000;
const DE_TESTE = '<?xml version="1.0" encoding="UTF-8"?><testeDeConexao xmlns="urn:malote:teste"/>';

export function integracaoRoutes(route: AddRoute, http: ConsoleHttp): void {
  tokensRoutes(route, http);
  clientesOauthRoutes(route, http);
  testarRoute(route, http);
}

function tokensRoutes(route: AddRoute, { deps }: ConsoleHttp): void {
  route({ rota: 'GET /tokens', resumo: 'Tokens de integração', resposta: TOKENS }, async (request) => ({
    itens: await presentTokens(deps.db.read, sessaoOf(request).contadorId),
  }));

  route(
    {
      rota: 'POST /tokens',
      resumo: 'Gera um token de integração',
      descricao: 'O token é mostrado só nesta resposta. Sem principal, vale ao lado dos outros.',
      body: TOKEN_NOVO,
      resposta: TOKEN_CRIADO,
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { contadorId } = sessao;
      const campos = new Campos();
      campos.nome('nome', request.body.nome);
      campos.check();
      const input = await limitesDoToken(deps.db.read, { contadorId, novo: request.body });
      return createToken(deps, { ...input, autor: autorOf(sessao) });
    },
  );

  route(
    {
      rota: 'PUT /tokens/:id',
      resumo: 'Dá outro nome a um token',
      params: ID_DO_CAMINHO,
      body: TOKEN_NOME,
      resposta: MENSAGEM,
      codigos: ['token_nao_encontrado'],
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { contadorId } = sessao;
      await renameToken(deps, {
        contadorId,
        ...request.params,
        nome: request.body.nome,
        autor: autorOf(sessao),
      });
      return { mensagem: 'Nome trocado.' };
    },
  );

  route(
    {
      rota: 'POST /tokens/:id/revogar',
      resumo: 'Revoga um token',
      descricao: 'Deixa de valer em até 5 segundos, em todos os processos.',
      params: ID_DO_CAMINHO,
      resposta: MENSAGEM,
      codigos: ['dados_invalidos', 'token_nao_encontrado'],
    },
    async (request) => {
      const sessao = sessaoOf(request);
      await revokeToken(deps, { contadorId: sessao.contadorId, ...request.params, autor: autorOf(sessao) });
      return { mensagem: 'Token revogado: deixa de valer em até 5 segundos.' };
    },
  );
}

function clientesOauthRoutes(route: AddRoute, { deps }: ConsoleHttp): void {
  const DE_OAUTH = ['dados_invalidos', 'cliente_oauth_nao_encontrado', 'oauth_compartilhado'];
  route(
    { rota: 'GET /clientes-oauth', resumo: 'Clientes OAuth da área de contas', resposta: CLIENTES_OAUTH },
    async (request) => ({ itens: await presentClientesOauth(deps.db.read, sessaoOf(request).codigoCrm) }),
  );

  route(
    {
      rota: 'POST /clientes-oauth',
      resumo: 'Cria um cliente OAuth do escritório',
      descricao: 'O segredo é mostrado só nesta resposta.',
      body: OAUTH_NOVO,
      resposta: OAUTH_SEGREDO,
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const campos = new Campos();
      const nome = campos.nome('nome', request.body.nome);
      campos.check();
      const made = await createClienteOauth(deps, {
        contadorIds: [sessao.contadorId],
        nome,
        autor: autorOf(sessao),
      });
      return { ...made, anteriorValeAte: null };
    },
  );

  route(
    {
      rota: 'POST /clientes-oauth/:clientId/trocar-segredo',
      resumo: 'Troca o segredo de um cliente OAuth',
      descricao: 'O anterior ainda serve por 24 horas.',
      params: CLIENT_ID_DO_CAMINHO,
      resposta: OAUTH_SEGREDO,
      codigos: DE_OAUTH,
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { clientId } = request.params;
      await requireProprio(deps.db.read, { codigoCrm: sessao.codigoCrm, clientId });
      const { clientSecret, anteriorValeAte } = await rotateSegredo(deps, {
        clientId,
        autor: autorOf(sessao),
        contadorId: sessao.contadorId,
      });
      return { clientId, clientSecret, anteriorValeAte: instanteDe(anteriorValeAte) };
    },
  );

  route(
    {
      rota: 'POST /clientes-oauth/:clientId/revogar',
      resumo: 'Revoga um cliente OAuth',
      params: CLIENT_ID_DO_CAMINHO,
      resposta: MENSAGEM,
      codigos: DE_OAUTH,
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { clientId } = request.params;
      await requireProprio(deps.db.read, { codigoCrm: sessao.codigoCrm, clientId });
      const { contadorId } = sessao;
      await revokeClienteOauth(deps, { clientId, autor: autorOf(sessao), contadorId });
      return { mensagem: 'Cliente OAuth revogado: deixa de valer em até 5 segundos.' };
    },
  );
}

function testarRoute(route: AddRoute, { deps }: ConsoleHttp): void {
  route(
    {
      rota: 'POST /integracao/testar',
      resumo: 'Testa um token pelas rotas de verdade',
      descricao:
        'Pede um endereço, envia um arquivo que não contém documento, espera a importação e lê uma página. ' +
        'Nada fica: o arquivo de teste é apagado, e a leitura não conta como de um sistema.',
      body: TESTAR,
      resposta: TESTADO,
      codigos: ['cliente_nao_encontrado'],
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { cpfCnpj } = request.body;
      // As it is pasted: with a line break at its end.
      const token = request.body.token.trim();
      const passos = await testarIntegracao({
        pedir: (pedido) => askHere(request.server, pedido),
        arquivo: DE_TESTE,
        token,
        codigoCrm: sessao.codigoCrm,
        deOutroEscritorio: await isDeOutro(deps.db.read, { token, contadorId: sessao.contadorId }),
        cpfCnpj: cpfCnpj
          ? (await requireClienteDaSessao(deps, { sessao, cpfCnpj })).cpfCnpj
          : ((await listClientes(deps.db.read, { contadorId: sessao.contadorId, limite: 1 }))[0]?.cpfCnpj ??
            null),
        esquecer: (id) => forgetEnvio(deps, { contadorId: sessao.contadorId, id, conteudo: DE_TESTE }),
        agora: () => performance.now(),
      });
      return { certo: passos.every((passo) => passo.certo), passos };
    },
  );
}

/** Asks this very process over its own socket, as a program on this machine would. */
async function askHere(
  { server }: FastifyInstance,
  { url, payload, ...rest }: PedidoInterno,
): Promise<RespostaInterna> {
  const { address, family, port } = server.address() as AddressInfo;
  const everywhere = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  const host = family === 'IPv6' ? `[${everywhere}]` : everywhere;
  const answer = await fetch(`http://${host}:${port}${url}`, {
    ...rest,
    ...(payload === undefined ? {} : { body: payload }),
    signal: AbortSignal.timeout(PEDIDO_MS),
  });
  return { statusCode: answer.status, body: await answer.text() };
}
