/** R03: two web processes and two that import, on one database, and any of them dies at any time. */
import { setTimeout as delay } from 'node:timers/promises';
import { Aleatorio } from '../../../src/gerador/aleatorio.ts';
import { generateRemessa } from '../../support/remessa.ts';
import { Bancada } from '../bancada.ts';
import { type Cenario, quanto } from '../cenario.ts';
import { medidasDasPartidas } from './r01-quedas.ts';

const ENVIADORES = 8;
const MINUTE_MS = 60_000;

export const quatroProcessos: Cenario = {
  id: 'R03',
  titulo: 'dois processos web e dois de importação, 8 enviadores, qualquer um cai a qualquer hora',
  motores: ['postgres'],
  async rodar(contexto) {
    const [everyMs, forMs] = [quanto(contexto, 1_500, 5_000), quanto(contexto, 6_000, 10 * MINUTE_MS)];
    const remessa = await generateRemessa({
      semente: `${contexto.semente}/r03`,
      clientes: 4,
      documentos: quanto(contexto, 300, 24_000),
      porArquivo: quanto(contexto, 15, 30),
    });
    await using bancada = await Bancada.abrir({ motor: contexto.motor, remessa, formacao: 'quatro' });
    const sorte = new Aleatorio(`${contexto.semente}/r03`);
    await bancada.iniciar();
    await bancada.sendOfAnother(remessa.itens.slice(0, 40));
    const queue = [...remessa.arquivos];
    const pauseMs = (forMs * ENVIADORES) / queue.length;
    const uploader = async () => {
      for (let arquivo = queue.shift(); arquivo; arquivo = queue.shift()) {
        await bancada.enviar(arquivo);
        // Spread over the whole time, so that there is something to lose at every kill.
        await delay(sorte.integer(0, Math.round(pauseMs)));
      }
    };
    const sending = Promise.all(Array.from({ length: ENVIADORES }, uploader));
    const endsAt = performance.now() + forMs;
    let kills = 0;
    while (performance.now() < endsAt) {
      await delay(everyMs);
      const { nome } = sorte.pick(bancada.lugares);
      await bancada.matar(nome);
      kills += 1;
      await bancada.iniciar({ nome });
      contexto.aoAvancar(`${kills} quedas, faltam ${queue.length} arquivos`);
    }
    await sending;
    return {
      feito: `${kills} kill -9 de um processo qualquer`,
      medido: medidasDasPartidas(bancada),
      violacoes: await bancada.concluir(),
    };
  },
};
