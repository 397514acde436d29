/** `malote-cliente` as whoever installs it gets it: packed, installed from the tarball, without anything of the project around. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RAIZ = join(import.meta.dirname, '..', '..');
const TSC = join(RAIZ, 'node_modules', 'typescript', 'bin', 'tsc');

/** @returns the folder of a program that has it, and how large the package is */
export function installPacote(): { pasta: string; bytes: number } {
  const pasta = mkdtempSync(join(tmpdir(), 'malote-cliente-'));
  const pacote = join(pasta, 'pacote');
  const gerar = join(RAIZ, 'scripts', 'pacote-cliente.ts');
  execFileSync(process.execPath, [gerar, '--para', pacote], { stdio: 'pipe' });
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', pasta, pacote], { encoding: 'utf8' }),
  ) as { filename: string }[];
  const tarball = join(pasta, packed?.filename ?? '');
  writeFileSync(join(pasta, 'package.json'), '{"private":true,"type":"module"}');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], {
    cwd: pasta,
    stdio: 'pipe',
  });
  return { pasta, bytes: statSync(tarball).size };
}

/** Compiles a program strictly, with the package's own types, and runs it. @returns what it printed */
export function runPrograma(pasta: string, programa: string, env: Record<string, string>): string {
  writeFileSync(join(pasta, 'programa.ts'), programa);
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
  const modulo = ['--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
  const tipos = ['--typeRoots', join(RAIZ, 'node_modules', '@types')];
  execFileSync(process.execPath, [TSC, ...strict, ...modulo, ...tipos, 'programa.ts'], { cwd: pasta });
  return execFileSync(process.execPath, ['programa.js'], {
    cwd: pasta,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
}
