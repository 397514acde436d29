/**
 * R05: the database server stops at once in the middle of the load, or cuts all connections.
 * R28: it has hardly any connections to give. Callers wait or are told to come back, and it goes on by itself.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Aleatorio } from '../../../src/gerador/aleatorio.ts';
import { generateRemessa } from '../../support/remessa.ts';
import { Bancada } from '../bancada.ts';
import { type Cenario, type Contexto, quanto, type Relato, segundos } from '../cenario.ts';
import type { Violacao } from '../julgar.ts';
import { ate } from '../processo.ts';
import { ServidorPostgres } from '../servidor-postgres.ts';

const CLIENTES = 3;
const POR_RODADA = 3;
/** R28: back to work when the connections are there again. */
const RECOVERS_MS = 5_000;

async function sobCarga(
  contexto: Contexto,
  input: {
    rodadas: number;
    servidor: ServidorPostgres;
    agir: (sorte: Aleatorio) => Promise<void>;
  },
): Promise<{ aceitos: number; recusas: number; violacoes: Violacao[] }> {
  const { rodadas, servidor } = input;
  const remessa = await generateRemessa({
    semente: `${contexto.semente}/r05`,
    clientes: CLIENTES,
    documentos: rodadas * POR_RODADA * 12,
    porArquivo: 15,
  });
  await using bancada = await Bancada.abrir({ motor: contexto.motor, remessa, servidor });
  const sorte = new Aleatorio(`${contexto.semente}/r05`);
  await bancada.iniciar();
  const queue = [...remessa.arquivos];
  const sending: Promise<unknown>[] = [];
  const violacoes: Violacao[] = [];
  for (let round = 0; round < rodadas; round++) {
    for (const arquivo of queue.splice(0, POR_RODADA)) sending.push(bancada.enviar(arquivo));
    await delay(sorte.integer(0, quanto(contexto, 300, 1_000)));
    await input.agir(sorte);
    contexto.aoAvancar(`${round + 1}/${rodadas}`);
  }
  for (const arquivo of queue) sending.push(bancada.enviar(arquivo));
  await Promise.all(sending);
  if (!bancada.processo().vivo) violacoes.push({ regra: 'R05', detalhe: 'o processo morreu com o banco' });
  // Where connections are scarce the service gives its own back before the command asks for one.
  violacoes.push(...(await bancada.concluir({ parado: true })));
  return { aceitos: bancada.aceitos.length, recusas: bancada.sonda.recusas, violacoes };
}

export const bancoQueCai: Cenario = {
  id: 'R05',
  titulo: 'PostgreSQL reiniciado com -m immediate no meio da carga',
  motores: ['postgres'],
  async rodar(contexto): Promise<Relato> {
    await using servidor = await ServidorPostgres.abrir();
    const rodadas = quanto(contexto, 2, 20);
    let longest = 0;
    const { aceitos, recusas, violacoes } = await sobCarga(contexto, {
      rodadas,
      servidor,
      async agir() {
        longest = Math.max(longest, await servidor.reiniciarJa());
      },
    });
    return {
      feito: `${rodadas} reinícios imediatos do servidor`,
      medido: `${aceitos} arquivos aceitos, ${recusas} respostas 503; o banco faltou no máximo ${segundos(longest)} por vez`,
      violacoes,
    };
  },
};

export const conexoesCortadas: Cenario = {
  id: 'R05b',
  titulo: 'pg_terminate_backend em todas as conexões, sob carga',
  motores: ['postgres'],
  async rodar(contexto) {
    await using servidor = await ServidorPostgres.abrir();
    const rodadas = quanto(contexto, 3, 60);
    let cut = 0;
    const { aceitos, recusas, violacoes } = await sobCarga(contexto, {
      rodadas,
      servidor,
      async agir() {
        cut += await servidor.cutConexoes();
      },
    });
    return {
      feito: `${cut} conexões cortadas em ${rodadas} vezes`,
      medido: `${aceitos} arquivos aceitos, ${recusas} respostas 503`,
      violacoes,
    };
  },
};

export const poucasConexoes: Cenario = {
  id: 'R28',
  titulo: 'max_connections=10, e todas tomadas por outros durante a carga',
  motores: ['postgres'],
  async rodar(contexto) {
    await using servidor = await ServidorPostgres.abrir([
      'max_connections=10',
      'superuser_reserved_connections=2',
    ]);
    const rodadas = quanto(contexto, 2, 20);
    let slowest = 0;
    const slow: Violacao[] = [];
    const { aceitos, recusas, violacoes } = await sobCarga(contexto, {
      rodadas,
      servidor,
      async agir() {
        {
          await using _tomadas = await servidor.tomarConexoes();
          // Else the pool keeps what it has, and nothing is tried.
          await servidor.cutConexoes();
          await delay(quanto(contexto, 500, 3_000));
        }
        const freeAt = performance.now();
        await ate(() => servidor.temConexaoDoServico(), 30_000);
        slowest = Math.max(slowest, performance.now() - freeAt);
      },
    });
    if (!contexto.curta && slowest > RECOVERS_MS) {
      slow.push({ regra: 'R28', detalhe: `voltou só depois de ${segundos(slowest)}` });
    }
    return {
      feito: `${rodadas} vezes sem conexões livres`,
      medido: `${aceitos} arquivos aceitos, ${recusas} respostas 503; de volta em até ${segundos(slowest)}`,
      violacoes: [...violacoes, ...slow],
    };
  },
};
