import type { Flag, TabelaContagem } from '../../banco/tabelas.ts';
import type { Trx } from '../tipos.ts';
import * as queries from './queries-entradas.ts';

/** The part of a listing row that a daily count is kept for. */
export interface LinhaContada {
  cliente_id: number;
  classe: string;
  modelo: string;
  dia: string;
  tipo: string;
  status: string;
  carta_correcao: Flag;
}

export interface Delta {
  linha: LinhaContada;
  /** +1 for a row that appears, −1 for one that goes. */
  quantidade: number;
}

/** Keeps the daily counts equal to the listing rows; events are not listed and not counted. */
export async function applyContagens(trx: Trx, deltas: readonly Delta[]): Promise<void> {
  const changed = somar(deltas.filter(ehListada)).filter(mudou);
  if (changed.length > 0) await queries.addContagens(trx, changed);
}

function ehListada({ linha }: Delta): boolean {
  return linha.classe !== 'evento';
}

function mudou({ quantidade }: TabelaContagem): boolean {
  return quantidade !== 0;
}

/** One row for each client, model, day, type and status. */
export function somar(
  deltas: readonly { linha: Omit<LinhaContada, 'classe'>; quantidade: number }[],
): TabelaContagem[] {
  const sums = new Map<string, TabelaContagem>();
  for (const { linha, quantidade } of deltas) {
    const { cliente_id, modelo, dia, tipo, status, carta_correcao } = linha;
    const key = `${cliente_id}|${modelo}|${dia}|${tipo}|${status}|${carta_correcao}`;
    const known = sums.get(key);
    if (known) known.quantidade += quantidade;
    else sums.set(key, { cliente_id, modelo, dia, tipo, status, carta_correcao, quantidade });
  }
  return [...sums.values()];
}
