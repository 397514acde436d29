import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../config.ts';
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

/**
 * Refuses a database that a later version has changed: this program would write rows of the former shape into it, or leave
 * out what is new.
 * @param applied what the database says was done to it
 * @param known of this program, for the same engine
 * @throws ConfigError that names the newest unknown migration and says what to do
 */
export function refuseNewerShape(
  applied: readonly { version: number; name: string }[],
  known: readonly Migration[],
): void {
  const mine = new Set(known.map(({ version }) => version));
  const newest = applied
    .filter(({ version }) => !mine.has(version))
    .toSorted((a, b) => b.version - a.version)[0];
  if (!newest) return;
  throw new ConfigError(
    `Este banco já foi atualizado por uma versão mais nova do Malote (migração ${newest.name}, que esta não conhece). Nada foi alterado. ` +
      'Use aquela versão do programa, ou uma mais nova (git pull && npm ci, ou a imagem nova). Para voltar a esta versão, restaure a cópia de segurança feita antes da atualização.',
  );
}
