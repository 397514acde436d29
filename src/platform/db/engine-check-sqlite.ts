/** What SQLite finds wrong in its file (`engine-check.ts`). */
import { type CheckOptions, type EngineFault, type EngineReport, isDamaged } from './engine-fault.ts';
import { applyMigrations } from './migrate.ts';
import { InThreadExecutor } from './sqlite-executor.ts';
import { quoted } from './table-shape.ts';

/** Of so many one does not look for more: the same damage is told many times. */
const MOST_FAULTS = 200;
const SHOWN_DIFFERENCES = 3;
/** What must not be shown: hashes of passwords and tokens, sealed keys. */
const SECRET = /hash|senha|selad|segredo/;

interface SchemaRow {
  type: string;
  name: string;
  table: string;
  root: number;
  sql: string | null;
}

export function checkSqlite(path: string, options: CheckOptions): EngineReport {
  // Not for reading only: SQLite leaves the checks of columns out of what it does then.
  const executor = new InThreadExecutor({ path });
  try {
    return { faults: faultsIn(executor, options), avisos: [] };
  } catch (error) {
    if (!isDamaged(error)) throw error;
    return { faults: [ofFile(`não se lê: ${(error as Error).message}`)], avisos: [] };
  } finally {
    executor.close();
  }
}

function faultsIn(executor: InThreadExecutor, { folder, derived }: CheckOptions): EngineFault[] {
  const schema = schemaOf(executor);
  const said = executor
    .execute(`pragma integrity_check(${MOST_FAULTS})`, [])
    .rows.flatMap(({ integrity_check }) => String(integrity_check).split('\n'))
    .filter((line) => line !== 'ok' && !line.startsWith('***'));
  const found = said.map((line) => placed(line, schema, derived));
  found.push(...partialIndexes(executor, schema, derived));
  return [
    ...onceEach(found).flatMap((fault) => withDifferences(executor, fault, schema)),
    ...danglingRows(executor),
    ...changedShape(executor, { schema, folder }),
  ];
}

function schemaOf(executor: InThreadExecutor): SchemaRow[] {
  const { rows } = executor.execute('select type, name, tbl_name, rootpage, sql from sqlite_schema', []);
  return rows.map((row) => ({
    type: String(row.type),
    name: String(row.name),
    table: String(row.tbl_name),
    root: Number(row.rootpage),
    sql: row.sql === null ? null : String(row.sql),
  }));
}

function ofFile(mensagem: string): EngineFault {
  return { remedio: 'restaurar', table: null, index: null, mensagem: `o arquivo do banco ${mensagem}` };
}

const ENTRY = /(?:missing from|entries in|entry in|end-of-record for row .* of|differ from) index (\S+)$/;
const TREE = /^Tree (\d+)\b/;
const OF_TABLE = /(?: in |for )([a-z_0-9]+)(?:\.[a-z_0-9]+)?$/;
/** Room that is counted wrong, or not used: every row can be read all the same. */
const ONLY_ROOM = /^(?:Main freelist|Freelist|Page \d+: never used)|Fragmentation of \d+ bytes/;

/** What a line of `integrity_check` is about. */
function placed(line: string, schema: readonly SchemaRow[], derived: ReadonlySet<string>): EngineFault {
  const entry = ENTRY.exec(line)?.[1];
  if (entry !== undefined) {
    const table = schema.find(({ name }) => name === entry)?.table ?? null;
    return { remedio: remedyOf(table, derived), table, index: entry, mensagem: line };
  }
  const root = Number(TREE.exec(line)?.[1]);
  const tree = schema.find((row) => row.root === root);
  // What stands in a broken index is in its table.
  if (tree?.type === 'index')
    return { remedio: 'refazer_indice', table: tree.table, index: tree.name, mensagem: line };
  const table = tree?.table ?? OF_TABLE.exec(line)?.[1] ?? null;
  return {
    remedio: ONLY_ROOM.test(line) ? 'refazer_arquivo' : 'restaurar',
    table,
    index: null,
    mensagem: line,
  };
}

/** Of an index on some rows it is not asked above whether it has an entry of a row that is not one of these. */
function partialIndexes(
  executor: InThreadExecutor,
  schema: readonly SchemaRow[],
  derived: ReadonlySet<string>,
): EngineFault[] {
  return schema.flatMap(({ type, name, table, sql }) => {
    const where = type === 'index' ? whereOf(sql) : null;
    if (where === null) return [];
    const count = (how: string) =>
      Number(
        executor.execute(`select count(*) as n from ${quoted(table)} ${how} where ${where}`, []).rows[0]?.n,
      );
    const [rows, entries] = [count('not indexed'), count(`indexed by ${quoted(name)}`)];
    if (rows === entries) return [];
    const mensagem = `tem ${entries} entradas, e a tabela ${rows} linhas`;
    return [{ remedio: remedyOf(table, derived), table, index: name, mensagem }];
  });
}

function whereOf(sql: string | null): string | null {
  return / where (.+)$/is.exec(sql ?? '')?.[1] ?? null;
}

/** One finding for each index, with the first thing that was said of it; a broken one is broken, whatever else it is. */
function onceEach(faults: readonly EngineFault[]): EngineFault[] {
  const byIndex = new Map<string, EngineFault>();
  const others: EngineFault[] = [];
  for (const fault of faults) {
    if (fault.index === null) others.push(fault);
    else if (byIndex.get(fault.index)?.remedio !== 'refazer_indice') byIndex.set(fault.index, fault);
  }
  return [...others, ...byIndex.values()];
}

/** Of a row that follows from others it is known what it should be: its index follows it. Of others nobody knows. */
function remedyOf(table: string | null, derived: ReadonlySet<string>): EngineFault['remedio'] {
  return table !== null && derived.has(table) ? 'refazer_indice' : 'escolher';
}

/** Of a row and its entry in the index: in which columns they differ, and what each of them says. */
function withDifferences(
  executor: InThreadExecutor,
  fault: EngineFault,
  schema: readonly SchemaRow[],
): EngineFault[] {
  const { index, table } = fault;
  const mensagem =
    index === null ? nameOf(fault) : `o índice ${index}, da tabela ${table}: ${fault.mensagem}`;
  if (fault.remedio !== 'escolher' || index === null || table === null) return [{ ...fault, mensagem }];
  const where = whereOf(schema.find(({ name }) => name === index)?.sql ?? null) ?? '1';
  const different = differences(executor, { index, table, where });
  return [{ ...fault, mensagem: different.length > 0 ? different.join('; ') : mensagem }];
}

function nameOf({ table, mensagem }: EngineFault): string {
  return table === null ? `o arquivo do banco: ${mensagem}` : `a tabela ${table}: ${mensagem}`;
}

function differences(
  executor: InThreadExecutor,
  { index, table, where }: { index: string; table: string; where: string },
): string[] {
  const columns = executor
    .execute('select name from pragma_index_xinfo(?) where name is not null order by seqno', [index])
    .rows.map(({ name }) => String(name));
  const keys = executor
    .execute('select name from pragma_table_info(?) where pk > 0 order by pk', [table])
    .rows.map(({ name }) => String(name));
  const all = [...new Set([...keys, ...columns])];
  const side = (how: string) =>
    `select ${all.map(quoted).join(', ')} from ${quoted(table)} ${how} where ${where}`;
  const [rows, entries] = ['not indexed', `indexed by ${quoted(index)}`].map(side);
  const only = (one: string | undefined, other: string | undefined) =>
    executor.execute(`select * from (${one} except ${other}) limit ${SHOWN_DIFFERENCES}`, []).rows;
  const copies = only(entries, rows);
  const isSame = (one: Record<string, unknown>, other: Record<string, unknown>) =>
    keys.every((key) => one[key] === other[key]);
  return only(rows, entries).map((row) => {
    const copy = copies.find((one) => isSame(one, row));
    const which = `a linha ${keys.map((key) => shown(key, row[key])).join(', ')} da tabela ${table}`;
    if (!copy) return `${which} não tem entrada igual no índice ${index}`;
    const said = all
      .filter((name) => !isEqual(row[name], copy[name]))
      .map((name) => `${name} é ${shown(name, row[name])}, e no índice ${shown(name, copy[name])}`);
    return `${which}: ${said.join('; ')}`;
  });
}

function isEqual(one: unknown, other: unknown): boolean {
  if (!(one instanceof Uint8Array) || !(other instanceof Uint8Array)) return one === other;
  return Buffer.compare(one, other) === 0;
}

function shown(column: string, value: unknown): string {
  if (SECRET.test(column) || value instanceof Uint8Array) return '(não mostrado)';
  return typeof value === 'string' ? `"${value.slice(0, 80)}"` : String(value);
}

function danglingRows(executor: InThreadExecutor): EngineFault[] {
  const { rows } = executor.execute('pragma foreign_key_check', []);
  return rows.slice(0, MOST_FAULTS).map(({ table, parent }) => ({
    remedio: 'restaurar',
    table: String(table),
    index: null,
    mensagem: `uma linha da tabela ${table} não tem a sua na tabela ${parent}`,
  }));
}

/** Tables, indexes and triggers are what the same migrations make in a new database. */
function changedShape(
  executor: InThreadExecutor,
  { schema, folder }: { schema: readonly SchemaRow[]; folder: string },
): EngineFault[] {
  const applied = executor
    .execute('select versao from migracao', [])
    .rows.map(({ versao }) => Number(versao));
  const fresh = new InThreadExecutor({ path: ':memory:' });
  try {
    applyMigrations(fresh, folder, (version) => applied.includes(version));
    const texts = new Map(schema.map((row) => [`${row.type} ${row.name}`, plain(row.sql)]));
    const changed = schemaOf(fresh)
      .filter(({ type, name, sql }) => texts.get(`${type} ${name}`) !== plain(sql))
      .map(({ type, name }) => ofFile(`não define ${type} ${name} como as migrações o fazem`));
    return [...changed, ...changedNames(executor, fresh)];
  } finally {
    fresh.close();
  }
}

/** What the file says was done to it. */
function changedNames(executor: InThreadExecutor, fresh: InThreadExecutor): EngineFault[] {
  const namesIn = (one: InThreadExecutor) =>
    one
      .execute('select versao, nome from migracao order by versao', [])
      .rows.map(({ versao, nome }) => `${versao} ${nome}`);
  const known = new Set(namesIn(fresh));
  return namesIn(executor)
    .filter((name) => !known.has(name))
    .map((name) => ofFile(`diz ter recebido a migração ${name}, que não existe com esse nome`));
}

/** Without what does not matter: comments, white space, and quotes that SQLite itself puts around a name. */
function plain(sql: string | null): string {
  return (sql ?? '')
    .replaceAll(/--[^\n]*/g, ' ')
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

export function rebuildSqlite(path: string, indexes: readonly string[]): string[] {
  const executor = new InThreadExecutor({ path });
  try {
    return indexes.filter((index) => {
      try {
        executor.executeScript(`reindex ${quoted(index)}`);
        return true;
      } catch {
        // Rows that have become equal where none may be: the next check tells of it.
        return false;
      }
    });
  } finally {
    executor.close();
  }
}
