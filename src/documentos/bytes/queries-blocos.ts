/** Statements of stored bytes: those of one document, and blocks, in which several stand together (`blocos.ts`). */
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import type { TabelaBloco, TabelaConteudo, Tabelas } from '../../banco/tabelas.ts';
import { compiledOnce } from '../../platform/db/compiled-once.ts';
import { insertMany } from '../../platform/db/many-rows.ts';
import type { Trx } from '../tipos.ts';
import { idChunks, rowBatches } from './chunks.ts';

/** Bytes of versions, or the place in a block where they stand. */
export async function insertConteudos(trx: Trx, rows: readonly Insertable<TabelaConteudo>[]): Promise<void> {
  for (const part of rowBatches(rows)) {
    await insertMany(trx, 'conteudo', part).execute();
  }
}

/** @returns the new ids, in the order of the rows */
export async function insertBlocos(trx: Trx, rows: readonly Insertable<TabelaBloco>[]): Promise<number[]> {
  const ids = new Map<Insertable<TabelaBloco>, number>();
  // What comes back is told apart by its sum: rows with the same one go into statements of their own.
  for (let waiting = [...rows]; waiting.length > 0; waiting = waiting.filter((row) => !ids.has(row))) {
    const porSoma = new Map(waiting.map((row) => [row.soma, row]));
    for (const part of rowBatches([...porSoma.values()])) {
      for (const { id, soma } of await insertMany(trx, 'bloco', part).returning(['id', 'soma']).execute()) {
        const row = porSoma.get(soma);
        if (row) ids.set(row, id);
      }
    }
  }
  return rows.flatMap((row) => ids.get(row) ?? []);
}

/** One block; primary key. */
export async function findBloco(trx: Trx, id: number): Promise<Selectable<TabelaBloco> | undefined> {
  return trx.selectFrom('bloco').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Where in a block its documents stand; index `conteudo_bloco`. */
export async function findPosicoes(trx: Trx, blocoId: number): Promise<(number | null)[]> {
  const rows = await trx.selectFrom('conteudo').select('posicao').where('bloco_id', '=', blocoId).execute();
  return rows.map(({ posicao }) => posicao);
}

/** All documents of a block stand in another one now, where they stood. */
export async function moveToBloco(trx: Trx, input: { de: number; para: number }): Promise<void> {
  await trx.updateTable('conteudo').set({ bloco_id: input.para }).where('bloco_id', '=', input.de).execute();
}

/** One that no document stands in any more. */
export async function deleteBloco(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('bloco').where('id', '=', id).execute();
}

/** Blocks in which no document stands; primary key, and index `conteudo_bloco` for each. */
export async function findBlocosSoltos(db: Kysely<Tabelas>, input: { depoisDe: number; limite: number }) {
  return db
    .selectFrom('bloco')
    .select(['id', 'contador_id'])
    .where('id', '>', input.depoisDe)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('conteudo')
            .select(sql.lit(1).as('one'))
            .whereRef('conteudo.bloco_id', '=', 'bloco.id'),
        ),
      ),
    )
    .orderBy('id')
    .limit(input.limite)
    .execute();
}

export type BlocoGuardado = Pick<Selectable<TabelaBloco>, 'bytes' | 'soma'>;

/** Blocks by their ids; primary key. Each is read once, however many of its documents are asked for. */
export async function findBlocos(
  db: Kysely<Tabelas>,
  ids: readonly (number | null)[],
): Promise<Map<number | null, BlocoGuardado>> {
  const found = new Map<number | null, BlocoGuardado>();
  for (const part of idChunks([...new Set(ids)].filter((id) => id !== null))) {
    for (const { id, ...bloco } of await blocosPorId(db, part)) found.set(id, bloco);
  }
  return found;
}

const blocosPorId = compiledOnce((db: Kysely<Tabelas>, ids) =>
  db.selectFrom('bloco').select(['id', 'bytes', 'soma']).where('id', 'in', ids),
);
