/** Servers whose guard was killed: found by their folders, ended, removed. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Of the folder of a server in the system's temporary folder. */
export const PREFIXO = 'malote-pg-';

/** Memory that looks like a disk, where a machine has it. */
export const MEMORIA = '/dev/shm';

/** Where the data of a server with such a folder may lie: in it, or in memory. */
export function lugaresDosDados(pasta: string): { noDisco: string; naMemoria: string } {
  return { noDisco: join(pasta, 'dados'), naMemoria: join(MEMORIA, basename(pasta)) };
}

/** An immediate shutdown takes milliseconds. */
const STOP_WITHIN_MS = 5_000;
const SLEEPER = new Int32Array(new SharedArrayBuffer(4));

/**
 * When a process began, in the kernel's clock ticks; '' where that cannot be known. A pid alone proves nothing: it is
 * given to another process sooner or later.
 */
export function inicioDoProcesso(pid: number): string {
  const stat = statDe(pid);
  // A zombie is dead already, whoever has not noticed.
  return stat === null || stat.estado === 'Z' ? '' : stat.inicio;
}

function statDe(pid: number): { estado: string; inicio: string } | null {
  try {
    // The name of the program stands in parentheses and may hold anything.
    const campos = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { estado: campos[0] ?? '', inicio: campos[19] ?? '' };
  } catch {
    return null;
  }
}

/** Ends and removes what guards that are no more have left. Where there is no /proc nothing is touched. */
export function varrerSobras(): void {
  for (const base of new Set([tmpdir(), '/tmp'])) {
    for (const nome of listar(base)) {
      const pasta = join(base, nome);
      if (!abandonada(pasta)) continue;
      const dados = Object.values(lugaresDosDados(pasta));
      dados.forEach(killServidor);
      // The guard's mark last: what is left over half removed is found again.
      for (const parte of [...dados, join(pasta, 'programas'), pasta])
        rmSync(parte, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

function listar(base: string): string[] {
  try {
    return readdirSync(base).filter((nome) => nome.startsWith(PREFIXO));
  } catch {
    return [];
  }
}

function abandonada(pasta: string): boolean {
  try {
    const [pid = '', inicio = ''] = readFileSync(join(pasta, 'guarda'), 'utf8').trim().split(' ');
    return inicio !== '' && inicioDoProcesso(Number(pid)) !== inicio;
  } catch {
    // Being made by another run, or another user's.
    return false;
  }
}

/** Only a process that still works on this very folder. */
function killServidor(dados: string): void {
  try {
    const pid = Number(readFileSync(join(dados, 'postmaster.pid'), 'utf8').split('\n')[0]);
    const comando = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (!comando.includes(dados)) return;
    process.kill(pid, 'SIGQUIT');
    const limite = performance.now() + STOP_WITHIN_MS;
    while (inicioDoProcesso(pid) !== '' && performance.now() < limite) Atomics.wait(SLEEPER, 0, 0, 20);
  } catch {
    // No server, or none any more.
  }
}
