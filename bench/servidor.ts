import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MALOTE = fileURLToPath(new URL('../bin/malote.js', import.meta.url));

const environment = (dataFolder: string): NodeJS.ProcessEnv => ({
  ...process.env,
  MALOTE_DATA: dataFolder,
  HOST: '127.0.0.1',
  PORT: '0',
  MALOTE_LOG: 'warn',
  MALOTE_LIMITE_MINUTO: '0',
});

/** Runs a command of the CLI on a data folder. @throws with what it said when it fails */
export function malote<T>(dataFolder: string, args: readonly string[]): T {
  const run = spawnSync(process.execPath, [MALOTE, ...args, '--json'], {
    env: environment(dataFolder),
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`malote ${args.join(' ')}: ${run.stderr}${run.stdout}`);
  return JSON.parse(run.stdout) as T;
}

/** The real service in a process of its own. */
export class Servidor {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  static async start(dataFolder: string): Promise<Servidor> {
    const child = spawn(process.execPath, [MALOTE, 'servir'], {
      env: environment(dataFolder),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const url = /https?:\/\/\S+/.exec(line)?.[0];
      if (url) return new Servidor(child, url);
    }
    throw new Error('the service ended before it was ready');
  }

  /** Largest resident size of the process so far, bytes; null where the system does not tell. */
  peakMemory(): number | null {
    try {
      const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(
        readFileSync(`/proc/${this.#child.pid}/status`, 'utf8'),
      )?.[1];
      return kilobytes ? Number(kilobytes) * 1024 : null;
    } catch {
      return null;
    }
  }

  /** `/metrics` as name with labels → value. Reading it starts the event loop's figures anew. */
  async metrics(): Promise<Map<string, number>> {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    const lines = text.split('\n').filter((line) => line && !line.startsWith('#'));
    return new Map(
      lines.map((line) => {
        const gap = line.lastIndexOf(' ');
        return [line.slice(0, gap), Number(line.slice(gap + 1))];
      }),
    );
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }
}
