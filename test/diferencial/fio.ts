/** One thread of the long run. */
import { parentPort, workerData } from 'node:worker_threads';
import type { PacoteDeEsquemas } from '../../src/fiscal/esquemas/pacote.ts';
import type { Semente } from '../sementes/todas.ts';
import { type Contagem, correr } from './campanha.ts';

export interface Ordem {
  semente: string;
  de: number;
  ate: number;
  sementes: readonly Semente[];
  pacotes: readonly PacoteDeEsquemas[];
  minutos?: number;
}

export type Recado = { kind: 'andamento'; mutantes: number } | { kind: 'fim'; contagem: Contagem };

const CONFIRMAR_CADA = 25;
const TELL_EVERY = 1_000;

const ordem = workerData as Ordem;
const post = (recado: Recado) => parentPort?.postMessage(recado);
const contagem = correr({
  ...ordem,
  sementes: ordem.sementes.map((one) => ({ ...one, bytes: Buffer.from(one.bytes) })),
  confirmarCada: CONFIRMAR_CADA,
  onProgress: ({ mutantes }) => {
    if (mutantes % TELL_EVERY === 0) post({ kind: 'andamento', mutantes });
  },
});
post({ kind: 'fim', contagem });
