/** A process of the service that can be killed, frozen, and started again at the same address. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { DO_NODE, DO_PROCESSO } from '../support/partida.ts';

export const RAIZ = join(import.meta.dirname, '..', '..');
const READY_WITHIN_MS = 120_000;
/** Starts are most of the campaign's work: what was compiled once is kept, as an operating system keeps programs. */
const COMPILED = join(tmpdir(), 'malote-campanha-compilado');
const LOG_KEPT = 400;
const READY_LINE = /^Malote escutando em (\S+) \(dados em .+\)$/;

export interface Partida {
  nome: string;
  porta: number;
  env: Record<string, string>;
  /** Root of the source tree that is run. Default: this one. */
  raiz?: string;
  /** Program and arguments that go before its own, such as what bounds its memory. */
  por?: readonly string[];
  /** Its memory is looked at: it is started to the last as the service is. */
  medido?: boolean;
  aoRegistrar?: (line: string) => void;
}

export class Processo {
  readonly nome: string;
  readonly porta: number;
  readonly child: ChildProcess;
  /** The last lines on standard error. */
  readonly registro: string[] = [];
  readonly terminou: Promise<void>;
  #ready = false;

  constructor(partida: Partida) {
    const { nome, porta, env, raiz = RAIZ, por = [], medido = raiz !== RAIZ } = partida;
    this.nome = nome;
    this.porta = porta;
    const [program = '', ...argumentos] = [
      ...por,
      process.execPath,
      ...(medido ? [] : DO_NODE),
      join(raiz, 'bin', 'malote.js'),
      'servir',
    ];
    this.child = spawn(program, argumentos, {
      cwd: raiz,
      env: {
        ...limpo(),
        ...(medido ? {} : DO_PROCESSO),
        PORT: String(porta),
        MALOTE_LEITORES: '1',
        MALOTE_LIMITE_MINUTO: '0',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.terminou = once(this.child, 'exit').then(() => {});
    if (this.child.stderr) {
      createInterface({ input: this.child.stderr }).on('line', (line) => {
        this.registro.push(line);
        if (this.registro.length > LOG_KEPT) this.registro.shift();
        partida.aoRegistrar?.(line);
      });
    }
  }

  get vivo(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Waits for the ready line and for `/readyz`. @returns ms; null when it ended before (a failpoint, a fault) */
  async pronto(): Promise<number | null> {
    const startedAt = performance.now();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), READY_WITHIN_MS);
    try {
      if (!(await this.#readyLine())) return null;
      while (this.vivo) {
        const answer = await fetch(`http://127.0.0.1:${this.porta}/readyz`).catch(() => null);
        await answer?.body?.cancel();
        if (answer?.status === 200) return performance.now() - startedAt;
        await delay(20);
      }
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  async #readyLine(): Promise<boolean> {
    if (!this.child.stdout) return false;
    const lines = createInterface({ input: this.child.stdout });
    for await (const line of lines) {
      if (!READY_LINE.test(line)) continue;
      this.#ready = true;
      break;
    }
    this.child.stdout.resume();
    return this.#ready;
  }

  /** Ends it with a signal. @returns its exit code, null when the signal killed it */
  async parar(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.vivo) this.child.kill(signal);
    await this.terminou;
    return this.child.exitCode;
  }

  /** The power cord. */
  async matar(): Promise<void> {
    await this.parar('SIGKILL');
  }
}

/** Settings of the one who runs the tests must not reach the server. */
function limpo(): NodeJS.ProcessEnv {
  const own = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(MALOTE_|DATABASE_URL$|HOST$|PORT$|NODE_TEST_CONTEXT$|NODE_OPTIONS$)/.test(name),
    ),
  );
  return { NODE_COMPILE_CACHE: COMPILED, ...own };
}

/** Where outgoing connections of this machine do not take their ports from. */
const PORTS = { from: 20_000, to: 32_000 };

/** A port that stays free while its process is down, so that a restart finds it again. */
export async function portaLivre(): Promise<number> {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** Runs a command of the product in a process of its own. @returns its exit code and what it said */
export async function comando(
  argumentos: readonly string[],
  options: { env: Record<string, string>; raiz?: string },
): Promise<{ codigo: number | null; saida: string; erros: string }> {
  const raiz = options.raiz ?? RAIZ;
  const child = spawn(process.execPath, [join(raiz, 'bin', 'malote.js'), ...argumentos], {
    cwd: raiz,
    env: { ...limpo(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const [out, err] = await Promise.all([child.stdout.toArray(), child.stderr.toArray()]);
  await ended;
  const text = (chunks: Uint8Array[]) => Buffer.concat(chunks).toString();
  return { codigo: child.exitCode, saida: text(out), erros: text(err) };
}

/** Waits for a condition. @returns whether it came true in time */
export async function ate(condition: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) return false;
    await delay(15);
  }
  return true;
}
