import type { Flag, TabelaContagem } from '../banco/tabelas.ts';
import { diaDe } from '../fiscal/dia.ts';
import { STATUS_EM_CODIGO, TIPO_EM_CODIGO } from './codigos.ts';
import * as queries from './queries-entradas.ts';
import type { Leitor } from './queries-leitura.ts';
import { countPorHora } from './queries-verificar.ts';
import type { Trx } from './tipos.ts';

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
export async function aplicarContagens(trx: Trx, deltas: readonly Delta[]): Promise<void> {
  const changed = somar(deltas.filter(ehListada)).filter(mudou);
  if (changed.length > 0) await queries.addContagens(trx, changed);
}

function ehListada({ linha }: Delta): boolean {
  return linha.classe !== 'evento';
}

function mudou({ quantidade }: TabelaContagem): boolean {
  return quantidade !== 0;
}

/** The daily counts of a client as they follow from its listing rows. A code without a word stands for itself. */
export async function contarDeNovo(db: Leitor, clienteId: number): Promise<TabelaContagem[]> {
  const rows = await countPorHora(db, clienteId);
  return somar(
    rows.map(({ quantidade, instante, tipo, status, ...row }) => ({
      linha: {
        ...row,
        cliente_id: clienteId,
        dia: diaDe(instante),
        tipo: TIPO_EM_CODIGO.mostrar(tipo),
        status: STATUS_EM_CODIGO.mostrar(status),
      },
      quantidade,
    })),
  );
}

/** One row for each client, model, day, type and status. */
function somar(
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
