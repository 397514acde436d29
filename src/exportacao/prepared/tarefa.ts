/**
 * What runs in a thread of the export area: stretches of a feed and texts of documents take the form in which they
 * leave, so that the thread that serves HTTP only joins bytes. It reads the vault through a connection of its own.
 */
import { isMainThread } from 'node:worker_threads';
import { workerData } from 'piscina';
import type { Tabelas } from '../../banco/tabelas.ts';
import { connectToRead, type Database, type DatabaseSettings } from '../../platform/db/connect.ts';
import { runForOffice } from '../../platform/db/tenant.ts';
import { yieldToOtherThreads } from '../../platform/threads/thread-priority.ts';
import { type PaginaInteira, type PedidoDePaginaInteira, preparePagina } from './pagina-inteira.ts';
import { type PacoteDeSegmentos, prepareSegmentos } from './preparar-segmentos.ts';
import { type PedidoDeTrechos, prepareTrechos, type TrechoPreparado } from './preparar-trechos.ts';

/** `contadorId`: whose rows it may see. */
export type Tarefa = { contadorId: number } & (
  | ({ kind: 'trechos' } & PedidoDeTrechos)
  | { kind: 'segmentos'; versaoIds: readonly number[] }
  | ({ kind: 'pagina' } & PedidoDePaginaInteira)
);

export interface Resultados {
  trechos: TrechoPreparado[];
  segmentos: PacoteDeSegmentos;
  pagina: PaginaInteira | null;
}

export interface DadosDaThread {
  banco: DatabaseSettings;
}

/** Somebody may wait for it, but the thread that serves HTTP comes first. */
const NICE = 3;
if (!isMainThread) yieldToOtherThreads(NICE);

/** One for each thread. */
let db: Database<Tabelas> | null = null;

/** The piscina task. */
export default async function run(tarefa: Tarefa): Promise<Resultados[Tarefa['kind']]> {
  db ??= connectToRead<Tabelas>((workerData as DadosDaThread).banco);
  const { read } = db;
  return runForOffice(tarefa.contadorId, async () => {
    if (tarefa.kind === 'trechos') return prepareTrechos(read, tarefa);
    if (tarefa.kind === 'pagina') return preparePagina(read, tarefa);
    return prepareSegmentos(read, tarefa.versaoIds);
  });
}
