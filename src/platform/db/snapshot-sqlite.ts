import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type Snapshot, snapshotOn } from './snapshot.ts';
import { InThreadExecutor } from './sqlite-executor.ts';
import type { ColumnKind, Row, TableShape } from './table-shape.ts';

/** Somebody else has the file open. */
export class DatabaseInUseError extends Error {
  constructor(path: string, options?: ErrorOptions) {
    super(`${path} is open elsewhere`, options);
    this.name = 'DatabaseInUseError';
  }
}

/** The moment of the call; writers of other processes go on, and their log grows until this is closed. */
export async function snapshotSqlite(path: string): Promise<Snapshot> {
  const executor = new InThreadExecutor({ path });
  executor.executeScript('begin');
  return snapshotOn(frozen(executor));
}

/**
 * The same for a file that nobody else has open, which is then kept from being opened until this is closed.
 * @returns beside the snapshot a mark of the file's content: it is another one after any write
 * @throws DatabaseInUseError
 */
export async function snapshotSqliteAlone(path: string): Promise<{ snapshot: Snapshot; mark: string }> {
  const executor = new InThreadExecutor({ path, alone: true });
  // Closed last: with it the process lets go of its locks on the file (`makePrivate` in sqlite-executor.ts tells why).
  const file = openSync(path, 'r');
  const close = () => {
    executor.close();
    closeSync(file);
  };
  try {
    // Leaving the log behind needs the file for oneself, and folds everything into it.
    const [row] = executor.execute('pragma journal_mode = delete', []).rows;
    if (row?.journal_mode !== 'delete') throw new DatabaseInUseError(path);
    executor.executeScript('pragma locking_mode = exclusive; begin immediate');
    const snapshot = await snapshotOn({ ...frozen(executor), close: async () => close() });
    return { snapshot, mark: markOf(file) };
  } catch (error) {
    close();
    throw /locked|busy/.test((error as Error).message)
      ? new DatabaseInUseError(path, { cause: error })
      : error;
  }
}

/** Length, time of the last write, and the counter that SQLite keeps in the file's header. */
function markOf(file: number): string {
  const { size, mtimeMs } = fstatSync(file);
  const counter = Buffer.alloc(4);
  readSync(file, counter, { position: 24 });
  return `${size}/${mtimeMs}/${counter.toString('hex')}`;
}

/** The connection itself, for what has its transaction. */
export function frozen(executor: InThreadExecutor) {
  return {
    engine: 'sqlite' as const,
    query: async (text: string, parameters: readonly unknown[]) =>
      executor.executeArrays(text, parameters) as Row[],
    shapes: async () => shapesOf(executor),
    close: async () => executor.close(),
  };
}

/** Tables of the file itself; what an index of texts keeps beside it is made anew by its own table. */
export function shapesOf(executor: InThreadExecutor): TableShape[] {
  const { rows } = executor.execute(
    "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\'",
    [],
  );
  return rows.map((row) => shapeOf(executor, String(row.name)));
}

function shapeOf(executor: InThreadExecutor, name: string): TableShape {
  const columns = executor.execute('select * from pragma_table_xinfo(?) where hidden = 0', [name]).rows;
  const key = columns
    .filter((column) => Number(column.pk) > 0)
    .toSorted((a, b) => Number(a.pk) - Number(b.pk));
  const references = executor.execute('select distinct "table" as other from pragma_foreign_key_list(?)', [
    name,
  ]);
  return {
    name,
    columns: columns.sort(byName).map((column) => ({
      name: String(column.name),
      kind: kindOf(name, String(column.type)),
      identity: key.length === 1 && Number(column.pk) > 0 && String(column.type).toLowerCase() === 'integer',
    })),
    key: key.map((column) => String(column.name)),
    references: references.rows.map(({ other }) => String(other)),
  };
}

/** The engines may have them in different orders. */
function byName(a: { name?: unknown }, b: { name?: unknown }): number {
  return String(a.name) < String(b.name) ? -1 : 1;
}

const KINDS: Readonly<Record<string, ColumnKind>> = { integer: 'integer', text: 'text', blob: 'bytes' };

function kindOf(table: string, type: string): ColumnKind {
  const kind = KINDS[type.toLowerCase()];
  if (kind === undefined) throw new Error(`table ${table} has a column of type ${type}`);
  return kind;
}
