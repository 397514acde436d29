/** One engine: fills two installations and times the same requests on both, in turns. Prints JSON. */
import { rmSync } from 'node:fs';
import { type Malote, makeDataFolder, startMalote, withDeps } from '../../test/support/malote.ts';
import { type ClienteCheio, chaveDaNota, encher } from './encher.ts';

export interface MedidaDeEscala {
  oQue: string;
  /** Median of the small and the large client. */
  baseMs: number;
  cheioMs: number;
  razao: number;
}

interface Lado {
  malote: Malote;
  cliente: ClienteCheio;
  emitente: string;
}

/** Path below the client's address; `sorte` is in [0, 1). */
type Pedido = (lado: Lado, sorte: number) => string;

const TAMANHO = 100;
const PAGINA_FUNDA = 5_000;
/** Before the counted requests: caches of statements, of pages and of the compiler are warm on both sides. */
const AQUECIMENTO = 20;
const MESES = 60;

const PEDIDOS: readonly (readonly [string, Pedido])[] = [
  ['/novos, página 1', () => `documentos/0/novos?Tamanho=${TAMANHO}`],
  [
    '/novos, página 5.000',
    // The small feed has no such page: the one in its middle is read instead.
    ({ cliente }) =>
      `documentos/0/novos?Tamanho=${TAMANHO}&Pagina=${Math.min(PAGINA_FUNDA, Math.floor(cliente.documentos / TAMANHO / 2))}`,
  ],
  [
    '/novos a partir de um NSU qualquer',
    ({ cliente }, sorte) => `documentos/${nsuDe(cliente, sorte)}/novos?Tamanho=${TAMANHO}`,
  ],
  [
    'por chave',
    ({ cliente, emitente }, sorte) =>
      `documentos/${chaveDaNota({ numero: nsuDe(cliente, sorte), documentos: cliente.documentos, emitente })}/chave`,
  ],
  ['por NSU', ({ cliente }, sorte) => `documentos/${nsuDe(cliente, sorte)}`],
  ['/nfe de um mês', (_lado, sorte) => `nfe?${mesDe(sorte)}&Tamanho=${TAMANHO}`],
  [
    '/nfe de um mês, canceladas',
    (_lado, sorte) => `nfe?${mesDe(sorte)}&Status=Canceladas&Tamanho=${TAMANHO}`,
  ],
];

function nsuDe({ documentos }: ClienteCheio, sorte: number): number {
  return 1 + Math.floor(sorte * documentos);
}

function mesDe(sorte: number): string {
  const mes = Math.floor(sorte * MESES);
  const dia = (at: number) => new Date(Date.UTC(2021, at, 1)).toISOString().slice(0, 10);
  const ultimo = new Date(Date.UTC(2021, mes + 1, 0)).toISOString().slice(0, 10);
  return `DataInicial=${dia(mes)}&DataFinal=${ultimo}`;
}

async function abrir(documentos: number): Promise<Lado> {
  const dataFolder = makeDataFolder();
  const startedAt = performance.now();
  const cliente = await withDeps(dataFolder, (deps) =>
    encher(deps, {
      crm: '1',
      documentos,
      aoGravar: (feitos) => {
        if (feitos % 100_000 === 0) process.stderr.write(`${feitos} de ${documentos} …\n`);
      },
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  process.stderr.write(
    `${documentos} documentos em ${seconds.toFixed(0)} s (${Math.round(documentos / seconds)}/s)\n`,
  );
  const malote = await startMalote({
    dataFolder,
    env: { MALOTE_LIMITE_MINUTO: '0', MALOTE_LOG: 'warn' },
    medido: true,
  });
  return { malote, cliente, emitente: cliente.cpfCnpj };
}

async function fechar({ malote }: Lado): Promise<void> {
  await malote[Symbol.asyncDispose]();
  rmSync(malote.dataFolder, { recursive: true, force: true });
}

async function pedir(lado: Lado, path: string): Promise<number> {
  const { codigoCrm, cpfCnpj, token } = lado.cliente;
  const url = `${lado.malote.url}/api/v1/${codigoCrm}/${cpfCnpj}/${path}`;
  const startedAt = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${body.slice(0, 300)}`);
  return performance.now() - startedAt;
}

function mediana(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Small and large in turns, so that whatever else the machine does falls on both. */
async function measurePedido(lados: { base: Lado; cheio: Lado }, pedido: Pedido, vezes: number) {
  const times = { base: [] as number[], cheio: [] as number[] };
  for (let round = -AQUECIMENTO; round < vezes; round++) {
    const sorte = Math.random();
    for (const lado of ['base', 'cheio'] as const) {
      const ms = await pedir(lados[lado], pedido(lados[lado], sorte));
      if (round >= 0) times[lado].push(ms);
    }
  }
  return { baseMs: mediana(times.base), cheioMs: mediana(times.cheio) };
}

const [documentos = 0, base = 0, vezes = 0] = process.argv.slice(2).map(Number);
if (![documentos, base, vezes].every((value) => Number.isSafeInteger(value) && value > 0))
  throw new RangeError('medir.ts <documentos> <base> <vezes>');
const lados = { base: await abrir(base), cheio: await abrir(documentos) };
try {
  const medidas: MedidaDeEscala[] = [];
  for (const [oQue, pedido] of PEDIDOS) {
    const { baseMs, cheioMs } = await measurePedido(lados, pedido, vezes);
    medidas.push({ oQue, baseMs, cheioMs, razao: cheioMs / baseMs });
  }
  process.stdout.write(JSON.stringify(medidas));
} finally {
  await fechar(lados.base);
  await fechar(lados.cheio);
}
