/** One run of the test runner in a process group of its own: it ends, and what it has left behind ends with it and has a name. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** What was killed is gone by then; a server that nobody has stopped is not. */
const ENDS_WITHIN_MS = 200;
const SEM_RESPOSTA_MS = 20_000;
/** Where the runner begins to tell the failures of a file again. */
export const FALHAS = '✖ failing tests:';

export interface Execucao {
  /** Told where something is left of it. */
  nome: string;
  argumentos: readonly string[];
  env: NodeJS.ProcessEnv;
  /** File to which what the runner prints is added. */
  saida: string;
  limiteMs: number;
}

const running = new Set<ChildProcess>();

/** @returns whether all of it passed, nothing was left and it ended in time */
export async function executar({ nome, argumentos, env, saida, limiteMs }: Execucao): Promise<boolean> {
  const begin = sizeOf(saida);
  const out = openSync(saida, 'a');
  // Groups are a matter of POSIX.
  const child = spawn(process.execPath, argumentos, { env, stdio: ['ignore', out, out], detached: true });
  closeSync(out);
  running.add(child);
  const faults: string[] = [];
  const late = setTimeout(() => {
    faults.push(`passou de ${limiteMs / 60_000} minutos e foi encerrado`);
    encerrar(child);
  }, limiteMs);
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  clearTimeout(late);
  running.delete(child);
  const told = readFileSync(saida).subarray(begin).includes(FALHAS);
  if (code !== 0 && !told && faults.length === 0) faults.push(`terminou com ${signal ?? `código ${code}`}`);
  for (const left of await sobrasDe(child)) faults.push(`deixou um processo: ${left}`);
  sendTo(child, 'SIGKILL');
  // As the runner tells a failure and counts it, for who reads its text and for the gate's sum.
  for (const fault of faults) appendFileSync(saida, `\n${FALHAS}\n\n✖ ${nome} ${fault}\nℹ fail 1\n`);
  return code === 0 && faults.length === 0;
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** The runner tells what it knows when it is asked to end. */
function encerrar(child: ChildProcess): void {
  sendTo(child, 'SIGTERM');
  setTimeout(() => sendTo(child, 'SIGKILL'), SEM_RESPOSTA_MS).unref();
}

/** Ends whatever runs: they are in groups of their own, which a signal to this one does not reach. */
export function encerrarTudo(): void {
  for (const child of running) sendTo(child, 'SIGKILL');
}

function sendTo({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/** Command lines of a group's processes that have no end in sight. */
async function sobrasDe(child: ChildProcess): Promise<string[]> {
  if (!sendTo(child, 0)) return [];
  await delay(ENDS_WITHIN_MS);
  if (!sendTo(child, 0)) return [];
  if (process.platform !== 'linux') return [`do grupo ${child.pid}`];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => (isOf(pid, child) ? [commandOf(pid)] : []));
}

function isOf(pid: string, { pid: group }: ChildProcess): boolean {
  // `pid (name) state parent group …`; the name may have any character.
  const [state, , of] = readProc(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
  return Number(of) === group && state !== 'Z';
}

const commandOf = (pid: string) => readProc(pid, 'cmdline').replaceAll('\0', ' ').trim().slice(0, 300);

function readProc(pid: string, file: 'stat' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It has ended meanwhile.
    return '';
  }
}
