/** R11: many clients that send a byte now and then, in their headers or their bodies; the others hardly notice. */
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { generateRemessa } from '../../support/remessa.ts';
import { Bancada } from '../bancada.ts';
import { type Cenario, quanto } from '../cenario.ts';
import type { Violacao } from '../julgar.ts';
import { ate } from '../processo.ts';
import { picoDe } from './r12-muitos-envios.ts';

/** R11: how long a slow one may hold its connection, and what the others may feel. */
const HEADERS_CLOSED_MS = 40_000;
const BODIES_CLOSED_MS = 130_000;
const P99_FACTOR = 2;
/** Below this a factor says nothing. */
const P99_FLOOR_MS = 20;
const RSS_MORE_MB = 150;
const BYTE_EVERY_MS = 1_000;

class Lento {
  readonly socket: Socket;
  aberto = true;

  constructor(url: URL, first: string) {
    this.socket = connect(Number(url.port), url.hostname);
    this.socket.on('error', () => {});
    this.socket.on('close', () => {
      this.aberto = false;
    });
    this.socket.on('connect', () => this.socket.write(first));
    this.socket.resume();
  }
}

export const clientesLentos: Cenario = {
  id: 'R11',
  titulo: 'clientes lentos, byte a byte, em cabeçalhos e em corpos',
  motores: ['sqlite', 'postgres'],
  // `test/ataques/cenarios/lentos.ts` is slow in the same way in every run of the tests.
  motoresCurtos: [],
  async rodar(contexto) {
    const [inHeaders, inBodies] = [quanto(contexto, 150, 800), quanto(contexto, 20, 200)];
    const remessa = await generateRemessa({
      semente: `${contexto.semente}/r11`,
      clientes: 2,
      documentos: 60,
      porArquivo: 10,
    });
    await using bancada = await Bancada.abrir({ motor: contexto.motor, remessa, acompanhar: false });
    await bancada.iniciar();
    await bancada.enviarTodos(remessa.arquivos);
    await bancada.waitForTerminais();
    const { pid = 0 } = bancada.processo().child;
    const requests = quanto(contexto, 200, 2_000);
    await measureP99(bancada, requests);
    const before = await measureP99(bancada, requests);
    const rssBefore = picoDe(pid);
    const url = new URL(bancada.sonda.url);
    const headers = Array.from(
      { length: inHeaders },
      () => new Lento(url, `GET /healthz HTTP/1.1\r\nHost: ${url.host}\r\n`),
    );
    const bodies = await Promise.all(Array.from({ length: inBodies }, () => corpoLento(bancada, url)));
    const dribble = setInterval(() => {
      for (const { socket, aberto } of headers) if (aberto) socket.write('X');
      for (const { socket, aberto } of bodies) if (aberto) socket.write('x');
    }, BYTE_EVERY_MS);
    const violacoes: Violacao[] = [];
    try {
      await delay(500);
      const during = await measureP99(bancada, requests);
      const more = picoDe(pid) - rssBefore;
      if (!contexto.curta) {
        const limit = Math.max(P99_FLOOR_MS, before * P99_FACTOR);
        const wrong = (detalhe: string) => violacoes.push({ regra: 'R11', detalhe });
        if (during > limit) wrong(`p99 dos outros de ${before} ms para ${during} ms`);
        const gone = (all: Lento[], withinMs: number) =>
          ate(() => all.every(({ aberto }) => !aberto), withinMs);
        if (!(await gone(headers, HEADERS_CLOSED_MS))) wrong('cabeçalhos lentos continuam conectados');
        if (!(await gone(bodies, BODIES_CLOSED_MS))) wrong('corpos lentos continuam conectados');
      }
      if (more > RSS_MORE_MB) violacoes.push({ regra: 'R11', detalhe: `${more} MB de memória a mais` });
      return {
        feito: `${inHeaders} cabeçalhos e ${inBodies} corpos a um byte por segundo`,
        medido: `p99 dos outros: ${before} ms antes, ${during} ms durante; ${more} MB de memória a mais`,
        violacoes: [...violacoes, ...(await bancada.concluir())],
      };
    } finally {
      clearInterval(dribble);
      for (const { socket } of [...headers, ...bodies]) socket.destroy();
    }
  },
};

async function corpoLento({ sonda, escritorio }: Bancada, url: URL): Promise<Lento> {
  const ticket = await sonda.ticket(escritorio, { nome: 'nunca-chega', size: 1_000, extension: '.xml' });
  if (!ticket) throw new Error('no ticket');
  const { pathname, search } = new URL(ticket.url);
  return new Lento(
    url,
    `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: 1000000\r\n\r\n<`,
  );
}

/** 99th percentile of a page of documents, ms. */
async function measureP99({ sonda, escritorio, clientes }: Bancada, requests: number): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < requests; at++) {
    const startedAt = performance.now();
    await sonda.novos(escritorio, { cpfCnpj: clientes[0] ?? '', nsu: 0 }, { tamanho: 20 });
    times.push(performance.now() - startedAt);
  }
  return Math.round(times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0);
}
