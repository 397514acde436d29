/** Statements of the counts that are kept with the rows: by client, kind, day, and what becomes of a document. */

import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../banco/tabelas.ts';
import { idChunks } from '../../documentos/bytes/chunks.ts';
import { STATUS_EM_CODIGO, TIPO_EM_CODIGO } from '../../documentos/lean/codigos.ts';
import { fimDoDia, inicioDoDia } from '../../fiscal/dia.ts';
import type { Alcance } from '../acesso.ts';
import { MODELOS_DA_ESPECIE } from './filtro.ts';

export interface Contagem {
  modelo: string;
  tipo: string;
  status: string;
  carta_correcao: number;
  /** Listing rows: one for each client that has a document. */
  quantidade: number;
  /** Of them, those whose document another client's row counts already… */
  repetidas: number;
  /** …and those whose document another client's row of the same `tipo` does. */
  repetidasNoTipo: number;
}

const COLUNAS = ['modelo', 'tipo', 'status', 'carta_correcao'] as const;

/** What tells whether the counts of an office's clients stand: one small row of each. */
export async function findEstados(db: Db, contadorId: number) {
  return db
    .selectFrom('cliente')
    .select(['id', 'ultimo_nsu', 'revisao'])
    .where('contador_id', '=', contadorId)
    .execute();
}

/** Counts of some clients, summed over all days: primary key of `contagem`, a few rows for each of their days. */
export async function sumPorCliente(
  db: Db,
  ids: readonly number[],
): Promise<(Contagem & { cliente_id: number })[]> {
  const all: (Contagem & { cliente_id: number })[] = [];
  for (const part of idChunks(ids)) {
    const rows = await db
      .selectFrom('contagem')
      .select((eb) => ['cliente_id', ...COLUNAS, eb.fn.sum('quantidade').as('quantidade')])
      .where('cliente_id', 'in', part)
      .groupBy(['cliente_id', ...COLUNAS])
      .execute();
    for (const row of rows) all.push(linhas(row));
  }
  return [...all, ...(await sumRepetidas(db, { ids, entre: null, primeiroDia: null, ultimoDia: null }))];
}

const linhas = <Linha extends { quantidade: unknown }>(row: Linha) => ({
  ...row,
  quantidade: Number(row.quantidade),
  repetidas: 0,
  repetidasNoTipo: 0,
});

interface Dias {
  primeiroDia: string | null;
  ultimoDia: string | null;
}

/**
 * Listing rows of some clients that repeat what another client's row counts: the covering index `participacao_repetida`, whose
 * rows are the documents that several clients have.
 * @param input.entre the only clients that count; null: all of the office
 */
async function sumRepetidas(
  db: Db,
  input: Dias & { ids: readonly number[]; entre: readonly number[] | null },
): Promise<(Contagem & { cliente_id: number })[]> {
  const { entre, primeiroDia, ultimoDia } = input;
  const [repetidas, repetidasNoTipo] = entre
    ? [contadaAntes(entre, false), contadaAntes(entre, true)]
    : [sql<SqlBool>`1 = 1`, sql<SqlBool>`repetida = 2`];
  const all: (Contagem & { cliente_id: number })[] = [];
  for (const part of idChunks(input.ids)) {
    let query = db
      .selectFrom('participacao')
      .select([
        'cliente_id',
        'modelo',
        'tipo',
        'status',
        'carta_correcao',
        sql<number>`sum(case when ${repetidas} then 1 else 0 end)`.as('repetidas'),
        sql<number>`sum(case when ${repetidasNoTipo} then 1 else 0 end)`.as('repetidasNoTipo'),
      ])
      .where('cliente_id', 'in', part)
      .where('modelo', 'in', MODELOS_DA_ESPECIE.todas)
      .where('repetida', '>', sql.lit(0))
      .groupBy(['cliente_id', 'modelo', 'tipo', 'status', 'carta_correcao']);
    if (primeiroDia !== null) query = query.where('emitido_em', '>=', inicioDoDia(primeiroDia));
    if (ultimoDia !== null) query = query.where('emitido_em', '<', fimDoDia(inicioDoDia(ultimoDia)));
    for (const row of await query.execute())
      all.push({
        ...row,
        tipo: TIPO_EM_CODIGO.ler(row.tipo),
        status: STATUS_EM_CODIGO.ler(row.status),
        quantidade: 0,
        repetidas: Number(row.repetidas),
        repetidasNoTipo: Number(row.repetidasNoTipo),
      });
  }
  return all;
}

/** Of two rows of a document in these clients, the one that says less of repeating counts it; else the first client's. */
function contadaAntes(entre: readonly number[], noTipo: boolean) {
  return sql<SqlBool>`exists (select 1 from participacao as outra
    where outra.documento_id = participacao.documento_id and outra.cliente_id in (${sql.join(entre)})
      ${noTipo ? sql`and outra.tipo = participacao.tipo` : sql``}
      and (outra.repetida < participacao.repetida
        or (outra.repetida = participacao.repetida and outra.cliente_id < participacao.cliente_id)))`;
}

/**
 * Kept counts of whole days, summed: a few rows for each of these days of the clients in question. All kinds are named,
 * for days are found in the primary key behind the kind.
 */
export async function sumContagens(
  db: Db,
  input: Dias & { contadorId: number; alcance: Alcance },
): Promise<Contagem[]> {
  const { contadorId, alcance } = input;
  const ids = alcance ?? (await findEstados(db, contadorId)).map(({ id }) => id);
  let query = db
    .selectFrom('contagem')
    .select((eb) => [...COLUNAS, eb.fn.sum('quantidade').as('quantidade')])
    .where('modelo', 'in', MODELOS_DA_ESPECIE.todas)
    .groupBy(COLUNAS);
  query =
    alcance === null
      ? query.where('cliente_id', 'in', (eb) =>
          eb.selectFrom('cliente').select('id').where('contador_id', '=', contadorId),
        )
      : query.where('cliente_id', 'in', alcance);
  if (input.primeiroDia !== null) query = query.where('dia', '>=', input.primeiroDia);
  if (input.ultimoDia !== null) query = query.where('dia', '<=', input.ultimoDia);
  const repetidas = ids.length > 1 ? await sumRepetidas(db, { ...input, ids, entre: alcance }) : [];
  return [...(await query.execute()).map(linhas), ...repetidas];
}
