/** HTTP of logging in by an identity provider: there, back again, and in. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProvedorFalhou } from '../../autorizacao/provedores/parte-confiante.ts';
import { API_DO_CONSOLE } from '../acesso.ts';
import type { ConsoleHttp } from '../contexto.ts';
import type { AddRoute } from '../rota.ts';
import { ENTRAR_EXTERNO, ETAPA, PROVEDOR_DO_CAMINHO, PROVEDORES, VOLTA } from '../schemas-entrar.ts';
import { eraseCookieExterno, readCookieExterno, storeCookieExterno } from './cookie.ts';
import { EntradaExterna } from './externo.ts';
import { lugarDe, proximaEtapa } from './routes-entrar.ts';

/** Where the screen of logging in goes on, or says what went wrong. */
const TELA = '/console/entrar';
const VOLTOU = `${TELA}?externo=1`;

export function externoRoutes(route: AddRoute, http: ConsoleHttp): void {
  const externo = new EntradaExterna(http.deps, http.janelas);
  idaRoutes(route, http, externo);
  voltaRoute(route, http, externo);
  entrarRoute(route, http, externo);
}

const redirectUriDe = (http: ConsoleHttp, request: FastifyRequest) =>
  `${http.enderecos(request).base}${API_DO_CONSOLE}/entrar/externo/retorno`;

/** Tells on the screen what went wrong; why, only in the log. */
function toTela(http: ConsoleHttp, reply: FastifyReply, error: unknown) {
  if (!(error instanceof ProvedorFalhou)) throw error;
  http.deps.log.warn({ err: error, falha: error.falha }, 'entrada por provedor de identidade recusada');
  return reply.redirect(`${TELA}?falha=${error.falha}`, 303);
}

function idaRoutes(route: AddRoute, http: ConsoleHttp, externo: EntradaExterna): void {
  const { deps } = http;
  route(
    {
      rota: 'GET /entrar/externo',
      resumo: 'Provedores de identidade por que se entra, além da senha',
      resposta: PROVEDORES,
    },
    () => ({ provedores: externo.provedores }),
  );

  route(
    {
      rota: 'GET /entrar/externo/:provedor',
      resumo: 'Leva o navegador ao provedor de identidade',
      params: PROVEDOR_DO_CAMINHO,
      leva: 'O provedor de identidade, ou a tela de entrada, que diz o que houve.',
      codigos: ['dados_invalidos', 'provedor_nao_encontrado'],
    },
    async (request, reply) => {
      try {
        const { provedor } = request.params;
        const { url, cookie } = await externo.begin({ provedor, redirectUri: redirectUriDe(http, request) });
        storeCookieExterno(reply, { valor: cookie, request, config: deps.config });
        return reply.header('cache-control', 'no-store').redirect(url, 303);
      } catch (error) {
        return toTela(http, reply, error);
      }
    },
  );
}

function voltaRoute(route: AddRoute, http: ConsoleHttp, externo: EntradaExterna): void {
  const { deps } = http;
  route(
    {
      rota: 'GET /entrar/externo/retorno',
      resumo: 'Para onde o provedor manda o navegador de volta',
      querystring: VOLTA,
      leva: 'Leva o navegador à tela de entrada, que diz como foi.',
      codigos: ['dados_invalidos', 'parametro_repetido'],
    },
    async (request, reply) => {
      const { state, code } = request.query;
      const cookie = readCookieExterno(request, deps.config);
      try {
        const redirectUri = redirectUriDe(http, request);
        await externo.comeBack({ cookie, state, code, redirectUri, ip: request.ip });
        return reply.header('cache-control', 'no-store').redirect(VOLTOU, 303);
      } catch (error) {
        eraseCookieExterno(reply);
        return toTela(http, reply, error);
      }
    },
  );
}

function entrarRoute(route: AddRoute, http: ConsoleHttp, externo: EntradaExterna): void {
  const { deps, porta } = http;
  route(
    {
      rota: 'POST /entrar/externo',
      resumo: 'Entra como quem o provedor de identidade apresentou',
      body: ENTRAR_EXTERNO,
      resposta: ETAPA,
      codigos: ['entrada_externa_invalida', 'sem_acesso_externo', 'tentativas_demais'],
    },
    async (request, reply) => {
      const entrada = await externo.entrar({
        porta,
        cookie: readCookieExterno(request, deps.config),
        codigoCrm: request.body.codigoCrm?.padStart(6, '0') ?? null,
        lugar: lugarDe(request, deps.config),
      });
      if (entrada.etapa !== 'escritorio') eraseCookieExterno(reply);
      return proximaEtapa(http, { request, reply, entrada });
    },
  );
}
