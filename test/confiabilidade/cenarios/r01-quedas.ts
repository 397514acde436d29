/** R01: the power cord, at any moment of an import; one process that does everything, and two of each kind. */
import { setTimeout as delay } from 'node:timers/promises';
import { Aleatorio } from '../../../src/gerador/aleatorio.ts';
import { generateRemessa, type Remessa } from '../../support/remessa.ts';
import { Bancada, type Formacao, MAX_PENDENTES } from '../bancada.ts';
import { type Cenario, type Contexto, quanto, type Relato, segundos } from '../cenario.ts';
import type { Violacao } from '../julgar.ts';

/** Files released to the senders in each round. */
const POR_RODADA = 4;
/** Documents in a zip. */
const POR_ARQUIVO = 25;
const CLIENTES = 4;
/** Documents of which the other office sends those of its client. */
const DO_ALHEIO = 40;
/** R01: from the start to readiness. Judged on a quiet machine only, in the long form. */
const PRONTO_MS = 5_000;

/** Enough to send for so many rounds. */
export function remessaPara(contexto: Contexto, rodadas: number): Promise<Remessa> {
  const zips = Math.ceil(((rodadas + 1) * POR_RODADA * 2) / 3);
  return generateRemessa({
    semente: `${contexto.semente}/r01`,
    clientes: CLIENTES,
    documentos: zips * POR_ARQUIVO,
    porArquivo: POR_ARQUIVO,
  });
}

export interface Rodadas {
  quantas: number;
  /** The cord is pulled anywhere from the start to here. */
  ateMs: number;
  /** What to kill, and what to do before the next start. */
  derrubar(sorte: Aleatorio): Promise<void>;
}

/** Sends, kills, starts again. Ends with a running service and everything acknowledged. */
export async function killVezes(
  contexto: Contexto,
  bancada: Bancada,
  input: Rodadas & { remessa: Remessa },
): Promise<void> {
  const sorte = new Aleatorio(`${contexto.semente}/quedas`);
  const queue = [...input.remessa.arquivos];
  await bancada.iniciar();
  // Restarts are judged: the very first start of a version compiles it.
  bancada.partidas.length = 0;
  await bancada.sendOfAnother(input.remessa.itens.slice(0, DO_ALHEIO));
  const sending: Promise<unknown>[] = [];
  for (let round = 0; round < input.quantas; round++) {
    const room = Math.min(POR_RODADA, Math.max(0, MAX_PENDENTES - bancada.vigia.abertos));
    for (const arquivo of queue.splice(0, room)) sending.push(bancada.enviar(arquivo));
    await delay(sorte.integer(0, input.ateMs));
    await input.derrubar(sorte);
    await bancada.iniciar();
    contexto.aoAvancar(`${round + 1}/${input.quantas} quedas`);
  }
  for (const arquivo of queue.splice(0, POR_RODADA)) sending.push(bancada.enviar(arquivo));
  await Promise.all(sending);
}

/** R01: ready again within 5 s. */
function partidasLentas(contexto: Contexto, partidas: readonly number[]): Violacao[] {
  if (contexto.curta) return [];
  return partidas
    .filter((ms) => ms > PRONTO_MS)
    .map((ms) => ({ regra: 'R01', detalhe: `pronto só depois de ${segundos(ms)}` }));
}

export function medidasDasPartidas(bancada: Bancada): string {
  const sorted = bancada.partidas.toSorted((a, b) => a - b);
  const [median = 0, worst = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return `${bancada.aceitos.length} arquivos aceitos; de novo pronto em ${segundos(median)} (mediana), ${segundos(worst)} (pior)`;
}

async function rodar(contexto: Contexto, formacao: Formacao): Promise<Relato> {
  const quantas = quanto(contexto, formacao === 'um' ? 4 : 3, contexto.quedas);
  const remessa = await remessaPara(contexto, quantas);
  await using bancada = await Bancada.abrir({ motor: contexto.motor, remessa, formacao });
  const names = bancada.lugares.map(({ nome }) => nome);
  await killVezes(contexto, bancada, {
    remessa,
    quantas,
    ateMs: quanto(contexto, 600, 2_000),
    derrubar: (sorte) =>
      bancada.matar(names.length > 1 && sorte.chance(0.75) ? sorte.pick(names) : undefined),
  });
  const violacoes = await bancada.concluir();
  return {
    feito: `${quantas} kill -9 (${formacao === 'um' ? 'um processo' : 'um ou todos de quatro processos'})`,
    medido: medidasDasPartidas(bancada),
    violacoes: [...violacoes, ...partidasLentas(contexto, bancada.partidas)],
  };
}

export const quedaDeUm: Cenario = {
  id: 'R01',
  titulo: 'kill -9 durante a importação, um processo',
  motores: ['sqlite', 'postgres'],
  // R06 kills on SQLite in the same way, and looks at the file besides; on PostgreSQL R03 kills any of four processes, and R02
  // the one at each step.
  motoresCurtos: [],
  rodar: (contexto) => rodar(contexto, 'um'),
};

export const quedaDeQuatro: Cenario = {
  id: 'R01b',
  titulo: 'kill -9 durante a importação, dois processos web e dois de importação',
  motores: ['postgres'],
  // R03 kills any of four processes too.
  motoresCurtos: [],
  rodar: (contexto) => rodar(contexto, 'quatro'),
};
