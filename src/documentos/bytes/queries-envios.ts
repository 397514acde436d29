/** Statements of uploads whose bytes are kept as a recipe of documents (`envios.ts`). */
import { expressionBuilder } from 'kysely';
import type { Tabelas } from '../../banco/tabelas.ts';
import { completar } from '../lean/itens-enxutos.ts';
import type { Leitor } from '../queries-leitura.ts';
import type { Trx } from '../tipos.ts';
import { idChunks } from './chunks.ts';
import { comHash, writeHash } from './hash-guardado.ts';

/** Condition on `arquivo`: the upload's bytes can be given back, since they are kept as they came or as a recipe. */
export function temBytes() {
  const eb = expressionBuilder<Tabelas, 'arquivo'>();
  return eb.or([eb('arquivo.blob', 'is not', null), eb('arquivo.receita', '=', 1)]);
}

/** Recipe of an upload with what its bytes must be; undefined when there is none. Primary keys. */
export async function findReceita(db: Leitor, arquivoId: string) {
  return db
    .selectFrom('receita_de_envio')
    .innerJoin('arquivo', 'arquivo.id', 'receita_de_envio.arquivo_id')
    .select(['receita_de_envio.receita', 'arquivo.sha256', 'arquivo.contador_id'])
    .where('arquivo_id', '=', arquivoId)
    .executeTakeFirst();
}

/** Under which name the bytes of an upload are stored; undefined when there is no such upload. Primary key. */
export async function findBlob(db: Leitor, arquivoId: string): Promise<{ blob: string | null } | undefined> {
  return db.selectFrom('arquivo').select('blob').where('id', '=', arquivoId).executeTakeFirst();
}

/**
 * Which version has the bytes of each of some items of an upload; a range of the primary key of `item`, then index
 * `versao_documento`. An item and a version are one pair or none, by the hash: no more rows than items, however many
 * contradicting versions their document has.
 * @param input.ate number of the last item, included: a page, as many as one statement names
 */
export async function findVersoesDosItens(
  db: Leitor,
  input: { arquivoNumero: number; depoisDe: number; ate: number },
): Promise<{ id: number; sha256: string }[]> {
  const itens = await db
    .selectFrom('item')
    .select(['documento_id', 'sha256', 'chave', 'caminho'])
    .where('arquivo_numero', '=', input.arquivoNumero)
    .where('ordem', '>', input.depoisDe)
    .where('ordem', '<=', input.ate)
    .where('documento_id', 'is not', null)
    .execute();
  const inteiros = await completar(db, itens);
  const documentoIds = [...new Set(inteiros.flatMap(({ documento_id }) => documento_id ?? []))];
  const hashes = [...new Set(inteiros.flatMap(({ sha256 }) => sha256 ?? []))];
  const found: { id: number; sha256: string }[] = [];
  for (const ids of idChunks(documentoIds)) {
    for (const parte of idChunks(hashes.map(writeHash))) {
      const rows = await db
        .selectFrom('versao')
        .innerJoin('conteudo', 'conteudo.versao_id', 'versao.id')
        .select(['versao.id', 'versao.sha256'])
        .where('versao.documento_id', 'in', ids)
        .where('versao.sha256', 'in', parte)
        .execute();
      found.push(...rows.map(comHash));
    }
  }
  return found;
}

/**
 * The oldest upload that is done and whose bytes nobody has tried to replace, or not to the end; index `arquivo_a_compactar`.
 * @param input.fimAntesDe ms UTC
 * @param input.tentadaAntesDe ms UTC: who has begun one since then may still be at it. As many rows are passed over as
 *   processes are at work
 */
export async function findACompactar(db: Leitor, input: { fimAntesDe: number; tentadaAntesDe: number }) {
  return db
    .selectFrom('arquivo')
    .select(['id', 'numero', 'contador_id', 'blob', 'sha256', 'fim_em', 'receita_tentativas'])
    .where('receita', '=', 0)
    .where('blob', 'is not', null)
    .where('fim_em', '<', input.fimAntesDe)
    .where((eb) =>
      eb.or([eb('receita_tentada_em', 'is', null), eb('receita_tentada_em', '<', input.tentadaAntesDe)]),
    )
    .orderBy('fim_em')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Notes that the recipe of an upload is begun, before it is: so that this is known after a death too. Primary key.
 * @param input.tentativas how often it was before, as it was read
 * @returns false when another process was faster
 */
export async function beginReceita(
  trx: Trx,
  input: { arquivoId: string; tentativas: number; agora: number },
): Promise<boolean> {
  const begun = await trx
    .updateTable('arquivo')
    .set({ receita_tentativas: input.tentativas + 1, receita_tentada_em: input.agora })
    .where('id', '=', input.arquivoId)
    .where('receita', '=', 0)
    .where('receita_tentativas', '=', input.tentativas)
    .returning('id')
    .execute();
  return begun.length > 0;
}

/** It was broken off, which says nothing about the upload: it was begun no more often than before. Primary key. */
export async function leaveReceita(
  trx: Trx,
  input: { arquivoId: string; tentativas: number },
): Promise<void> {
  await trx
    .updateTable('arquivo')
    .set({ receita_tentativas: input.tentativas, receita_tentada_em: null })
    .where('id', '=', input.arquivoId)
    .execute();
}

/** Ids in one statement. */
const IDS_DE_UMA_VEZ = 1_000;

/** Whether the bytes of all these versions are there. Primary key. */
async function temConteudos(db: Leitor, versaoIds: readonly number[]): Promise<boolean> {
  for (let at = 0; at < versaoIds.length; at += IDS_DE_UMA_VEZ) {
    const ids = versaoIds.slice(at, at + IDS_DE_UMA_VEZ);
    const { n } = await db
      .selectFrom('conteudo')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('versao_id', 'in', ids)
      .executeTakeFirstOrThrow();
    if (Number(n) !== ids.length) return false;
  }
  return true;
}

/**
 * The recipe takes the place of the bytes. Under the office's lock, which who deletes documents takes too.
 * @param input.versaoIds what the recipe needs, each once
 * @returns false, and nothing is written, when the upload is no longer as it was, or documents of the office are just being
 *   deleted, which its recipe may need, or have been since it was made
 */
export async function putReceita(
  trx: Trx,
  input: {
    arquivoId: string;
    contadorId: number;
    blob: string;
    receita: Uint8Array;
    versaoIds: readonly number[];
  },
): Promise<boolean> {
  const { arquivoId, contadorId, blob, receita, versaoIds } = input;
  const exclusao = await trx
    .selectFrom('exclusao')
    .select('id')
    .where('contador_id', '=', contadorId)
    .where('estado', '=', 'confirmada')
    .executeTakeFirst();
  if (exclusao || !(await temConteudos(trx, versaoIds))) return false;
  const changed = await trx
    .updateTable('arquivo')
    .set({ blob: null, receita: 1 })
    .where('id', '=', arquivoId)
    .where('blob', '=', blob)
    .where('receita', '=', 0)
    .returning('id')
    .execute();
  if (changed.length === 0) return false;
  await trx
    .insertInto('receita_de_envio')
    .values({ arquivo_id: arquivoId, contador_id: contadorId, receita })
    .execute();
  return true;
}

/** The bytes stay as they are. */
export async function keepBytes(trx: Trx, arquivoId: string): Promise<void> {
  await trx
    .updateTable('arquivo')
    .set({ receita: 2 })
    .where('id', '=', arquivoId)
    .where('receita', '=', 0)
    .execute();
}

/** The bytes take the place of the recipe. @returns false when there is no recipe any more: nothing is written */
export async function putBytes(trx: Trx, input: { arquivoId: string; blob: string }): Promise<boolean> {
  const changed = await trx
    .updateTable('arquivo')
    .set({ blob: input.blob, receita: 2 })
    .where('id', '=', input.arquivoId)
    .where('receita', '=', 1)
    .returning('id')
    .execute();
  if (changed.length === 0) return false;
  await trx.deleteFrom('receita_de_envio').where('arquivo_id', '=', input.arquivoId).execute();
  return true;
}
