/**
 * What all migrations make of an empty SQLite database, as one script: tests make a database each, and running the migrations one by
 * one takes five times as long.
 */
import { MIGRATIONS } from '../../src/banco/migrations.ts';
import { applyMigrations } from '../../src/platform/db/migrate.ts';
import { InThreadExecutor } from '../../src/platform/db/sqlite-executor.ts';

let known: string | null = null;

/** @param path of a file that is not there yet, or `:memory:` */
export function openMigrado(path: string): InThreadExecutor {
  const executor = new InThreadExecutor({ path });
  if (known === null) {
    applyMigrations(executor, MIGRATIONS);
    known = scriptDe(executor);
  } else executor.executeScript(known);
  return executor;
}

/** Tables with their rows, and then what stands on them. */
function scriptDe(executor: InThreadExecutor): string {
  const textsOf = (query: string) => executor.execute(query, []).rows.map(({ texto }) => String(texto));
  const made = (how: string) =>
    textsOf(
      `select sql as texto from sqlite_schema where sql is not null and name not like 'sqlite_%' and ${how}`,
    );
  const tables = textsOf(
    "select name as texto from sqlite_schema where type = 'table' and name not like 'sqlite_stat%'",
  );
  const rows = tables.flatMap((table) => {
    const columns = textsOf(`select name as texto from pragma_table_info('${table}')`);
    const values = columns.map((column) => `quote("${column}")`).join(" || ',' || ");
    const names = columns.map((column) => `"${column}"`).join(', ');
    return textsOf(`select ${values} as texto from "${table}"`).map(
      (row) => `insert into "${table}" (${names}) values (${row})`,
    );
  });
  return ['begin', ...made("type = 'table'"), ...rows, ...made("type <> 'table'"), 'commit'].join(';\n');
}
