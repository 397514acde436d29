/** Keeps notes of layouts that are not read, in the transaction that tells of them. */
import { type Chegada, keepAEnsinar } from '../../documentos/leiautes/a-ensinar.ts';
import { type PecaGravada, type PecaLida, RESULTADO, type Trx } from '../../documentos/tipos.ts';
import type { LoteComOrdem } from './juntar.ts';

/**
 * @param input.gravadas what is told of each piece of `lotes` so far
 * @returns the same, where items of such notes say that they wait
 */
export async function holdAEnsinar(
  trx: Trx,
  input: { lotes: readonly LoteComOrdem[]; agora: number; gravadas: readonly PecaGravada[][] },
): Promise<readonly PecaGravada[][]> {
  let { gravadas } = input;
  for (const [contadorId, lotes] of Map.groupBy(input.lotes, (lote) => lote.contadorId)) {
    const chegadas = chegadasEm(lotes);
    if (chegadas.size === 0) continue;
    const { agora } = input;
    const demais = await keepAEnsinar(trx, { contadorId, agora, chegadas: [...chegadas.values()] });
    gravadas = gravadas.map((dele, at) =>
      dele.map((gravada, index) => {
        const peca = input.lotes[at]?.pecas[index];
        const chegada = peca && chegadas.get(peca);
        if (!chegada) return gravada;
        return demais.has(chegada.guardado.digest) ? comDemais(gravada) : aEspera(gravada);
      }),
    );
  }
  return gravadas;
}

function chegadasEm(lotes: readonly LoteComOrdem[]): Map<PecaLida, Chegada> {
  const chegadas = new Map<PecaLida, Chegada>();
  for (const { arquivoNumero, primeiraOrdem, pecas } of lotes)
    for (const [index, peca] of pecas.entries())
      if (peca.kind === 'rejeitado' && peca.aEnsinar) {
        const { aEnsinar: guardado, caminho } = peca;
        chegadas.set(peca, { guardado, arquivoNumero, itemOrdem: primeiraOrdem + index, caminho });
      }
  return chegadas;
}

function aEspera(gravada: PecaGravada): PecaGravada {
  return {
    ...gravada,
    resultado: RESULTADO.semLeiaute,
    codigo: 'leiaute_desconhecido',
    mensagem:
      'NFS-e de um leiaute municipal que ainda não é lido: ficou guardada. Em "Leiautes a ensinar", mostre ' +
      'onde estão os campos, ou instale o leiaute que um colega enviou: ela entra então nas listas, em ordem de chegada.',
  };
}

function comDemais(gravada: PecaGravada): PecaGravada {
  const mensagem = `${gravada.mensagem ?? ''} Já há notas demais à espera de um leiaute: esta só está no arquivo enviado. Ensine os que esperam e envie-a de novo.`;
  return { ...gravada, mensagem: mensagem.trim() };
}
