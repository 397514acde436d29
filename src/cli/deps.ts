import { mkdirSync } from 'node:fs';
import { MIGRATIONS } from '../banco/migrations.ts';
import type { Tabelas } from '../banco/tabelas.ts';
import { type Config, readConfig } from '../config.ts';
import type { Deps } from '../deps.ts';
import { systemClock } from '../platform/clock.ts';
import { connectHere } from '../platform/db/connect.ts';
import { migrateDatabase } from '../platform/db/migrate.ts';

/** What commands that work on the data folder itself are given. */
export type DepsDoComando = Pick<Deps, 'config' | 'clock' | 'db'>;

/** The folder holds tokens' hashes, keys and documents: for nobody else on this machine. */
const PRIVATE_FOLDER = 0o700;

/**
 * Opens the data folder of the settings for one command, making and migrating it when need be, and closes it
 * afterwards. Safe beside a running server: writers wait for each other, and what is committed is seen at once.
 */
export async function comBanco<T>(work: (deps: DepsDoComando) => Promise<T>): Promise<T> {
  const config: Config = readConfig();
  mkdirSync(config.dataFolder, { recursive: true, mode: PRIVATE_FOLDER });
  await migrateDatabase(config, MIGRATIONS);
  const db = connectHere<Tabelas>(config);
  try {
    return await work({ config, clock: systemClock, db });
  } finally {
    await db.close();
  }
}
