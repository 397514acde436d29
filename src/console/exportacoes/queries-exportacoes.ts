/** Statements of mass exports. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { TabelaExportacao } from '../../banco/tabelas-consulta.ts';
import { idChunks } from '../../documentos/chunks.ts';
import type { Trx } from '../../documentos/tipos.ts';
import type { Leitor } from '../documentos/queries-janela.ts';

export type LinhaDeExportacao = Selectable<TabelaExportacao>;

export async function insertExportacao(trx: Trx, row: Insertable<TabelaExportacao>): Promise<void> {
  await trx.insertInto('exportacao').values(row).execute();
}

/** Not yet ended, of one user; index `exportacao_contador`. */
export async function countVivas(
  db: Leitor,
  input: { contadorId: number; usuarioId: number },
): Promise<number> {
  const row = await db
    .selectFrom('exportacao')
    .select((eb) => eb.fn.countAll<number>().as('quantas'))
    .where('contador_id', '=', input.contadorId)
    .where('usuario_id', '=', input.usuarioId)
    .where('estado', 'in', ['na_fila', 'em_andamento'])
    .executeTakeFirst();
  return Number(row?.quantas ?? 0);
}

/** The newest exports of one user; index `exportacao_contador`. */
export async function findExportacoes(
  db: Leitor,
  input: { contadorId: number; usuarioId: number; limite: number },
): Promise<LinhaDeExportacao[]> {
  return db
    .selectFrom('exportacao')
    .selectAll()
    .where('contador_id', '=', input.contadorId)
    .where('usuario_id', '=', input.usuarioId)
    .orderBy('criado_em', 'desc')
    .orderBy('id')
    .limit(input.limite)
    .execute();
}

export async function findExportacao(
  db: Leitor,
  input: { contadorId: number; usuarioId: number; id: string },
): Promise<LinhaDeExportacao | null> {
  const row = await db
    .selectFrom('exportacao')
    .selectAll()
    .where('id', '=', input.id)
    .where('contador_id', '=', input.contadorId)
    .where('usuario_id', '=', input.usuarioId)
    .executeTakeFirst();
  return row ?? null;
}

/** Changes an export that has not ended otherwise meanwhile. @returns false when it is gone or ended */
export async function updateViva(
  trx: Trx,
  input: { id: string; set: Updateable<TabelaExportacao> },
): Promise<boolean> {
  const result = await trx
    .updateTable('exportacao')
    .set(input.set)
    .where('id', '=', input.id)
    .where('estado', 'in', ['na_fila', 'em_andamento'])
    .executeTakeFirst();
  return Number(result.numUpdatedRows) === 1;
}

export async function deleteExportacao(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('exportacao').where('id', '=', id).execute();
}

/** What a process left behind when it ended. */
export async function interruptAll(trx: Trx, input: { processo: string; agora: number }): Promise<void> {
  await trx
    .updateTable('exportacao')
    .set({
      estado: 'interrompida',
      fim_em: input.agora,
      erro: 'O serviço foi reiniciado durante a exportação. Peça-a de novo.',
    })
    .where('processo', '=', input.processo)
    .where('estado', 'in', ['na_fila', 'em_andamento'])
    .execute();
}

/** Exports of a process whose file is to go; index `exportacao_viva`. */
export async function findVencidas(
  db: Leitor,
  input: { processo: string; agora: number },
): Promise<{ id: string }[]> {
  return db
    .selectFrom('exportacao')
    .select('id')
    .where('expira_em', '<', input.agora)
    .where('estado', '<>', sql.lit('expirada'))
    .where('processo', '=', input.processo)
    .execute();
}

export async function expire(trx: Trx, ids: readonly string[]): Promise<void> {
  for (const part of idChunks(ids)) {
    await trx.updateTable('exportacao').set({ estado: 'expirada' }).where('id', 'in', part).execute();
  }
}

/** Ids whose file this process must have. */
export async function findProntas(db: Leitor, processo: string): Promise<string[]> {
  const rows = await db
    .selectFrom('exportacao')
    .select('id')
    .where('processo', '=', processo)
    .where('estado', '=', 'pronta')
    .execute();
  return rows.map((row) => row.id);
}

export interface VersaoServida {
  documento_id: number;
  versao_id: number;
  sha256: string;
  tamanho: number;
  codificacao: string;
}

/** Served versions that still have their bytes; index `versao_servida`, then primary keys. */
export async function findServidas(db: Leitor, documentoIds: readonly number[]): Promise<VersaoServida[]> {
  const found: VersaoServida[] = [];
  for (const part of idChunks(documentoIds)) {
    found.push(
      ...(await db
        .selectFrom('versao')
        .innerJoin('conteudo', 'conteudo.versao_id', 'versao.id')
        .select([
          'versao.documento_id',
          'versao.id as versao_id',
          'versao.sha256',
          'versao.tamanho',
          'versao.codificacao',
        ])
        .where('versao.documento_id', 'in', part)
        .where('versao.servida', '=', sql.lit(1 as const))
        .execute()),
    );
  }
  return found;
}
