/** R13: clients that go away in the middle of a body: nothing of it is kept, and the address can be used again. */
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Aleatorio } from '../../../src/gerador/aleatorio.ts';
import { type Arquivo, generateRemessa } from '../../support/remessa.ts';
import { Bancada } from '../bancada.ts';
import { type Cenario, quanto } from '../cenario.ts';
import type { Violacao } from '../julgar.ts';
import { ate } from '../processo.ts';

const TEMPORARIES_GONE_MS = 60_000;
const AT_ONCE = 10;
/** Of an address that is used again. */
const TRIES = 20;

/** Sends headers and a part of the body, then cuts the connection. */
async function abortar(url: string, bytes: Uint8Array, upTo: number): Promise<void> {
  const { hostname, port, pathname, search, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(
    `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${bytes.length}\r\n\r\n`,
  );
  socket.write(bytes.subarray(0, upTo));
  await delay(5);
  if (upTo % 2 === 0) socket.resetAndDestroy();
  else socket.destroy();
}

export const abortos: Cenario = {
  id: 'R13',
  titulo: 'cliente que desiste no meio do envio',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['postgres'],
  async rodar(contexto) {
    const quantos = quanto(contexto, 30, 1_000);
    const remessa = await generateRemessa({
      semente: `${contexto.semente}/r13`,
      clientes: 2,
      documentos: quantos,
      porArquivo: 10,
    });
    await using bancada = await Bancada.abrir({ motor: contexto.motor, remessa });
    await bancada.iniciar();
    const sorte = new Aleatorio(`${contexto.semente}/abortos`);
    const violacoes: Violacao[] = [];
    let [usedAgain, toldToWait] = [0, 0];
    let left = quantos;
    const { sonda, escritorio } = bancada;

    const trial = async (arquivo: Arquivo, at: number) => {
      bancada.anunciar(arquivo);
      const { nome, extension, bytes } = arquivo;
      const ticket = await sonda.ticket(escritorio, { nome, size: bytes.length, extension });
      if (!ticket) throw new Error('no ticket');
      await abortar(ticket.url, bytes, sorte.integer(0, bytes.length - 1));
      const { status } = await sonda.status(escritorio, ticket.id);
      if (status !== 'Aguardando Upload') {
        violacoes.push({ regra: 'R13', detalhe: `${ticket.id} ficou ${status} sem o corpo inteiro` });
      }
      if (at % 10 !== 0) return;
      usedAgain += 1;
      let again = await sonda.put(ticket, bytes);
      // Told to come back (a database that is busy), any client does, as long as the address is good.
      for (let time = 0; again === 503 && time < TRIES; time++) {
        toldToWait += 1;
        await delay(1_000);
        again = await sonda.put(ticket, bytes);
      }
      if (again === 200) bancada.aceito(ticket.id);
      else
        violacoes.push({ regra: 'R13', detalhe: `o endereço de ${ticket.id} não valeu de novo: ${again}` });
    };
    while (left > 0) {
      const batch = Math.min(AT_ONCE, left);
      await Promise.all(
        Array.from({ length: batch }, (_, at) => {
          const arquivo = remessa.arquivos[(left - at) % remessa.arquivos.length];
          return arquivo ? trial(arquivo, left - at) : undefined;
        }),
      );
      left -= batch;
      contexto.aoAvancar(`faltam ${left}`);
    }
    const temporaries = () => readdirSync(join(bancada.deposito.pasta, 'arquivos', 'tmp'));
    if (!(await ate(() => temporaries().length === 0, TEMPORARIES_GONE_MS))) {
      violacoes.push({ regra: 'R13', detalhe: `${temporaries().length} arquivos temporários ficaram` });
    }
    return {
      feito: `${quantos} envios cortados em um byte qualquer`,
      medido: `${usedAgain} endereços usados de novo com sucesso (${toldToWait} respostas 503 no caminho); nenhum arquivo temporário restou`,
      violacoes: [...violacoes, ...(await bancada.concluir())],
    };
  },
};
