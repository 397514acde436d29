/** The thread that opens one PFX file and ends: what a hostile file does, it does here. `abrir.ts` is the other end. */
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { type LeituraPfx, readPfx } from './ler-pfx.ts';

/** What the thread is sent once it has said that it is ready. */
export interface PfxParaAbrir {
  bytes: Uint8Array;
  senha: string;
}

export type DaThread = { tipo: 'pronta' } | { tipo: 'lido'; leitura: LeituraPfx };

if (!isMainThread && parentPort && (workerData as { malote?: string } | null)?.malote === 'certificado') {
  const port = parentPort;
  port.once('message', ({ bytes, senha }: PfxParaAbrir) => {
    port.postMessage({ tipo: 'lido', leitura: readPfx(bytes, senha) } satisfies DaThread);
  });
  port.postMessage({ tipo: 'pronta' } satisfies DaThread);
}
