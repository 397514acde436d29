/** Statements that take documents out of the vault, down to a tombstone. Call them in one transaction. */

import { idChunks } from '../bytes/chunks.ts';
import { writeHash } from '../bytes/hash-guardado.ts';
import type { Trx } from '../tipos.ts';

/**
 * Bytes of every version; primary key of `conteudo`, index `versao_documento`.
 * @returns for each the certificate that it needed and the block that it stood in
 */
export async function deleteConteudosDe(
  trx: Trx,
  documentoIds: readonly number[],
): Promise<{ certificado_id: number | null; bloco_id: number | null }[]> {
  const apagados: { certificado_id: number | null; bloco_id: number | null }[] = [];
  for (const part of idChunks(documentoIds)) {
    const rows = await trx
      .deleteFrom('conteudo')
      .where('versao_id', 'in', (eb) =>
        eb.selectFrom('versao').select('versao.id').where('versao.documento_id', 'in', part),
      )
      .returning(['certificado_id', 'bloco_id'])
      .execute();
    apagados.push(...rows);
  }
  return apagados;
}

/** Versions that were kept beside the served one. */
export async function deleteVersoesGuardadas(trx: Trx, documentoIds: readonly number[]): Promise<void> {
  for (const part of idChunks(documentoIds)) {
    await trx.deleteFrom('versao').where('documento_id', 'in', part).where('servida', '=', 0).execute();
  }
}

/** The served version keeps its number, which the feed joins, and what was judged; nothing of the content. */
export async function emptyVersoesServidas(trx: Trx, documentoIds: readonly number[]): Promise<void> {
  for (const part of idChunks(documentoIds)) {
    await trx
      .updateTable('versao')
      .set({
        sha256: writeHash(''),
        digest: '',
        protocolo: null,
        assinatura_titular: null,
        signatario: null,
        avisos: null,
        tamanho: 0,
      })
      .where('documento_id', 'in', part)
      .execute();
  }
}

/** What people have said documents are for. */
export async function deleteFinalidadesDe(trx: Trx, documentoIds: readonly number[]): Promise<void> {
  for (const part of idChunks(documentoIds)) {
    await trx.deleteFrom('finalidade_informada').where('documento_id', 'in', part).execute();
  }
}

/** Parties that are no client with an entry of the document: nobody needs their names and numbers any more. */
export async function deleteParticipantesEstranhos(trx: Trx, documentoIds: readonly number[]): Promise<void> {
  for (const part of idChunks(documentoIds)) {
    await trx
      .deleteFrom('participante')
      .where('documento_id', 'in', part)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('participacao')
              .innerJoin('cliente', 'cliente.id', 'participacao.cliente_id')
              .select('participacao.nsu')
              .whereRef('participacao.documento_id', '=', 'participante.documento_id')
              .whereRef('cliente.cpf_cnpj', '=', 'participante.cpf_cnpj'),
          ),
        ),
      )
      .execute();
  }
}

/** Parties that stay keep their number and part, without a name. */
export async function anonymizeParticipantes(trx: Trx, documentoIds: readonly number[]): Promise<void> {
  for (const part of idChunks(documentoIds)) {
    await trx.updateTable('participante').set({ nome: null }).where('documento_id', 'in', part).execute();
  }
}

/**
 * Makes the rows tombstones. Key, numbering, dates and status stay: the feed and the search for missing numbers
 * rest on them. @returns how many were none before
 */
export async function buryDocumentos(
  trx: Trx,
  input: { contadorId: number; ids: readonly number[]; agora: number },
): Promise<number> {
  let buried = 0;
  for (const part of idChunks(input.ids)) {
    const rows = await trx
      .updateTable('documento')
      .set((eb) => ({
        emitente_nome: null,
        destinatario: null,
        destinatario_nome: null,
        valor: null,
        itens: null,
        excluido_em: input.agora,
        revisao: eb('revisao', '+', 1),
      }))
      .where('id', 'in', part)
      .where('contador_id', '=', input.contadorId)
      .where('excluido_em', 'is', null)
      .returning('id')
      .execute();
    buried += rows.length;
  }
  return buried;
}
