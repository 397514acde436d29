/**
 * The filtered NF-e and NFC-e listings. Totals come from daily counts that are kept with the rows; a page is
 * found by walking the counts to the day it begins in, so its cost does not grow with the page's number.
 */
import { diaDe, fimDoDia, inicioDoDia } from '../../fiscal/dia.ts';
import type { FiltroDeListagem, Leitor } from '../queries-leitura.ts';
import * as queries from '../queries-leitura.ts';
import { type PaginaDeEntradas, paraEntradas } from './feed.ts';

export type StatusDeListagem = 'Autorizada' | 'Cancelada' | 'Denegada' | 'Inutilizada' | 'CartaCorrecao';

/** No fiscal document is issued later; an open range ends here. */
const END_OF_TIME = Date.UTC(2200, 0, 1);
/** Electronic documents began in 2005; an earlier start costs nothing to cut. */
const BEGINNING = Date.UTC(1990, 0, 1);

export interface EntradaDeListagem {
  clienteId: number;
  modelo: '55' | '65';
  /** ms UTC, included. */
  desde: number;
  /** ms UTC, excluded; null: open. */
  ate: number | null;
  tipo: 'Emitida' | 'Recebida' | null;
  filtro: StatusDeListagem | null;
  pagina: number;
  tamanho: number;
}

/** Rows of a part of the range, in time order. */
interface Trecho {
  desde: number;
  ate: number;
  quantidade: number;
}

/**
 * Documents by issue date, then NSU; inutilizações only where they are asked for: a reader takes each record of a list of
 * notes for a note.
 */
export async function paginaDeListagem(db: Leitor, input: EntradaDeListagem): Promise<PaginaDeEntradas> {
  const filtro: FiltroDeListagem = {
    clienteId: input.clienteId,
    modelo: input.modelo,
    desde: Math.max(input.desde, BEGINNING),
    ate: Math.min(input.ate ?? END_OF_TIME, END_OF_TIME),
    tipo: input.tipo,
    status: input.filtro === 'CartaCorrecao' ? null : input.filtro,
    cartaCorrecao: input.filtro === 'CartaCorrecao',
  };
  if (filtro.desde >= filtro.ate) return { total: 0, entradas: [] };
  const trechos = await countTrechos(db, filtro);
  const total = trechos.reduce((sum, trecho) => sum + trecho.quantidade, 0);
  const skip = (input.pagina - 1) * input.tamanho;
  if (skip >= total) return { total, entradas: [] };

  const { desde, antes } = inicioDaPagina(trechos, skip);
  const limite = skip - antes + input.tamanho;
  const nsus = (await queries.findNsusDaListagem(db, { ...filtro, desde, limite })).slice(skip - antes);
  if (nsus.length === 0) return { total, entradas: [] };
  const linhas = await queries.findEntradasPorNsu(db, { clienteId: input.clienteId, nsus });
  const order = new Map(nsus.map((nsu, index) => [nsu, index]));
  linhas.sort((a, b) => (order.get(a.nsu) ?? 0) - (order.get(b.nsu) ?? 0));
  // Documents, and not what happened to them.
  const documentos = linhas.map((linha) => ({ ...linha, motivo: null }));
  return { total, entradas: await paraEntradas(db, { clienteId: input.clienteId, linhas: documentos }) };
}

/** Whole days by their kept counts; a day that the range cuts is counted row by row. */
async function countTrechos(db: Leitor, filtro: FiltroDeListagem): Promise<Trecho[]> {
  const primeiroDia = diaDe(filtro.desde);
  const ultimoDia = diaDe(filtro.ate - 1);
  const dias = await queries.countPorDia(db, { ...filtro, primeiroDia, ultimoDia });
  const trechos: Trecho[] = [];
  for (const { dia, quantidade } of dias) {
    const comeco = inicioDoDia(dia);
    const fim = fimDoDia(comeco);
    const desde = Math.max(comeco, filtro.desde);
    const ate = Math.min(fim, filtro.ate);
    const inteiro = desde === comeco && ate === fim;
    trechos.push({
      desde,
      ate,
      quantidade: inteiro ? quantidade : await queries.countEntre(db, { ...filtro, desde, ate }),
    });
  }
  return trechos;
}

function inicioDaPagina(trechos: readonly Trecho[], skip: number): { desde: number; antes: number } {
  let antes = 0;
  for (const trecho of trechos) {
    if (antes + trecho.quantidade > skip) return { desde: trecho.desde, antes };
    antes += trecho.quantidade;
  }
  throw new Error('a page begins behind the rows that were counted');
}
