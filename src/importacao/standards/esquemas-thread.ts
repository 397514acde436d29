/** The thread end of `esquemas-em-thread.ts`: lives for one question. */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../platform/clock.ts';
import { EsquemasError, installEsquemas, listEsquemas } from './esquemas-instalados.ts';

/** What the thread is asked for. */
export interface PedidoDeEsquemas {
  dataFolder: string;
  /** Absent: the list. */
  instalar?: { zip: Uint8Array; nome: string };
}

async function answer({ dataFolder, instalar }: PedidoDeEsquemas): Promise<unknown> {
  if (!instalar) return { valor: listEsquemas({ dataFolder }) };
  try {
    return { valor: await installEsquemas({ config: { dataFolder }, clock: systemClock }, instalar) };
  } catch (error) {
    if (error instanceof EsquemasError) return { recusa: error.message };
    throw error;
  }
}

parentPort?.postMessage(await answer(workerData as PedidoDeEsquemas));
