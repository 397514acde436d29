import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ambienteDoBanco, releaseBanco } from '../support/motor.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'malote.js');

export interface Terminado {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A data folder of its own, and the real program run on it as child processes. */
export class Instalacao {
  readonly pasta = mkdtempSync(join(tmpdir(), 'malote-e2e-'));
  #server: ChildProcess | null = null;
  url = '';
  /** Further settings, for what is started from now on. */
  ambiente: NodeJS.ProcessEnv = {};

  get dados(): string {
    return join(this.pasta, 'data');
  }

  async env(): Promise<NodeJS.ProcessEnv> {
    const { PATH, HOME, TMPDIR } = process.env;
    const banco = await ambienteDoBanco(this.dados);
    return {
      PATH,
      HOME,
      TMPDIR,
      ...banco,
      MALOTE_DATA: this.dados,
      MALOTE_LOG: 'silent',
      PORT: '0',
      ...this.ambiente,
    };
  }

  /** Runs `malote …` to its end. */
  async malote(...args: string[]): Promise<Terminado> {
    const child = spawn(process.execPath, [BIN, ...args], {
      env: await this.env(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout, stderr };
  }

  /** Runs a command with `--json` and gives its one object back. */
  async json(...args: string[]): Promise<{ code: number | null; value: Record<string, unknown> }> {
    const { code, stdout } = await this.malote(...args, '--json');
    return { code, value: JSON.parse(stdout) as Record<string, unknown> };
  }

  async serve(): Promise<void> {
    const child = spawn(process.execPath, [BIN, 'servir'], {
      env: await this.env(),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#server = child;
    for await (const line of createInterface({ input: child.stdout })) {
      const url = /^Malote escutando em (http:\/\/\S+)/.exec(line)?.[1];
      if (url === undefined) continue;
      this.url = url;
      child.stdout.resume();
      return;
    }
    throw new Error('the server ended before it was ready');
  }

  async remove(): Promise<void> {
    if (this.#server && this.#server.exitCode === null) {
      const ended = once(this.#server, 'exit');
      this.#server.kill('SIGTERM');
      await ended;
    }
    rmSync(this.pasta, { recursive: true, force: true });
    await releaseBanco(this.dados);
  }
}
