import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InThreadExecutor } from './sqlite-executor.ts';

type Engine = 'sqlite' | 'postgres';

interface Migration {
  version: number;
  name: string;
  sql: string;
}

/** `0001_inicial.sql` for both engines, `0001_inicial.sqlite.sql` for one. */
const FILE_NAME = /^(\d{4})_[a-z0-9_]+(?:\.(sqlite|postgres))?\.sql$/;

/**
 * Migrations are forward only, plain SQL, numbered; where the engines need different text, two files share the number.
 * @throws when a file of SQL is named otherwise, or two files of one engine share a number: neither may be passed over
 */
export function migrationFiles(folder: string, engine: Engine): Migration[] {
  const migrations = new Map<number, Migration>();
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.sql')) continue;
    const [, digits, only] = FILE_NAME.exec(name) ?? [];
    if (digits === undefined) throw new Error(`${name} is no name of a migration`);
    if (only !== undefined && only !== engine) continue;
    const version = Number(digits);
    const other = migrations.get(version);
    if (other) throw new Error(`${other.name} and ${name} share a number`);
    migrations.set(version, { version, name, sql: readFileSync(join(folder, name), 'utf8') });
  }
  return [...migrations.values()].sort((a, b) => a.version - b.version);
}

/**
 * Brings a SQLite file to the newest shape. Each migration and its mark are one transaction, so a kill in the
 * middle leaves the shape before it; running again is harmless.
 * @returns the versions that were applied now
 */
export function migrateSqlite(path: string, folder: string): number[] {
  const executor = new InThreadExecutor({ path });
  try {
    return applyMigrations(executor, folder);
  } finally {
    executor.close();
  }
}

/** The same on an open connection: the only way for a database that lives in memory. */
export function applyMigrations(executor: InThreadExecutor, folder: string): number[] {
  executor.executeScript(
    'create table if not exists migracao (versao integer primary key, nome text not null, aplicada_em text not null) strict',
  );
  return migrationFiles(folder, 'sqlite').flatMap((migration) =>
    apply(executor, migration) ? [migration.version] : [],
  );
}

/** Looks whether it is done only inside the transaction: two processes may start at once. */
function apply(executor: InThreadExecutor, migration: Migration): boolean {
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
    executor.executeScript('commit');
    return known.rows.length === 0;
  } catch (error) {
    // A full disk or a statement of the script may have ended the transaction already.
    if (executor.inTransaction) executor.executeScript('rollback');
    throw new Error(`migration ${migration.name} failed`, { cause: error });
  }
}
