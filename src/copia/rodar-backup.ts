/** Runs `malote backup` as a process of its own, with the environment of this one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ErroDeCopia } from './erros.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/malote.js', import.meta.url));
/** The result is one line; more of what it says is not kept. */
const SAID_MAX = 64_000;
/** Some uploads had been missing before, and the backup is whole but for them. */
const SO_FALTAS = 'arquivos_ausentes';

/**
 * @returns `aviso`: what is to be told although the backup was made; null: nothing
 * @throws ErroDeCopia with what the command said; when `signal` ends it, likewise
 */
export async function runBackup(input: {
  para: string;
  signal: AbortSignal;
}): Promise<{ aviso: string | null }> {
  const { para, signal } = input;
  const child = spawn(process.execPath, [PROGRAM, 'backup', '--para', para, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const end = () => void child.kill('SIGTERM');
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout = (stdout + text).slice(0, SAID_MAX);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(0, SAID_MAX);
  });
  if (child.pid !== undefined) tryToYield(child.pid);
  const [code] = (await once(child, 'close').finally(() => signal.removeEventListener('abort', end))) as [
    number | null,
  ];
  if (code === 0) return { aviso: null };
  if (signal.aborted) throw new ErroDeCopia('interrompida', 'O serviço foi parado durante a cópia.');
  const said = parsed(stdout);
  // The result stands there, so the copy does too: what it says besides is why the code is not 0.
  if (said !== null && !said.erro) return { aviso: sentence(stderr) || SO_FALTAS };
  throw new ErroDeCopia(
    said?.erro?.codigo ?? 'copia_falhou',
    said?.erro?.mensagem ?? (sentence(stderr) || `código ${code}`),
  );
}

function parsed(text: string): { erro?: { codigo: string; mensagem: string } } | null {
  try {
    return JSON.parse(text) as { erro?: { codigo: string; mensagem: string } };
  } catch {
    return null;
  }
}

const sentence = (stderr: string) =>
  stderr
    .trim()
    .split('\n')
    .at(-1)
    ?.replace(/^Erro: /, '') ?? '';

/** Whoever waits for an answer comes first. */
function tryToYield(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not every system lets one.
  }
}
