import type { DatabaseSettings } from './connect.ts';
import type { Snapshot } from './snapshot.ts';

/** One moment of the database of the settings, while others write to it. */
export async function openSnapshot(settings: DatabaseSettings): Promise<Snapshot> {
  if (settings.databaseUrl === '') {
    const { snapshotSqlite } = await import('./snapshot-sqlite.ts');
    return snapshotSqlite(settings.sqlitePath);
  }
  const { snapshotPostgres } = await import('./snapshot-postgres.ts');
  return snapshotPostgres(settings.databaseUrl);
}
