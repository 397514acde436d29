/** R23: the bucket is away, slow, wrong, or loses answers. Uploads wait or are told to come back; nothing is lost. */
import { setTimeout as delay } from 'node:timers/promises';
import { generateRemessa } from '../../support/remessa.ts';
import { type Falha, startS3 } from '../../support/s3.ts';
import { Bancada } from '../bancada.ts';
import { type Cenario, quanto } from '../cenario.ts';

const FALHAS: readonly Falha[] = ['down', '500', 'slowdown', 'reset', 'cut', 'lost', 'corrupt'];
const FALHAS_CURTAS: readonly Falha[] = ['down', '500', 'lost', 'corrupt'];

export const bucketQueFalha: Cenario = {
  id: 'R23',
  titulo: 'S3 fora do ar, com erros, cortado, corrompido, sem resposta',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['postgres'],
  async rodar(contexto) {
    const falhas = contexto.curta ? FALHAS_CURTAS : FALHAS;
    const times = quanto(contexto, 1, 6);
    const remessa = await generateRemessa({
      semente: `${contexto.semente}/r23`,
      clientes: 2,
      documentos: falhas.length * times * 40,
      porArquivo: 10,
    });
    await using s3 = await startS3();
    await using bancada = await Bancada.abrir({ motor: contexto.motor, remessa, env: s3.env });
    await bancada.iniciar();
    const queue = [...remessa.arquivos];
    const perFault = Math.floor(queue.length / (falhas.length * times));
    const sending: Promise<unknown>[] = [];
    for (let time = 0; time < times; time++) {
      for (const falha of falhas) {
        for (const arquivo of queue.splice(0, perFault)) sending.push(bancada.enviar(arquivo));
        await delay(50);
        s3.fail(falha);
        for (const arquivo of queue.splice(0, 1)) sending.push(bancada.enviar(arquivo));
        await delay(quanto(contexto, 700, 10_000));
        s3.heal();
        // The bucket is a part of the system: I1 counts from when it is there again.
        bancada.voltou();
        contexto.aoAvancar(falha);
      }
    }
    for (const arquivo of queue) sending.push(bancada.enviar(arquivo));
    await Promise.all(sending);
    return {
      feito: `${falhas.length * times} falhas do bucket durante envios e importação`,
      medido: `${bancada.aceitos.length} arquivos aceitos, ${bancada.sonda.recusas} respostas 503`,
      violacoes: await bancada.concluir(),
    };
  },
};
