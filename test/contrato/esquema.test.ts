/** Both engines' migrations make the same tables, columns, keys and indexes. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { MIGRATIONS } from '../../src/banco/migrations.ts';
import { writeFalhas } from '../../src/documentos/lean/prova-guardada.ts';
import { FALHA_DE_PROVA } from '../../src/fiscal/tipos.ts';
import { applyMigrations } from '../../src/platform/db/migrate.ts';
import { migrationFiles } from '../../src/platform/db/migration-files.ts';
import { InThreadExecutor } from '../../src/platform/db/sqlite-executor.ts';
import { type BancoDePostgres, createBanco, semPostgres } from '../support/postgres/banco.ts';

/** What only one engine needs, and why is told in its migration. */
const SO_NO_POSTGRES = new Set(['janela']);

type Kind = 'integer' | 'text' | 'blob';

interface Column {
  kind: Kind;
  notNull: boolean;
  /** Place in the primary key, from 1; 0: not part of it. */
  key: number;
  hasDefault: boolean;
}

/** `table.column` → what it is; `table: index` with its columns; and `table.column → table` that it refers to. */
interface Shape {
  columns: Map<string, Column>;
  indexes: Map<string, string>;
  references: Set<string>;
}

const motivo = await semPostgres();

describe('the shape of the store', { skip: motivo ?? false }, () => {
  let sqlite: Shape;
  let postgres: Shape;
  let banco: BancoDePostgres;
  let client: pg.Client;
  before(async () => {
    sqlite = shapeOfSqlite();
    banco = await createBanco();
    client = new pg.Client({ connectionString: banco.url });
    await client.connect();
    postgres = await shapeOfPostgres(client);
  });
  after(async () => {
    await client?.end();
    await banco?.drop();
  });

  it('has a migration of each number on both engines, or on the one that it names', () => {
    const versions = (engine: 'sqlite' | 'postgres') =>
      migrationFiles(MIGRATIONS, engine).map(({ version }) => version);
    assert.deepEqual(
      versions('sqlite').filter((version) => !versions('postgres').includes(version)),
      [],
    );
  });

  it('has room for every shortcoming of a proof', async () => {
    const { rows } = await client.query(
      "select data_type from information_schema.columns where table_name = 'versao' and column_name = 'falhas'",
    );
    assert.equal(rows[0]?.data_type, 'integer');
    const todas = writeFalhas(Object.values(FALHA_DE_PROVA));
    assert.ok(todas > 0 && todas < 2 ** 31);
  });

  it('refers to the same tables', () => {
    assert.ok(sqlite.references.size > 50);
    assert.deepEqual([...postgres.references].sort(), [...sqlite.references].sort());
  });

  it('checks a reference that is no foreign key when rows come, when they change, and when what they refer to goes', async () => {
    const { rows } = await client.query<{ quando: string; quantos: string }>(
      `select quando, count(*) as quantos
       from pg_trigger, substring(tgname from '^(?:referencia|mudanca|referido_por)_') as quando
       where quando is not null group by quando`,
    );
    const quantos = Object.fromEntries(rows.map((row) => [row.quando, Number(row.quantos)]));
    assert.deepEqual(quantos, { referencia_: 12, mudanca_: 12, referido_por_: 12 });
  });

  it('has the same columns', () => {
    assert.ok(sqlite.columns.size > 200);
    assert.deepEqual(plain(postgres.columns), plain(sqlite.columns));
  });

  it('has the same indexes', () => {
    assert.ok(sqlite.indexes.size > 20);
    assert.deepEqual(plain(postgres.indexes), plain(sqlite.indexes));
  });

  it('sorts every text of PostgreSQL by its bytes', async () => {
    const { rows } = await client.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and data_type = 'text' and collation_name is distinct from 'C'
         and table_name <> 'migracao'`,
    );
    assert.deepEqual(rows, []);
  });

  it('has every table of an office behind the wall, for the owner too', async () => {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
       and not (relrowsecurity and relforcerowsecurity) order by 1`,
    );
    // What belongs to the installation, or is known only by a secret that names it.
    assert.deepEqual(
      rows.map(({ name }) => name),
      SEM_MURO,
    );
  });
});

/** Tables without rows of an office. Whoever adds one that has some puts it behind the wall. */
const SEM_MURO = [
  'auditoria_fim',
  // Public certificates.
  'autoridade',
  // Which cities are in the national environment of NFS-e.
  'captura_municipio',
  // What machines' clocks said.
  'captura_relogio',
  'chave_de_endereco',
  'chave_do_emissor',
  'chave_mestra',
  'cliente_oauth',
  // When the installation is backed up next.
  'copia_agendada',
  // Known by the secret of a browser's cookie; whose office it is, is found out by it.
  'entrada_externa',
  'janela',
  'migracao',
  // Names of XSDs.
  'nome_de_esquema',
  // The link of the first use of an installation, before there is any office.
  'primeiro_uso',
  // How far one walk over all versions has come.
  'renovacao',
  'segredo_oauth',
  'sessao_oauth',
];

const plain = <T>(map: Map<string, T>) => Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));

function shapeOfSqlite(): Shape {
  const executor = new InThreadExecutor({ path: ':memory:' });
  applyMigrations(executor, MIGRATIONS);
  const ask = (text: string, ...values: unknown[]) => executor.execute(text, values).rows;
  const columns = new Map<string, Column>();
  const indexes = new Map<string, string>();
  const references = new Set<string>();
  for (const { name: table } of ask(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite%'",
  )) {
    if (table === 'migracao') continue;
    for (const row of ask('select * from pragma_table_info(?)', table)) {
      columns.set(`${table}.${row.name}`, {
        kind: String(row.type).toLowerCase() as Kind,
        notNull: row.notnull === 1 || Number(row.pk) > 0,
        key: Number(row.pk),
        hasDefault: row.dflt_value !== null,
      });
    }
    for (const { from, table: other } of ask('select * from pragma_foreign_key_list(?)', table)) {
      references.add(`${table}.${from} → ${other}`);
    }
    for (const { name: index, unique, origin } of ask('select * from pragma_index_list(?)', table)) {
      if (origin === 'pk') continue;
      const parts = ask('select name from pragma_index_info(?) order by seqno', index).map(
        // An expression has no name.
        ({ name }) => name ?? '?',
      );
      const label = origin === 'u' ? 'unique' : String(index);
      indexes.set(`${table}: ${label} (${parts.join(', ')})`, unique === 1 ? 'unique' : 'plain');
    }
  }
  executor.close();
  return { columns, indexes, references };
}

async function shapeOfPostgres(client: pg.Client): Promise<Shape> {
  const columns = new Map<string, Column>();
  const found = await client.query<Record<string, string | number | boolean | null>>(
    `select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type, a.attnotnull as not_null,
       coalesce(array_position(k.conkey, a.attnum), 0) as key, d.oid is not null and a.attidentity = '' as has_default
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> 'migracao'`,
  );
  for (const row of found.rows) {
    if (SO_NO_POSTGRES.has(String(row.table))) continue;
    columns.set(`${row.table}.${row.column}`, {
      kind: kindOf(String(row.type)),
      notNull: row.not_null === true,
      key: Number(row.key),
      hasDefault: row.has_default === true,
    });
  }
  const indexes = new Map<string, string>();
  const indexed = await client.query<Record<string, string | boolean>>(
    `select t.relname as table, case when k.contype = 'u' then 'unique' else i.relname end as label,
       x.indisunique as unique, (select string_agg(coalesce(a.attname, '?'), ', ' order by p.n)
         from unnest(x.indkey::int[]) with ordinality as p (attnum, n)
         left join pg_attribute a on a.attrelid = t.oid and a.attnum = p.attnum) as columns
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
     left join pg_constraint k on k.conindid = i.oid and k.contype in ('p', 'u')
     where t.relnamespace = 'public'::regnamespace and k.contype is distinct from 'p' and t.relname <> 'migracao'`,
  );
  for (const { table, label, unique, columns: parts } of indexed.rows) {
    if (SO_NO_POSTGRES.has(String(table))) continue;
    indexes.set(`${table}: ${label} (${parts})`, unique ? 'unique' : 'plain');
  }
  return { columns, indexes, references: await referencesOfPostgres(client) };
}

/** Foreign keys, and what migration 0021 has made of some: a trigger that is called for the column and told the other table. */
async function referencesOfPostgres(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ reference: string }>(
    `select k.conrelid::regclass || '.' || a.attname || ' → ' || k.confrelid::regclass as reference
     from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey) where k.contype = 'f'
     union all
     select tgrelid::regclass || '.' || substr(tgname, length('referencia_') + 1) || ' → ' || rtrim(encode(tgargs, 'escape'), '\\0')
     from pg_trigger where tgname like 'referencia\\_%'`,
  );
  return new Set(rows.map(({ reference }) => reference));
}

/** Every integer of ours is one kind: how wide it is stored does not show. */
function kindOf(type: string): Kind {
  const kinds: Record<string, Kind> = {
    bigint: 'integer',
    integer: 'integer',
    smallint: 'integer',
    text: 'text',
    bytea: 'blob',
  };
  const kind = kinds[type];
  if (!kind) throw new Error(`a column of a type that the other engine has not: ${type}`);
  return kind;
}
