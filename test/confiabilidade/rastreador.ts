/** strace on a running process: which calls it makes in which order, and calls that are made to fail. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Pulado } from './cenario.ts';
import { novaPasta } from './motores.ts';
import { ate } from './processo.ts';

const ATTACHED_WITHIN_MS = 15_000;

/** A call that has returned. */
export interface Chamada {
  nome: string;
  /** Arguments as strace writes them; with `-y` each descriptor with its path. */
  argumentos: string;
  resultado: string;
}

export class Rastreador implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #output: string;

  private constructor(child: ChildProcess, output: string) {
    this.#child = child;
    this.#output = output;
  }

  /**
   * Attaches to a process and all its threads.
   * @throws Pulado where strace is missing or may not trace
   */
  static async seguir(pid: number, options: readonly string[]): Promise<Rastreador> {
    if (spawnSync('strace', ['-V']).status !== 0) throw new Pulado('não há strace nesta máquina');
    const output = join(novaPasta('strace'), 'chamadas');
    const child = spawn('strace', ['-f', '-y', '-s', '64', ...options, '-o', output, '-p', String(pid)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const attached = await ate(
      () => (/attached/.test(said) && existsSync(output)) || child.exitCode !== null,
      ATTACHED_WITHIN_MS,
    );
    if (!attached || child.exitCode !== null)
      throw new Pulado(`strace não pôde seguir o processo: ${said.trim()}`);
    return new Rastreador(child, output);
  }

  /** How much has been written so far: a place to read from later. */
  get lugar(): number {
    return readFileSync(this.#output).length;
  }

  /** Calls that have returned since a place, in the order in which they returned. */
  chamadas(from = 0): Chamada[] {
    const unfinished = new Map<string, string>();
    const calls: Chamada[] = [];
    for (const line of readFileSync(this.#output).subarray(from).toString('latin1').split('\n')) {
      const [, thread = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
      const begun = /^(.*) <unfinished \.\.\.>$/.exec(text)?.[1];
      if (begun !== undefined) {
        unfinished.set(thread, begun);
        continue;
      }
      const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text)?.[1];
      const whole = resumed === undefined ? text : (unfinished.get(thread) ?? '') + resumed;
      const [, nome, argumentos = '', resultado = ''] = /^(\w+)\((.*)\)\s+= (.*)$/.exec(whole) ?? [];
      if (nome !== undefined) calls.push({ nome, argumentos, resultado });
    }
    return calls;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, 'exit');
      this.#child.kill('SIGINT');
      await ended;
    }
    rmSync(dirname(this.#output), { recursive: true, force: true });
  }
}
