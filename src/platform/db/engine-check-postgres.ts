/** What PostgreSQL finds wrong in its tables and indexes (`engine-check.ts`). */
import type pg from 'pg';
import { type CheckOptions, type EngineFault, type EngineReport, isDamaged } from './engine-fault.ts';
import { connectForLongWork } from './snapshot-postgres.ts';
import { quoted } from './table-shape.ts';

interface Index {
  name: string;
  table: string;
  oid: number;
}

/** Where the functions of amcheck are, when this role may call them. */
interface Amcheck {
  index: string | null;
  table: string | null;
}

export async function checkPostgres(url: string, options: CheckOptions): Promise<EngineReport> {
  const client = await connectForLongWork(url);
  try {
    const amcheck = await amcheckOf(client);
    const faults: EngineFault[] = [];
    for (const { name, oid } of await tablesOf(client))
      faults.push(...(await checkTable(client, { name, oid, amcheck })));
    for (const index of amcheck.index === null ? [] : await indexesOf(client)) {
      const found = await checkIndex(client, { index, call: amcheck.index ?? '' });
      if (found !== null) faults.push(ofIndex(index, found, options));
    }
    return { faults, avisos: [...(await withoutChecksums(client)), ...withoutAmcheck(amcheck)] };
  } finally {
    await client.end();
  }
}

async function withoutChecksums(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ on: string }>("select current_setting('data_checksums') as on");
  if (rows[0]?.on === 'on') return [];
  return [
    'O PostgreSQL não tem somas de página (data_checksums): um bit que muda no disco pode passar despercebido. Com o servidor parado: pg_checksums --enable.',
  ];
}

function withoutAmcheck({ index }: Amcheck): string[] {
  if (index !== null) return [];
  return [
    'Os índices não foram comparados com as linhas: o PostgreSQL o faz com a extensão amcheck. Como superusuário, neste banco: create extension amcheck; grant execute on function bt_index_check(regclass, boolean), verify_heapam to <papel do Malote>.',
  ];
}

async function amcheckOf(client: pg.Client): Promise<Amcheck> {
  const { rows } = await client.query<{ name: string; call: string }>(
    `select p.proname as name, quote_ident(n.nspname) || '.' || quote_ident(p.proname) as call
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where p.proname in ('bt_index_check', 'verify_heapam') and has_schema_privilege(n.oid, 'usage')
       and has_function_privilege(p.oid, 'execute') and (p.proname <> 'bt_index_check' or p.pronargs >= 2)`,
  );
  const callOf = (name: string) => rows.find((row) => row.name === name)?.call ?? null;
  return { index: callOf('bt_index_check'), table: callOf('verify_heapam') };
}

async function tablesOf(client: pg.Client): Promise<{ name: string; oid: number }[]> {
  const { rows } = await client.query<{ name: string; oid: number }>(
    `select relname as name, oid::int8 as oid from pg_class
     where relkind = 'r' and relnamespace = current_schema()::regnamespace order by relname`,
  );
  return rows;
}

/** Every page and every value of a table is read. */
async function checkTable(
  client: pg.Client,
  { name, oid, amcheck }: { name: string; oid: number; amcheck: Amcheck },
): Promise<EngineFault[]> {
  const faults: string[] = [];
  if (amcheck.table) {
    const said = await attempt(() =>
      client.query<{ msg: string }>(
        `select msg from ${amcheck.table}($1::oid::regclass, check_toast => true) limit 20`,
        [oid],
      ),
    );
    if (typeof said === 'string') faults.push(said);
    else faults.push(...said.rows.map(({ msg }) => msg));
  }
  const read = await attempt(() =>
    client.query(`select sum(length(linha::text)) from ${quoted(name)} as linha`),
  );
  if (typeof read === 'string' && !faults.includes(read)) faults.push(read);
  return faults.map((said) => ({
    remedio: 'restaurar',
    table: name,
    index: null,
    mensagem: `a tabela ${name}: ${said}`,
  }));
}

async function indexesOf(client: pg.Client): Promise<Index[]> {
  const { rows } = await client.query<Index>(
    `select i.relname as name, t.relname as table, i.oid::int8 as oid
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
       join pg_am m on m.oid = i.relam
     where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r' and m.amname = 'btree' order by t.relname, i.relname`,
  );
  return rows;
}

function ofIndex({ name, table }: Index, said: string, { derived }: CheckOptions): EngineFault {
  const remedio = derived.has(table) ? 'refazer_indice' : 'escolher';
  return { remedio, table, index: name, mensagem: `o índice ${name}, da tabela ${table}: ${said}` };
}

/** The order of the index, and whether each row of the table is in it. */
async function checkIndex(
  client: pg.Client,
  { index, call }: { index: Index; call: string },
): Promise<string | null> {
  const said = await attempt(() => client.query(`select ${call}($1::oid::regclass, true)`, [index.oid]));
  return typeof said === 'string' ? said : null;
}

/** SQLSTATEs of values that cannot be: bytes that are no text. */
const NO_VALUE = /^22...$/;

/** @returns the result, or in the server's words what is damaged */
async function attempt<T>(act: () => Promise<T>): Promise<T | string> {
  try {
    return await act();
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (isDamaged(error) || NO_VALUE.test(code)) return (error as Error).message;
    throw error;
  }
}

export async function rebuildPostgres(url: string, indexes: readonly string[]): Promise<string[]> {
  const client = await connectForLongWork(url);
  const done: string[] = [];
  try {
    for (const index of indexes) {
      try {
        await client.query(`reindex index ${quoted(index)}`);
        done.push(index);
      } catch {
        // Rows that have become equal where none may be, or that cannot be read: the next check tells of it.
      }
    }
    return done;
  } finally {
    await client.end();
  }
}
