/** The PostgreSQL that a database is moved to, in steps that outlast a kill: each marks how far it is with its rows. */
import type pg from 'pg';
import { failpoint } from '../failpoint.ts';
import { continueIdentities, postgresLoader } from './load.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { MOVE_TABLE, migrationFiles } from './migration-files.ts';
import { connectForLongWork, snapshotWithin } from './snapshot-postgres.ts';
import type { Row, TableShape } from './table-shape.ts';
import { SIGNS_OF_USE, TargetError } from './whole-load.ts';
import { empty, refuseIfOthers } from './whole-load-postgres.ts';

export interface TableProgress {
  /** Primary key of the last row that is in; null when none is. */
  after: Row | null;
  rows: number;
  done: boolean;
}

/** What was begun was begun from another source, or the source has been written to since. */
export class SourceChangedError extends Error {}

/** The PostgreSQL database that is moved to; opened by `open`. */
export class MoveTarget {
  readonly tables: readonly TableShape[];
  /** Whether an earlier run has begun. */
  readonly resumed: boolean;
  /** Whether there is an installation already, and no run under way: perhaps an earlier run has ended. */
  readonly used: boolean;
  readonly #client: pg.Client;
  readonly #progress: Map<string, TableProgress>;

  private constructor(fields: {
    client: pg.Client;
    tables: readonly TableShape[];
    progress: Map<string, TableProgress>;
    resumed: boolean;
    used: boolean;
  }) {
    this.#client = fields.client;
    this.used = fields.used;
    this.#progress = fields.progress;
    this.tables = fields.tables;
    this.resumed = fields.resumed;
  }

  /**
   * @param input.mark of the source, as it was opened now
   * @param input.restart throws away what an earlier run has moved
   * @throws TargetError (with `restart`: what is in use is never thrown away), SourceChangedError, ConfigError
   */
  static async open(input: {
    url: string;
    folder: string;
    mark: string;
    restart: boolean;
  }): Promise<MoveTarget> {
    await migratePostgres(input.url, migrationFiles(input.folder, 'postgres'), { moving: true });
    const client = await connectForLongWork(input.url);
    try {
      await refuseIfOthers(client);
      const { tables } = await snapshotWithin(client);
      const begun = await readMark(client);
      const used = begun === null && (await isUsed(client));
      if (used && input.restart)
        throw new TargetError('not_empty', 'the database is in use by an installation');
      if (begun !== null && begun !== input.mark && !input.restart)
        throw new SourceChangedError('the source has changed');
      const resumed = begun !== null && !input.restart;
      if (!resumed && !used) await begin(client, { tables, mark: input.mark });
      // A server that falls takes the last steps back, rows and marks together: the next run does them again.
      await client.query('set synchronous_commit = off');
      const progress = used ? new Map() : await readProgress(client);
      return new MoveTarget({ client, tables, resumed, used, progress });
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  progressOf(table: TableShape): TableProgress {
    return this.#progress.get(table.name) ?? { after: null, rows: 0, done: false };
  }

  /** Rows and how far they go, in one transaction. */
  async insert(
    table: TableShape,
    step: { rows: readonly Row[]; after: Row | null; done: boolean },
  ): Promise<void> {
    const known = this.progressOf(table);
    const rows = known.rows + step.rows.length;
    const after = step.after ?? known.after;
    await this.#client.query('begin');
    if (step.rows.length > 0) {
      const columns = table.columns.map(({ name }) => name);
      await postgresLoader(this.#client).insert(table, columns, step.rows);
    }
    await this.#client.query(
      `insert into ${MOVE_TABLE} (tabela, depois_de, linhas, pronta) values ($1, $2, $3, $4)
       on conflict (tabela) do update set depois_de = $2, linhas = $3, pronta = $4`,
      [table.name, after === null ? null : JSON.stringify(after), rows, step.done ? 1 : 0],
    );
    failpoint('mudanca_antes_do_commit');
    await this.#client.query('commit');
    failpoint('mudanca_depois_do_commit');
    this.#progress.set(table.name, { after, rows, done: step.done });
  }

  /** What lies in a table now. */
  async *rows(table: TableShape): AsyncGenerator<Row[]> {
    yield* (await snapshotWithin(this.#client)).rows(table);
  }

  /** From now on a server may start on it. */
  async finish(): Promise<void> {
    await this.#client.query('set synchronous_commit = on');
    await this.#client.query('begin');
    await continueIdentities(this.#client, this.tables);
    await this.#client.query(`drop table ${MOVE_TABLE}`);
    await this.#client.query('commit');
    await this.#client.query('analyze');
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}

async function readMark(client: pg.Client): Promise<string | null> {
  const { rows: found } = await client.query('select to_regclass($1) is not null as there', [MOVE_TABLE]);
  if (!found[0]?.there) return null;
  const { rows } = await client.query(`select depois_de from ${MOVE_TABLE} where tabela = ''`);
  return rows[0]?.depois_de ?? '';
}

async function isUsed(client: pg.Client): Promise<boolean> {
  for (const name of SIGNS_OF_USE) {
    const { rows } = await client.query(`select 1 from ${name} limit 1`);
    if (rows.length > 0) return true;
  }
  return false;
}

async function begin(client: pg.Client, { tables, mark }: { tables: readonly TableShape[]; mark: string }) {
  await client.query('begin');
  await client.query(`drop table if exists ${MOVE_TABLE}`);
  // The row without a name tells what is being moved.
  await client.query(
    `create table ${MOVE_TABLE} (tabela text primary key, depois_de text, linhas bigint not null, pronta smallint not null)`,
  );
  await client.query(`insert into ${MOVE_TABLE} values ('', $1, 0, 0)`, [mark]);
  await empty(client, tables);
  await client.query('commit');
}

async function readProgress(client: pg.Client): Promise<Map<string, TableProgress>> {
  const { rows } = await client.query<{
    tabela: string;
    depois_de: string | null;
    linhas: number;
    pronta: number;
  }>(`select tabela, depois_de, linhas, pronta from ${MOVE_TABLE} where tabela <> ''`);
  return new Map(
    rows.map(({ tabela, depois_de, linhas, pronta }) => [
      tabela,
      { after: depois_de === null ? null : (JSON.parse(depois_de) as Row), rows: linhas, done: pronta === 1 },
    ]),
  );
}
