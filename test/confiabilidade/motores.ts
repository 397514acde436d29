/** The engines that a scenario runs on. Each bench gets a database of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BancoDaCampanha, type ServidorPostgres, servidorComum } from './servidor-postgres.ts';

export type NomeDoMotor = 'sqlite' | 'postgres';

/** Where one bench keeps its data: settings of every process and command on it. */
export interface Deposito extends AsyncDisposable {
  motor: NomeDoMotor;
  pasta: string;
  env: Record<string, string>;
  /** null on SQLite. */
  banco: BancoDaCampanha | null;
}

export function novaPasta(nome: string): string {
  return mkdtempSync(join(tmpdir(), `malote-${nome}-`));
}

export interface OpcoesDoDeposito {
  /** Data folder; one is made, and removed afterwards, where none is given. */
  pasta?: string;
  /** The server to use; the shared one where none is given. */
  servidor?: ServidorPostgres;
}

export async function openDeposito(motor: NomeDoMotor, options: OpcoesDoDeposito = {}): Promise<Deposito> {
  const banco =
    motor === 'postgres' ? await (options.servidor ?? (await servidorComum())).createBanco() : null;
  const folder = options.pasta ?? novaPasta('campanha');
  return {
    motor,
    pasta: folder,
    banco,
    env: { MALOTE_DATA: folder, ...(banco ? { DATABASE_URL: banco.url } : {}) },
    async [Symbol.asyncDispose]() {
      if (options.pasta === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
