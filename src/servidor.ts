/** Starts and stops a process of the service: web, import worker, or both (`MALOTE_MODO`). */
import { mkdirSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import type { AddressInfo } from 'node:net';
import { relative } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Self } from './app.ts';
import { MIGRATIONS } from './banco/migrations.ts';
import type { Tabelas } from './banco/tabelas.ts';
import { type Config, ConfigError } from './config.ts';
import { AgendaDeCopias } from './copia/agenda.ts';
import type { Deps } from './deps.ts';
import { indexarAntigas } from './documentos/store/empresas.ts';
import { entregarHomologacao } from './documentos/store/retidos.ts';
import { openWorker } from './importacao/thread/worker.ts';
import { systemClock } from './platform/clock.ts';
import { UnsealError } from './platform/crypto/cofre.ts';
import { connectForServer } from './platform/db/connect.ts';
import { migrateDatabase } from './platform/db/migrate.ts';
import { serverWarnings } from './platform/db/server-warnings.ts';
import { createLogger } from './platform/http/log.ts';
import { letConnectionsEnd } from './platform/http/parada.ts';
import { isOnlyHere, reachableOrigins } from './platform/http/reachable.ts';
import { whenNpmIsGone } from './platform/started-by-npm.ts';
import { openBlobStore } from './platform/storage/open.ts';
import { collectGarbage } from './platform/threads/collect-garbage.ts';
import { ExecutorDeExclusoes } from './retencao/executor.ts';
import { buildApp } from './servico-http.ts';

/** Token hashes, keys and documents: for nobody else on this machine. */
const PRIVATE_FOLDER = 0o700;
/** The process ends within this after a stop signal, whatever still hangs. */
const STOP_MS = 10_000;
/** So long before that, connections that are still in use are cut. */
const CUT_BEFORE_END_MS = 2_000;
/** So long at most connections that nobody uses any more may end by themselves. */
const LINGER_UP_TO_MS = 2_500;

/** Opens the data folder for the thread that serves HTTP: makes it, migrates it, connects. */
async function openDeps(config: Config): Promise<Deps> {
  mkdirSync(config.dataFolder, { recursive: true, mode: PRIVATE_FOLDER });
  await migrateDatabase(config, MIGRATIONS);
  return {
    config,
    clock: systemClock,
    log: createLogger(config.logLevel),
    db: connectForServer<Tabelas>(config),
    storage: await openBlobStore(config),
  };
}

interface RunningServer {
  /** `http://host:port` of the socket. */
  url: string;
  /**
   * Stops; resolves when nothing is left. Harmless when called again. With `announceMs` it first goes on for so long
   * and says to everybody that it is about to stop: `/readyz` is 503, and every answer ends its connection. Then it
   * takes no more connections, and as long again those that are left may be used up.
   */
  stop(options?: { announceMs: number }): Promise<void>;
}

/** What a server says of itself once it is ready. */
export interface Pronto {
  /** `http://host:port`, as a browser opens it: from another machine, where others are let in. */
  url: string;
  /** Others under which it is open: of other networks, and this very machine's. */
  outros: readonly string[];
  /** Others can come, and nothing protects what they send. */
  semHttps: boolean;
  /** The data folder, as people know it. */
  pasta: string;
  /** Where the first user is made; null where there is one. */
  primeiroUso: string | null;
}

/**
 * Starts the service.
 * @param tell is told when it is ready
 * @throws ConfigError when the address cannot be listened on
 */
export async function startServer(
  config: Config,
  tell: (pronto: Pronto) => void = () => {},
): Promise<RunningServer> {
  const deps = await openDeps(config);
  let aboutToStop = false;
  const started = Promise.withResolvers<void>();
  const self = { stopping: () => aboutToStop, started: started.promise };
  // Its thread loads what it needs while this one does.
  const worker = config.modo === 'api' ? null : openWorker(deps);
  const app = await openHttp(deps, self).catch(async (error: unknown) => {
    await worker?.stop();
    throw error;
  });
  if (config.homologacao) await deliverHomologacao(deps);
  await worker?.begin();
  const exclusoes = config.modo === 'api' ? null : new ExecutorDeExclusoes(deps);
  exclusoes?.start();
  const captura = config.modo === 'api' || !config.captura ? null : await startCaptura(deps);
  const copias = config.modo === 'api' ? null : new AgendaDeCopias(deps);
  copias?.start();
  const indexador = indexarEmpresas(deps);
  const url = urlOf(app);
  // Nothing is waited for after that: whoever is told may stop the process at once.
  const primeiroUso = config.modo === 'worker' ? null : await primeiroUsoDe(deps);
  const [aberto = url, ...outros] = reachableOrigins({ host: config.host, port: portOf(app) });
  tell({
    url: aberto,
    outros,
    semHttps:
      !isOnlyHere(config.host) && !config.urls.base.startsWith('https:') && config.proxies.length === 0,
    pasta: shownFolder(config.dataFolder),
    primeiroUso: primeiroUso && `${config.urls.base || aberto}${primeiroUso.caminho}`,
  });
  started.resolve();
  // Who is killed at last keeps for the next start what it has compiled for this one.
  flushCompileCache();
  collectGarbage();

  let stopping: Promise<void> | null = null;
  const stop = async (announceMs: number) => {
    aboutToStop = true;
    const cut = setTimeout(() => app.server.closeAllConnections(), STOP_MS - CUT_BEFORE_END_MS).unref();
    // What it was importing is for the others at once.
    const importStopped = worker?.stop();
    if (announceMs > 0) {
      await sleep(announceMs);
      await letConnectionsEnd(app, Math.min(announceMs, LINGER_UP_TO_MS));
    }
    await app.close();
    clearTimeout(cut);
    await importStopped;
    await exclusoes?.stop();
    await captura?.stop();
    await copias?.stop();
    await deps.storage.close();
    await indexador.stop();
    await deps.db.close();
  };
  return {
    url,
    stop: ({ announceMs } = { announceMs: 0 }) => {
      stopping ??= stop(announceMs);
      return stopping;
    },
  };
}

/**
 * Starts the service for a process of its own: it stops on SIGTERM and SIGINT, within 10 seconds. Whoever sends SIGTERM
 * is a machine, and may have a proxy that has to notice first; Ctrl-C comes from a person who waits.
 */
export async function serve(config: Config, tell: (pronto: Pronto) => void): Promise<void> {
  const starting = startServer(config, tell);
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    // It comes twice where a whole group of processes gets it and one of them passes it on, as npm does with Ctrl-C.
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_MS).unref();
    const announceMs = signal === 'SIGTERM' && config.modo !== 'worker' ? config.esperaAoPararMs : 0;
    starting
      .then((server) => server.stop({ announceMs }))
      .then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  whenNpmIsGone(() => onSignal('SIGTERM'));
  await starting;
}

/** The web server of this process, which listens. */
async function openHttp(deps: Deps, self: Self): Promise<FastifyInstance> {
  const app = await buildApp(deps, self).catch(async (error: unknown) => {
    await deps.storage.close();
    await deps.db.close();
    throw error instanceof UnsealError ? outraChaveMestra(error) : error;
  });
  for (const name of deps.config.desconhecidas) {
    deps.log.warn(
      `${name} não é configuração do Malote e foi ignorada; as que existem: docs/configuracao.md`,
    );
  }
  for (const warning of await serverWarnings(deps.db)) deps.log.warn(warning);
  await listen(app, deps.config);
  return app;
}

async function listen(app: FastifyInstance, config: Config): Promise<void> {
  try {
    await app.listen({
      host: config.host,
      port: config.port,
      listenTextResolver: (address) => `escutando em ${address}`,
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new ConfigError(`A porta ${config.port} já está em uso: escolha outra em PORT.`);
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EACCES') {
      throw new ConfigError(`Não é possível escutar em ${config.host}:${config.port} (${code}).`);
    }
    throw error;
  }
}

async function startCaptura(deps: Deps) {
  const { openCaptor, openRemetente, openVigiaDaCaptura } = await import('./captura/abrir.ts');
  const parts = [await openCaptor(deps), await openRemetente(deps), await openVigiaDaCaptura(deps)];
  for (const part of parts) part.start();
  return {
    stop: async () => {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}

async function primeiroUsoDe(deps: Deps) {
  const { openPrimeiroUso } = await import('./console/sessao/primeiro-uso.ts');
  return openPrimeiroUso(deps);
}

/** Test documents that were held while the setting was off become entries. */
async function deliverHomologacao(deps: Deps): Promise<void> {
  await deps.db.write.transaction().execute((trx) => entregarHomologacao(trx, { agora: deps.clock.now() }));
}

/** Processes of one installation share the master key; one with another could read nothing and would seal apart. */
function outraChaveMestra(cause: UnsealError): ConfigError {
  return new ConfigError(
    'A chave mestra deste processo não abre o que está guardado no banco. Todos os processos precisam da mesma: defina MALOTE_CHAVE_MESTRA, ou copie o arquivo chave-mestra da pasta dos dados.',
    { cause },
  );
}

const portOf = (app: FastifyInstance) => (app.server.address() as AddressInfo).port;

function urlOf(app: FastifyInstance): string {
  const { address, family, port } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Names of documents that came before there was an index of them are taken over beside the work, step by step. */
function indexarEmpresas(deps: Deps): { stop(): Promise<void> } {
  let stopped = false;
  const work = async () => {
    while (!stopped && (await deps.db.write.transaction().execute((trx) => indexarAntigas(trx)))) {
      await setImmediate();
    }
  };
  const done = work().catch((err: unknown) => deps.log.error({ err }, 'older names could not be indexed'));
  return {
    stop: async () => {
      stopped = true;
      await done;
    },
  };
}

/** `./data` when it lies below the working folder, else the absolute path. */
function shownFolder(folder: string): string {
  const below = relative(process.cwd(), folder);
  return below.startsWith('..') || below === '' ? folder : `./${below}`;
}
