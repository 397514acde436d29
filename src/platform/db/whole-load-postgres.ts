import type pg from 'pg';
import { continueIdentities, postgresLoader } from './load.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { migrationFiles } from './migration-files.ts';
import { connectForLongWork, snapshotWithin } from './snapshot-postgres.ts';
import { quoted, quotedList, type TableShape } from './table-shape.ts';
import {
  SIGNS_OF_USE,
  shapeOfCopy,
  TargetError,
  type WholeLoad,
  type WholeLoadOptions,
} from './whole-load.ts';

/** Fills the tables in one transaction. */
export async function loadPostgres(options: WholeLoadOptions): Promise<WholeLoad> {
  const { folder, settings, replace } = options;
  const { belongs } = shapeOfCopy(options);
  const url = settings.databaseUrl;
  const files = migrationFiles(folder, 'postgres');
  await migratePostgres(url, files, { which: belongs });
  const client = await connectForLongWork(url);
  try {
    await client.query('begin');
    const { tables, rows, migrations } = await snapshotWithin(client);
    if (migrations.some((version) => !belongs(version))) {
      throw new TargetError('newer_than_copy', 'the database is of a later shape than the copy');
    }
    await checkTarget(client, replace);
    await empty(client, tables);
    return {
      engine: 'postgres',
      tables,
      rows,
      insert: postgresLoader(client).insert,
      async commit() {
        await continueIdentities(client, tables);
        await client.query('commit');
        await client.query('analyze');
        await client.end();
        await migratePostgres(url, files);
        return null;
      },
      abandon: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Nobody works on it, and nobody has used it, unless it may be replaced. */
async function checkTarget(client: pg.Client, replace: boolean): Promise<void> {
  await refuseIfOthers(client);
  for (const name of SIGNS_OF_USE) {
    const { rows } = await client.query(`select 1 from ${quoted(name)} limit 1`);
    if (rows.length > 0 && !replace)
      throw new TargetError('not_empty', 'the database is in use by an installation');
  }
}

/** @throws TargetError when a process of the service is connected */
export async function refuseIfOthers(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    "select 1 from pg_stat_activity where datname = current_database() and application_name = 'malote' limit 1",
  );
  if (rows.length > 0)
    throw new TargetError('in_use', 'a process of the service is connected to the database');
}

/** What stands in the way of a change of the rows is for those who use them; here the whole is replaced. */
export async function empty(client: pg.Client, tables: readonly TableShape[]): Promise<void> {
  for (const { name } of tables) await client.query(`alter table ${quoted(name)} disable trigger user`);
  await client.query(`truncate ${quotedList(tables.map(({ name }) => name))}`);
  for (const { name } of tables) await client.query(`alter table ${quoted(name)} enable trigger user`);
}
