/** Statements of the counts that are kept with the rows: by client, kind, day, and what becomes of a document. */
import { idChunks } from '../../documentos/bytes/chunks.ts';
import type { Alcance } from '../acesso.ts';
import { MODELOS_DA_ESPECIE } from './filtro.ts';
import type { Leitor } from './queries-janela.ts';

export interface Contagem {
  modelo: string;
  tipo: string;
  status: string;
  carta_correcao: number;
  quantidade: number;
}

const COLUNAS = ['modelo', 'tipo', 'status', 'carta_correcao'] as const;

/** What tells whether the counts of an office's clients stand: one small row of each. */
export async function findEstados(db: Leitor, contadorId: number) {
  return db
    .selectFrom('cliente')
    .select(['id', 'ultimo_nsu', 'revisao'])
    .where('contador_id', '=', contadorId)
    .execute();
}

/** Counts of some clients, summed over all days: primary key of `contagem`, a few rows for each of their days. */
export async function sumPorCliente(
  db: Leitor,
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
    for (const row of rows) all.push({ ...row, quantidade: Number(row.quantidade) });
  }
  return all;
}

/**
 * Kept counts of whole days, summed: a few rows for each of these days of the clients in question. All kinds are named,
 * for days are found in the primary key behind the kind.
 */
export async function sumContagens(
  db: Leitor,
  input: {
    contadorId: number;
    alcance: Alcance;
    primeiroDia: string | null;
    ultimoDia: string | null;
  },
): Promise<Contagem[]> {
  let query = db
    .selectFrom('contagem')
    .select((eb) => [...COLUNAS, eb.fn.sum('quantidade').as('quantidade')])
    .where('modelo', 'in', MODELOS_DA_ESPECIE.todas)
    .groupBy(COLUNAS);
  query =
    input.alcance === null
      ? query.where('cliente_id', 'in', (eb) =>
          eb.selectFrom('cliente').select('id').where('contador_id', '=', input.contadorId),
        )
      : query.where('cliente_id', 'in', input.alcance);
  if (input.primeiroDia !== null) query = query.where('dia', '>=', input.primeiroDia);
  if (input.ultimoDia !== null) query = query.where('dia', '<=', input.ultimoDia);
  const rows = await query.execute();
  return rows.map((row) => ({ ...row, quantidade: Number(row.quantidade) }));
}
