/** Joins the console's JSON routes: all of them below `/console/api`, behind one guard. */
import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import type { CatalogoDeErros } from '../platform/http/catalogo.ts';
import type { Admit } from '../platform/http/limite.ts';
import { API_DO_CONSOLE, acessoDe } from './acesso.ts';
import { auditoriaRoutes } from './auditoria/routes-auditoria.ts';
import { capturaRoutes } from './captura/routes-captura.ts';
import { manifestacaoRoutes } from './captura/routes-manifestacao.ts';
import { certificadoRoutes } from './clientes/routes-certificado.ts';
import { clientesRoutes } from './clientes/routes-clientes.ts';
import type { ConsoleHttp } from './contexto.ts';
import { LeitorDeDocumentos } from './documento/leitor-de-documentos.ts';
import { documentoRoutes } from './documento/routes-documento.ts';
import { documentosRoutes } from './documentos/routes-documentos.ts';
import { ExecutorDeExportacoes } from './exportacoes/executor.ts';
import { exportacoesRoutes } from './exportacoes/routes-exportacoes.ts';
import { faltantesRoutes } from './faltantes/routes-faltantes.ts';
import { falhasRoutes } from './importacoes/routes-falhas.ts';
import { importacoesRoutes } from './importacoes/routes-importacoes.ts';
import { inicioRoutes } from './inicio/routes-inicio.ts';
import { integracaoRoutes } from './integracao/routes-integracao.ts';
import { leiautesRoutes } from './leiautes/routes-leiautes.ts';
import { retencaoRoutes } from './retencao/routes-retencao.ts';
import { type AddRoute, addRouteTo } from './rota.ts';
import { saudeRoutes } from './saude/routes-saude.ts';
import { Porta } from './sessao/entrar.ts';
import { guardaDoAlcance, guardaDoConsole } from './sessao/guarda.ts';
import { entrarRoutes } from './sessao/routes-entrar.ts';
import { euRoutes } from './sessao/routes-eu.ts';
import { externoRoutes } from './sessao/routes-externo.ts';
import { senhaRoutes } from './sessao/routes-senha.ts';
import { sessaoRoutes } from './sessao/routes-sessao.ts';
import { Sessoes } from './sessao/sessoes.ts';
import { usuariosRoutes } from './usuarios/routes-usuarios.ts';

/** Registers routes by paths below `/console/api`; each needs its row in `acesso.ts`. */
type GrupoDoConsole = (route: AddRoute, http: ConsoleHttp) => void;

const GRUPOS: readonly GrupoDoConsole[] = [
  entrarRoutes,
  externoRoutes,
  sessaoRoutes,
  euRoutes,
  senhaRoutes,
  usuariosRoutes,
  clientesRoutes,
  certificadoRoutes,
  integracaoRoutes,
  auditoriaRoutes,
  saudeRoutes,
  inicioRoutes,
  documentosRoutes,
  documentoRoutes,
  exportacoesRoutes,
  importacoesRoutes,
  falhasRoutes,
  faltantesRoutes,
  leiautesRoutes,
  retencaoRoutes,
  capturaRoutes,
  manifestacaoRoutes,
];

/** Registers every JSON route of the console. @throws when one has no row in `acesso.ts` */
export async function consoleRoutes(
  app: FastifyInstance,
  given: Omit<ConsoleHttp, 'porta' | 'leitor' | 'exportacoes'>,
  { admit, catalogo }: { admit: Admit; catalogo: CatalogoDeErros },
): Promise<void> {
  const { deps, janelas } = given;
  const porta = new Porta({ ...deps, vault: given.contas.vault, ...(janelas ? { janelas } : {}) });
  const leitor = new LeitorDeDocumentos(deps.log);
  const { dataFolder } = deps.config;
  const exportacoes = new ExecutorDeExportacoes({ ...deps, dataFolder, leitor, acessos: given.acessos });
  await exportacoes.start();
  app.addHook('onClose', async () => {
    await exportacoes.stop();
    await leitor.close();
  });
  const http: ConsoleHttp = { ...given, porta, leitor, exportacoes };
  const sessoes = new Sessoes(deps);
  app.addHook('onClose', async () => {
    await sessoes.drain();
    await porta.drain();
  });
  await app.register(
    async (api) => {
      await api.register(cookie);
      api.addHook('onRoute', ({ method, url }) => {
        for (const one of [method].flat()) acessoDe({ method: one, url });
      });
      api.addHook('onRequest', guardaDoConsole({ config: deps.config, sessoes, admit }));
      api.addHook('preHandler', guardaDoAlcance(deps));
      const route = addRouteTo(api, catalogo);
      for (const grupo of GRUPOS) grupo(route, http);
    },
    { prefix: API_DO_CONSOLE },
  );
}
