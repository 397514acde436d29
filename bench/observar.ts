/** What is seen of the running service from outside. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { type Malote, startMalote } from '../test/support/malote.ts';
import type { Linha } from './razoes.ts';

const MB = 1e6;
const AMBIENTE = {
  MALOTE_LEITORES: '0',
  MALOTE_LIMITE_MINUTO: '0',
};

/** The service with as many readers as by default; the tests' own starts have one. */
export function startMeasured(dataFolder: string): Promise<Malote> {
  return startMalote({ dataFolder, env: AMBIENTE, medido: true });
}

/** Largest resident size of the process so far, bytes; null where the system does not tell. */
export const peakMemory = (malote: Malote) => memoryOf(malote, 'VmHWM');

/** The same of what it has now. */
export const residentMemory = (malote: Malote) => memoryOf(malote, 'VmRSS');

function memoryOf({ process: { pid } }: Malote, which: 'VmHWM' | 'VmRSS'): number | null {
  const kilobytes = new RegExp(`^${which}:\\s+(\\d+) kB`, 'm').exec(ofProcess(pid, 'status') ?? '')?.[1];
  return kilobytes ? Number(kilobytes) * 1024 : null;
}

/** As `/proc` counts them on Linux: hundredths of a second. */
const TICKS_A_SECOND = 100;

/** Processor time that the process has had so far; null where the system does not tell. */
export function cpuSeconds({ process: { pid } }: Malote): number | null {
  // The name in parentheses may hold anything, so fields are counted from behind it; the state is the third.
  const fields = ofProcess(pid, 'stat')?.split(') ').at(-1)?.split(' ');
  return fields ? (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND : null;
}

function ofProcess(pid: number | undefined, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null;
  }
}

/** `/metrics` as name with labels → value. Reading it starts the event loop's figures anew. */
export async function readMetrics(malote: Malote): Promise<Map<string, number>> {
  const text = await (await fetch(`${malote.url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const gap = line.lastIndexOf(' ');
      return [line.slice(0, gap), Number(line.slice(gap + 1))];
    }),
  );
}

const UMA_CONEXAO = new Agent({ keepAlive: true, maxSockets: 1 });

/**
 * How a file stands, asked again and again while it is imported, as clients do. On one connection that stays open, and not
 * by `fetch`: that would take twice the time from the cores that import.
 */
export async function perguntarPeloArquivo(
  { url }: Malote,
  { id, token }: { id: string; token: string },
): Promise<{ status: string; log: string }> {
  const headers = { authorization: `Bearer ${token}` };
  const request = get(`${url}/storage/arquivo/${id}`, { agent: UMA_CONEXAO, headers });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const body = (await json(answer)) as { status: string; log: string };
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${JSON.stringify(body)}`);
  return body;
}

/** How late the thread that serves HTTP comes to what waits for it, ms; with the 5 ms between two looks. */
export function lacoMs(metrics: ReadonlyMap<string, number>, which: 'p99' | 'max'): number {
  return (metrics.get(`nodejs_eventloop_lag_${which}_seconds`) ?? Number.NaN) * 1000;
}

/** No row where the system does not tell. */
export function linhaDoPico(picoBytes: number | null): Linha[] {
  if (picoBytes === null) return [];
  const nota = 'processo inteiro (VmHWM)';
  return [{ oQue: 'memória de pico', valor: picoBytes / MB, unidade: 'MB', nota }];
}
