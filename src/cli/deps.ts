import { mkdirSync } from 'node:fs';
import { haSelados } from '../autorizacao/queries-reselar.ts';
import { MIGRATIONS } from '../banco/migrations.ts';
import type { Tabelas } from '../banco/tabelas.ts';
import { type Config, readConfig } from '../config.ts';
import type { Deps } from '../deps.ts';
import { systemClock } from '../platform/clock.ts';
import { type MasterVault, openVault } from '../platform/crypto/cofre.ts';
import { connectHere } from '../platform/db/connect.ts';
import { isMigrated, migrateDatabase } from '../platform/db/migrate.ts';
import { FalhaDoComando } from './saida.ts';

/** What commands that work on the data folder itself are given. */
export type DepsDoComando = Pick<Deps, 'config' | 'clock' | 'db'>;

/** And the stored files. */
export type DepsComArquivos = DepsDoComando & Pick<Deps, 'storage'>;

/** The folder holds tokens' hashes, keys and documents: for nobody else on this machine. */
const PRIVATE_FOLDER = 0o700;

/**
 * Opens the data folder of the settings for one command, making and migrating it when need be, and closes it
 * afterwards. Safe beside a running server: writers wait for each other, and what is committed is seen at once.
 */
export async function comBanco<T>(work: (deps: DepsDoComando) => Promise<T>): Promise<T> {
  return comBancoDe(readConfig(), work);
}

async function comBancoDe<T>(config: Config, work: (deps: DepsDoComando) => Promise<T>): Promise<T> {
  mkdirSync(config.dataFolder, { recursive: true, mode: PRIVATE_FOLDER });
  await migrateDatabase(config, MIGRATIONS);
  const db = connectHere<Tabelas>(config);
  try {
    return await work({ config, clock: systemClock, db });
  } finally {
    await db.close();
  }
}

/**
 * The same for a command that works on what is there, as all do but the one that opens an office. Where there is no
 * installation it says so. Else it would make an empty one, which the next command would find in order, or copy.
 * @throws FalhaDoComando instalacao_nao_encontrada
 */
export async function comInstalacao<T>(work: (deps: DepsDoComando) => Promise<T>): Promise<T> {
  const config = readConfig();
  if (await isMigrated(config)) return comBancoDe(config, work);
  const where = config.databaseUrl === '' ? `o arquivo ${config.sqlitePath}` : 'o banco de DATABASE_URL';
  throw new FalhaDoComando(
    'instalacao_nao_encontrada',
    `Não há instalação do Malote aqui: ${where} não existe ou está vazio. Confira MALOTE_DATA e DATABASE_URL: são as mesmas do servidor?`,
  );
}

/** What is sealed in the installation, opened: its key must be there when there is anything. @throws ConfigError */
export async function openCofreDe({ config, db }: DepsDoComando): Promise<MasterVault> {
  return openVault(config, { selados: await haSelados(db.read) });
}
