import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SETTINGS } from '../src/config.ts';

const PREFERRED_PORT = 8080;
const READY_LINE = /^Malote escutando em (http:\/\/\S+)/;
const START_WITHIN_MS = 20_000;
const STOP_WITHIN_MS = 12_000;
const LAST_LINES = 20;

/** The real server as a process of its own, on a data folder that is thrown away. */
export interface ServidorDeDemonstracao {
  url: string;
  pasta: string;
  /** Resolves with the reason when the process ends without having been asked to. */
  caiu: Promise<string>;
  /** Ends the process and removes the folder. Harmless when called again. */
  encerrar(): Promise<void>;
}

/**
 * Starts the server. From here on the settings of this process are those of the demonstration: nothing of the
 * user's environment leaks into it, and commands that run in this process find its data folder.
 * @param mais settings that the demonstration adds
 */
export async function startServidor(mais: Record<string, string> = {}): Promise<ServidorDeDemonstracao> {
  const pasta = mkdtempSync(join(tmpdir(), 'malote-demo-'));
  const porta = process.env.PORT;
  for (const { env } of Object.values(SETTINGS)) delete process.env[env];
  process.env.MALOTE_DATA = pasta;
  process.env.MALOTE_LOG = 'warn';
  Object.assign(process.env, mais);
  // A port that somebody asks for is taken, or refused by the server in its own words; of ours any other will do.
  process.env.PORT = porta ?? String((await isFree(PREFERRED_PORT)) ? PREFERRED_PORT : 0);
  const bin = join(import.meta.dirname, '..', 'bin', 'malote.js');
  const child = spawn(process.execPath, [bin, 'servir'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const tail = collectTail(child);
  let asked = false;
  const encerrar = async () => {
    asked = true;
    await stop(child, ended);
    rmSync(pasta, { recursive: true, force: true });
  };
  // Whatever ends this process, the server does not outlive it.
  process.once('exit', () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    rmSync(pasta, { recursive: true, force: true });
  });
  const caiu = ended.then(([code, signal]) => {
    if (asked) return new Promise<string>(() => undefined);
    return `O servidor terminou sozinho (${signal ?? code}).\n${tail()}`;
  });
  try {
    const url = await Promise.race([
      readyUrl(child),
      caiu.then((reason) => Promise.reject(new Error(reason))),
    ]);
    process.env.PORT = new URL(url).port;
    return { url, pasta, caiu, encerrar };
  } catch (error) {
    await encerrar();
    throw error;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  const listening = once(probe, 'listening').then(
    () => true,
    () => false,
  );
  probe.listen(port, '127.0.0.1');
  const free = await listening;
  probe.close();
  return free;
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`O servidor não ficou pronto em ${START_WITHIN_MS / 1000} s.`)),
      START_WITHIN_MS,
    );
    if (!child.stdout) return reject(new Error('the server has no output'));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = READY_LINE.exec(line)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
  });
}

function collectTail(child: ChildProcess): () => string {
  const lines: string[] = [];
  if (child.stderr) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line);
      if (lines.length > LAST_LINES) lines.shift();
    });
  }
  return () => lines.join('\n');
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  await ended;
  clearTimeout(timer);
}
