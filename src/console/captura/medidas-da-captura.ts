/** For `/metrics`: what the page of capture tells of all offices, counted by its reason. No label tells whose they are. */
import type { DepsDaCaptura } from '../../captura/deps-da-captura.ts';
import { porQueNadaVeio } from '../../captura/situacao/porque.ts';
import { findClientes, findEscritorios } from '../../captura/situacao/queries.ts';
import { situacoesDe } from '../../captura/situacao/situacoes.ts';
import type { Measure } from '../../platform/http/metricas.ts';
import { Habitos } from '../inicio/habito.ts';
import { PROBLEMAS, sinaisDe } from './captura-console.ts';

/** So many times as long as the last count took are between its end and the next: one hundredth of the time, however many offices there are. */
const DESCANSO_VEZES = 100;

/**
 * Services of clients that stand still or ask for somebody: at most one reason of each, the first. All offices are walked
 * over for it, so that what was counted last is told again for as long as that has cost.
 * @param agora ms of a clock that nobody sets
 */
export function medidaDaAtencao(
  captura: () => Promise<DepsDaCaptura>,
  agora: () => number = () => performance.now(),
): Measure {
  const habitos = new Habitos();
  let contadas: Promise<Map<string, number>> | null = null;
  let ate = Number.POSITIVE_INFINITY;
  const count = async () => {
    const began = agora();
    const causas = await countCausas(await captura(), habitos);
    ate = agora() + DESCANSO_VEZES * (agora() - began);
    return causas;
  };
  return {
    kind: 'gauge',
    name: 'malote_capturas_que_pedem_atencao',
    help: 'Serviços de clientes com captura ligada que não trazem nada ou pedem alguém, pelo motivo que a tela mostra primeiro',
    labelNames: ['causa'],
    read: async () => {
      if (contadas === null || agora() >= ate) {
        ate = Number.POSITIVE_INFINITY;
        contadas = count();
        contadas.catch(() => {
          contadas = null;
        });
      }
      const causas = await contadas;
      return [...causas].map(([causa, value]) => ({ value, labels: { causa } }));
    },
  };
}

async function countCausas(deps: DepsDaCaptura, habitos: Habitos): Promise<Map<string, number>> {
  const causas = new Map<string, number>();
  for (const contadorId of await findEscritorios(deps.db.read)) {
    const clientes = await findClientes(deps.db.read, contadorId);
    const sinais = await sinaisDe(deps, { contadorId, alcance: null, habitos });
    const todas = await situacoesDe(deps, { contadorId, clientes, sinais });
    for (const situacao of todas.flatMap(({ situacoes }) => situacoes)) {
      const [{ causa, gravidade }] = porQueNadaVeio(situacao);
      if (PROBLEMAS.includes(gravidade)) causas.set(causa, (causas.get(causa) ?? 0) + 1);
    }
  }
  return causas;
}
