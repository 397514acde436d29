/** For `/metrics`: what the page of capture tells of all offices, counted by its reason. No label tells whose they are. */
import type { DepsDaCaptura } from '../../captura/deps-da-captura.ts';
import { porQueNadaVeio } from '../../captura/situacao/porque.ts';
import { findClientes, findEscritorios } from '../../captura/situacao/queries.ts';
import { situacoesDe } from '../../captura/situacao/situacoes.ts';
import type { Measure } from '../../platform/http/metricas.ts';
import { Habitos } from '../inicio/habito.ts';
import { PROBLEMAS, sinaisDe } from './captura-console.ts';

/** Services of clients that stand still or ask for somebody: at most one reason of each, the first. */
export function medidaDaAtencao(captura: () => Promise<DepsDaCaptura>): Measure {
  const habitos = new Habitos();
  return {
    kind: 'gauge',
    name: 'malote_capturas_que_pedem_atencao',
    help: 'Serviços de clientes com captura ligada que não trazem nada ou pedem alguém, pelo motivo que a tela mostra primeiro',
    labelNames: ['causa'],
    read: async () => {
      const causas = await countCausas(await captura(), habitos);
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
