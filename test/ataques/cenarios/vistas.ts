/** One office that has its largest documents drawn again and again, while another opens one of its own. */
import { setTimeout as delay } from 'node:timers/promises';
import { segundos } from '../../confiabilidade/cenario.ts';
import type { Ataque } from '../ataque.ts';

const ITENS = 990;
/** The queue for them is full by then. */
const ANTES_DO_OUTRO_MS = 1_000;
const DO_OUTRO = 5;

export const vistas: Ataque = {
  nome: 'vistas',
  titulo: 'vistas e PDF demorados de um escritório, enquanto outro abre um documento',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['sqlite'],
  async preparar(campo) {
    const { atacante, honesto, vizinho } = campo;
    const pedidos = campo.quanto(24, 80);
    const grande = atacante.proximaNota({ itens: ITENS });
    await campo.envios.importar([{ nome: 'grande.xml', bytes: grande.bytes }]);
    await vizinho.deliverOne();
    const quemAtaca = await campo.pessoa(atacante);
    const outro = await campo.pessoa(honesto);
    const alvo = await campo.idDoDocumento(quemAtaca, grande.chave);
    const [deOutro] = vizinho.entregues;
    const proprio = await campo.idDoDocumento(outro, deOutro ?? '');
    return async () => {
      const pedir = (n: number) => {
        const path = n % 2 === 0 ? `/documentos/${alvo}/pdf` : `/documentos/${alvo}`;
        return campo.doConsole(quemAtaca, path);
      };
      // Nobody waits for them: those that are not answered by then are cut off.
      let answered = 0;
      for (let n = 0; n < pedidos; n++)
        void pedir(n).then(({ status }) => (answered += status === 200 ? 1 : 0));
      await delay(ANTES_DO_OUTRO_MS);
      const waits: number[] = [];
      const faltas: string[] = [];
      for (let n = 0; n < DO_OUTRO; n++) {
        for (const path of [`/documentos/${proprio}`, `/documentos/${proprio}/pdf`]) {
          const { ms, status } = await campo.doConsole(outro, path);
          waits.push(ms);
          if (status !== 200)
            faltas.push(
              `o documento do outro respondeu ${status || 'nada'} (${path.endsWith('pdf') ? 'PDF' : 'vista'})`,
            );
        }
      }
      const worst = Math.max(...waits);
      if (worst > campo.esperaMaxMs) faltas.push(`o outro esperou ${segundos(worst)} pelo seu documento`);
      return {
        feito: `${pedidos} vistas e PDF de uma nota de ${ITENS} itens ao mesmo tempo, e ${DO_OUTRO * 2} de outro`,
        medido: `o outro esperou no máximo ${segundos(worst)}; ${answered} do ataque respondidos até ali`,
        faltas: [...new Set(faltas)],
      };
    };
  },
};
