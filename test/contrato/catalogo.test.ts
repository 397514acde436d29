/** Backup, restore and the move to PostgreSQL take every table there is: a new one cannot be forgotten. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { MIGRATIONS } from '../../src/banco/migrations.ts';
import { migrateSqlite } from '../../src/platform/db/migrate.ts';
import type { Snapshot } from '../../src/platform/db/snapshot.ts';
import { snapshotPostgres } from '../../src/platform/db/snapshot-postgres.ts';
import { snapshotSqlite } from '../../src/platform/db/snapshot-sqlite.ts';
import { InThreadExecutor } from '../../src/platform/db/sqlite-executor.ts';
import { createBanco, semPostgres } from '../support/postgres/banco.ts';

/** Made anew by each database for itself, or worth nothing tomorrow. */
const NAO_LEVADAS = new Set(['migracao', 'janela']);
const skip = await semPostgres();

const shapeOf = (snapshot: Snapshot) =>
  snapshot.tables
    .map(({ name, key, columns }) => ({
      name,
      key,
      columns: columns.map((column) => `${column.name} ${column.kind}`),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
const inOrder = (snapshot: Snapshot) => {
  const seen = new Set<string>();
  for (const { name, references } of snapshot.tables) {
    for (const other of references) assert.ok(other === name || seen.has(other), `${name} before ${other}`);
    seen.add(name);
  }
};

describe('what is copied', () => {
  let folder: string;
  let path: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'malote-catalogo-'));
    path = join(folder, 'malote.sqlite');
    migrateSqlite(path, MIGRATIONS);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is every table of a SQLite file, in an order that its references allow', async () => {
    const executor = new InThreadExecutor({ path });
    const { rows } = executor.execute("select name from sqlite_schema where type = 'table'", []);
    executor.close();
    const snapshot = await snapshotSqlite(path);
    const names = rows.map(({ name }) => String(name)).filter((name) => !name.startsWith('sqlite_'));
    assert.deepEqual(
      snapshot.tables.map(({ name }) => name).sort(),
      names.filter((name) => !NAO_LEVADAS.has(name)).sort(),
    );
    inOrder(snapshot);
    await snapshot.close();
  });

  it('has stored files in columns named blob, and the check knows each of them', async () => {
    const snapshot = await snapshotSqlite(path);
    const named = snapshot.tables.filter(({ columns }) => columns.some(({ name }) => name === 'blob'));
    // Another one: `findOutrosBlobs` (src/cli/queries-verificar.ts) must know it, or its files are taken for orphans.
    assert.deepEqual(named.map(({ name }) => name).sort(), ['arquivo', 'exclusao_pacote', 'exportacao']);
    await snapshot.close();
  });

  it('is every table of PostgreSQL too, and the same tables and columns', {
    skip: skip ?? false,
  }, async () => {
    const banco = await createBanco();
    const client = new pg.Client({ connectionString: banco.url });
    await client.connect();
    const { rows } = await client.query(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    );
    await client.end();
    const [there, here] = [await snapshotPostgres(banco.url), await snapshotSqlite(path)];
    assert.deepEqual(
      there.tables.map(({ name }) => name).sort(),
      rows
        .map(({ name }) => String(name))
        .filter((name) => !NAO_LEVADAS.has(name))
        .sort(),
    );
    assert.deepEqual(shapeOf(there), shapeOf(here));
    inOrder(there);
    await Promise.all([there.close(), here.close()]);
    await banco.drop();
  });
});
