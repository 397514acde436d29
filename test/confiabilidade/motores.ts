/** The engines that a scenario runs on. Each bench gets a database of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type NomeDoMotor = 'sqlite' | 'postgres';

/** Where one bench keeps its data: settings of every process and command on it. */
export interface Deposito extends AsyncDisposable {
  motor: NomeDoMotor;
  pasta: string;
  env: Record<string, string>;
}

export function novaPasta(nome: string): string {
  return mkdtempSync(join(tmpdir(), `malote-${nome}-`));
}

/** @param pasta its data folder; one is made, and removed afterwards, where none is given */
export async function abrirDeposito(motor: NomeDoMotor, pasta?: string): Promise<Deposito> {
  const folder = pasta ?? novaPasta('campanha');
  if (motor === 'postgres') throw new Error('PostgreSQL is not there yet');
  return {
    motor,
    pasta: folder,
    env: { MALOTE_DATA: folder },
    async [Symbol.asyncDispose]() {
      if (pasta === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
