import type { WholeLoad, WholeLoadOptions } from './whole-load.ts';

/** @throws TargetError, ConfigError when the server cannot be reached */
export async function openWholeLoad(options: WholeLoadOptions): Promise<WholeLoad> {
  if (options.settings.databaseUrl === '') {
    const { loadSqlite } = await import('./whole-load-sqlite.ts');
    return loadSqlite(options);
  }
  const { loadPostgres } = await import('./whole-load-postgres.ts');
  return loadPostgres(options);
}
