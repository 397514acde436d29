/**
 * What Malote fetched itself needs no signature to be believed: the service was known by its own certificate, and what it gives
 * is what the authority holds. The shortcomings of the bytes stay told.
 */
import { type DuplicadoDaFonte, provarPelaFonte } from '../../documentos/review/provar-pela-fonte.ts';
import type { PecaGravada, PecaLida, Trx } from '../../documentos/tipos.ts';
import type { Tarefa } from '../queries.ts';

const DA_AUTORIDADE: readonly Tarefa['fonte'][] = ['sefaz', 'adn', 'sae'];

/** The pieces of some entries, proven by where they came from. */
export function provadasPelaFonte(entradas: PecaLida[][], fonte: Tarefa['fonte']): PecaLida[][] {
  return DA_AUTORIDADE.includes(fonte) ? entradas.map((pecas) => pecas.map(provada)) : entradas;
}

function provada(peca: PecaLida): PecaLida {
  if (peca.kind !== 'registro') return peca;
  return { ...peca, prova: { prova: 'sefaz', falhas: peca.prova.falhas } };
}

/** What was there already, byte for byte, is proven by its coming from the authority as well. */
export async function provarDuplicados(
  trx: Trx,
  input: {
    tarefa: Pick<Tarefa, 'fonte' | 'contadorId'>;
    pecas: readonly PecaLida[];
    gravadas: readonly PecaGravada[];
    agora: number;
  },
): Promise<void> {
  const { tarefa, pecas, gravadas, agora } = input;
  if (!DA_AUTORIDADE.includes(tarefa.fonte)) return;
  const duplicados: DuplicadoDaFonte[] = [];
  for (const [at, { resultado, documentoId }] of gravadas.entries()) {
    const peca = pecas[at];
    if (resultado === 'duplicado' && documentoId !== null && peca?.kind === 'registro')
      duplicados.push({ documentoId, peca });
  }
  await provarPelaFonte(trx, { contadorId: tarefa.contadorId, agora, duplicados });
}
