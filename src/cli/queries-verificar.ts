/** What `malote verificar` asks beside the vault's own check (`documentos/verify/verificar.ts`): the engine, and the uploads. */
import { type Kysely, sql } from 'kysely';
import type { Tabelas } from '../banco/tabelas.ts';
import { temBytes } from '../documentos/bytes/queries-envios.ts';
import { STATUS_ARQUIVO } from '../importacao/tipos.ts';
import { engineOf } from '../platform/db/engine.ts';

type Db = Kysely<Tabelas>;

/**
 * What SQLite itself finds wrong in its file; an empty list when all is well. PostgreSQL has no such question: it
 * checks its pages when it reads them (data checksums), and its foreign keys hold at every commit.
 */
export async function findEngineFaults(db: Db): Promise<string[]> {
  if (engineOf(db) === 'postgres') return [];
  const quick = await sql<{ quick_check: string }>`pragma quick_check(20)`.execute(db);
  const foreign = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(db);
  return [
    ...quick.rows.map((row) => row.quick_check).filter((text) => text !== 'ok'),
    ...foreign.rows.slice(0, 20).map((row) => `linha de ${row.table} sem a sua em ${row.parent}`),
  ];
}

/** Rows of some tables, for the report. */
export async function countRows(
  db: Db,
): Promise<{ clientes: number; documentos: number; entradas: number; versoes: number }> {
  const { rows } = await sql<{ clientes: number; documentos: number; entradas: number; versoes: number }>`
    select (select count(*) from cliente) as clientes, (select count(*) from documento) as documentos,
      (select count(*) from entrada) as entradas, (select count(*) from versao) as versoes`.execute(db);
  const [row] = rows;
  return row ?? { clientes: 0, documentos: 0, entradas: 0, versoes: 0 };
}

export async function hasArquivos(db: Db): Promise<boolean> {
  return (await db.selectFrom('arquivo').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Uploaded files behind an id whose bytes are kept, as they came or as a recipe; primary key, at most `limite` rows. */
export async function findBlobsAfter(db: Db, input: { depoisDe: string; limite: number }) {
  return db
    .selectFrom('arquivo')
    .select(['id', 'blob', 'sha256'])
    .where(temBytes())
    .where('id', '>', input.depoisDe)
    .orderBy('id')
    .limit(input.limite)
    .execute();
}

/** Whether an upload is kept as a recipe that is not there. One row, by its primary key. */
export async function lacksReceita(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('arquivo')
    .leftJoin('receita_de_envio', 'receita_de_envio.arquivo_id', 'arquivo.id')
    .select('arquivo.id')
    .where('arquivo.id', '=', id)
    .where('arquivo.receita', '=', 1)
    .where('receita_de_envio.arquivo_id', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Accepted uploads that are to be imported and have no job that would do it. A handful. */
export async function findSemTrabalho(db: Db) {
  return db
    .selectFrom('arquivo')
    .select(['id', 'contador_id', 'tamanho'])
    .where('status', '=', STATUS_ARQUIVO.emProcessamento)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('job')
            .select('job.id')
            .whereRef('job.arquivo_id', '=', 'arquivo.id')
            .where('job.estado', 'in', ['pronto', 'em_execucao']),
        ),
      ),
    )
    .orderBy('id')
    .execute();
}

/** Which of these uploads name this very blob; primary key. */
export async function findArquivosComBlob(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('arquivo')
    .select('blob')
    .where('id', 'in', ids)
    .where('blob', 'is not', null)
    .execute();
  return new Set(rows.flatMap((row) => row.blob ?? []));
}

/** Stored files that are no uploads: packages of a deletion, until they are let go. A handful. */
export async function findOutrosBlobs(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('exclusao_pacote').select('blob').where('blob', '<>', '').execute();
  const prontas = await db.selectFrom('exportacao').select('blob').where('blob', 'is not', null).execute();
  return new Set([...rows, ...prontas].flatMap(({ blob }) => blob ?? []));
}
