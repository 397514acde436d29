/**
 * The service when nothing is asked of it: how soon a process is ready, what it takes of memory and processor then, and how
 * long the single note of a single sender is on its way.
 */
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { createEscritorio, importFile, type Malote, startMalote, upload } from '../../test/support/malote.ts';
import { type Conjunto, clientesDe } from '../conjunto.ts';
import { middle } from '../melhor.ts';
import { cpuSeconds, residentMemory } from '../observar.ts';
import type { Linha, Resultado } from '../razoes.ts';
import { semEnvios } from './importacao.ts';

const MB = 1e6;
const AMBIENTE = { MALOTE_LEITORES: '0', MALOTE_LIMITE_MINUTO: '0' };
/** Offices that have all of the documents: twice 5,000 are stored. */
const ESCRITORIOS = 2;
const POLL_MS = 2;
/** From `/readyz` on nobody looks at the process; at rest it is to be by then. */
const EM_REPOUSO_APOS_MS = 5_000;
/** Notes before those that count: the first one waits for its reader to start. */
const NOTAS_DE_AQUECIMENTO = 20;

interface Pedido {
  pasta: string;
  /** So many starts; the middle one counts. */
  partidas: number;
  /** From the start of the process to the look at its memory. */
  repousoMs: number;
  /** Single notes that count. */
  notas: number;
  /** A trial. */
  breve: boolean;
}

export async function measureRepouso(conjunto: Conjunto, input: Pedido): Promise<Resultado> {
  const dataFolder = join(input.pasta, 'dados-em-repouso');
  await encher(dataFolder, { conjunto, breve: input.breve });
  const prontos: number[] = [];
  for (let at = 1; at < input.partidas; at++) {
    const { malote, prontoMs } = await partir(dataFolder);
    await malote.stop();
    prontos.push(prontoMs);
  }
  const { malote, prontoMs } = await partir(dataFolder);
  prontos.push(prontoMs);
  try {
    const repouso = await repousar(malote, input.repousoMs);
    const notas = await sendNotas(malote, { dataFolder, conjunto, quantas: input.notas });
    return resultOf({ conjunto, prontos, repouso, notas });
  } finally {
    await malote.stop();
  }
}

/** Every document in each of some offices, and nothing of it left to do. */
async function encher(
  dataFolder: string,
  { conjunto, breve }: { conjunto: Conjunto; breve: boolean },
): Promise<void> {
  const tokens: string[] = [];
  for (let at = 0; at < ESCRITORIOS; at++) {
    const { token } = await createEscritorio(dataFolder, { crm: `3${at}`, clientes: clientesDe(conjunto) });
    tokens.push(token);
  }
  await using malote = await startMalote({ dataFolder, env: AMBIENTE, medido: true });
  for (const token of tokens) await importFile(malote, { token, bytes: conjunto.zip, extension: '.zip' });
  if (!breve) await semEnvios(dataFolder);
}

/** Starts the service and waits for `/readyz`. */
async function partir(dataFolder: string): Promise<{ malote: Malote; prontoMs: number }> {
  const port = await freePort();
  const startedAt = performance.now();
  const starting = startMalote({ dataFolder, env: { ...AMBIENTE, PORT: String(port) }, medido: true });
  const ready = untilReady(port).then(() => performance.now() - startedAt);
  const [malote, prontoMs] = await Promise.all([starting, ready]);
  return { malote, prontoMs };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function untilReady(port: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await pause(POLL_MS);
  }
}

interface Repouso {
  bytes: number | null;
  /** Share of one core. */
  processador: number | null;
}

async function repousar(malote: Malote, ms: number): Promise<Repouso> {
  await pause(Math.min(EM_REPOUSO_APOS_MS, ms / 2));
  const [before, since] = [cpuSeconds(malote), performance.now()];
  await pause(ms - Math.min(EM_REPOUSO_APOS_MS, ms / 2));
  const [after, seconds] = [cpuSeconds(malote), (performance.now() - since) / 1000];
  const processador = before === null || after === null ? null : (after - before) / seconds;
  return { bytes: residentMemory(malote), processador };
}

/** One note after the other, each from the ticket that is asked for to its entry in the feed. @returns milliseconds of each */
async function sendNotas(
  malote: Malote,
  input: { dataFolder: string; conjunto: Conjunto; quantas: number },
): Promise<number[]> {
  const { emitente, notas } = doEmitenteComMais(input.conjunto);
  const { token, codigoCrm } = await createEscritorio(input.dataFolder, { crm: '40', clientes: [emitente] });
  using feed = new Feed(`${malote.url}/api/v1/${codigoCrm}/${emitente}/documentos`, token);
  const warmUp = Math.min(NOTAS_DE_AQUECIMENTO, Math.floor(notas.length / 2));
  const took: number[] = [];
  for (const [nsu, bytes] of notas.slice(0, warmUp + input.quantas).entries()) {
    const startedAt = performance.now();
    await upload(malote, { token, bytes, extension: '.xml' });
    while (!(await feed.temDepoisDe(nsu))) await pause(1);
    took.push(performance.now() - startedAt);
  }
  return took.slice(warmUp);
}

/** The client that has issued the most of the documents, and these. */
function doEmitenteComMais(conjunto: Conjunto): { emitente: string; notas: Uint8Array[] } {
  const porEmitente = clientesDe(conjunto).map((emitente) => {
    const issued = Buffer.from(`<emit><CNPJ>${emitente}</CNPJ>`);
    const notas = conjunto.documentos.flatMap(({ bytes }) =>
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(issued) ? [bytes] : [],
    );
    return { emitente, notas };
  });
  const [most] = porEmitente.toSorted((a, b) => b.notas.length - a.notas.length);
  if (!most || most.notas.length === 0) throw new Error('no client has issued a document');
  return most;
}

/** Asks on one connection that stays open, as a program that polls does. */
class Feed {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #base: string;
  readonly #headers: Record<string, string>;

  constructor(base: string, token: string) {
    this.#base = base;
    this.#headers = { authorization: `Bearer ${token}` };
  }

  async temDepoisDe(nsu: number): Promise<boolean> {
    const options = { agent: this.#agent, headers: this.#headers };
    const [answer] = (await once(get(`${this.#base}/${nsu}/novos?Tamanho=1`, options), 'response')) as [
      IncomingMessage,
    ];
    const body = await text(answer);
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${body}`);
    return (JSON.parse(body) as { total: number }).total > 0;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

function resultOf(found: {
  conjunto: Conjunto;
  prontos: readonly number[];
  repouso: Repouso;
  notas: readonly number[];
}): Resultado {
  const { conjunto, prontos, repouso, notas } = found;
  const [pronto, nota] = [middle(prontos) / 1000, middle(notas)];
  const guardados = ESCRITORIOS * conjunto.documentos.length;
  return {
    titulo: `Em repouso, com ${guardados} documentos guardados (SQLite)`,
    linhas: [
      {
        oQue: 'do início ao /readyz',
        valor: pronto,
        unidade: 's',
        nota: `a do meio de ${prontos.length} partidas`,
      },
      ...linhasDoRepouso(repouso),
      {
        oQue: 'uma nota sozinha, mediana',
        valor: nota,
        unidade: 'ms',
        nota: `de ${notas.length}, uma depois da outra: do pedido do bilhete à entrada na fila do cliente`,
      },
    ],
    razoes: {
      pronto_s: pronto,
      nota_sozinha_p50_ms: nota,
      ...(repouso.bytes === null ? {} : { memoria_em_repouso_mb: repouso.bytes / MB }),
    },
    motivos: {},
  };
}

function linhasDoRepouso({ bytes, processador }: Repouso): Linha[] {
  const linhas: Linha[] = [];
  if (bytes !== null)
    linhas.push({ oQue: 'memória', valor: bytes / MB, unidade: 'MB', nota: 'processo inteiro (VmRSS)' });
  if (processador !== null)
    linhas.push({ oQue: 'processador', valor: 100 * processador, unidade: '%', nota: 'de um núcleo' });
  return linhas;
}
