/**
 * What Malote fetched itself needs no signature to be believed: the service was known by its own certificate, and what it gives
 * is what the authority holds. The shortcomings of the bytes stay told.
 */
import type { PecaLida } from '../../documentos/tipos.ts';
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
