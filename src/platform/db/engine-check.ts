/**
 * What the database itself finds wrong in what it keeps: its pages, its indexes against the rows, its shape against the
 * migrations that made it. It reads everything and changes nothing; what may be mended is told with each finding.
 */
import type { DatabaseSettings } from './connect.ts';
import type { CheckOptions, EngineReport } from './engine-fault.ts';

export async function checkEngine(settings: DatabaseSettings, options: CheckOptions): Promise<EngineReport> {
  if (settings.databaseUrl === '') {
    const { checkSqlite } = await import('./engine-check-sqlite.ts');
    return checkSqlite(settings.sqlitePath, options);
  }
  const { checkPostgres } = await import('./engine-check-postgres.ts');
  return checkPostgres(settings.databaseUrl, options);
}

/** Makes indexes anew from their tables; who writes to these waits. @returns those that could be made */
export async function rebuildIndexes(
  settings: DatabaseSettings,
  indexes: readonly string[],
): Promise<string[]> {
  if (indexes.length === 0) return [];
  if (settings.databaseUrl === '') {
    const { rebuildSqlite } = await import('./engine-check-sqlite.ts');
    return rebuildSqlite(settings.sqlitePath, indexes);
  }
  const { rebuildPostgres } = await import('./engine-check-postgres.ts');
  return rebuildPostgres(settings.databaseUrl, indexes);
}
