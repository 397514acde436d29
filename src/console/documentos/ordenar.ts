/** Pages in the order of a column that no index has. */
import type { Db } from '../../banco/tabelas.ts';
import { ordemLargaDemais } from '../errors-documentos.ts';
import type { Cursor } from './cursor.ts';
import type { ColunaOrdenada } from './filtro.ts';
import {
  ambos,
  dependeDoCliente,
  JANELA_COM_FINALIDADE,
  ORCAMENTO_MS,
  type PaginaDaLista,
  type PedidoDePagina,
  planoDe,
  VAZIA,
} from './lista.ts';
import type { LinhaDaLista } from './queries-lista.ts';
import * as queries from './queries-lista.ts';

/** Rows that are sorted for a page: a client's month, of a shop its week. About a tenth of a second. */
const ORDENADOS_MAX = 20_000;
/** Rows that code looks through, for a page of which few pass. */
const ORCAMENTO_COM_PASSA_MS = 4 * ORCAMENTO_MS;

/**
 * One page in the order of a column: everything that the filter's window finds is sorted, so it has to be few. Its
 * cursor counts rows.
 * @throws ordem_larga_demais
 */
export async function paginaOrdenada(
  db: Db,
  pedido: Omit<PedidoDePagina, 'orcamentoMs' | 'umaPorDocumento'> & { coluna: ColunaOrdenada },
): Promise<PaginaDaLista> {
  const { filtro, coluna, tamanho } = pedido;
  const planejado = await planoDe(db, filtro);
  if (!planejado) return VAZIA;
  const { plano } = planejado;
  const passa = ambos(pedido.passa, planejado.passa);
  const passo = { depois: null, janela: ORDENADOS_MAX + 1 };
  if (await queries.findFimDaJanela(db, { filtro, passo, plano })) throw ordemLargaDemais(ORDENADOS_MAX);
  const umaPorDocumento = !dependeDoCliente(filtro);
  const deadline = performance.now() + (passa ? ORCAMENTO_COM_PASSA_MS : ORCAMENTO_MS);
  const linhas: LinhaDaLista[] = [];
  let pulando = pedido.depois?.k1 ?? 0;
  for (;;) {
    const limite = passa ? JANELA_COM_FINALIDADE : tamanho + 1;
    const lidas = await queries.findOrdenadas(db, {
      filtro,
      passo,
      plano,
      umaPorDocumento,
      coluna,
      pulando,
      limite,
    });
    const passam = passa ? await passa(lidas) : null;
    for (const [at, linha] of lidas.entries()) {
      if (linhas.length === tamanho) return { linhas, proximo: lugar(pulando + at) };
      if (passam?.[at] !== false && linha.documento_id !== linhas.at(-1)?.documento_id) linhas.push(linha);
    }
    if (lidas.length < limite) return { linhas, proximo: null };
    pulando += lidas.length;
    if (performance.now() > deadline) return { linhas, proximo: lugar(pulando) };
  }
}

const lugar = (pulando: number): Cursor => ({ k1: pulando, k2: 0, clienteId: 0 });
