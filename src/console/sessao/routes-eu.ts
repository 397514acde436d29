/** HTTP of one's own account: password, second factor, sessions, preferences. */
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { ACAO, auditar } from '../../auditoria/auditar.ts';
import { dadoInvalido } from '../../platform/http/errors.ts';
import { autorOf, type ConsoleHttp, sessaoOf } from '../contexto.ts';
import { sessaoNaoEncontrada } from '../errors.ts';
import type { AddRoute } from '../rota.ts';
import { ID_DO_CAMINHO, MENSAGEM } from '../schemas.ts';
import {
  CODIGOS,
  PREFERENCIAS,
  SENHA_ATUAL,
  SENHA_NOVA,
  SESSOES,
  TOTP_CODIGO,
  TOTP_ESTADO,
  TOTP_NOVO,
} from '../schemas-entrar.ts';
import { instanteDe } from '../tempo.ts';
import { deleteSessao, findSessoesDoUsuario } from './queries-sessao.ts';
import { countCodigos, findTotp } from './queries-totp.ts';
import { updateUsuario } from './queries-usuario.ts';
import { keepSenha, novaSenha } from './senha-nova.ts';
import { OCIOSA_MS } from './sessoes.ts';
import { confirmTotp, prepareTotp, removeTotp, renewCodigos } from './totp.ts';

const PREFERENCIAS_MAX_BYTES = 16_384;
/** Errors of routes that ask for the password again. */
const COM_SENHA = ['credenciais_invalidas', 'tentativas_demais', 'indisponivel'];

export function euRoutes(route: AddRoute, http: ConsoleHttp): void {
  senhaRoute(route, http);
  totpRoutes(route, http);
  sessoesRoutes(route, http);
  preferenciasRoute(route, http);
}

function senhaRoute(route: AddRoute, { deps, porta }: ConsoleHttp): void {
  route(
    {
      rota: 'POST /eu/senha',
      resumo: 'Troca a própria senha',
      descricao: 'As outras sessões do usuário terminam.',
      body: SENHA_NOVA,
      resposta: MENSAGEM,
      codigos: COM_SENHA,
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { contadorId, usuario } = sessao;
      const { atual, nova } = request.body;
      await porta.requireSenha({ contadorId, usuarioId: usuario.id, senha: atual, ip: request.ip });
      const hash = await novaSenha(nova, [usuario.email, usuario.nome, sessao.escritorio]);
      await deps.db.write.transaction().execute((trx) =>
        keepSenha(trx, {
          contadorId,
          usuarioId: usuario.id,
          hash,
          menos: sessao.id,
          agora: deps.clock.now(),
          autor: autorOf(sessao),
        }),
      );
      return { mensagem: 'Senha trocada. As outras sessões foram encerradas.' };
    },
  );
}

/** Asks for the password again, so that who finds the screen open does not lock its owner out. */
async function requireSenha(
  { porta }: ConsoleHttp,
  request: FastifyRequest<{ Body: Static<typeof SENHA_ATUAL> }>,
): Promise<void> {
  const { contadorId, usuario } = sessaoOf(request);
  const { senha } = request.body;
  await porta.requireSenha({ contadorId, usuarioId: usuario.id, senha, ip: request.ip });
}

function totpRoutes(route: AddRoute, http: ConsoleHttp): void {
  estadoDoTotpRoute(route, http);
  ligarTotpRoutes(route, http);
  codigosDoTotpRoute(route, http);
  desligarTotpRoute(route, http);
}

function estadoDoTotpRoute(route: AddRoute, { deps }: ConsoleHttp): void {
  route(
    { rota: 'GET /eu/totp', resumo: 'Estado do segundo fator', resposta: TOTP_ESTADO },
    async (request) => {
      const { id } = sessaoOf(request).usuario;
      const factor = await findTotp(deps.db.read, id);
      return { ativo: factor?.confirmado_em != null, codigosRestantes: await countCodigos(deps.db.read, id) };
    },
  );
}

function ligarTotpRoutes(route: AddRoute, http: ConsoleHttp): void {
  const { deps, contas } = http;
  const totpDeps = { ...deps, vault: contas.vault };
  route(
    {
      rota: 'POST /eu/totp',
      resumo: 'Prepara um segundo fator',
      descricao:
        'Pede a senha, para que quem encontra a tela aberta não tranque o dono fora. Só vale depois do primeiro código, em POST /eu/totp/confirmar.',
      body: SENHA_ATUAL,
      resposta: TOTP_NOVO,
      codigos: ['totp_ja_ativo', ...COM_SENHA],
    },
    async (request) => {
      const { contadorId, usuario } = sessaoOf(request);
      await requireSenha(http, request);
      return prepareTotp(totpDeps, { contadorId, usuarioId: usuario.id, email: usuario.email });
    },
  );

  route(
    {
      rota: 'POST /eu/totp/confirmar',
      resumo: 'Ativa o segundo fator com o primeiro código',
      body: TOTP_CODIGO,
      resposta: CODIGOS,
      codigos: ['totp_ja_ativo', 'totp_inativo', 'codigo_totp_invalido', 'tentativas_demais'],
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { contadorId, usuario } = sessao;
      const { codigo } = request.body;
      const input = { contadorId, usuarioId: usuario.id, codigo, autor: autorOf(sessao) };
      return { codigosDeRecuperacao: await confirmTotp(totpDeps, input) };
    },
  );
}

function codigosDoTotpRoute(route: AddRoute, http: ConsoleHttp): void {
  const { deps, contas } = http;
  const totpDeps = { ...deps, vault: contas.vault };
  route(
    {
      rota: 'POST /eu/totp/codigos',
      resumo: 'Troca os códigos de recuperação',
      body: SENHA_ATUAL,
      resposta: CODIGOS,
      codigos: [...COM_SENHA, 'totp_inativo'],
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { contadorId, usuario } = sessao;
      await requireSenha(http, request);
      const input = { contadorId, usuarioId: usuario.id, autor: autorOf(sessao) };
      return { codigosDeRecuperacao: await renewCodigos(totpDeps, input) };
    },
  );
}

function desligarTotpRoute(route: AddRoute, http: ConsoleHttp): void {
  const { deps } = http;
  route(
    {
      rota: 'DELETE /eu/totp',
      resumo: 'Desativa o segundo fator',
      body: SENHA_ATUAL,
      resposta: MENSAGEM,
      codigos: COM_SENHA,
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { contadorId, usuario } = sessao;
      await requireSenha(http, request);
      const agora = deps.clock.now();
      const input = { contadorId, usuarioId: usuario.id, autor: autorOf(sessao), agora };
      await deps.db.write.transaction().execute((trx) => removeTotp(trx, input));
      return { mensagem: 'Segundo fator desativado.' };
    },
  );
}

function sessoesRoutes(route: AddRoute, { deps }: ConsoleHttp): void {
  route({ rota: 'GET /eu/sessoes', resumo: 'As próprias sessões', resposta: SESSOES }, async (request) => {
    const { id: atual, contadorId, usuario } = sessaoOf(request);
    const agora = deps.clock.now();
    const vistaDepoisDe = agora - OCIOSA_MS;
    const rows = await findSessoesDoUsuario(deps.db.read, {
      contadorId,
      usuarioId: usuario.id,
      agora,
      vistaDepoisDe,
    });
    return {
      itens: rows.map((row) => ({
        id: row.id,
        atual: row.id === atual,
        criadaEm: instanteDe(row.criada_em),
        vistaEm: instanteDe(row.vista_em),
        expiraEm: instanteDe(row.expira_em),
        ip: row.ip,
        agente: row.agente,
      })),
    };
  });

  route(
    {
      rota: 'DELETE /eu/sessoes/:id',
      resumo: 'Encerra uma das próprias sessões',
      params: ID_DO_CAMINHO,
      resposta: MENSAGEM,
      codigos: ['dados_invalidos', 'sessao_nao_encontrada'],
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { contadorId, usuario } = sessao;
      const { id } = request.params;
      await deps.db.write.transaction().execute(async (trx) => {
        if (!(await deleteSessao(trx, { contadorId, usuarioId: usuario.id, id })))
          throw sessaoNaoEncontrada();
        const em = deps.clock.now();
        await auditar(trx, {
          em,
          acao: ACAO.sessaoEncerrada,
          contadorId,
          autor: autorOf(sessao),
          alvo: `sessao/${id}`,
        });
      });
      return { mensagem: 'Sessão encerrada.' };
    },
  );
}

function preferenciasRoute(route: AddRoute, { deps }: ConsoleHttp): void {
  route(
    {
      rota: 'PUT /eu/preferencias',
      resumo: 'Guarda as preferências do console',
      body: PREFERENCIAS,
      resposta: MENSAGEM,
    },
    async (request) => {
      const { contadorId, usuario } = sessaoOf(request);
      const preferencias = JSON.stringify(request.body);
      if (Buffer.byteLength(preferencias) > PREFERENCIAS_MAX_BYTES) {
        throw dadoInvalido('', 'As preferências passam de 16 KB.');
      }
      await updateUsuario(deps.db.write, { contadorId, id: usuario.id, set: { preferencias } });
      return { mensagem: 'Preferências guardadas.' };
    },
  );
}
