/** Statements about halves of events that wait for the other one. */
import type { TabelaMetadeDeEvento } from '../../banco/tabelas.ts';
import { insertMany } from '../../platform/db/many-rows.ts';
import { idChunks, rowBatches } from '../bytes/chunks.ts';
import type { Trx } from '../tipos.ts';

/** Halves of these keys; primary key. */
export async function findMetades(
  trx: Trx,
  input: { contadorId: number; chaves: readonly string[] },
): Promise<TabelaMetadeDeEvento[]> {
  const found: TabelaMetadeDeEvento[] = [];
  for (const part of idChunks(input.chaves)) {
    found.push(
      ...(await trx
        .selectFrom('metade_de_evento')
        .selectAll()
        .where('contador_id', '=', input.contadorId)
        .where('chave', 'in', part)
        .execute()),
    );
  }
  return found;
}

/** @param rows none twice, and none that is there already */
export async function insertMetades(trx: Trx, rows: readonly TabelaMetadeDeEvento[]): Promise<void> {
  for (const part of rowBatches(rows)) await insertMany(trx, 'metade_de_evento', part).execute();
}

/** All halves of one event. */
export async function deleteMetades(
  trx: Trx,
  row: Pick<TabelaMetadeDeEvento, 'contador_id' | 'chave' | 'ambiente' | 'identidade'>,
): Promise<void> {
  await trx
    .deleteFrom('metade_de_evento')
    .where('contador_id', '=', row.contador_id)
    .where('chave', '=', row.chave)
    .where('ambiente', '=', row.ambiente)
    .where('identidade', '=', row.identidade)
    .execute();
}
