/** Compilers of other languages, where the machine has them: the readers that are generated here run as their clients do. */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CSHARP } from './csharp.ts';
import { GO } from './go.ts';
import { JAVA } from './java.ts';
import { PASCAL } from './pascal.ts';

export interface Leitor {
  titulo: string;
  /** Why it is left out; false where everything that it needs is here. */
  skip: string | false;
  /** Compiles it in a folder. @returns the command that reads files, given by pairs of a record's name and a file */
  compilar(pasta: string): readonly string[];
}

const faltam = (...comandos: readonly string[]) => {
  const sem = comandos.filter((comando) => !noCaminho(comando));
  return sem.length > 0 ? `falta ${sem.join(' e ')} nesta máquina` : false;
};

function noCaminho(comando: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((pasta) => existsSync(join(pasta, comando)));
}

/** Compiled code of Go's own library, which takes longer than all the rest. */
const COMPILADO = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'go');
/** Where Debian keeps Jackson. */
const JARS = ['jackson-core', 'jackson-annotations', 'jackson-databind'].map(
  (nome) => `/usr/share/java/${nome}.jar`,
);

export const LEITORES: readonly Leitor[] = [
  {
    titulo: 'C#, DataContractJsonSerializer',
    skip: faltam('mono', 'mcs'),
    compilar(pasta) {
      const fonte = escrever(pasta, 'Leitor.cs', CSHARP);
      const programa = join(pasta, 'Leitor.exe');
      executar('mcs', '-r:System.Runtime.Serialization.dll', `-out:${programa}`, fonte);
      return ['mono', programa];
    },
  },
  {
    titulo: 'Free Pascal, fpjson',
    skip: faltam('fpc'),
    compilar(pasta) {
      const fonte = escrever(pasta, 'leitor.pas', PASCAL);
      const programa = join(pasta, 'leitor-pascal');
      executar('fpc', '-v0', `-FU${pasta}`, `-o${programa}`, fonte);
      return [programa];
    },
  },
  {
    titulo: 'Java, records',
    skip:
      faltam('javac', 'java') ||
      (JARS.every((jar) => existsSync(jar)) ? false : 'falta o Jackson nesta máquina'),
    compilar(pasta) {
      const fonte = escrever(pasta, 'Leitor.java', JAVA);
      executar('javac', '-cp', JARS.join(delimiter), '-d', pasta, fonte);
      return ['java', '-cp', [pasta, ...JARS].join(delimiter), 'Leitor'];
    },
  },
  {
    titulo: 'Go, structs',
    skip: faltam('go'),
    compilar(pasta) {
      const fonte = escrever(pasta, 'leitor.go', GO);
      const programa = join(pasta, 'leitor-go');
      executar('go', 'build', '-o', programa, fonte);
      return [programa];
    },
  },
];

function escrever(pasta: string, nome: string, texto: string): string {
  const path = join(pasta, nome);
  writeFileSync(path, texto);
  return path;
}

/** Runs a program to its end. @returns what it printed @throws with what it complained of */
export function executar(comando: string, ...args: readonly string[]): string {
  const env = { ...process.env, GOCACHE: COMPILADO, GOPROXY: 'off', GO111MODULE: 'off' };
  const { status, stdout, stderr, error } = spawnSync(comando, args, {
    env,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (error || status !== 0)
    throw new Error(`${comando}: ${error?.message ?? ''}${stderr}${stdout.slice(-2_000)}`);
  return stdout;
}
