import type { Db } from '../../banco/tabelas.ts';
import { finalidadesDe } from './apresentar.ts';
import type { FiltroDeDocumentos } from './filtro.ts';
import { comItens } from './itens-procurados.ts';
import { ambos, type Passa } from './lista.ts';

/** What only code can tell of a row: its purpose is derived from its items, and these are kept in a form of their own. */
export function passaDoFiltro(db: Db, filtro: FiltroDeDocumentos): Passa | null {
  return ambos(daFinalidade(db, filtro), dosItens(db, filtro)) ?? null;
}

function daFinalidade(db: Db, { finalidade, contadorId }: FiltroDeDocumentos): Passa | undefined {
  if (finalidade === null) return undefined;
  return async (linhas) =>
    (await finalidadesDe(db, { contadorId, linhas })).map((one) => one?.codigo === finalidade);
}

function dosItens(db: Db, { itens }: FiltroDeDocumentos): Passa | undefined {
  return itens && ((linhas) => comItens(db, { linhas, itens }));
}
