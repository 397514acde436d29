/**
 * The memory that the service may have: what its unit file gives it, held by a control group where this machine lets us
 * make one, and always by looking at it.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RAIZ } from '../confiabilidade/processo.ts';

const MIB = 1024 * 1024;
/** Of every Linux that Node runs on here. */
const PAGE_BYTES = 4_096;
const PROBE = ['--quiet', '--scope', '--collect', '-p', 'MemoryMax=100M', 'true'];

/** `MemoryMax` of `deploy/malote.service`, bytes. */
export const LIMITE_BYTES = limiteDoServico();

function limiteDoServico(): number {
  const unit = readFileSync(join(RAIZ, 'deploy', 'malote.service'), 'utf8');
  const found = /^MemoryMax=(\d+)M$/m.exec(unit)?.[1];
  if (!found) throw new Error('deploy/malote.service has no MemoryMax in M');
  return Number(found) * MIB;
}

export interface Limitador {
  /** pt-BR: how the limit is held. */
  como: string;
  /** What goes before the program. */
  por: readonly string[];
}

let known: Limitador | null = null;

/** How this machine holds the limit: a scope of systemd, of the system or of the user, or by looking alone. */
export function limitador(): Limitador {
  known ??= escolher();
  return known;
}

function escolher(): Limitador {
  for (const whose of [[], ['--user']]) {
    if (spawnSync('systemd-run', [...whose, ...PROBE], { stdio: 'ignore' }).status !== 0) continue;
    const bounds = ['-p', `MemoryMax=${LIMITE_BYTES}`, '-p', 'MemorySwapMax=0'];
    return {
      como: 'cgroup (systemd-run --scope) e vigia da memória',
      por: ['systemd-run', ...whose, '--quiet', '--scope', '--collect', ...bounds, '--'],
    };
  }
  return { como: 'vigia da memória residente, que mata quem passa do limite', por: [] };
}

/** A process and all that it has started, and they. */
export function arvoreDe(pid: number): number[] {
  const pids = [pid];
  for (const one of pids) pids.push(...filhosDe(one));
  return pids;
}

/** Of all threads of a process: any of them may have started one. None when it has gone. */
function filhosDe(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      leitura(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** Resident memory of a process with all that it has started, bytes; 0 when it is gone. */
export function memoriaDe(pid: number): number {
  return arvoreDe(pid).reduce((sum, one) => {
    const resident = leitura(`/proc/${one}/statm`).split(' ')[1];
    return sum + Number(resident ?? 0) * PAGE_BYTES;
  }, 0);
}

/** Empty when the process has gone. */
function leitura(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
