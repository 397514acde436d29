/**
 * Gives documents to the feeds of the clients that take part in them. It runs last in its transaction: the
 * counter rows are taken in one order, the numbers follow without holes, and the commit comes at once, so who has
 * read up to N never misses anything at or below N (docs/arquitetura/nsu.md).
 */
import type { TabelaEntrada } from '../../banco/tabelas.ts';
import { tipoDe } from '../../fiscal/papeis.ts';
import { PAPEIS_POR_FORCA, type Papel } from '../../fiscal/tipos.ts';
import { together } from '../../platform/db/together.ts';
import { MOTIVO_EM_CODIGO } from '../lean/codigos.ts';
import type { Motivo } from '../lean/motivos.ts';
import type { Trx } from '../tipos.ts';
import { applyContagens, type Delta, type LinhaContada } from './contagens.ts';
import * as queries from './queries-entradas.ts';

/** What a client sees anew: a listing row that gets its NSU here. */
export type NovaParticipacao = Omit<queries.Participacao, 'nsu' | 'repetida'> & {
  /** Its listing row until now, when it is listed already and gets another entry. */
  anterior: LinhaContada | null;
  /** Why it gets another entry; null where this is its first one. */
  motivo: Motivo | null;
};

/** One row for each client and document, with the strongest papel of those the client plays in it. */
export function comPapelMaisForte(rows: readonly queries.PapelDeCliente[]): NovaParticipacao[] {
  const strongest = new Map<string, queries.PapelDeCliente>();
  for (const row of rows) {
    const key = `${row.cliente_id}/${row.documento_id}`;
    const known = strongest.get(key);
    if (!known || strength(row.papel) < strength(known.papel)) strongest.set(key, row);
  }
  const novas: NovaParticipacao[] = [];
  for (const { ambiente: _ambiente, ...row } of strongest.values())
    novas.push({ ...row, tipo: tipoDe(row.papel), anterior: null, motivo: null });
  return novas;
}

function byDocumento(a: NovaParticipacao, b: NovaParticipacao): number {
  return a.documento_id - b.documento_id;
}

function clienteDe({ cliente_id }: NovaParticipacao): number {
  return cliente_id;
}

function strength(papel: Papel): number {
  return PAPEIS_POR_FORCA.indexOf(papel);
}

/**
 * Numbers entries in order of arrival (document id) and writes them, their listing rows and the daily counts.
 * @param input.novas no document twice for a client
 * @param input.recentes documents that this transaction has brought: nobody has them yet
 * @returns how many entries were made
 */
export async function entregar(
  trx: Trx,
  input: { novas: readonly NovaParticipacao[]; agora: number; recentes?: ReadonlySet<number> },
): Promise<number> {
  if (input.novas.length === 0) return 0;
  const ordered = [...input.novas].sort(byDocumento);
  const clienteIds = [...new Set(ordered.map(clienteDe))];
  const counters = new Map<number, number>();
  for (const row of await queries.lockCounters(trx, clienteIds)) counters.set(row.id, row.ultimo_nsu);

  const entradas: TabelaEntrada[] = [];
  const listadas: queries.Participacao[] = [];
  const listadasDeNovo: queries.Participacao[] = [];
  const deltas: Delta[] = [];
  const doutroLado: number[] = [];
  for (const { anterior, motivo, ...nova } of ordered) {
    const nsu = (counters.get(nova.cliente_id) ?? Number.NaN) + 1;
    if (!Number.isSafeInteger(nsu)) throw new Error('a client has no counter row');
    counters.set(nova.cliente_id, nsu);
    entradas.push({
      cliente_id: nova.cliente_id,
      nsu,
      documento_id: nova.documento_id,
      importado_em: input.agora,
      motivo: motivo && MOTIVO_EM_CODIGO.escrever(motivo),
    });
    (anterior ? listadasDeNovo : listadas).push({ ...nova, nsu });
    if (anterior && ehDocumento(nova) && anterior.tipo !== nova.tipo) doutroLado.push(nova.documento_id);
    if (anterior) deltas.push({ linha: anterior, quantidade: -1 });
    deltas.push({ linha: nova, quantidade: 1 });
  }
  const listadasComRepetidas = await comRepetidas(trx, listadas, input.recentes);
  const ultimos = [...counters].map(([clienteId, ultimoNsu]) => ({ clienteId, ultimoNsu }));
  await together(trx, [
    () => queries.insertEntradas(trx, entradas),
    () => queries.insertParticipacoes(trx, listadasComRepetidas),
    () => queries.upsertParticipacoes(trx, listadasDeNovo),
    () => applyContagens(trx, deltas),
    () => queries.updateCounters(trx, ultimos),
  ]);
  if (doutroLado.length > 0) await queries.updateRepetidas(trx, doutroLado);
  return entradas.length;
}

const ehDocumento = ({ classe }: { classe: string }) => classe !== 'evento';

/** Says of each row whether another client's has its document already: totals over several clients leave it out. */
async function comRepetidas(
  trx: Trx,
  rows: readonly queries.Participacao[],
  recentes: ReadonlySet<number> = new Set(),
): Promise<queries.Participacao[]> {
  const ids = [...new Set(rows.filter(ehDocumento).map((row) => row.documento_id))];
  const antigos = ids.filter((id) => !recentes.has(id));
  const listados = Map.groupBy(await queries.findTiposListados(trx, antigos), (row) => row.documento_id);
  const tiposDe = new Map(ids.map((id) => [id, new Set(listados.get(id)?.map(({ tipo }) => tipo))]));
  return rows.map((row) => {
    const tipos = tiposDe.get(row.documento_id);
    if (!tipos) return row;
    const repetida = tipos.has(row.tipo) ? 2 : tipos.size > 0 ? 1 : 0;
    tipos.add(row.tipo);
    return { ...row, repetida };
  });
}
