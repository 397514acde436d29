/** Statements about protocols that came without their document. */
import type { TabelaProtocoloAvulso } from '../../banco/tabelas.ts';
import { insertMany } from '../../platform/db/many-rows.ts';
import { idChunks, rowBatches } from '../bytes/chunks.ts';
import type { Trx } from '../tipos.ts';

/** Protocols of these keys; primary key. */
export async function findProtocolos(
  trx: Trx,
  input: { contadorId: number; chaves: readonly string[] },
): Promise<TabelaProtocoloAvulso[]> {
  const found: TabelaProtocoloAvulso[] = [];
  for (const part of idChunks(input.chaves)) {
    found.push(
      ...(await trx
        .selectFrom('protocolo_avulso')
        .selectAll()
        .where('contador_id', '=', input.contadorId)
        .where('chave', 'in', part)
        .execute()),
    );
  }
  return found;
}

/** @param rows none twice, and none that is there already */
export async function insertProtocolos(trx: Trx, rows: readonly TabelaProtocoloAvulso[]): Promise<void> {
  for (const part of rowBatches(rows)) {
    await insertMany(trx, 'protocolo_avulso', part).execute();
  }
}

/** Primary key. */
export async function deleteProtocolo(
  trx: Trx,
  row: Pick<TabelaProtocoloAvulso, 'contador_id' | 'chave' | 'ambiente' | 'digest' | 'status'>,
): Promise<void> {
  await trx
    .deleteFrom('protocolo_avulso')
    .where('contador_id', '=', row.contador_id)
    .where('chave', '=', row.chave)
    .where('ambiente', '=', row.ambiente)
    .where('digest', '=', row.digest)
    .where('status', '=', row.status)
    .execute();
}
