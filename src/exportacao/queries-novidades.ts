/** Statements that look for feeds: those in which something has come, over the end of one index, and the longest. */
import { type Kysely, sql } from 'kysely';
import type { Tabelas } from '../banco/tabelas.ts';

type Leitor = Pick<Kysely<Tabelas>, 'selectFrom' | 'selectNoFrom'>;

/**
 * The newest document that stands in any feed (0 for none), and whether any file waits or is being imported: one row of
 * an index each.
 */
export async function findChegadas(db: Leitor): Promise<{ ultimo: number; abertos: boolean }> {
  const row = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('participacao')
        .select('documento_id')
        .orderBy('documento_id', 'desc')
        .limit(1)
        .as('ultimo'),
      eb
        .selectFrom('job')
        .select('id')
        .where('estado', 'in', sql<Tabelas['job']['estado']>`('pronto', 'em_execucao')`)
        .limit(1)
        .as('aberto'),
    ])
    .executeTakeFirst();
  return { ultimo: row?.ultimo ?? 0, abertos: (row?.aberto ?? null) !== null };
}

/** Whose feeds hold the newest of some documents, and how many of them. */
export async function findFeedsComNovos(
  db: Leitor,
  input: { depoisDe: number; ate: number; limite: number },
): Promise<{ clienteId: number; quantos: number }[]> {
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom('participacao')
        .select('cliente_id')
        .where('documento_id', '>', input.depoisDe)
        .where('documento_id', '<=', input.ate)
        .orderBy('documento_id', 'desc')
        .limit(input.limite)
        .as('novos'),
    )
    .select((eb) => ['cliente_id as clienteId', eb.fn.countAll<number>().as('quantos')])
    .groupBy('cliente_id')
    .orderBy('cliente_id')
    .execute();
}

/** The feed with the most entries, of all offices; reads their clients. */
export async function findMaiorFeed(
  db: Leitor,
): Promise<{ clienteId: number; ultimoNsu: number } | undefined> {
  return db
    .selectFrom('cliente')
    .select(['id as clienteId', 'ultimo_nsu as ultimoNsu'])
    .orderBy('ultimo_nsu', 'desc')
    .limit(1)
    .executeTakeFirst();
}
