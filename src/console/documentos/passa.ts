import { finalidadesDe } from './apresentar.ts';
import type { FiltroDeDocumentos } from './filtro.ts';
import type { Passa } from './lista.ts';
import type { Leitor } from './queries-janela.ts';

/** What only code can tell of a row: its purpose is derived from its items. */
export function passaDoFiltro(db: Leitor, filtro: FiltroDeDocumentos): Passa | null {
  const { finalidade, contadorId } = filtro;
  if (finalidade === null) return null;
  return async (linhas) =>
    (await finalidadesDe(db, { contadorId, linhas })).map((one) => one?.codigo === finalidade);
}
