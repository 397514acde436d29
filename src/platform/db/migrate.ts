import { existsSync } from 'node:fs';
import { failpoint } from '../failpoint.ts';
import type { DatabaseSettings } from './connect.ts';
import { isPostgresMigrated, migratePostgres } from './migrate-postgres.ts';
import { type Migration, migrationFiles, refuseNewerShape } from './migration-files.ts';
import { InThreadExecutor } from './sqlite-executor.ts';

/**
 * Brings the database of the settings to the newest shape. Each migration and its mark are one transaction, so a
 * kill in the middle leaves the shape before it; running again, or in two processes at once, is harmless.
 * @returns the versions that were applied now
 * @throws ConfigError for a database that a later version has changed: nothing is done to it
 */
export async function migrateDatabase(settings: DatabaseSettings, folder: string): Promise<number[]> {
  const { databaseUrl, sqlitePath } = settings;
  if (databaseUrl === '') return migrateSqlite(sqlitePath, folder);
  return migratePostgres(databaseUrl, migrationFiles(folder, 'postgres'));
}

/** Whether there is a database of ours, of whatever age. Makes nothing. @throws ConfigError when there is no connection to be had */
export async function isMigrated({ databaseUrl, sqlitePath }: DatabaseSettings): Promise<boolean> {
  if (databaseUrl !== '') return isPostgresMigrated(databaseUrl);
  if (!existsSync(sqlitePath)) return false;
  const executor = new InThreadExecutor({ path: sqlitePath, readOnly: true });
  try {
    return executor.execute("select 1 from sqlite_schema where name = 'migracao'", []).rows.length > 0;
  } finally {
    executor.close();
  }
}

/** The same for a SQLite file. */
export function migrateSqlite(path: string, folder: string): number[] {
  const executor = new InThreadExecutor({ path });
  try {
    return applyMigrations(executor, folder);
  } finally {
    executor.close();
  }
}

/** The same on an open connection: the only way for a database that lives in memory, or to an older shape. */
export function applyMigrations(
  executor: InThreadExecutor,
  folder: string,
  which: (version: number) => boolean = () => true,
): number[] {
  executor.executeScript(
    'create table if not exists migracao (versao integer primary key, nome text not null, aplicada_em text not null) strict',
  );
  const files = migrationFiles(folder, 'sqlite');
  const applied = executor.execute('select versao, nome from migracao', []).rows;
  refuseNewerShape(
    applied.map(({ versao, nome }) => ({ version: Number(versao), name: String(nome) })),
    files,
  );
  return files.flatMap((migration) =>
    which(migration.version) && apply(executor, migration) ? [migration.version] : [],
  );
}

/**
 * First line of a migration that makes a table anew to which other tables point. With foreign keys on, dropping the old
 * table would look through all rows that point to it, one after the other, and refuse. They can be switched outside of
 * transactions only. Whoever writes such a migration copies the keys as they are.
 */
const WITHOUT_FOREIGN_KEYS = '-- foreign_keys: off\n';

function apply(executor: InThreadExecutor, migration: Migration): boolean {
  if (!migration.sql.startsWith(WITHOUT_FOREIGN_KEYS)) return applyInTransaction(executor, migration);
  executor.executeScript('pragma foreign_keys = off');
  try {
    return applyInTransaction(executor, migration);
  } finally {
    executor.executeScript('pragma foreign_keys = on');
  }
}

/** Looks whether it is done only inside the transaction: two processes may start at once. */
function applyInTransaction(executor: InThreadExecutor, migration: Migration): boolean {
  executor.executeScript('begin immediate');
  try {
    const known = executor.execute('select 1 from migracao where versao = ?', [migration.version]);
    if (known.rows.length === 0) {
      executor.executeScript(migration.sql);
      executor.execute("insert into migracao (versao, nome, aplicada_em) values (?, ?, datetime('now'))", [
        migration.version,
        migration.name,
      ]);
    }
    failpoint('migracao_antes_do_commit');
    executor.executeScript('commit');
    failpoint('migracao_depois_do_commit');
    return known.rows.length === 0;
  } catch (error) {
    // A full disk or a statement of the script may have ended the transaction already.
    if (executor.inTransaction) executor.executeScript('rollback');
    throw new Error(`migration ${migration.name} failed`, { cause: error });
  }
}
