/** HTTP of an office's users; administrators only. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Convite } from '../../autorizacao/convite.ts';
import { autorOf, type ConsoleHttp, sessaoOf } from '../contexto.ts';
import { consoleSchema, ID_DO_CAMINHO, MENSAGEM } from '../schemas.ts';
import { LINK, REDEFINIR, USUARIO_MUDANCA, USUARIO_NOVO, USUARIOS } from '../schemas-usuarios.ts';
import { instanteDe } from '../tempo.ts';
import {
  type Ator,
  alterarUsuario,
  criarUsuario,
  listUsuarios,
  type MudancaDeUsuario,
  type NovoUsuario,
  redefinirUsuario,
  removeUsuario,
} from './usuarios.ts';

type ComId = { Params: Static<typeof ID_DO_CAMINHO> };

export function usuariosRoutes(api: FastifyInstance, http: ConsoleHttp): void {
  const { deps, catalogo } = http;
  const linkOf = (request: FastifyRequest, id: number, { caminho, expiraEm }: Convite) => ({
    id,
    link: `${http.enderecos(request).base}${caminho}`,
    expiraEm: instanteDe(expiraEm),
  });

  api.get(
    '/usuarios',
    {
      schema: consoleSchema(catalogo, {
        rota: 'GET /usuarios',
        resumo: 'Usuários do escritório',
        resposta: USUARIOS,
      }),
    },
    async (request) => ({ itens: await listUsuarios(deps.db.read, sessaoOf(request).contadorId) }),
  );

  api.post<{ Body: NovoUsuario }>(
    '/usuarios',
    {
      schema: consoleSchema(catalogo, {
        rota: 'POST /usuarios',
        resumo: 'Convida um usuário',
        body: USUARIO_NOVO,
        resposta: LINK,
        codigos: ['usuario_ja_cadastrado'],
      }),
    },
    async (request) => {
      const { id, convite } = await criarUsuario(deps, { ...atorDe(request), novo: request.body });
      return linkOf(request, id, convite);
    },
  );

  api.put<ComId & { Body: MudancaDeUsuario }>(
    '/usuarios/:id',
    {
      schema: consoleSchema(catalogo, {
        rota: 'PUT /usuarios/:id',
        resumo: 'Altera um usuário',
        params: ID_DO_CAMINHO,
        body: USUARIO_MUDANCA,
        resposta: MENSAGEM,
        codigos: ['usuario_nao_encontrado', 'ultimo_administrador'],
      }),
    },
    async (request) => {
      const { nome, papel, ativo, clientes } = request.body;
      const mudanca: MudancaDeUsuario = {
        ...(nome === undefined ? {} : { nome }),
        ...(papel === undefined ? {} : { papel }),
        ...(ativo === undefined ? {} : { ativo }),
        ...(clientes === undefined ? {} : { clientes }),
      };
      await alterarUsuario(deps, { ...atorDe(request), id: request.params.id, mudanca });
      return { mensagem: 'Usuário alterado.' };
    },
  );

  api.post<ComId & { Body: Static<typeof REDEFINIR> }>(
    '/usuarios/:id/redefinir',
    {
      schema: consoleSchema(catalogo, {
        rota: 'POST /usuarios/:id/redefinir',
        resumo: 'Novo link para definir a senha',
        params: ID_DO_CAMINHO,
        body: REDEFINIR,
        resposta: LINK,
        codigos: ['usuario_nao_encontrado'],
      }),
    },
    async (request) => {
      const { id } = request.params;
      const semTotp = request.body.removerTotp === true;
      return linkOf(request, id, await redefinirUsuario(deps, { ...atorDe(request), id, semTotp }));
    },
  );

  api.delete<ComId>(
    '/usuarios/:id',
    {
      schema: consoleSchema(catalogo, {
        rota: 'DELETE /usuarios/:id',
        resumo: 'Remove um usuário',
        params: ID_DO_CAMINHO,
        resposta: MENSAGEM,
        codigos: ['dados_invalidos', 'usuario_nao_encontrado', 'ultimo_administrador'],
      }),
    },
    async (request) => {
      await removeUsuario(deps, { ...atorDe(request), id: request.params.id });
      return { mensagem: 'Usuário removido.' };
    },
  );
}

/** Who acts, and in which office. */
function atorDe(request: FastifyRequest): Ator {
  const sessao = sessaoOf(request);
  return { contadorId: sessao.contadorId, autor: autorOf(sessao) };
}
