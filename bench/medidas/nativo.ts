import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Conjunto } from '../conjunto.ts';

/** What the native program does with each document; see bench/nativo/nucleo.c. */
export type ModoNativo = 'forma' | 'esquema' | 'assinatura';

/** The native baseline, ready to run. */
export interface Nativo {
  /** Processor seconds for all documents of the set once. */
  medir(modo: ModoNativo): number;
}

const SOURCE = join(import.meta.dirname, '..', 'nativo', 'nucleo.c');
const ROUNDS = '2';

/**
 * Compiles the native program with the system's gcc, libxml2 and OpenSSL.
 *
 * @returns why it cannot, pt-BR, where one of them is missing
 */
export function compilarNativo(
  conjunto: Conjunto,
  { pasta }: { pasta: string },
): Nativo | { motivo: string } {
  const program = join(pasta, 'nucleo-nativo');
  const flags = spawnSync('xml2-config', ['--cflags', '--libs'], { encoding: 'utf8' });
  if (flags.error || flags.status !== 0)
    return { motivo: 'a libxml2 de desenvolvimento (libxml2-dev) não está instalada' };
  const built = spawnSync(
    'gcc',
    ['-O2', '-o', program, SOURCE, ...flags.stdout.trim().split(/\s+/), '-lcrypto'],
    {
      encoding: 'utf8',
    },
  );
  if (built.error || built.status !== 0)
    return {
      motivo: 'a linha de base nativa não compila: faltam gcc ou a OpenSSL de desenvolvimento (libssl-dev)',
    };
  const schema = join(conjunto.esquema.pasta, conjunto.esquema.arquivo);
  const names = conjunto.documentos.map(({ nome }) => nome);
  return {
    medir(modo) {
      const run = spawnSync(program, [schema, ROUNDS, modo, ...names], {
        cwd: conjunto.pasta,
        encoding: 'utf8',
      });
      if (run.error || run.status !== 0) throw new Error(`${program} ${modo}: ${run.stderr}`);
      return Number(run.stdout);
    },
  };
}
