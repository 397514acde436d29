/** One token that takes all places for bodies, and sends a byte now and then. */
import { setTimeout as delay } from 'node:timers/promises';
import { segundos } from '../../confiabilidade/cenario.ts';
import type { Ataque } from '../ataque.ts';
import { EnvioLento } from '../conexoes.ts';
import { Vizinho } from '../vizinho.ts';

const LENTOS = 300;
const DO_OUTRO = 45;
const TAMANHO = 1_000_000;
/** Half as much again as the least that a sender must keep up. */
const BYTES_POR_SEGUNDO = 12_000;
/** Until all of them have a place, or have been told that they have none. */
const INSTALADOS_EM_MS = 2_000;

export const enviosLentos: Ataque = {
  nome: 'envios-lentos',
  titulo: 'centenas de envios lentos de um token, enquanto outro escritório envia',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['sqlite'],
  async preparar(campo) {
    const { honesto, servico, envios } = campo;
    const outros = Array.from(
      { length: DO_OUTRO },
      () => new Vizinho({ lado: honesto, url: servico.url, cookie: '' }),
    );
    return async () => {
      const lentos: EnvioLento[] = [];
      for (let n = 0; n < LENTOS; n++) {
        const ticket = await envios.pedir('/storage', {
          method: 'POST',
          json: { size: TAMANHO, extension: '.xml' },
        });
        if (ticket?.status !== 200) continue;
        const { url } = JSON.parse(ticket.text);
        lentos.push(new EnvioLento({ url, tamanho: TAMANHO, bytesPorSegundo: BYTES_POR_SEGUNDO }));
      }
      await delay(INSTALADOS_EM_MS);
      const instalados = lentos.filter(({ aberto }) => aberto).length;
      await Promise.all(outros.map((outro) => outro.deliverOne(campo.esperaMaxMs * 3)));
      for (const lento of lentos) lento.soltar();
      const waits = outros.flatMap(({ esperas }) => esperas.notas).sort((a, b) => a - b);
      const recusas = outros.reduce((sum, { recusas }) => sum + recusas, 0);
      const tarde = waits.filter((ms) => ms > campo.esperaMaxMs).length;
      return {
        feito: `${LENTOS} envios lentos de um token (${instalados} com lugar), e ${DO_OUTRO} notas de outro ao mesmo tempo`,
        medido: `o outro esperou no máximo ${segundos(waits.at(-1) ?? 0)}, com ${recusas} recusas`,
        faltas:
          tarde > 0
            ? [`${tarde} de ${DO_OUTRO} notas do outro esperaram mais de ${segundos(campo.esperaMaxMs)}`]
            : [],
      };
    };
  },
};
