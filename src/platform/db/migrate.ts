import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InThreadExecutor } from './sqlite-executor.ts';

/** Migrations are forward only, plain SQL, numbered; where the engines need different text, two files share the number. */
export function migrationFiles(
  folder: string,
  engine: 'sqlite' | 'postgres',
): { version: number; sql: string; name: string }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(`.${engine}.sql`) || /^\d{4}_[a-z_]+\.sql$/.test(name))
    .sort()
    .map((name) => ({
      name,
      version: Number(name.slice(0, 4)),
      sql: readFileSync(join(folder, name), 'utf8'),
    }));
}

/**
 * Brings a SQLite file to the newest shape. Each migration and its mark are one transaction, so a kill in the
 * middle leaves the shape before it; running again is harmless.
 * @returns the versions that were applied now
 */
export function migrateSqlite(path: string, folder: string): number[] {
  const executor = new InThreadExecutor({ path });
  try {
    executor.executeScript(
      'create table if not exists migracao (versao integer primary key, nome text not null, aplicada_em text not null) strict',
    );
    const applied: number[] = [];
    for (const migration of migrationFiles(folder, 'sqlite')) {
      executor.executeScript('begin immediate');
      try {
        const done =
          executor.execute('select 1 from migracao where versao = ?', [migration.version]).rows.length > 0;
        if (!done) {
          executor.executeScript(migration.sql);
          executor.execute(
            "insert into migracao (versao, nome, aplicada_em) values (?, ?, datetime('now'))",
            [migration.version, migration.name],
          );
          applied.push(migration.version);
        }
        executor.executeScript('commit');
      } catch (error) {
        executor.executeScript('rollback');
        throw new Error(`migration ${migration.name} failed`, { cause: error });
      }
    }
    return applied;
  } finally {
    executor.close();
  }
}
