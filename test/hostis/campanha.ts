/** Has hostile files read by a thread, watches that it goes on, and counts. */
import { Worker } from 'node:worker_threads';
import type { Semente } from '../sementes/todas.ts';
import { mutante } from './mutacoes.ts';
import type { Amostra, Falta, Ordem, Recado } from './operario.ts';

/** A thread that stays this long at one file does not come back: a slow one is told by its processor time. */
const HANG_MS = 15_000;
const LOOK_EVERY_MS = 200;
/** What the service gives a reader thread (importacao/reading/leitores.ts). */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };
/** By then the thread has compiled what it runs and libxml2 has its memory. */
const WARM_UP = 500;

export interface Resultado {
  lidos: number;
  bytes: number;
  resultados: Record<string, number>;
  conferidas: number;
  /** Slowest file, ms of processor time. */
  maiorMs: number;
  /** Growth of the process' memory after the warm-up, bytes; the highest sample. */
  crescimento: number;
  segundos: number;
  faltas: (Falta | { n: number; tipo: 'parada'; familia: string; feito: string[]; detalhe: string })[];
}

export interface Pedido {
  /** Any text: the same one makes the same files. */
  semente: string;
  quantos: number;
  sementes: Semente[];
  onProgress?: (lidos: number) => void;
}

function add(total: Resultado, amostra: Amostra): void {
  total.lidos += amostra.lidos;
  total.bytes += amostra.bytes;
  total.conferidas += amostra.conferidas;
  total.maiorMs = Math.max(total.maiorMs, amostra.maiorMs);
  for (const [key, count] of Object.entries(amostra.resultados)) {
    total.resultados[key] = (total.resultados[key] ?? 0) + count;
  }
}

/** One thread's life. @returns the number from which another one has to go on, or null when all is done */
function run(
  pedido: Pedido,
  de: number,
  total: Resultado,
  onRss: (rss: number) => void,
): Promise<number | null> {
  const relogio = new SharedArrayBuffer(4);
  const clock = new Int32Array(relogio);
  const { semente, quantos, sementes } = pedido;
  const workerData: Ordem = { semente, de, ate: quantos, sementes, relogio };
  const worker = new Worker(new URL('./operario.ts', import.meta.url), {
    workerData,
    resourceLimits: LIMITS,
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  let [at, since] = [-1, performance.now()];
  const watch = setInterval(() => {
    const now = Atomics.load(clock, 0);
    if (now !== at) [at, since] = [now, performance.now()];
    if (performance.now() - since < HANG_MS) return;
    const { familia, feito } = mutante({ semente, n: now, sementes });
    total.faltas.push({ n: now, tipo: 'parada', familia, feito, detalhe: `${HANG_MS} ms` });
    resolve(now + 1);
  }, LOOK_EVERY_MS);
  worker.on('message', (recado: Recado) => {
    if (recado.kind === 'falta') total.faltas.push(recado.falta);
    if (recado.kind === 'fim') resolve(null);
    if (recado.kind !== 'amostra') return;
    add(total, recado.amostra);
    onRss(recado.amostra.rss);
    pedido.onProgress?.(total.lidos);
  });
  worker.on('error', reject);
  return promise.finally(async () => {
    clearInterval(watch);
    await worker.terminate();
  });
}

/** @throws when the thread dies: that is a crash, the worst of all faults */
export async function campanha(pedido: Pedido): Promise<Resultado> {
  const total: Resultado = {
    lidos: 0,
    bytes: 0,
    resultados: {},
    conferidas: 0,
    maiorMs: 0,
    crescimento: 0,
    segundos: 0,
    faltas: [],
  };
  const startedAt = performance.now();
  let baseline: number | null = null;
  const onRss = (rss: number) => {
    if (total.lidos < Math.min(WARM_UP, pedido.quantos / 2)) return;
    baseline ??= rss;
    total.crescimento = Math.max(total.crescimento, rss - baseline);
  };
  for (let de: number | null = 0; de !== null && de < pedido.quantos; )
    de = await run(pedido, de, total, onRss);
  total.segundos = (performance.now() - startedAt) / 1000;
  return total;
}
