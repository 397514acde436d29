/** Statements that look for feeds: those in which something has come, over the end of one index, and the longest. */
import type { Kysely } from 'kysely';
import type { Tabelas } from '../banco/tabelas.ts';

type Leitor = Pick<Kysely<Tabelas>, 'selectFrom'>;

/** The newest document that stands in any feed; 0 for none. */
export async function findUltimoDocumento(db: Leitor): Promise<number> {
  const row = await db
    .selectFrom('participacao')
    .select('documento_id')
    .orderBy('documento_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.documento_id ?? 0;
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
