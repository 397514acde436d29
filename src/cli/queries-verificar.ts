/** What `malote verificar` asks beside the vault's own check (`documentos/verify/verificar.ts`): the uploads. */
import { sql } from 'kysely';
import type { Db } from '../banco/tabelas.ts';
import { idChunks } from '../documentos/bytes/chunks.ts';
import { temBytes } from '../documentos/bytes/queries-envios.ts';
import { STATUS_ARQUIVO } from '../importacao/tipos.ts';

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

/** Uploads behind one of them, with their job and recipe; primary keys, at most `limite` rows. */
export async function findArquivosAfter(db: Db, input: { depoisDe: string; limite: number }) {
  return db
    .selectFrom('arquivo')
    .leftJoin('job', 'job.arquivo_id', 'arquivo.id')
    .leftJoin('receita_de_envio', 'receita_de_envio.arquivo_id', 'arquivo.id')
    .select(['arquivo.numero', 'arquivo.id', 'arquivo.contador_id', 'arquivo.blob', 'arquivo.sha256'])
    .select(['arquivo.md5', 'arquivo.tamanho', 'arquivo.status', 'arquivo.log'])
    .select(['job.contador_id as contador_do_job', 'job.estado', 'job.itens_prontos'])
    .select('receita_de_envio.contador_id as contador_da_receita')
    .select((eb) => eb.case().when(temBytes()).then(1).else(0).end().as('tem_bytes'))
    .where('arquivo.id', '>', input.depoisDe)
    .orderBy('arquivo.id')
    .limit(input.limite)
    .execute();
}

/** How many items of an upload are there, and the number of the last; a range of their primary key. */
export async function countItens(db: Db, arquivoNumero: number): Promise<{ linhas: number; ultima: number }> {
  const row = await db
    .selectFrom('item')
    .select(({ fn }) => [fn.countAll<number>().as('linhas'), fn.max('ordem').as('ultima')])
    .where('arquivo_numero', '=', arquivoNumero)
    .executeTakeFirst();
  return { linhas: Number(row?.linhas ?? 0), ultima: Number(row?.ultima ?? 0) };
}

/** The documents that items name, by id; primary key. */
export async function findDocumentosDosItens(
  db: Db,
  itens: readonly { documento_id: number | null }[],
): Promise<Map<number, { id: number; chave: string; especie: string }>> {
  const found = new Map<number, { id: number; chave: string; especie: string }>();
  for (const part of idChunks([...new Set(itens.flatMap(({ documento_id }) => documento_id ?? []))])) {
    const rows = await db
      .selectFrom('documento')
      .select(['id', 'chave', 'especie'])
      .where('id', 'in', part)
      .execute();
    for (const row of rows) found.set(row.id, row);
  }
  return found;
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
