/** What the documents of a filter come to. */
import type { Db } from '../../banco/tabelas.ts';
import type { Cursor } from './cursor.ts';
import type { FiltroDeDocumentos } from './filtro.ts';
import {
  ambos,
  DEPOIS_DE_TODOS,
  JANELA_COM_FINALIDADE,
  MAIOR_JANELA,
  type PaginaDaLista,
  type Passa,
  paginaDaLista,
  parteContada,
  planoDe,
  totalDaLista,
} from './lista.ts';
import type { Passo } from './queries-janela.ts';
import * as queries from './queries-lista.ts';

/** The page beside them does not wait for sums; other readings go between two windows. */
const ORCAMENTO_MS = 1_000;
/** More documents than these are not looked through within it, and others would wait: the first ones are told soon. */
const SOMAVEIS = 200_000;
const ORCAMENTO_CURTO_MS = 50;

export interface Totais {
  porStatus: Map<string, { documentos: number; centavos: number }>;
  /** Whether all that the filter finds is in the sums. */
  completo: boolean;
}

/** How many documents a filter finds and what they come to, each once; of very many the first ones in the listing's order. */
export async function totaisDoFiltro(
  db: Db,
  pedido: { filtro: FiltroDeDocumentos; passa?: Passa },
): Promise<Totais> {
  const { filtro } = pedido;
  const porStatus: Totais['porStatus'] = new Map();
  const planejado = await planoDe(db, filtro);
  if (!planejado) return { porStatus, completo: true };
  const { plano } = planejado;
  const muitos =
    plano.candidatos === null && ((await totalDaLista(db, parteContada(filtro))) ?? 0) > SOMAVEIS;
  const deadline = performance.now() + (muitos ? ORCAMENTO_CURTO_MS : ORCAMENTO_MS);
  const passa = ambos(pedido.passa, planejado.passa);
  if (passa) return totaisLinhaALinha(db, { filtro, passa, deadline });
  let depois: Cursor | null = null;
  for (;;) {
    const passo: Passo = { depois, janela: MAIOR_JANELA };
    for (const row of await queries.sumDaJanela(db, { filtro, passo, plano, umaPorDocumento: true }))
      somarEm(porStatus, row);
    const fim = await queries.findFimDaJanela(db, { filtro, passo, plano });
    if (!fim) return { porStatus, completo: true };
    depois = { k1: fim.k1, k2: fim.k2, clienteId: DEPOIS_DE_TODOS };
    if (performance.now() > deadline) return { porStatus, completo: false };
  }
}

async function totaisLinhaALinha(
  db: Db,
  { filtro, passa, deadline }: { filtro: FiltroDeDocumentos; passa: Passa; deadline: number },
): Promise<Totais> {
  const porStatus: Totais['porStatus'] = new Map();
  let depois: Cursor | null = null;
  do {
    const pagina: PaginaDaLista = await paginaDaLista(db, {
      filtro,
      depois,
      tamanho: JANELA_COM_FINALIDADE,
      passa,
      umaPorDocumento: true,
    });
    for (const { status, valor } of pagina.linhas)
      somarEm(porStatus, { status, documentos: 1, centavos: Math.round(Number(valor ?? 0) * 100) });
    depois = pagina.proximo;
  } while (depois && performance.now() < deadline);
  return { porStatus, completo: depois === null };
}

function somarEm(
  porStatus: Totais['porStatus'],
  { status, documentos, centavos }: { status: string; documentos: number; centavos: number },
): void {
  const known = porStatus.get(status) ?? { documentos: 0, centavos: 0 };
  porStatus.set(status, {
    documentos: known.documentos + documentos,
    centavos: known.centavos + centavos,
  });
}
