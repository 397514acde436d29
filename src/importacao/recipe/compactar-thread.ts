/** The thread in which recipes of uploads are made: one after the other, as long as it may. `compactador.ts` starts it. */
import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Tabelas } from '../../banco/tabelas.ts';
import type { ArquivosEmS3 } from '../../config.ts';
import { systemClock } from '../../platform/clock.ts';
import { connectHere, type DatabaseSettings } from '../../platform/db/connect.ts';
import { openBlobStore } from '../../platform/storage/open.ts';
import { isAtRest } from '../../platform/threads/at-rest.ts';
import { yieldToOtherThreads } from '../../platform/threads/thread-priority.ts';
import { watchRequests } from '../../platform/threads/waited-for.ts';
import { compactOne } from './compactar.ts';

/** What the thread is started with. */
export interface ConfigDasReceitas extends DatabaseSettings {
  malote: 'receitas';
  dataFolder: string;
  arquivos: ArquivosEmS3 | null;
  /** Memory of `WaitedFor`, in the thread that answers requests. */
  waitedFor: SharedArrayBuffer;
  /** One number: 0 as soon as there is other work. */
  vez: SharedArrayBuffer;
}

export type DasReceitas =
  /** The next one is looked for, and begun if there is one. */
  { tipo: 'comecou' } | { tipo: 'desistiu'; arquivo: string };

/** Everybody else goes first. */
const NICE = 15;

async function run(config: ConfigDasReceitas, port: MessagePort): Promise<void> {
  yieldToOtherThreads(NICE);
  const db = connectHere<Tabelas>(config);
  const storage = await openBlobStore(config);
  const vez = new Int32Array(config.vez);
  const livre = () => Atomics.load(vez, 0) === 1;
  const atendendo = watchRequests(config.waitedFor);
  const tell = (message: DasReceitas) => port.postMessage(message);
  const desistiu = (arquivo: string) => tell({ tipo: 'desistiu', arquivo });
  // What could not be deleted up to the end belongs to nothing: `malote verificar` finds it.
  const soltos: string[] = [];
  try {
    do tell({ tipo: 'comecou' });
    while (
      livre() &&
      (await compactOne({ db, storage, clock: systemClock, isAtRest, atendendo, desistiu }, livre, soltos))
    );
  } finally {
    await storage.close();
    await db.close();
  }
}

const start = workerData as Partial<ConfigDasReceitas> | null;
if (!isMainThread && parentPort && start?.malote === 'receitas') {
  await run(start as ConfigDasReceitas, parentPort);
}
