/** Statements that join documents with their events and change the status of what is listed. */
import type { Selectable } from 'kysely';
import type { Flag, TabelaDocumento } from '../banco/tabelas.ts';
import { idChunks } from './chunks.ts';
import { STATUS_EM_CODIGO } from './codigos.ts';
import type { Trx } from './tipos.ts';

export type DaMesmaChave = Pick<
  Selectable<TabelaDocumento>,
  | 'id'
  | 'ambiente'
  | 'chave'
  | 'status'
  | 'status_protocolo'
  | 'carta_correcao'
  | 'manifestacao'
  | 'evento_codigo'
  | 'evento_sequencia'
  | 'evento_efeito'
  | 'evento_desfaz'
  | 'nprot'
>;

/** Documents, or events, of these keys; index `documento_chave`, a handful of rows a key. */
export async function findPorChaves(
  trx: Trx,
  input: { contadorId: number; chaves: readonly string[]; classe: 'documento' | 'evento' },
): Promise<DaMesmaChave[]> {
  const found: DaMesmaChave[] = [];
  for (const part of idChunks(input.chaves)) {
    found.push(
      ...(await trx
        .selectFrom('documento')
        .select([
          'id',
          'ambiente',
          'chave',
          'status',
          'status_protocolo',
          'carta_correcao',
          'manifestacao',
          'evento_codigo',
          'evento_sequencia',
          'evento_efeito',
          'evento_desfaz',
          'nprot',
        ])
        .where('contador_id', '=', input.contadorId)
        .where('chave', 'in', part)
        .where('classe', '=', input.classe)
        .execute()),
    );
  }
  return found;
}

export interface NovoStatus {
  status: string;
  cartaCorrecao: Flag;
  manifestacao: string | null;
}

/** Sets the effective status of documents and lets their ETags change. */
export async function updateStatus(
  trx: Trx,
  documentoIds: readonly number[],
  novo: NovoStatus,
): Promise<void> {
  for (const part of idChunks(documentoIds)) {
    await trx
      .updateTable('documento')
      .set((eb) => ({
        status: novo.status,
        carta_correcao: novo.cartaCorrecao,
        manifestacao: novo.manifestacao,
        revisao: eb('revisao', '+', 1),
      }))
      .where('id', 'in', part)
      .execute();
  }
}

/** Takes the status over into the listing rows; index `participacao_documento`. */
export async function updateStatusDasParticipacoes(
  trx: Trx,
  documentoIds: readonly number[],
  novo: NovoStatus,
): Promise<void> {
  const status = STATUS_EM_CODIGO.escrever(novo.status);
  for (const part of idChunks(documentoIds)) {
    await trx
      .updateTable('participacao')
      .set({ status, carta_correcao: novo.cartaCorrecao })
      .where('documento_id', 'in', part)
      .execute();
  }
}
