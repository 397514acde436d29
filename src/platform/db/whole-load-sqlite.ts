import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '../sync-folder.ts';
import { sqliteLoader } from './load.ts';
import { applyMigrations } from './migrate.ts';
import { snapshotOn } from './snapshot.ts';
import { DatabaseInUseError, frozen, snapshotSqliteAlone } from './snapshot-sqlite.ts';
import { InThreadExecutor } from './sqlite-executor.ts';
import { quoted } from './table-shape.ts';
import {
  SIGNS_OF_USE,
  shapeOfCopy,
  TargetError,
  type WholeLoad,
  type WholeLoadOptions,
} from './whole-load.ts';

/** Fills a file of its own, which takes the name of the database at the end. */
export async function loadSqlite(options: WholeLoadOptions): Promise<WholeLoad> {
  const { folder, settings } = options;
  const { belongs } = shapeOfCopy(options);
  const path = settings.sqlitePath;
  await checkTarget(path, options.replace);
  const draft = `${path}.restaurando`;
  removeFiles(draft);
  const executor = new InThreadExecutor({ path: draft });
  applyMigrations(executor, folder, belongs);
  executor.executeScript('begin immediate');
  const { tables, rows } = await snapshotOn(frozen(executor));
  for (const { name } of tables.toReversed()) executor.executeScript(`delete from ${quoted(name)}`);
  return {
    engine: 'sqlite',
    tables,
    rows,
    insert: sqliteLoader(executor).insert,
    async commit() {
      executor.executeScript('commit');
      applyMigrations(executor, folder);
      // The log is folded in by the last one to close.
      executor.close();
      // Looked at again: the copying took its time.
      await checkTarget(path, options.replace);
      const former = `${path}.anterior-${new Date().toISOString().replaceAll(/[:.]/g, '')}`;
      const replaced = existsSync(path);
      // A log whose file was taken away would be read into the new one.
      for (const end of [...LOGS, '']) if (existsSync(path + end)) renameSync(path + end, former + end);
      renameSync(draft, path);
      await syncFolder(dirname(path));
      return replaced ? former : null;
    },
    async abandon() {
      executor.close();
      removeFiles(draft);
    },
  };
}

/** Nobody has it open, and nobody has used it, unless it may be replaced. */
async function checkTarget(path: string, replace: boolean): Promise<void> {
  if (!existsSync(path)) return;
  try {
    const { snapshot } = await snapshotSqliteAlone(path);
    const used = snapshot.tables.filter(({ name }) => SIGNS_OF_USE.some((sign) => sign === name));
    let rows = 0;
    for (const table of used) rows += await snapshot.count(table);
    await snapshot.close();
    if (rows > 0 && !replace) throw new TargetError('not_empty', `${path} is in use by an installation`);
  } catch (error) {
    if (error instanceof DatabaseInUseError) throw new TargetError('in_use', error.message);
    if (replace && !(error instanceof TargetError)) return; // what does not even read may be replaced
    throw error;
  }
}

/** What SQLite keeps beside a database, and reads with it. */
const LOGS = ['-wal', '-shm', '-journal'];

function removeFiles(path: string): void {
  for (const end of ['', ...LOGS]) rmSync(path + end, { force: true });
}
