/** HTTP of coming in: first run, invitation, password, second factor. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { ConsoleHttp } from '../contexto.ts';
import type { AddRoute } from '../rota.ts';
import {
  ACEITAR,
  CODIGO,
  CONVIDADO,
  ENTRAR,
  ENTRAR_TOTP,
  ETAPA,
  NECESSARIO,
  PRIMEIRO_USO,
  PRONTO,
} from '../schemas-entrar.ts';
import { acceptConvite, verConvite } from './convites.ts';
import { isConexaoSegura, readCookie, storeCookie } from './cookie.ts';
import type { Aberta, Entrada, Lugar } from './entrar.ts';
import { concludePrimeiroUso, isPrimeiroUso } from './primeiro-uso.ts';

export function entrarRoutes(route: AddRoute, http: ConsoleHttp): void {
  primeiroUsoRoutes(route, http);
  conviteRoutes(route, http);
  credenciaisRoutes(route, http);
}

/** Hands a new session to the browser. */
function pronto(http: ConsoleHttp, { request, reply, aberta }: Chamada & { aberta: Aberta }) {
  storeCookie(reply, { ...aberta, segura: isConexaoSegura(request, http.deps.config) });
  return { etapa: 'pronto' as const };
}

/** Whoever has a second factor has no session yet, but what to answer next. */
export function proximaEtapa(http: ConsoleHttp, { request, reply, entrada }: Chamada & { entrada: Entrada }) {
  return entrada.etapa === 'pronto' ? pronto(http, { request, reply, aberta: entrada.aberta }) : entrada;
}

interface Chamada {
  request: FastifyRequest;
  reply: FastifyReply;
}

function primeiroUsoRoutes(route: AddRoute, http: ConsoleHttp): void {
  const { deps, porta } = http;
  route(
    { rota: 'GET /primeiro-uso', resumo: 'Se ainda ninguém pode entrar', resposta: NECESSARIO },
    async () => ({ necessario: await isPrimeiroUso(deps) }),
  );

  route(
    {
      rota: 'POST /primeiro-uso',
      resumo: 'Cria o primeiro escritório e o seu administrador',
      descricao: 'Com o código do link que o servidor mostra ao iniciar enquanto ninguém pode entrar.',
      body: PRIMEIRO_USO,
      resposta: ETAPA,
      codigos: ['primeiro_uso_invalido', 'indisponivel'],
    },
    async (request, reply) => {
      const who = await concludePrimeiroUso(deps, request.body);
      const entrada = await porta.admitir({ ...who, lugar: lugarDe(request, deps.config) });
      return proximaEtapa(http, { request, reply, entrada });
    },
  );
}

function conviteRoutes(route: AddRoute, http: ConsoleHttp): void {
  const { deps, porta } = http;
  route(
    {
      rota: 'POST /convite',
      resumo: 'De quem é um convite',
      body: CODIGO,
      resposta: CONVIDADO,
      codigos: ['convite_invalido'],
    },
    async (request) => verConvite(deps, request.body.codigo),
  );

  route(
    {
      rota: 'POST /convite/aceitar',
      resumo: 'Aceita um convite: define a senha e entra',
      body: ACEITAR,
      resposta: ETAPA,
      codigos: ['convite_invalido', 'indisponivel'],
    },
    async (request, reply) => {
      const { codigo, nome, senha } = request.body;
      const who = await acceptConvite(deps, { codigo, nome, senha });
      const entrada = await porta.admitir({ ...who, lugar: lugarDe(request, deps.config) });
      return proximaEtapa(http, { request, reply, entrada });
    },
  );
}

function credenciaisRoutes(route: AddRoute, http: ConsoleHttp): void {
  const { deps, porta } = http;
  route(
    {
      rota: 'POST /entrar',
      resumo: 'Entra com e-mail e senha',
      body: ENTRAR,
      resposta: ETAPA,
      codigos: ['credenciais_invalidas', 'tentativas_demais', 'indisponivel'],
    },
    async (request, reply) => {
      const { email, senha, codigoCrm } = request.body;
      const entrada = await porta.entrar({
        email,
        senha,
        codigoCrm: codigoCrm?.padStart(6, '0') ?? null,
        lugar: lugarDe(request, deps.config),
      });
      return proximaEtapa(http, { request, reply, entrada });
    },
  );

  route(
    {
      rota: 'POST /entrar/totp',
      resumo: 'Entra com o código do segundo fator',
      body: ENTRAR_TOTP,
      resposta: PRONTO,
      codigos: ['desafio_invalido', 'codigo_totp_invalido', 'tentativas_demais'],
    },
    async (request, reply) => {
      const { desafio, codigo } = request.body;
      const aberta = await porta.confirmar({ desafio, codigo, lugar: lugarDe(request, deps.config) });
      return pronto(http, { request, reply, aberta });
    },
  );
}

/** Where a request comes from. */
export function lugarDe(request: FastifyRequest, config: Pick<Config, 'urls'>): Lugar {
  return {
    ip: request.ip,
    agente: request.headers['user-agent'] ?? '',
    anterior: readCookie(request, config),
  };
}
