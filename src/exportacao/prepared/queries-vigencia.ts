/** The statement that prepared answers are held against. */
import { type Kysely, sql } from 'kysely';
import type { Tabelas } from '../../banco/tabelas.ts';

/** What stands for a client or a token right now. */
export interface LinhaVigente {
  que: 'cliente' | 'token';
  id: number;
  /** A client's last NSU; or when a token expires, ms UTC, 0 for never. */
  ultimo: number;
  revisao: number;
}

/** The counter rows of clients, and which tokens are not revoked, in one statement, so at one moment; primary keys. */
export async function findVigentes(
  db: Pick<Kysely<Tabelas>, 'selectFrom'>,
  input: { clienteIds: readonly number[]; tokenIds: readonly number[] },
): Promise<LinhaVigente[]> {
  return db
    .selectFrom('cliente')
    .select([sql.lit<LinhaVigente['que']>('cliente').as('que'), 'id', 'ultimo_nsu as ultimo', 'revisao'])
    .where('id', 'in', input.clienteIds)
    .unionAll(
      db
        .selectFrom('token_integracao')
        .select((eb) => [
          sql.lit<LinhaVigente['que']>('token').as('que'),
          'id',
          eb.fn.coalesce('expira_em', sql.lit(0)).as('ultimo'),
          sql.lit(0).as('revisao'),
        ])
        .where('id', 'in', input.tokenIds)
        .where('revogado_em', 'is', null),
    )
    .execute();
}
