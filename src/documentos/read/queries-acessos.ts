/** Statements of who read what. */
import type { Insertable } from 'kysely';
import type { TabelaAcesso, TabelaAcessoEmLote, TabelaLeituraDoFeed } from '../../banco/tabelas-consulta.ts';
import { idChunks, rowChunks } from '../bytes/chunks.ts';
import type { Leitor } from '../queries-leitura.ts';
import type { Trx } from '../tipos.ts';

/** Documents that were read one by one. */
export async function insertAcessos(trx: Trx, rows: readonly Insertable<TabelaAcesso>[]): Promise<void> {
  for (const part of rowChunks(trx, rows)) await trx.insertInto('acesso').values(part).execute();
}

/** A range of a feed that was read, as one row: not one for each document. */
export async function insertLotes(trx: Trx, rows: readonly Insertable<TabelaAcessoEmLote>[]): Promise<void> {
  for (const part of rowChunks(trx, rows)) await trx.insertInto('acesso_em_lote').values(part).execute();
}

/**
 * The position of each reader. Of two processes the one that answered last counts, whichever writes last, even where the
 * reader began again from the start.
 */
export async function upsertLeituras(
  trx: Trx,
  rows: readonly Insertable<TabelaLeituraDoFeed>[],
): Promise<void> {
  for (const part of rowChunks(trx, rows)) {
    await trx
      .insertInto('leitura_do_feed')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .columns(['cliente_id', 'token_id'])
          .doUpdateSet((eb) => ({
            nsu: eb.ref('excluded.nsu'),
            em: eb.ref('excluded.em'),
          }))
          .where((eb) => eb('leitura_do_feed.em', '<=', eb.ref('excluded.em'))),
      )
      .execute();
  }
}

/** Whose documents these versions are; primary keys. */
export async function findDocumentosDasVersoes(
  db: Leitor,
  versaoIds: readonly number[],
): Promise<{ versao_id: number; documento_id: number; contador_id: number }[]> {
  const found = [];
  for (const part of idChunks(versaoIds)) {
    found.push(
      ...(await db
        .selectFrom('versao')
        .innerJoin('documento', 'documento.id', 'versao.documento_id')
        .select(['versao.id as versao_id', 'versao.documento_id', 'documento.contador_id'])
        .where('versao.id', 'in', part)
        .execute()),
    );
  }
  return found;
}
