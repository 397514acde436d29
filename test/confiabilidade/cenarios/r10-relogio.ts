/**
 * R10: the clock of the machine jumps and trembles under a running service. Numbers stay in order, files are imported
 * all the same, and addresses lapse by the rule, seen from the service's clock.
 */
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { generateRemessa } from '../../support/remessa.ts';
import { Bancada } from '../bancada.ts';
import { type Cenario, Pulado, quanto } from '../cenario.ts';
import type { Violacao } from '../julgar.ts';

const BIBLIOTECAS = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/faketime/libfaketimeMT.so.1',
];
/** libfaketime looks at its file once a second. */
const SEEN_AFTER_MS = 1_200;
const TOO_LATE = '+300s';
const TOO_LATE_MS = 300_000;
/** A busy machine may take a while to look; and the `Date` of answers is a second old at most. */
const SEEN_WITHIN_MS = 120_000;
const NEAR_MS = 30_000;

/** As libfaketime reads them; days are of UTC. The last ones: Brazil's former summer time, and the end of 32 bits. */
const SALTOS = [
  '+2h',
  '-2h',
  '+1s',
  '-1s',
  '+1s',
  '-1s',
  '-30d',
  '@2019-02-17 02:59:50',
  '@2038-01-20 00:00:00',
];
const SALTOS_CURTOS = ['+2h', '-2h', '-1s', '@2038-01-20 00:00:00'];

export const relogio: Cenario = {
  id: 'R10',
  titulo: 'o relógio salta: +2 h, −2 h, ±1 s, fim do horário de verão, 2038',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['sqlite'],
  async rodar(contexto) {
    const library = BIBLIOTECAS.find((path) => existsSync(path));
    if (!library) throw new Pulado('não há libfaketime nesta máquina');
    const saltos = contexto.curta ? SALTOS_CURTOS : SALTOS;
    const remessa = await generateRemessa({
      semente: `${contexto.semente}/r10`,
      clientes: 2,
      documentos: (saltos.length + 1) * quanto(contexto, 20, 200),
      porArquivo: 10,
    });
    await using bancada = await Bancada.abrir({ motor: contexto.motor, remessa });
    const file = join(bancada.deposito.pasta, 'relogio');
    const set = (offset: string) => {
      writeFileSync(`${file}.novo`, `${offset}\n`);
      renameSync(`${file}.novo`, file);
      return delay(SEEN_AFTER_MS);
    };
    writeFileSync(file, '+0\n');
    await bancada.iniciar({
      env: {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_CACHE_DURATION: '1',
        // Timers of the event loop are monotonic on a real machine too, whatever happens to its date.
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        DONT_FAKE_MONOTONIC: '1',
      },
    });
    const violacoes: Violacao[] = [];
    const perJump = Math.ceil(remessa.arquivos.length / (saltos.length + 1));
    const queue = [...remessa.arquivos];
    await bancada.enviarTodos(queue.splice(0, perJump));
    for (const salto of saltos) {
      const sending = bancada.enviarTodos(queue.splice(0, perJump));
      await set(salto);
      await sending;
      contexto.aoAvancar(salto);
    }
    await bancada.enviarTodos(queue);
    await bancada.waitForTerminais();
    violacoes.push(...(await enderecoVence(bancada, set)));
    return {
      feito: `${saltos.length} saltos do relógio durante a importação`,
      medido: `${bancada.aceitos.length} arquivos importados, NSU em ordem; o endereço de envio vence pelo relógio do serviço`,
      violacoes: [...violacoes, ...(await bancada.concluir())],
    };
  },
};

/** An address is good for 60 s by the service's own clock. */
async function enderecoVence(bancada: Bancada, set: (offset: string) => Promise<void>): Promise<Violacao[]> {
  const { sonda, escritorio } = bancada;
  await set('+0');
  await relogioEm(sonda.url, 0);
  const ticket = await sonda.ticket(escritorio, { nome: 'vencido', size: 10, extension: '.xml' });
  if (!ticket) return [{ regra: 'R10', detalhe: 'nenhum bilhete' }];
  await set(TOO_LATE);
  await relogioEm(sonda.url, TOO_LATE_MS);
  const { status } = await sonda.pedir(ticket.url, { bytes: Buffer.from('<x/>') });
  await set('+0');
  return status === 403 ? [] : [{ regra: 'R10', detalhe: `endereço vencido respondido com ${status}` }];
}

/** Waits until the service's own clock, which its answers tell, is so far ahead of this one. */
async function relogioEm(url: string, aheadMs: number): Promise<void> {
  const deadline = performance.now() + SEEN_WITHIN_MS;
  for (;;) {
    const { headers } = await fetch(`${url}/healthz`);
    const ahead = Date.parse(headers.get('date') ?? '') - Date.now();
    if (Math.abs(ahead - aheadMs) < NEAR_MS) return;
    if (performance.now() > deadline)
      throw new Error(`the service's clock is ${ahead} ms ahead, not ${aheadMs}`);
    await delay(100);
  }
}
