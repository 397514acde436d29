/** The one list: every route module and what it is given. Loaded by processes that serve them (`servico-http.ts`). */
import type { FastifyInstance } from 'fastify';
import { ChavesDeEndereco } from './autorizacao/chaves-de-endereco.ts';
import { createContasHttp } from './autorizacao/contas-http.ts';
import { createHttpContexts, enderecosPublicos, UPLOAD_PATH } from './autorizacao/criar-contexto.ts';
import { openEmissores } from './autorizacao/emissores.ts';
import { haSelados } from './autorizacao/queries-reselar.ts';
import { TokenReader } from './autorizacao/tokens.ts';
import { openDepsDaCaptura } from './captura/abrir.ts';
import { manifestacaoRoutes } from './captura/manifestacao/routes.ts';
import { capturaRoutes } from './captura/routes.ts';
import { CATALOGO_DE_ERROS } from './catalogo-de-erros.ts';
import { CONSOLE, ConsoleAusente } from './console/pagina.ts';
import { consoleRoutes } from './console/routes.ts';
import { VigiaDeVersao } from './console/saude/versao-nova.ts';
import type { CadastroDeps } from './contas/cadastrar.ts';
import { AbridorDeCertificados } from './contas/certificado/abrir.ts';
import { VigiaDeCertificados } from './contas/certificado/vigia.ts';
import { contasRoutes } from './contas/routes.ts';
import type { Deps } from './deps.ts';
import { RegistroDeAcessos } from './documentos/read/acessos.ts';
import { deliverRetidos } from './documentos/store/retidos.ts';
import { documentosDaApi, ESQUEMAS_DE_ACESSO } from './documentos-da-api.ts';
import { createPaginas, type Paginas } from './exportacao/feed/criar-paginas.ts';
import { exportacaoRoutes } from './exportacao/routes.ts';
import { importacaoRoutes } from './importacao/routes.ts';
import { type MasterVault, openVault } from './platform/crypto/cofre.ts';
import { serveAplicacao } from './platform/http/aplicacao.ts';
import { Janelas } from './platform/http/janelas.ts';
import { admitter, createCounter, requestsInWork } from './platform/http/limite.ts';
import type { Metrics } from './platform/http/metricas.ts';
import { describeRoutes, documentationRoutes } from './platform/http/openapi.ts';
import type { Outgoing } from './platform/http/outgoing.ts';
import { ProxyDesconhecido, proxyNaoConfigurado } from './platform/http/proxy-desconhecido.ts';
import { versaoDoMalote } from './versao.ts';

export { caminhoCanonico } from './autorizacao/caminhos.ts';
export { medidasDasPaginas } from './exportacao/feed/criar-paginas.ts';

const AREAS_DOS_INTEGRADORES = ['/storage', UPLOAD_PATH, '/api', '/auth', '/download', '/finalidade'];

/** Uploads and the token issuer open theirs themselves. */
const AREAS_ABERTAS = ['/storage', '/api/v1', '/download', '/finalidade'];

/** What the parts are told of the process that they run in. */
export interface Self {
  stopping: () => boolean;
  /** Once it has said that it is ready: what is nobody's wish yet waits for that. */
  started: Promise<void>;
}

/** Whether bodies that come to this path are uploads, with limits of their own. */
export function isUpload(path: string): boolean {
  return path.startsWith(`${UPLOAD_PATH}/`);
}

/**
 * Whether it belongs to programs of integrators, which join addresses from parts. A proxy that keeps the console or the
 * figures of operation from the outside does so by their paths: those have one form each.
 */
export function isOfIntegrators(path: string): boolean {
  return AREAS_DOS_INTEGRADORES.some((area) => path === area || path.startsWith(`${area}/`));
}

/** Whether programs in a browser may call it from any page: what takes a token, or an address that is its own permission. */
export function isOpenToPages(path: string): boolean {
  return AREAS_ABERTAS.some((area) => path === area || path.startsWith(`${area}/`));
}

/**
 * Adds every route of the API and of the console. Closing `app` ends what they need.
 * @returns what answers pages, also before the framework does
 */
export async function addApi(
  app: FastifyInstance,
  deps: Deps,
  self: Self & { metrics: Metrics; outgoing: Outgoing },
): Promise<Paginas> {
  const vault = openVault(deps.config, { selados: await haSelados(deps.db.read) });
  const tokens = new TokenReader(deps);
  const enderecos = new ChavesDeEndereco({ ...deps, vault });
  const janelas = new Janelas(deps);
  const emissores = await openEmissores({ ...deps, vault, janelas });
  const abridor = new AbridorDeCertificados();
  const vigia = new VigiaDeCertificados(deps);
  const acessos = new RegistroDeAcessos(deps);
  const contar = createCounter({ requestsPerMinute: deps.config.requestsPerMinute, janelas });
  const inWork = requestsInWork();
  const admit = admitter({ contar, inWork });
  const { outgoing } = self;
  const paginas = createPaginas(deps, { ...self, enderecos, contar, inWork, tokens });
  await enderecos.start();
  vigia.start();
  app.addHook('onClose', async () => {
    enderecos.stop();
    await paginas.close();
    await vigia.stop();
    await abridor.close();
    await emissores.close();
    await janelas.close();
    await acessos.flush();
    await tokens.drain();
  });
  const { accessTokens } = emissores;
  const ctx = createHttpContexts(deps, { tokens, enderecos, accessTokens, admit, outgoing });
  const versoes = new VigiaDeVersao({
    ...deps,
    url: deps.config.avisoDeVersao,
    versao: versaoDoMalote(),
  });
  versoes.start();
  app.addHook('onClose', async () => versoes.stop());
  const proxy = new ProxyDesconhecido(deps.log);
  // Where the public address is set, nobody has to be believed about it.
  if (!deps.config.urls.base.startsWith('https:'))
    app.addHook('onRequest', (request, _reply, done) => {
      proxy.look(request);
      done();
    });
  await describeRoutes(app, ESQUEMAS_DE_ACESSO);
  importacaoRoutes(app, ctx.importacao);
  exportacaoRoutes(app, { ...ctx.exportacao, ...paginas.contexto, acessos });
  const captura = await openDepsDaCaptura(deps);
  const parar = captura.relogio.manter((err) =>
    deps.log.warn({ err }, 'o relógio da captura não foi anotado'),
  );
  app.addHook('onClose', async () => parar());
  capturaRoutes(app, ctx.exportacao, captura);
  manifestacaoRoutes(app, ctx.exportacao, captura);
  const { requireOauth } = ctx.exportacao;
  const contas = cadastroDeps(deps, { vault, abridor });
  contasRoutes(app, createContasHttp(contas, { requireOauth, catalogo: CATALOGO_DE_ERROS }));
  await emissores.routes(app);
  const doConsole: Parameters<typeof consoleRoutes>[1] = {
    deps,
    janelas,
    contas,
    enderecos: (request) => enderecosPublicos(deps, request),
    assinante: enderecos,
    acessos,
    captura,
    processo: {
      versao: versaoDoMalote(),
      proxyNaoConfigurado: () => (proxy.endereco === null ? null : proxyNaoConfigurado(proxy.endereco)),
      versaoNova: () => versoes.nova,
    },
  };
  await consoleRoutes(app, doConsole, { admit, catalogo: CATALOGO_DE_ERROS });
  const ausente = new ConsoleAusente();
  await serveAplicacao(app, { ...CONSOLE, whenMissing: () => ausente.answer() });
  await documentationRoutes(app, documentosDaApi(deps));
  return paginas;
}

/** Joins the accounts area with the documents that wait for a client, which stand above it. */
function cadastroDeps(
  deps: Deps,
  parts: { vault: MasterVault; abridor: AbridorDeCertificados },
): CadastroDeps {
  const { homologacao } = deps.config;
  return {
    ...deps,
    ...parts,
    deliverRetidos: async (trx, cliente) => {
      await deliverRetidos(trx, cliente, { agora: deps.clock.now(), homologacao });
    },
  };
}
