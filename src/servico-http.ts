/**
 * The web server of a process. Each process has one, for health and figures. The API and the console, which are most of
 * what there is to load, are loaded only where they are served: a process that only imports starts in half the time.
 */
import { once } from 'node:events';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Self } from './app.ts';
import { officeKey } from './autorizacao/contexto.ts';
import type { DepsDaCaptura } from './captura/deps-da-captura.ts';
import { medidasDaCaptura } from './captura/situacao/vigia.ts';
import { CATALOGO_DE_ERROS } from './catalogo-de-erros.ts';
import { medidaDaAtencao } from './console/captura/medidas-da-captura.ts';
import { medidasDeCertificados } from './contas/certificado/vigia.ts';
import { pingDatabase } from './contas/queries.ts';
import type { Deps } from './deps.ts';
import type { Paginas } from './exportacao/feed/criar-paginas.ts';
import { importacaoMetrics } from './importacao/metrics.ts';
import { isImportWorkerHealthy } from './importacao/thread/worker.ts';
import { medidasDaFila } from './importacao/upload/contrapressao.ts';
import { NotNow } from './platform/http/errors.ts';
import { type Measure, Metrics } from './platform/http/metricas.ts';
import { operationRoutes } from './platform/http/operacao.ts';
import { Outgoing } from './platform/http/outgoing.ts';
import { createHttpServer } from './platform/http/server.ts';

/** Makes the web server with every route of this process' mode; it does not listen yet. Closing it ends all of its parts. */
export async function buildApp(deps: Deps, self: Self): Promise<FastifyInstance> {
  const api = deps.config.modo === 'worker' ? null : await import('./app.ts');
  let paginas: Paginas | null = null;
  const outgoing = new Outgoing();
  const app = await createHttpServer({
    log: deps.log as FastifyBaseLogger,
    catalogo: CATALOGO_DE_ERROS,
    proxies: deps.config.proxies,
    stopping: self.stopping,
    https: deps.config.urls.base.startsWith('https:'),
    logFields: ({ auth, oauth, sessao }) => ({
      ...(auth ? { codigoCrm: auth.codigoCrm } : {}),
      ...(sessao ? { codigoCrm: sessao.codigoCrm, usuario: sessao.usuario.id } : {}),
      ...(oauth ? { clientId: oauth.clientId } : {}),
    }),
    answersContinueItself: (path) => api?.isUpload(path) ?? false,
    forgivesSlashes: (path) => api?.isOfIntegrators(path) ?? false,
    ...(api ? { canonical: api.caminhoCanonico, opensToPages: api.isOpenToPages } : {}),
    operationOnly: api === null,
    outgoing,
    ownerOf,
    first: (request, response, ordinary) =>
      paginas ? paginas.contexto.memoria.answer(request, response, ordinary) : ordinary(),
  });
  app.decorateRequest('auth', null);
  app.decorateRequest('oauth', null);
  app.decorateRequest('sessao', null);
  let captura: DepsDaCaptura | null = null;
  const metrics = new Metrics({
    measures: [
      ...MEASURES,
      ...medidasDaFila(deps),
      ...medidasDeCertificados(deps),
      ...medidasDaCaptura(deps, { ambiente: deps.config.capturaAmbiente === 'producao' ? 1 : 2 }),
      // Kept once it could be opened: a database that was away is asked again.
      medidaDaAtencao(async () => (captura ??= await openCaptura(deps))),
      ...(api?.medidasDasPaginas(() => paginas) ?? []),
    ],
  });
  metrics.observe(app);
  let starting = true;
  void self.started.then(() => {
    starting = false;
  });
  const ping = pinging(deps);
  operationRoutes(app, { metrics, checkReady: () => checkReady(deps, { ...self, starting, ping }) });
  if (api) paginas = await api.addApi(app, deps, { ...self, metrics, outgoing });
  return app;
}

/** Loaded when somebody asks for figures. */
async function openCaptura(deps: Deps) {
  const { openDepsDaCaptura } = await import('./captura/abrir.ts');
  return openDepsDaCaptura(deps);
}

/** Whose share of the room for answers a request takes: its office's, or else that of where it comes from. */
function ownerOf({ auth, sessao, oauth, ip }: FastifyRequest): string {
  const office = auth ?? sessao;
  if (office) return officeKey(office.contadorId);
  return oauth ? `oauth/${oauth.clientId}` : `endereco/${ip}`;
}

/** Who asks whether the process is ready waits for two seconds at most. */
const PING_WITHIN_MS = 1_500;

/** Asks the database something, one at a time, whoever wants to know. It throws when no answer comes soon. */
function pinging(deps: Deps): () => Promise<void> {
  let asked: Promise<void> | null = null;
  return async () => {
    asked ??= pingDatabase(deps.db.read).finally(() => {
      asked = null;
    });
    const late = AbortSignal.timeout(PING_WITHIN_MS);
    await Promise.race([asked, once(late, 'abort').then(() => Promise.reject(late.reason))]);
  };
}

/** Ready: the process is not about to stop, the database answers, the disk has kept what it was given, and the import of this process works. */
async function checkReady(
  deps: Deps,
  self: Self & { starting: boolean; ping: () => Promise<void> },
): Promise<void> {
  if (self.stopping()) throw new NotNow('the process is stopping');
  await self.ping();
  const syncFailure = deps.storage.syncFailure ?? deps.db.syncFailure;
  if (syncFailure) throw syncFailure;
  if (deps.config.modo !== 'api' && !isImportWorkerHealthy())
    throw self.starting
      ? new NotNow('the import thread is starting')
      : new Error('the import thread is not running');
}

/** What the import of this process counts, for `/metrics`. */
const MEASURES: readonly Measure[] = [
  {
    kind: 'counter',
    name: 'malote_importacao_itens_total',
    help: 'Documentos encontrados em arquivos, por resultado',
    labelNames: ['resultado'],
    read: () => byLabel('resultado', importacaoMetrics().itens),
  },
  {
    kind: 'counter',
    name: 'malote_importacao_arquivos_total',
    help: 'Arquivos terminados, por status',
    labelNames: ['status'],
    read: () => byLabel('status', importacaoMetrics().arquivos),
  },
  {
    kind: 'counter',
    name: 'malote_importacao_segundos_total',
    help: 'Segundos de trabalho da importação, por etapa',
    labelNames: ['etapa'],
    read: () => byLabel('etapa', importacaoMetrics().segundos),
  },
  {
    kind: 'counter',
    name: 'malote_importacao_falhas_total',
    help: 'Tentativas de importação que terminaram com erro do serviço',
    read: () => [{ value: importacaoMetrics().falhas }],
  },
  {
    kind: 'counter',
    name: 'malote_importacao_reinicios_total',
    help: 'Vezes que a thread de importação morreu e foi iniciada de novo',
    read: () => [{ value: importacaoMetrics().reinicios }],
  },
];

function byLabel(label: string, counts: Record<string, number>) {
  return Object.entries(counts).map(([key, value]) => ({ value, labels: { [label]: key } }));
}
