/** The import thread: joins the parts, listens to the main thread, tells it what happens. `worker.ts` starts it. */
import { randomUUID } from 'node:crypto';
import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Tabelas } from '../../banco/tabelas.ts';
import type { ArquivosEmS3 } from '../../config.ts';
import type { Logger } from '../../deps.ts';
import type { Trx } from '../../documentos/tipos.ts';
import { systemClock } from '../../platform/clock.ts';
import { connectHere, type DatabaseSettings } from '../../platform/db/connect.ts';
import { ownerHere } from '../../platform/jobs/owner.ts';
import { diskSpace } from '../../platform/storage/espaco.ts';
import { openBlobStore } from '../../platform/storage/open.ts';
import { isAtRest } from '../../platform/threads/at-rest.ts';
import { collectGarbage } from '../../platform/threads/collect-garbage.ts';
import { yieldToOtherThreads } from '../../platform/threads/thread-priority.ts';
import { Releitor } from '../again/reler-ensinadas.ts';
import { Renovador } from '../again/renovador.ts';
import { renewProvas } from '../again/renovar-provas.ts';
import { emptyMetrics, type MetricasDaImportacao } from '../metrics.ts';
import { LeiautesEmUso } from '../reading/leiautes-em-uso.ts';
import { openReaders } from '../reading/leitores.ts';
import { Compactador, type CompactadorDeps } from '../recipe/compactador.ts';
import { AutoridadesEmUso } from '../standards/autoridades.ts';
import { Importador } from './importador.ts';

/** What the thread is started with. */
export interface ConfigDaThread extends DatabaseSettings {
  malote: 'importacao';
  dataFolder: string;
  arquivos: ArquivosEmS3 | null;
  homologacao: boolean;
  compactarEnvios: boolean;
  /** Memory of `WaitedFor`, in the thread that answers requests. */
  waitedFor: SharedArrayBuffer;
  readerThreads: number;
  processRun: string;
}

export type ToThread =
  /** Uploads may be imported from now on: nothing keeps the service from serving. */
  { tipo: 'comecar' } | { tipo: 'acordar' } | { tipo: 'parar' };

type Nivel = 'debug' | 'info' | 'warn' | 'error';

export type FromThread =
  | { tipo: 'pronta' }
  /** The disk did not keep a commit: the process is to be started anew, on a disk that does. */
  | { tipo: 'disco_falhou' }
  | { tipo: 'registro'; nivel: Nivel; campos: Record<string, unknown>; texto: string }
  | { tipo: 'metricas'; delta: MetricasDaImportacao };

const TELL_METRICS_MS = 1_000;
/** Whoever installs authorities waits no longer until they count. */
const OLHAR_AUTORIDADES_MS = 1_000;

/** Less than the readers: its commits hold the lock that an upload's acknowledgement waits for. */
const NICE_IMPORTACAO = 4;

async function run(config: ConfigDaThread, port: MessagePort): Promise<void> {
  yieldToOtherThreads(NICE_IMPORTACAO);
  const log = logThrough(port);
  const db = connectHere<Tabelas>(config);
  const storage = await openBlobStore(config);
  const emUso = new AutoridadesEmUso(db.read);
  const leiautes = new LeiautesEmUso(db.read);
  const olhar = () =>
    Promise.all([emUso.olhar(), leiautes.olhar()])
      // Put together here, and not with the first document: what that leaves is collected with the rest of the start.
      .then(() => emUso.atual())
      .catch((err: unknown) =>
        log.error({ err }, 'installed authorities, or taught layouts, could not be looked at'),
      );
  await olhar();
  const olhando = setInterval(() => void olhar(), OLHAR_AUTORIDADES_MS);
  const leitor = openReaders(config, {
    log,
    autoridades: () => emUso.atual(),
    leiautes: (contadorId) => leiautes.atual(contadorId),
  });
  const owner = ownerHere({ processRun: config.processRun, threadRun: randomUUID() });
  const metricas = emptyMetrics();
  const { homologacao } = config;
  const importador = new Importador({
    db,
    storage,
    leitor,
    owner,
    homologacao,
    metricas,
    log,
    clock: systemClock,
    espacoLivre: async () => (await diskSpace(config.dataFolder)).free,
  });
  const compactador = config.compactarEnvios
    ? new Compactador(
        { db, clock: systemClock, log, isAtRest, config: daReceita(config) },
        () => importador.idle,
      )
    : null;
  const aoMudar = (trx: Trx, versaoIds: readonly number[]) =>
    renewProvas(trx, { versaoIds, leitor, agora: systemClock.now() });
  const renovador = new Renovador(
    { db, clock: systemClock, log, leitor, emUso, aoMudar },
    () => importador.idle,
  );
  const releitor = new Releitor({ db, storage, clock: systemClock, log, leitor, leiautes });
  const tell = () => {
    tellMetrics(port, metricas);
    if (db.syncFailure) port.postMessage({ tipo: 'disco_falhou' } satisfies FromThread);
  };
  const telling = setInterval(tell, TELL_METRICS_MS);
  port.on('message', (message: ToThread) => {
    if (message.tipo === 'comecar') begin();
    else if (message.tipo === 'acordar') importador.wake();
    else void stop();
  });

  function begin(): void {
    importador.start();
    port.postMessage({ tipo: 'pronta' } satisfies FromThread);
    collectGarbage();
  }

  let stopped = false;
  async function stop(): Promise<void> {
    if (stopped) return;
    stopped = true;
    clearInterval(telling);
    clearInterval(olhando);
    const othersStopped = Promise.all([renovador.stop(), releitor.stop()]);
    // Files are put back first; readers that are still at work for them are then cut off.
    await importador.stop(() => leitor.close());
    await othersStopped;
    await compactador?.stop();
    await storage.close();
    await db.close();
    tell();
    port.close();
  }
}

/** The settings that the thread of recipes is given, out of this thread's. */
function daReceita(config: ConfigDaThread): CompactadorDeps['config'] {
  const { databaseUrl, sqlitePath, conexoes, dataFolder, arquivos, waitedFor } = config;
  return { databaseUrl, sqlitePath, conexoes, dataFolder, arquivos, waitedFor };
}

/** Counters are sent as what has been added since they were last sent, so that a new thread goes on from zero. */
function tellMetrics(port: MessagePort, metricas: MetricasDaImportacao): void {
  port.postMessage({ tipo: 'metricas', delta: metricas } satisfies FromThread);
  Object.assign(metricas, emptyMetrics());
}

/** The logger of this thread: lines are written by the main thread, in one order. */
function logThrough(port: MessagePort): Logger {
  const level =
    (nivel: Nivel) =>
    (campos: Record<string, unknown>, texto: string): void =>
      port.postMessage({ tipo: 'registro', nivel, campos: cloneable(campos), texto } satisfies FromThread);
  const log = { debug: level('debug'), info: level('info'), warn: level('warn'), error: level('error') };
  // Only these four are used here; a child would need its bindings sent along.
  return { ...log, child: () => log } as unknown as Logger;
}

/** Errors carry things that cannot be sent; what a log line needs of them can. */
function cloneable(campos: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(campos).map(([key, value]) => [key, value instanceof Error ? plainError(value) : value]),
  );
}

function plainError(error: Error): { type: string; message: string; stack: string; code?: string } {
  const { code } = error as NodeJS.ErrnoException;
  const plain = { type: error.name, message: error.message, stack: error.stack ?? '' };
  return code === undefined ? plain : { ...plain, code };
}

const start = workerData as Partial<ConfigDaThread> | null;
if (!isMainThread && parentPort && start?.malote === 'importacao') {
  await run(start as ConfigDaThread, parentPort);
}
