import {
  type BinaryOperationNode,
  ColumnNode,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type InsertQueryNode,
  type LimitNode,
  type OperationNode,
  type QueryResult,
  ReferenceNode,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely';
import { type Place, Shares } from '../threads/shares.ts';
import { truthOfEmptyList } from './empty-lists.ts';
import { ManyRows, type ReturnedColumn, widthOf } from './many-rows.ts';
import type { SqliteExecutor } from './sqlite-executor.ts';
import { currentTurn } from './tenant.ts';

const NO_TRANSACTION = /no transaction is active/;

export interface SqliteDialectOptions {
  executor: SqliteExecutor;
  /** Transactions of a writer begin `immediate`, so that a second one waits at the start and not in the middle. */
  writes: boolean;
}

/** Joins Kysely and `node:sqlite`: one connection, handed to one user at a time, office by office. */
export function sqliteDialect(options: SqliteDialectOptions): Dialect {
  return {
    createAdapter: () => new QueuedSqliteAdapter(),
    createDriver: () => new SqliteDriver(options),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new RowQueryCompiler(),
  };
}

/** The driver below hands its connection on itself; Kysely's own lock wakes all who wait at every turn. */
class QueuedSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * `for update` and `skip locked` say nothing here: a writer's transaction holds the one lock from its beginning. Of
 * many rows the text shows one, which the executor runs for each.
 */
class RowQueryCompiler extends SqliteQueryCompiler {
  protected override visitValue(node: ValueNode): void {
    if (!(node.value instanceof ManyRows)) {
      super.visitValue(node);
      return;
    }
    this.addParameter(node.value);
    this.append(`values (${new Array(widthOf(node.value)).fill('?').join(', ')})`);
  }

  /**
   * A row that is simply inserted returns what was given, and its id. Asking SQLite for that with `returning` takes three
   * times as long for a row (2.2 us instead of 0.7).
   */
  protected override visitInsertQuery(node: InsertQueryNode): void {
    const returned = returnedOf(node);
    if (returned === null || !isManyRows(node.values)) {
      super.visitInsertQuery(node);
      return;
    }
    const { returning: _returning, ...silent } = node;
    const rows = new ManyRows(node.values.value.rows, returned);
    super.visitInsertQuery({ ...silent, values: { kind: 'ValueNode', value: rows } as ValueNode });
  }

  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const truth = truthOfEmptyList(node);
    if (truth === null) super.visitBinaryOperation(node);
    else this.append(truth);
  }

  /**
   * A number as it is. SQLite looks at what is bound to a limit when it plans a statement, so that one with a parameter there
   * is planned anew each time it is run: that takes five times as long as reading one row by an index (13.7 us instead of 2.6).
   */
  protected override visitLimit(node: LimitNode): void {
    const { limit } = node;
    if (!ValueNode.is(limit) || !Number.isSafeInteger(limit.value)) super.visitLimit(node);
    else this.append(`limit ${limit.value}`);
  }

  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === undefined || !ROW_LOCKS.has(node.modifier)) super.visitSelectModifier(node);
  }
}

/** In our tables `id` is the number by which SQLite keeps the row. */
const ROW_ID = 'id';

function isManyRows(node: OperationNode | undefined): node is ValueNode & { value: ManyRows } {
  return node?.kind === 'ValueNode' && (node as ValueNode).value instanceof ManyRows;
}

/** What an insert of many rows returns; null where that is more than its own values and the id, or a row may be another's. */
function returnedOf({ columns, returning, onConflict }: InsertQueryNode): ReturnedColumn[] | null {
  if (!columns || !returning || onConflict) return null;
  const names = columns.map(({ column }) => column.name);
  const returned: ReturnedColumn[] = [];
  for (const { selection } of returning.selections) {
    const name = columnName(selection);
    const at = name === null ? -1 : names.indexOf(name);
    if (name === null || (at < 0 && name !== ROW_ID)) return null;
    returned.push({ name, at: at < 0 ? null : at });
  }
  return returned;
}

function columnName(node: OperationNode): string | null {
  const column = ReferenceNode.is(node) ? node.column : node;
  return ColumnNode.is(column) ? column.column.name : null;
}

const ROW_LOCKS: ReadonlySet<string> = new Set([
  'ForUpdate',
  'ForNoKeyUpdate',
  'ForShare',
  'ForKeyShare',
  'NoWait',
  'SkipLocked',
]);

class SqliteDriver implements Driver {
  readonly #options: SqliteDialectOptions;
  readonly #connection: SqliteConnection;
  /** Whose turn it is: fifty senders of one office are one of those who wait. */
  readonly #turns = new Shares({ capacity: 1, each: 1 });
  #place: Place | null = null;

  constructor(options: SqliteDialectOptions) {
    this.#options = options;
    this.#connection = new SqliteConnection(options.executor);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#place = await this.#turns.enter(currentTurn());
    return this.#connection;
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(this.#options.writes ? 'begin immediate' : 'begin'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw('rollback'));
    } catch (error) {
      // SQLite ends a transaction itself when the disk is full or fails; the caller is to see that error, not this one.
      if (!NO_TRANSACTION.test((error as Error).message)) throw error;
    }
  }

  async releaseConnection(): Promise<void> {
    this.#place?.release();
  }

  async destroy(): Promise<void> {
    await this.#options.executor.close();
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #executor: SqliteExecutor;

  constructor(executor: SqliteExecutor) {
    this.#executor = executor;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, changes } = await this.#executor.execute(query.sql, query.parameters);
    return { rows: rows as R[], numAffectedRows: BigInt(changes) };
  }

  // biome-ignore lint/correctness/useYield: node:sqlite has no cursor over a thread; pages are bounded instead.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('SQLite results are read page by page, not streamed');
  }
}
