import type { Db } from '../banco/tabelas.ts';

const COLUNAS = ['id', 'contador_id', 'status', 'sha256', 'blob', 'receita'] as const;

/** An upload; primary key. */
export async function findEnvio(db: Db, id: string) {
  return db.selectFrom('arquivo').select(COLUNAS).where('id', '=', id).executeTakeFirst();
}
export type EnvioDoOrfao = NonNullable<Awaited<ReturnType<typeof findEnvio>>>;

/** Uploads of an office with these very bytes, the newest first, a few; a range of index `arquivo_contador`. */
export async function findIguais(
  db: Db,
  input: { contadorId: number; sha256: string },
): Promise<EnvioDoOrfao[]> {
  return db
    .selectFrom('arquivo')
    .select(COLUNAS)
    .where('contador_id', '=', input.contadorId)
    .where('sha256', '=', input.sha256)
    .orderBy('criado_em', 'desc')
    .limit(10)
    .execute();
}

/** The office with this code that was opened at this very instant: its code alone may be another installation's. */
export async function findEscritorio(
  db: Db,
  input: { codigoCrm: string; criadoEm: number },
): Promise<number | null> {
  const row = await db
    .selectFrom('contador')
    .select('id')
    .where('codigo_crm', '=', input.codigoCrm)
    .where('criado_em', '=', input.criadoEm)
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function findCodigoCrm(db: Db, contadorId: number): Promise<string> {
  const row = await db
    .selectFrom('contador')
    .select('codigo_crm')
    .where('id', '=', contadorId)
    .executeTakeFirstOrThrow();
  return row.codigo_crm;
}

/** Whether there is such a deletion; primary key. */
export async function hasExclusao(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('exclusao').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/**
 * An upload's row names bytes again that are stored under another key, unless it names others by now than it did.
 * @param input.antes the key that the row had; null: none
 */
export async function attachBlob(
  db: Db,
  input: { id: string; blob: string; antes: string | null },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('arquivo')
      .set({ blob: input.blob, receita: 2 })
      .where('id', '=', input.id)
      .where('blob', input.antes === null ? 'is' : '=', input.antes)
      .returning('id')
      .executeTakeFirst();
    if (row) await trx.deleteFrom('receita_de_envio').where('arquivo_id', '=', input.id).execute();
    return row !== undefined;
  });
}
