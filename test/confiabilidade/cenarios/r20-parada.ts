/** R20: stopping politely under load: who is being answered is answered, and the process ends in time, with code 0. */
import { setTimeout as delay } from 'node:timers/promises';
import { Aleatorio } from '../../../src/gerador/aleatorio.ts';
import { generateRemessa } from '../../support/remessa.ts';
import { Bancada } from '../bancada.ts';
import { type Cenario, type Contexto, quanto, type Relato, segundos } from '../cenario.ts';
import type { Violacao } from '../julgar.ts';

/** R20: from the signal to the end. */
const DRAIN_MS = 10_000;
/** Of who ends in time, but has to wait for a core on a busy machine. */
const SEEN_WITHIN_MS = 60_000;
const ANSWERED_READERS = 4;

export const paradaDeUm: Cenario = {
  id: 'R20',
  titulo: 'SIGTERM sob carga: drena e termina com código 0',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['sqlite'],
  async rodar(contexto) {
    const times = quanto(contexto, 2, 50);
    return parar(contexto, { times, formacao: 'um' });
  },
};

export const paradaEmRodizio: Cenario = {
  id: 'R20b',
  titulo: 'SIGTERM em rodízio de dois processos web: nenhuma requisição falha',
  motores: ['postgres'],
  // `test/e2e/processos.test.ts` restarts in turn in every run of the tests.
  motoresCurtos: [],
  async rodar(contexto) {
    const times = quanto(contexto, 3, 50);
    return parar(contexto, { times, formacao: 'quatro' });
  },
};

async function parar(
  contexto: Contexto,
  input: { times: number; formacao: 'um' | 'quatro' },
): Promise<Relato> {
  const { times, formacao } = input;
  const remessa = await generateRemessa({
    semente: `${contexto.semente}/r20`,
    clientes: 3,
    documentos: times * 40,
    porArquivo: 20,
  });
  await using bancada = await Bancada.abrir({ motor: contexto.motor, remessa, formacao });
  const sorte = new Aleatorio(`${contexto.semente}/r20`);
  await bancada.iniciar();
  const load = formacao === 'quatro' ? new Leitores(bancada) : null;
  const violacoes: Violacao[] = [];
  const queue = [...remessa.arquivos];
  const sending: Promise<unknown>[] = [];
  let longest = 0;
  const web = bancada.lugares.filter(({ modo }) => modo !== 'worker');
  for (let time = 0; time < times; time++) {
    for (const arquivo of queue.splice(0, 3)) sending.push(bancada.enviar(arquivo));
    await delay(sorte.integer(0, 400));
    // Round the web processes; a worker now and then, which has no say in what is answered.
    const { nome } = web[time % web.length] ?? {};
    const stoppedAt = performance.now();
    const processo = bancada.processo(nome);
    const code = await processo.parar('SIGTERM');
    const took = performance.now() - stoppedAt;
    longest = Math.max(longest, took);
    if (code !== 0) {
      const how = processo.child.signalCode ?? `código ${code}`;
      violacoes.push({
        regra: 'R20',
        detalhe: `terminou com ${how}: ${processo.registro.slice(-14).join(' / ')}`,
      });
    }
    if (took > quanto(contexto, SEEN_WITHIN_MS, DRAIN_MS))
      violacoes.push({ regra: 'R20', detalhe: `só terminou em ${segundos(took)}` });
    await bancada.iniciar(nome ? { nome } : {});
    contexto.aoAvancar(`${time + 1}/${times} paradas`);
  }
  const answered = await load?.parar();
  for (const failure of answered?.failures ?? []) violacoes.push({ regra: 'R20', detalhe: failure });
  for (const arquivo of queue) sending.push(bancada.enviar(arquivo));
  await Promise.all(sending);
  const told = answered
    ? `; ${answered.count} requisições sem nova tentativa, ${answered.failures.length} falhas`
    : '';
  return {
    feito: `${times} SIGTERM`,
    medido: `a parada mais longa levou ${segundos(longest)}${told}`,
    violacoes: [...violacoes, ...(await bancada.concluir())],
  };
}

/** Keep-alive clients that never try again: each failure counts. */
class Leitores {
  #running = true;
  #count = 0;
  readonly #failures: string[] = [];
  readonly #loops: Promise<void>[];

  constructor(bancada: Bancada) {
    this.#loops = Array.from({ length: ANSWERED_READERS }, (_, at) => this.#run(bancada, at));
  }

  async #run({ sonda, escritorio, clientes }: Bancada, at: number): Promise<void> {
    const cpfCnpj = clientes[at % clientes.length] ?? '';
    while (this.#running) {
      // Alternately a read and a ticket: the latter may not be sent twice by anybody.
      const act =
        this.#count % 2 === 0
          ? sonda.novos(escritorio, { cpfCnpj, nsu: 0 }, { tamanho: 5 })
          : sonda
              .pedir('/storage', { token: escritorio.token, json: { size: 10, extension: '.zip' } })
              .then(({ status }) => {
                if (status !== 200) throw new Error(`ticket: ${status}`);
              });
      this.#count += 1;
      await act.catch((error: Error) => this.#failures.push(String(error.cause ?? error)));
      await delay(10);
    }
  }

  async parar(): Promise<{ count: number; failures: string[] }> {
    this.#running = false;
    await Promise.all(this.#loops);
    return { count: this.#count, failures: this.#failures };
  }
}
