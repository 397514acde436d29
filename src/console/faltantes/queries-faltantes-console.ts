/** Statements of the console's page of missing numbers. */

import { type Insertable, sql } from 'kysely';
import type { Db } from '../../banco/tabelas.ts';
import type { TabelaFaltanteJustificado } from '../../banco/tabelas-consulta.ts';
import type { Trx } from '../../documentos/tipos.ts';

export interface DiaDaSerie {
  serie: string;
  /** Days since 1970 in São Paulo. */
  dia: number;
  quantidade: number;
  menor: number;
  maior: number;
}

const DAY_MS = 86_400_000;
/** As it is all year since 2019; what was issued in the first hour of a summer day before that counts for the day before. */
const OFFSET_MS = 3 * 3_600_000;

/**
 * Known numbers of an issuer by series and day; the covering index `documento_numeracao`, no document is touched. The sign
 * keeps the engine from the index of the listing, in which it would walk through the documents of the whole office.
 */
export async function countPorSerie(
  db: Db,
  input: { contadorId: number; emitente: string; modelo: string; desde: number; ate: number },
): Promise<DiaDaSerie[]> {
  const dia = sql<number>`(emitido_em - ${sql.lit(OFFSET_MS)}) / ${sql.lit(DAY_MS)}`;
  const rows = await db
    .selectFrom('documento')
    .where('classe', '<>', sql.lit('evento'))
    .where('contador_id', '=', input.contadorId)
    .where('ambiente', '=', 1)
    .where('emitente', '=', input.emitente)
    .where('modelo', '=', input.modelo)
    .where(sql`+emitido_em`, '>=', input.desde)
    .where(sql`+emitido_em`, '<', input.ate)
    .where('numero_inicial', 'is not', null)
    .select((eb) => [
      'serie',
      dia.as('dia'),
      eb.fn.countAll<number>().as('quantidade'),
      eb.fn.min('numero_inicial').as('menor'),
      eb.fn.max('numero_final').as('maior'),
    ])
    .groupBy(['serie', sql`2`])
    .execute();
  return rows.map((row) => ({
    serie: row.serie ?? '0',
    dia: Math.floor(Number(row.dia)),
    quantidade: Number(row.quantidade),
    menor: Number(row.menor),
    maior: Number(row.maior),
  }));
}

/** Which models a client has issued; primary key of `contagem`. */
export async function findModelosEmitidos(db: Db, clienteIds: readonly number[]) {
  if (clienteIds.length === 0) return [];
  return db
    .selectFrom('contagem')
    .select(['cliente_id', 'modelo'])
    .distinct()
    .where('cliente_id', 'in', clienteIds)
    .where('tipo', '=', 'Emitida')
    .where('quantidade', '>', 0)
    .execute();
}

export async function findJustificados(db: Db, input: { contadorId: number; clienteId: number }) {
  return db
    .selectFrom('faltante_justificado')
    .select(['modelo', 'serie', 'numero_inicial', 'numero_final', 'motivo', 'por', 'em'])
    .where('contador_id', '=', input.contadorId)
    .where('cliente_id', '=', input.clienteId)
    .execute();
}

export async function upsertJustificado(trx: Trx, row: Insertable<TabelaFaltanteJustificado>): Promise<void> {
  await trx
    .insertInto('faltante_justificado')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['cliente_id', 'modelo', 'serie', 'numero_inicial']).doUpdateSet((eb) => ({
        numero_final: eb.ref('excluded.numero_final'),
        motivo: eb.ref('excluded.motivo'),
        por: eb.ref('excluded.por'),
        em: eb.ref('excluded.em'),
      })),
    )
    .execute();
}

export async function deleteJustificado(
  trx: Trx,
  input: { contadorId: number; clienteId: number; modelo: string; serie: string; numeroInicial: number },
): Promise<boolean> {
  const result = await trx
    .deleteFrom('faltante_justificado')
    .where('contador_id', '=', input.contadorId)
    .where('cliente_id', '=', input.clienteId)
    .where('modelo', '=', input.modelo)
    .where('serie', '=', input.serie)
    .where('numero_inicial', '=', input.numeroInicial)
    .executeTakeFirst();
  return Number(result.numDeletedRows) > 0;
}
