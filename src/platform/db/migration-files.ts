import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from './engine.ts';

export interface Migration {
  version: number;
  name: string;
  sql: string;
}

/** There only while rows are being moved into a database: until then no server may start on it. */
export const MOVE_TABLE = 'mudanca_de_banco';

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
