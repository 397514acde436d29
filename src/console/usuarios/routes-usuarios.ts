/** HTTP of an office's users; administrators only. */
import type { FastifyRequest } from 'fastify';
import type { Convite } from '../../autorizacao/convite.ts';
import { type ConsoleHttp, escopoOf, sessaoOf } from '../contexto.ts';
import type { AddRoute } from '../rota.ts';
import { ID_DO_CAMINHO, MENSAGEM } from '../schemas.ts';
import { LINK, REDEFINIR, USUARIO_MUDANCA, USUARIO_NOVO, USUARIOS } from '../schemas-usuarios.ts';
import { instanteDe } from '../tempo.ts';
import {
  alterarUsuario,
  createUsuario,
  listUsuarios,
  type MudancaDeUsuario,
  redefinirUsuario,
  removeUsuario,
} from './usuarios.ts';

export function usuariosRoutes(route: AddRoute, http: ConsoleHttp): void {
  const { deps } = http;
  const linkOf = (request: FastifyRequest, id: number, { caminho, expiraEm }: Convite) => ({
    id,
    link: `${http.enderecos(request).base}${caminho}`,
    expiraEm: instanteDe(expiraEm),
  });

  route({ rota: 'GET /usuarios', resumo: 'Usuários do escritório', resposta: USUARIOS }, async (request) => ({
    itens: await listUsuarios(deps.db.read, sessaoOf(request).contadorId),
  }));

  route(
    {
      rota: 'POST /usuarios',
      resumo: 'Convida um usuário',
      body: USUARIO_NOVO,
      resposta: LINK,
      codigos: ['usuario_ja_cadastrado'],
    },
    async (request) => {
      const { id, convite } = await createUsuario(deps, { ...escopoOf(request), novo: request.body });
      return linkOf(request, id, convite);
    },
  );

  route(
    {
      rota: 'PUT /usuarios/:id',
      resumo: 'Altera um usuário',
      params: ID_DO_CAMINHO,
      body: USUARIO_MUDANCA,
      resposta: MENSAGEM,
      codigos: ['usuario_nao_encontrado', 'ultimo_administrador'],
    },
    async (request) => {
      const { nome, papel, ativo, clientes } = request.body;
      const mudanca: MudancaDeUsuario = {
        ...(nome === undefined ? {} : { nome }),
        ...(papel === undefined ? {} : { papel }),
        ...(ativo === undefined ? {} : { ativo }),
        ...(clientes === undefined ? {} : { clientes }),
      };
      await alterarUsuario(deps, { ...escopoOf(request), id: request.params.id, mudanca });
      return { mensagem: 'Usuário alterado.' };
    },
  );

  route(
    {
      rota: 'POST /usuarios/:id/redefinir',
      resumo: 'Novo link para definir a senha',
      params: ID_DO_CAMINHO,
      body: REDEFINIR,
      resposta: LINK,
      codigos: ['usuario_nao_encontrado'],
    },
    async (request) => {
      const { id } = request.params;
      const semTotp = request.body.removerTotp === true;
      return linkOf(request, id, await redefinirUsuario(deps, { ...escopoOf(request), id, semTotp }));
    },
  );

  route(
    {
      rota: 'DELETE /usuarios/:id',
      resumo: 'Remove um usuário',
      params: ID_DO_CAMINHO,
      resposta: MENSAGEM,
      codigos: ['dados_invalidos', 'usuario_nao_encontrado', 'ultimo_administrador'],
    },
    async (request) => {
      await removeUsuario(deps, { ...escopoOf(request), id: request.params.id });
      return { mensagem: 'Usuário removido.' };
    },
  );
}
