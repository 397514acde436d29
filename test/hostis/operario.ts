/** The thread that reads hostile files, one after the other; the campaign watches it from outside. */
import { parentPort, workerData } from 'node:worker_threads';
import { lerConteudo } from '../../src/fiscal/ler.ts';
import { loadEsquemas } from '../../src/importacao/standards/esquemas-instalados.ts';
import type { Semente } from '../sementes/todas.ts';
import { type Mutante, mutante } from './mutacoes.ts';
import { Oraculo } from './oraculo.ts';

export interface Ordem {
  semente: string;
  de: number;
  ate: number;
  sementes: Semente[];
  /** Cell 0: the number of the file that is being read. */
  relogio: SharedArrayBuffer;
}

export interface Falta {
  n: number;
  tipo: 'excecao' | 'demora' | 'integra_falsa' | 'vazio';
  familia: string;
  feito: string[];
  detalhe: string;
}

export interface Amostra {
  lidos: number;
  /** Pieces by outcome. */
  resultados: Record<string, number>;
  /** Of intact ones, compared with what was signed. */
  conferidas: number;
  bytes: number;
  maiorMs: number;
  rss: number;
}

export type Recado =
  | { kind: 'amostra'; amostra: Amostra }
  | { kind: 'falta'; falta: Falta }
  | { kind: 'fim' };

const SLOWEST_MS = 2_000;
const EVERY = 100;

const ordem = workerData as Ordem;
const clock = new Int32Array(ordem.relogio);
const validador = loadEsquemas({ dataFolder: import.meta.dirname });
const oraculo = new Oraculo();
const post = (recado: Recado) => parentPort?.postMessage(recado);

/** Milliseconds of this thread's own processor time: a busy machine makes nothing slow. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function fresh(): Amostra {
  return { lidos: 0, resultados: {}, conferidas: 0, bytes: 0, maiorMs: 0, rss: 0 };
}

function read(made: Mutante, n: number, amostra: Amostra): void {
  const fault = (tipo: Falta['tipo'], detalhe: string) => {
    const { familia, feito } = made;
    post({ kind: 'falta', falta: { n, tipo, familia, feito, detalhe } });
  };
  const startedAt = cpuMs();
  const pieces = (() => {
    try {
      return lerConteudo({ bytes: made.bytes, nome: made.nome }, { validador });
    } catch (error) {
      fault('excecao', String((error as Error).stack ?? error));
      return null;
    }
  })();
  const took = cpuMs() - startedAt;
  amostra.maiorMs = Math.max(amostra.maiorMs, took);
  if (took > SLOWEST_MS) fault('demora', `${Math.round(took)} ms for ${made.bytes.length} bytes`);
  if (pieces === null) return;
  if (pieces.length === 0) fault('vazio', 'no piece at all');
  for (const piece of pieces) {
    const key = piece.resultado === 'lida' ? `lida ${piece.assinatura.resultado}` : piece.resultado;
    amostra.resultados[key] = (amostra.resultados[key] ?? 0) + 1;
    if (piece.resultado !== 'lida' || piece.assinatura.resultado !== 'integra') continue;
    amostra.conferidas++;
    const wrong = oraculo.judge(piece);
    if (wrong) fault('integra_falsa', wrong);
  }
}

for (const { bytes, nome } of ordem.sementes)
  oraculo.learn(lerConteudo({ bytes: Buffer.from(bytes), nome }, { validador }));
const sementes = ordem.sementes.map((one) => ({ ...one, bytes: Buffer.from(one.bytes) }));
let amostra = fresh();
for (let n = ordem.de; n < ordem.ate; n++) {
  Atomics.store(clock, 0, n);
  const made = mutante({ semente: ordem.semente, n, sementes });
  read(made, n, amostra);
  amostra.lidos++;
  amostra.bytes += made.bytes.length;
  if (amostra.lidos === EVERY || n === ordem.ate - 1) {
    amostra.rss = process.memoryUsage.rss();
    post({ kind: 'amostra', amostra });
    amostra = fresh();
  }
}
post({ kind: 'fim' });
