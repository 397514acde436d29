/** The table behind `platform/http/janelas.ts`; PostgreSQL only. Time is the database's, so no host's clock matters. */
import { type Kysely, sql } from 'kysely';

interface JanelaTable {
  chave: string;
  inicio: number;
  quantos: number;
}
type JanelaDb = Pick<Kysely<{ janela: JanelaTable }>, 'insertInto' | 'selectFrom' | 'deleteFrom'>;

export interface Contada {
  chave: string;
  quantos: number;
  /** Until the window ends, ms. */
  restamMs: number;
}

const NOW = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Adds to windows, beginning those anew that have ended. Keys at most once each. @returns what stands there now */
export async function addToWindows(
  db: JanelaDb,
  input: { counts: readonly { chave: string; quantos: number }[]; windowMs: number },
): Promise<Contada[]> {
  // In one order, so that two processes never wait for each other.
  const ordered = [...input.counts].sort((a, b) => (a.chave < b.chave ? -1 : 1));
  const runs = sql<boolean>`janela.inicio > excluded.inicio - ${input.windowMs}::bigint`;
  const rows = await db
    .insertInto('janela')
    .values(ordered.map(({ chave, quantos }) => ({ chave, quantos, inicio: NOW })))
    .onConflict((oc) =>
      oc.column('chave').doUpdateSet({
        quantos: sql<number>`case when ${runs} then janela.quantos + excluded.quantos else excluded.quantos end`,
        inicio: sql<number>`case when ${runs} then janela.inicio else excluded.inicio end`,
      }),
    )
    .returning(['chave', 'quantos', restOf(input.windowMs)])
    .execute();
  return rows;
}

/** What stands in windows that have not ended; primary key. */
export async function readWindows(
  db: JanelaDb,
  input: { chaves: readonly string[]; windowMs: number },
): Promise<Contada[]> {
  return db
    .selectFrom('janela')
    .select(['chave', 'quantos', restOf(input.windowMs)])
    .where('chave', 'in', input.chaves)
    .where('inicio', '>', sql<number>`${NOW} - ${input.windowMs}::bigint`)
    .execute();
}

/** Forgets windows that have ended; index `janela_inicio`. */
export async function deleteEndedWindows(db: JanelaDb, windowMs: number): Promise<void> {
  await db.deleteFrom('janela').where('inicio', '<', sql<number>`${NOW} - ${windowMs}::bigint`).execute();
}

function restOf(windowMs: number) {
  return sql<number>`greatest(0, janela.inicio + ${windowMs}::bigint - ${NOW})`.as('restamMs');
}
