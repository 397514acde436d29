/** Rows in the tables that an upload does not fill, so that a bit can change in each: what people register, agree and note. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

const ROWS = 3;
/** Where only some words are allowed, or a text has a form. */
const PALAVRAS: Readonly<Record<string, readonly SQLInputValue[]>> = {
  'usuario.papel': ['administrador', 'operador', 'administrador'],
  'exclusao.estado': ['concluida', 'cancelada', 'preparada'],
  'exportacao.estado': ['pronta', 'falhou', 'expirada'],
  'exportacao.tipo': ['zip', 'xlsx', 'csv'],
  'usuario.cliente_id': [null, null, null],
  'regra_retencao.modelo': ['55', '57', '65'],
  'exclusao_pacote.blob': ['', '', ''],
  'exportacao.blob': [null, null, null],
  'guarda_legal.cliente_id': [null, null, null],
  'esperado.modelo': ['55', '55', '57'],
  'falha_vista.situacao': ['visto', 'resolvido', 'visto'],
};
/** What only the service fills, or nothing stands in at rest. */
const DEIXADAS = new Set([
  'empresa_pendente',
  'receita_de_envio',
  'sqlite_sequence',
  'migracao',
  'renovacao',
  'autoridade',
  'protocolo_avulso',
  'metade_de_evento',
  'releitura_de_leiaute',
  'leiaute_ensinado',
  'nota_a_ensinar',
  'copia_agendada',
  'captura_relogio',
  'totp_console',
  'certificado',
]);

interface Coluna {
  name: string;
  type: string;
  pk: number;
  notnull: number;
}

/** @returns the tables that got rows */
export function povoar(path: string): string[] {
  const database = new DatabaseSync(path);
  try {
    const filled: string[] = [];
    let waiting = tabelasVazias(database);
    // Some refer to others of them: once more, as long as that fills one.
    for (let before = -1; before !== waiting.length; ) {
      before = waiting.length;
      waiting = waiting.filter((table) => {
        if (!paisTemLinhas(database, table)) return true;
        for (let n = 0; n < ROWS; n++) inserir(database, table, n);
        filled.push(table);
        return false;
      });
    }
    if (waiting.length > 0) throw new Error(`tables without rows: ${waiting.join(', ')}`);
    database.exec('pragma wal_checkpoint(truncate)');
    return filled;
  } finally {
    database.close();
  }
}

function tabelasVazias(database: DatabaseSync): string[] {
  const tables = database
    .prepare("select name from sqlite_schema where type = 'table'")
    .all()
    .map(({ name }) => String(name));
  return tables.filter(
    (table) =>
      !DEIXADAS.has(table) &&
      !table.startsWith('sqlite') &&
      !database.prepare(`select 1 from ${table} limit 1`).get(),
  );
}

function pais(database: DatabaseSync, table: string): Map<string, { table: string; column: string }> {
  const keys = database.prepare('select * from pragma_foreign_key_list(?)').all(table);
  return new Map(keys.map((key) => [String(key.from), { table: String(key.table), column: String(key.to) }]));
}

function paisTemLinhas(database: DatabaseSync, table: string): boolean {
  return [...pais(database, table).values()].every(
    (pai) => pai.table === table || database.prepare(`select 1 from ${pai.table} limit 1`).get(),
  );
}

function inserir(database: DatabaseSync, table: string, n: number): void {
  const columns = database.prepare('select * from pragma_table_info(?)').all(table) as unknown as Coluna[];
  const parents = pais(database, table);
  const values = columns.map((column) => {
    const words = PALAVRAS[`${table}.${column.name}`];
    if (words) return words[n] ?? null;
    const parent = parents.get(column.name);
    if (parent) return doPai(database, parent, n);
    return valor(column, n);
  });
  const names = columns.map(({ name }) => name).join(', ');
  const marks = columns.map(() => '?').join(', ');
  database.prepare(`insert into ${table} (${names}) values (${marks})`).run(...values);
}

function doPai(database: DatabaseSync, { table, column }: { table: string; column: string }, n: number) {
  const rows = database.prepare(`select ${column} as valor from ${table} limit ${ROWS}`).all();
  return (rows[n % rows.length]?.valor ?? null) as SQLInputValue;
}

const FLAG = /^(?:adicional|restrito|ativo|com_chave|emite_tokens|trabalha_com_procuracao)$/;

function valor({ name, type, pk }: Coluna, n: number): SQLInputValue {
  if (type === 'BLOB') return Buffer.from(`selado ${name} ${n}`.repeat(5));
  if (type === 'TEXT') return `${name} de número ${n + 1}`;
  if (pk > 0) return n + 1;
  if (FLAG.test(name)) return n % 2;
  return name.endsWith('_em') || name === 'em' ? 1_790_000_000_000 + n * 86_400_123 : 1_000 + n * 37;
}
