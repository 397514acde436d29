/** Statements about what people and renewed verdicts change of kept documents; all by primary key, or by `versao_documento`. */
import type { Updateable } from 'kysely';
import type { Flag, TabelaVersao } from '../../banco/tabelas.ts';
import { idChunks } from '../bytes/chunks.ts';
import { comHash } from '../bytes/hash-guardado.ts';
import { writeProva } from '../lean/prova-guardada.ts';
import { DA_MESMA_CHAVE, type DaMesmaChave } from '../queries.ts';
import type { Trx } from '../tipos.ts';

/** A record of an office, as its status follows from it. */
export async function findLinha(
  trx: Trx,
  { contadorId, documentoId }: { contadorId: number; documentoId: number },
): Promise<DaMesmaChave | undefined> {
  return trx
    .selectFrom('documento')
    .select(DA_MESMA_CHAVE)
    .where('id', '=', documentoId)
    .where('contador_id', '=', contadorId)
    .executeTakeFirst();
}

export async function updateAfastadas(
  trx: Trx,
  { ids, afastada }: { ids: readonly number[]; afastada: Flag },
): Promise<void> {
  for (const part of idChunks(ids))
    await trx.updateTable('versao').set({ afastada }).where('id', 'in', part).execute();
}

/** One version of a document is chosen, and no other one. */
export async function updateEscolhida(
  trx: Trx,
  { documentoId, versaoId }: { documentoId: number; versaoId: number },
): Promise<void> {
  await trx.updateTable('versao').set({ escolhida: 0 }).where('documento_id', '=', documentoId).execute();
  await trx.updateTable('versao').set({ escolhida: 1 }).where('id', '=', versaoId).execute();
}

/** Sets the served version's proof. For an event or an inutilização it is its status's proof too. */
export async function updateProva(trx: Trx, { id, prova }: { id: number; prova: number }): Promise<void> {
  await trx
    .updateTable('documento')
    .set((eb) => ({
      prova,
      status_prova: eb.case().when('classe', '=', 'documento').then(eb.ref('status_prova')).else(prova).end(),
      revisao: eb('revisao', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

/** Versions with the key and the office of their documents. */
export async function findVersoesARenovar(trx: Trx, ids: readonly number[]) {
  const found = [];
  for (const part of idChunks(ids)) {
    const rows = await trx
      .selectFrom('versao')
      .innerJoin('documento', 'documento.id', 'versao.documento_id')
      .select(['versao.id', 'versao.documento_id', 'versao.sha256'])
      .select(['documento.chave', 'documento.contador_id'])
      .where('versao.id', 'in', part)
      .orderBy('versao.id')
      .execute();
    found.push(...rows.map(comHash));
  }
  return found;
}

export type VersaoARenovar = Awaited<ReturnType<typeof findVersoesARenovar>>[number];

/** Hashes and proofs of a document's versions; index `versao_documento`. */
export async function findHashes(trx: Trx, documentoId: number) {
  return trx
    .selectFrom('versao')
    .select(['id', 'sha256', 'prova'])
    .where('documento_id', '=', documentoId)
    .execute();
}

/** What a version was found to be when it was read anew. What the authority itself gave stays proven by that. */
export async function updateVeredicto(
  trx: Trx,
  { id, prova, ...veredicto }: { id: number; prova: number } & Updateable<TabelaVersao>,
): Promise<void> {
  const daFonte = writeProva('sefaz');
  await trx
    .updateTable('versao')
    .set((eb) => ({
      ...veredicto,
      prova: eb.case().when('prova', '=', daFonte).then(daFonte).else(prova).end(),
    }))
    .where('id', '=', id)
    .execute();
}
