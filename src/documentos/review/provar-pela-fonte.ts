/**
 * The same bytes again, from the authority itself: nothing is stored, and the version that is there is proven by that from now on.
 * Call inside the transaction that stored the batch, which holds the office's lock.
 */
import { readHash } from '../bytes/hash-guardado.ts';
import { readProva, writeProva } from '../lean/prova-guardada.ts';
import type { PecaLida, Trx } from '../tipos.ts';
import * as revisao from './queries-revisar.ts';
import { reavaliar } from './revisar.ts';

export interface DuplicadoDaFonte {
  documentoId: number;
  peca: Extract<PecaLida, { kind: 'registro' }>;
}

export async function provarPelaFonte(
  trx: Trx,
  input: { contadorId: number; agora: number; duplicados: readonly DuplicadoDaFonte[] },
): Promise<void> {
  const { contadorId, agora } = input;
  for (const { documentoId, peca } of input.duplicados) {
    const versoes = await revisao.findHashes(trx, documentoId);
    const same = versoes.find(
      ({ sha256, prova }) => readHash(sha256) === peca.conteudo.sha256 && readProva(prova) !== 'sefaz',
    );
    if (!same) continue;
    await revisao.updateVeredicto(trx, { id: same.id, prova: writeProva('sefaz') });
    await reavaliar(trx, { contadorId, documentoId, agora, lidas: new Map([[same.id, peca]]) });
  }
}
