/** Schema packages for the thread that serves HTTP, which must neither compile schemas nor read them from disk itself. */
import { Worker } from 'node:worker_threads';
import type { installEsquemas, PacoteListado } from './esquemas-instalados.ts';
import type { PedidoDeEsquemas } from './esquemas-thread.ts';

/** Memory of a thread that compiles whatever it was sent. */
const MEMORY_MB = 256;
/** The largest official package takes some seconds. */
const WITHIN_MS = 60_000;

type Instalado = Awaited<ReturnType<typeof installEsquemas>>;

/** All packages in the order in which they are asked. */
export function listEsquemasEmThread(dataFolder: string): Promise<PacoteListado[]> {
  return ask<PacoteListado[]>({ dataFolder }).then((answer) => {
    if ('recusa' in answer) throw new Error(answer.recusa);
    return answer.valor;
  });
}

/** Installs a package. @returns it, or why it is none (pt-BR) */
export function installEsquemasEmThread(
  dataFolder: string,
  instalar: { zip: Uint8Array; nome: string },
): Promise<{ valor: Instalado } | { recusa: string }> {
  return ask<Instalado>({ dataFolder, instalar });
}

function ask<T>(pedido: PedidoDeEsquemas): Promise<{ valor: T } | { recusa: string }> {
  const thread = new Worker(new URL('./esquemas-thread.ts', import.meta.url), {
    name: 'esquemas',
    workerData: pedido,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  return new Promise<{ valor: T } | { recusa: string }>((resolve, reject) => {
    const timer = setTimeout(() => {
      resolve({ recusa: 'O pacote levou mais de um minuto para compilar e não foi instalado.' });
      void thread.terminate();
    }, WITHIN_MS);
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => {
      clearTimeout(timer);
      reject(new Error('the schema thread ended without an answer'));
    });
  });
}
