/** Statements about protocols that came without their document. */
import type { Selectable } from 'kysely';
import type { TabelaProtocoloAvulso, TabelaVersao } from '../banco/tabelas.ts';
import { insertMany } from '../platform/db/many-rows.ts';
import { idChunks, rowBatches } from './chunks.ts';
import { comHash } from './hash-guardado.ts';
import type { Trx } from './tipos.ts';

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

/** One on the same content that is there already is replaced. @param rows none twice */
export async function upsertProtocolos(trx: Trx, rows: readonly TabelaProtocoloAvulso[]): Promise<void> {
  for (const part of rowBatches(rows)) {
    await insertMany(trx, 'protocolo_avulso', part)
      .onConflict((conflict) =>
        conflict.columns(['contador_id', 'chave', 'ambiente', 'digest']).doUpdateSet((eb) => ({
          status: eb.ref('excluded.status'),
          bytes: eb.ref('excluded.bytes'),
          arquivo_numero: eb.ref('excluded.arquivo_numero'),
          item_ordem: eb.ref('excluded.item_ordem'),
          no_item: eb.ref('excluded.no_item'),
          criado_em: eb.ref('excluded.criado_em'),
        })),
      )
      .execute();
  }
}

export async function deleteProtocolo(
  trx: Trx,
  row: Pick<TabelaProtocoloAvulso, 'contador_id' | 'chave' | 'ambiente' | 'digest'>,
): Promise<void> {
  await trx
    .deleteFrom('protocolo_avulso')
    .where('contador_id', '=', row.contador_id)
    .where('chave', '=', row.chave)
    .where('ambiente', '=', row.ambiente)
    .where('digest', '=', row.digest)
    .execute();
}

export type VersaoDoDocumento = { sha256: string } & Pick<
  Selectable<TabelaVersao>,
  'id' | 'documento_id' | 'digest' | 'protocolado' | 'servida' | 'tamanho'
>;

/** Versions of documents, oldest first; index `versao_documento`, nearly always one row a document. */
export async function findVersoesDe(trx: Trx, documentoIds: readonly number[]): Promise<VersaoDoDocumento[]> {
  const found: VersaoDoDocumento[] = [];
  for (const part of idChunks(documentoIds)) {
    const rows = await trx
      .selectFrom('versao')
      .select(['id', 'documento_id', 'sha256', 'digest', 'protocolado', 'servida', 'tamanho'])
      .where('documento_id', 'in', part)
      .orderBy('id')
      .execute();
    found.push(...rows.map(comHash));
  }
  return found;
}
