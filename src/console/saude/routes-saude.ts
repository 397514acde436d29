/** HTTP of the health page; administrators only. What changes all offices is for the one that was opened first. */
import type { FastifyRequest } from 'fastify';
import { ACAO, auditar } from '../../auditoria/auditar.ts';
import { askForCopia } from '../../copia/agenda.ts';
import type { Deps } from '../../deps.ts';
import { installEsquemasEmThread } from '../../importacao/standards/esquemas-em-thread.ts';
import { runAsService } from '../../platform/db/tenant.ts';
import { autorOf, type ConsoleHttp, sessaoOf } from '../contexto.ts';
import { copiasDesligadas, pacoteDeEsquemasInvalido, somenteDaInstalacao } from '../errors.ts';
import type { AddRoute } from '../rota.ts';
import { MENSAGEM } from '../schemas.ts';
import { ESQUEMAS_ENVIADOS, ESQUEMAS_INSTALADOS, SAUDE } from '../schemas-auditoria.ts';
import { isConexaoSegura } from '../sessao/cookie.ts';
import { findPrimeiroContador } from './queries-saude.ts';
import { type Aviso, aviso, Saude } from './saude.ts';

/** A package of 5 MB in Base64. */
const ESQUEMAS_BODY_BYTES = 7_000_000;

/** Whether an office was opened first: its people run this server. */
export const isDaInstalacao = async ({ db }: Pick<Deps, 'db'>, contadorId: number) =>
  (await runAsService(() => findPrimeiroContador(db.read))) === contadorId;

export function saudeRoutes(route: AddRoute, http: ConsoleHttp): void {
  const { deps } = http;
  const saude = new Saude({ ...deps, processo: http.processo });
  const isFirst = (contadorId: number) => isDaInstalacao(deps, contadorId);
  copiaRoute(route, http, isFirst);

  route({ rota: 'GET /saude', resumo: 'Saúde do servidor', resposta: SAUDE }, async (request) => {
    // Queue and store are those of the installation.
    const page = await runAsService(() => saude.now());
    const podeInstalarEsquemas = await isFirst(sessaoOf(request).contadorId);
    const avisos = [...avisosDaConexao(http, request), ...page.avisos];
    return { ...page, avisos, podeInstalarEsquemas };
  });

  route(
    {
      rota: 'POST /saude/esquemas',
      resumo: 'Instala um pacote oficial de esquemas XSD',
      descricao: 'Vale na hora, para todos os escritórios; só o primeiro escritório do servidor pode.',
      body: ESQUEMAS_ENVIADOS,
      resposta: ESQUEMAS_INSTALADOS,
      codigos: ['somente_da_instalacao', 'pacote_de_esquemas_invalido'],
      bodyLimit: ESQUEMAS_BODY_BYTES,
    },
    async (request) => {
      const sessao = sessaoOf(request);
      if (!(await isFirst(sessao.contadorId))) throw somenteDaInstalacao();
      const { nome, arquivo } = request.body;
      const zip = Buffer.from(arquivo.replace(/^data:[^,]{0,200},/, ''), 'base64');
      const answer = await installEsquemasEmThread(deps.config.dataFolder, { zip, nome });
      if ('recusa' in answer) throw pacoteDeEsquemasInvalido(answer.recusa);
      const pacote = answer.valor;
      await deps.db.write.transaction().execute((trx) =>
        auditar(trx, {
          em: deps.clock.now(),
          acao: ACAO.esquemasInstalados,
          contadorId: sessao.contadorId,
          autor: autorOf(sessao),
          alvo: `esquemas/${pacote.nome}`,
          detalhe: { arquivos: pacote.arquivos },
        }),
      );
      return {
        nome: pacote.nome,
        arquivos: pacote.arquivos,
        principais: pacote.principais,
        naoCompilam: pacote.naoCompilam,
        mensagem: `Pacote ${pacote.nome} instalado: ${pacote.arquivos} arquivos.`,
      };
    },
  );
}

function copiaRoute(
  route: AddRoute,
  { deps }: ConsoleHttp,
  isFirst: (contadorId: number) => Promise<boolean>,
): void {
  route(
    {
      rota: 'POST /saude/copia',
      resumo: 'Pede uma cópia de segurança agora',
      descricao:
        'Na pasta de MALOTE_COPIA_PASTA; só o primeiro escritório do servidor pode. `agenda.fazendo` diz quando terminou.',
      resposta: MENSAGEM,
      codigos: ['somente_da_instalacao', 'copias_desligadas'],
    },
    async (request) => {
      const sessao = sessaoOf(request);
      if (!(await isFirst(sessao.contadorId))) throw somenteDaInstalacao();
      if (deps.config.copia.pasta === '') throw copiasDesligadas();
      await askForCopia(deps);
      await deps.db.write.transaction().execute((trx) =>
        auditar(trx, {
          em: deps.clock.now(),
          acao: ACAO.copiaPedida,
          contadorId: sessao.contadorId,
          autor: autorOf(sessao),
          alvo: 'instalacao',
        }),
      );
      return { mensagem: 'A cópia começa em alguns segundos.' };
    },
  );
}

/** What this very way to the server shows. */
function avisosDaConexao({ deps, processo }: ConsoleHttp, request: FastifyRequest): Aviso[] {
  const proxy = processo.proxyNaoConfigurado();
  return [
    ...(isConexaoSegura(request, deps.config) ? [] : [aviso('conexao_sem_https')]),
    ...(proxy === null ? [] : [{ codigo: 'proxy_nao_configurado', mensagem: proxy }]),
  ];
}
