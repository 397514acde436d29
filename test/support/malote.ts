/** The real product for tests: a child process on a folder of its own, spoken to over HTTP as any client does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createToken } from '../../src/autorizacao/tokens.ts';
import type { Tabelas } from '../../src/banco/tabelas.ts';
import { readConfig } from '../../src/config.ts';
import { registerCliente } from '../../src/contas/clientes.ts';
import { createContador } from '../../src/contas/contadores.ts';
import type { Deps } from '../../src/deps.ts';
import { deliverRetidos } from '../../src/documentos/store/retidos.ts';
import { type Clock, systemClock } from '../../src/platform/clock.ts';
import { connectHere } from '../../src/platform/db/connect.ts';
import { migrateDatabase } from '../../src/platform/db/migrate.ts';
import { nextPauseMs } from './espera.ts';
import { type ProxyDeTeste, startProxy } from './montagem.ts';
import { ambienteDoBanco, releaseBanco } from './motor.ts';
import { DO_NODE, DO_PROCESSO } from './partida.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** `MALOTE_TESTE_MONTAGEM=quatro`: every server of a test is two API and two worker processes. */
export const EM_QUATRO = process.env.MALOTE_TESTE_MONTAGEM === 'quatro';
/** A start takes about a second; four at once on a busy machine half a minute. Longer means that it never comes. */
const READY_WITHIN_MS = EM_QUATRO ? 180_000 : 120_000;
const POLL_MS = 20;
/** Final state of one small file; far more than it takes. */
const IMPORTED_WITHIN_MS = 120_000;
const FINAL = new Set(['Uploaded', 'Com Erro', 'Expirado']);

export function makeDataFolder(): string {
  return mkdtempSync(join(tmpdir(), 'malote-teste-'));
}

/** Works on a data folder from this very process; before a start or beside a running server. */
export async function withDeps<T>(
  dataFolder: string,
  act: (deps: Pick<Deps, 'config' | 'clock' | 'db'>) => Promise<T>,
  clock: Clock = systemClock,
): Promise<T> {
  const config = readConfig({ MALOTE_DATA: dataFolder, ...(await ambienteDoBanco(dataFolder)) });
  mkdirSync(dataFolder, { recursive: true });
  await migrateDatabase(config, join(ROOT, 'migrations'));
  const db = connectHere<Tabelas>(config);
  try {
    return await act({ config, clock, db });
  } finally {
    await db.close();
  }
}

export interface Escritorio {
  contadorId: number;
  codigoCrm: string;
  token: string;
}

/** Opens an office with its integration token and clients. */
export function createEscritorio(
  dataFolder: string,
  input: { crm: string; clientes?: readonly string[] },
): Promise<Escritorio> {
  return withDeps(dataFolder, async (deps) => {
    const { id, codigoCrm } = await createContador(deps, {
      codigoCrm: input.crm,
      nome: `Escritório ${input.crm}`,
      email: `contato${input.crm}@exemplo.com.br`,
    });
    const { token } = await createToken(deps, { contadorId: id });
    for (const cpfCnpj of input.clientes ?? []) await createCliente(deps, { contadorId: id, cpfCnpj });
    return { contadorId: id, codigoCrm, token };
  });
}

/** Registers a client; what was held for it becomes its entries. */
export async function createCliente(
  deps: Pick<Deps, 'config' | 'clock' | 'db'>,
  input: { contadorId: number; cpfCnpj: string },
): Promise<number> {
  const { id } = await registerCliente(deps, {
    ...input,
    nome: `Cliente ${input.cpfCnpj}`,
    email: 'cliente@exemplo.com.br',
    aoRegistrar: async (trx, cliente) => {
      const { homologacao } = deps.config;
      await deliverRetidos(trx, cliente, { agora: deps.clock.now(), homologacao });
    },
  });
  return id;
}

/** The first of some lines that fits, once it is there. */
async function lineAmong(
  lines: readonly string[],
  { pattern, withinMs }: { pattern: RegExp; withinMs: number },
): Promise<RegExpExecArray> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    for (const line of lines) {
      const found = pattern.exec(line);
      if (found) return found;
    }
    await delay(POLL_MS);
  }
  throw new Error(`the server never said ${pattern}:\n${lines.join('\n')}`);
}

/**
 * A running installation: one process, or several behind a proxy (`MALOTE_TESTE_MONTAGEM=quatro`). Use it with `await
 * using`, so that neither process nor folder stays behind.
 */
export class Malote implements AsyncDisposable {
  readonly url: string;
  readonly dataFolder: string;
  readonly processes: readonly ChildProcess[];
  readonly #proxy: ProxyDeTeste | null;
  /** Every line on standard error so far: the log. */
  readonly log: string[];
  /** Every line on standard output so far. */
  readonly said: string[];
  readonly #ownsFolder: boolean;

  constructor(fields: {
    url: string;
    dataFolder: string;
    processes: readonly ChildProcess[];
    proxy?: ProxyDeTeste;
    log: string[];
    said: string[];
    ownsFolder: boolean;
  }) {
    this.url = fields.url;
    this.dataFolder = fields.dataFolder;
    this.processes = fields.processes;
    this.#proxy = fields.proxy ?? null;
    this.log = fields.log;
    this.said = fields.said;
    this.#ownsFolder = fields.ownsFolder;
  }

  /** The process, where there is one; else the first API. */
  get process(): ChildProcess {
    const [first] = this.processes;
    if (!first) throw new Error('no process was started');
    return first;
  }

  /** Waits for a line on standard output. */
  line(pattern: RegExp): Promise<RegExpExecArray> {
    return lineAmong(this.said, { pattern, withinMs: READY_WITHIN_MS });
  }

  /** Waits for a line of the log. */
  logged(pattern: RegExp, withinMs: number): Promise<RegExpExecArray> {
    return lineAmong(this.log, { pattern, withinMs });
  }

  /** Ends every process with a signal. @returns the first exit code that is not 0; null when the signal killed one */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const codes = await Promise.all(this.processes.map((child) => end(child, signal)));
    await this.#proxy?.close();
    const faulty = codes.find((code) => code !== 0);
    return faulty === undefined ? 0 : faulty;
  }

  /** The power cord. */
  async kill(): Promise<void> {
    await this.stop('SIGKILL');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    if (!this.#ownsFolder) return;
    rmSync(this.dataFolder, { recursive: true, force: true });
    await releaseBanco(this.dataFolder);
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  return child.exitCode;
}

export interface StartOptions {
  /** Absent: one is made, and removed with the server. */
  dataFolder?: string;
  env?: Record<string, string>;
  /** What is tested belongs to one process, whatever the set-up of the run. */
  umProcesso?: boolean;
  /** Another installation than this one; with it there is one process. */
  raiz?: string;
  /** Its memory or its start is measured: it is started to the last as the service is. */
  medido?: boolean;
}

/** Starts the server on a free port and waits for its ready line; in the set-up `quatro`, four of them. */
export async function startMalote(options: StartOptions = {}): Promise<Malote> {
  const dataFolder = options.dataFolder ?? makeDataFolder();
  const env = { ...(await ambienteDoBanco(dataFolder)), MALOTE_DATA: dataFolder, ...options.env };
  const ownsFolder = options.dataFolder === undefined;
  if (!EM_QUATRO || options.umProcesso || options.raiz || options.env?.MALOTE_MODO) {
    const { child, url, log, said } = await startProcess(env, options);
    return new Malote({ url, dataFolder, processes: [child], log, said, ownsFolder });
  }
  return startSetup({ dataFolder, env, ownsFolder });
}

/** Two API and two worker processes on one database, and a proxy that hands each request to the next API. */
async function startSetup(input: {
  dataFolder: string;
  env: Record<string, string>;
  ownsFolder: boolean;
}): Promise<Malote> {
  const { dataFolder, env, ownsFolder } = input;
  const [log, said]: [string[], string[]] = [[], []];
  const modes = ['api', 'api', 'worker', 'worker'];
  const started = await Promise.allSettled(
    modes.map((MALOTE_MODO) => startProcess({ ...env, MALOTE_MODO }, { log, said })),
  );
  const running = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = started.find((one) => one.status === 'rejected');
  if (failed) {
    for (const { child } of running) child.kill('SIGKILL');
    throw failed.reason;
  }
  const proxy = await startProxy(running.slice(0, 2).map(({ url }) => url));
  const processes = running.map(({ child }) => child);
  return new Malote({ url: proxy.url, dataFolder, processes, proxy, log, said, ownsFolder });
}

interface StartedProcess {
  child: ChildProcess;
  url: string;
  log: string[];
  said: string[];
}

async function startProcess(
  env: Record<string, string>,
  options: { log?: string[]; said?: string[] } & Pick<StartOptions, 'raiz' | 'medido'> = {},
): Promise<StartedProcess> {
  const { log = [], said = [], raiz = ROOT, medido = raiz !== ROOT } = options;
  const child = spawn(
    process.execPath,
    [...(medido ? [] : DO_NODE), join(raiz, 'bin', 'malote.js'), 'servir'],
    {
      cwd: raiz,
      env: {
        ...cleanEnv(),
        ...(medido ? {} : DO_PROCESSO),
        PORT: '0',
        MALOTE_LEITORES: '1',
        MALOTE_ESPERA_AO_PARAR: '0',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const own: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
  createInterface({ input: child.stdout }).on('line', (line) => {
    own.push(line);
    said.push(line);
  });
  try {
    return { child, url: await readyUrl(child, own), log, said };
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`the server did not start:\n${log.join('\n')}`, { cause: error });
  }
}

/** Settings of the one who runs the tests must not reach the server. */
function cleanEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(MALOTE_|DATABASE_URL$|HOST$|PORT$|NODE_TEST_CONTEXT$)/.test(name),
    ),
  );
}

async function readyUrl(child: ChildProcess, said: readonly string[]): Promise<string> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (performance.now() < deadline) {
    for (const line of said) {
      const url = /^Malote escutando em (\S+) \(dados em .+\)$/.exec(line)?.[1];
      if (url) return url;
    }
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error('the server ended without a ready line');
    await delay(POLL_MS);
  }
  throw new Error('the server was not ready in time');
}

export interface JsonAnswer {
  status: number;
  headers: Headers;
  /** Parsed; tests look into it. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any route, whose shape the test itself asserts
  body: any;
}

/** One JSON request; with `token` as bearer, with `json` as body. */
export async function fetchJson(
  url: string,
  options: { token?: string; method?: string; json?: unknown; headers?: Record<string, string> } = {},
): Promise<JsonAnswer> {
  const headers = new Headers(options.headers);
  if (options.token !== undefined) headers.set('authorization', `Bearer ${options.token}`);
  if (options.json !== undefined) headers.set('content-type', 'application/json');
  const answer = await fetch(url, {
    method: options.method ?? (options.json === undefined ? 'GET' : 'POST'),
    headers,
    ...(options.json === undefined ? {} : { body: JSON.stringify(options.json) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
}

/** Ticket and upload of one file. @returns its id */
export async function upload(
  malote: Pick<Malote, 'url'>,
  input: { token: string; bytes: Uint8Array; extension: '.xml' | '.zip' },
): Promise<string> {
  const { token, bytes, extension } = input;
  const ticket = await fetchJson(`${malote.url}/storage`, { token, json: { size: bytes.length, extension } });
  if (ticket.status !== 200) throw new Error(`no ticket: ${JSON.stringify(ticket.body)}`);
  const sent = await fetch(ticket.body.url, { method: 'PUT', body: new Uint8Array(bytes) });
  if (sent.status !== 200) throw new Error(`not uploaded: ${sent.status} ${await sent.text()}`);
  return ticket.body.id;
}

/** Asks for a file's state until it is final. @returns the status record */
export async function imported(
  malote: Pick<Malote, 'url'>,
  input: { token: string; id: string },
): Promise<JsonAnswer['body']> {
  const deadline = performance.now() + IMPORTED_WITHIN_MS;
  let last: JsonAnswer['body'] = null;
  for (let pauseMs = POLL_MS; performance.now() < deadline; pauseMs = nextPauseMs(pauseMs)) {
    const { body } = await fetchJson(`${malote.url}/storage/arquivo/${input.id}`, { token: input.token });
    if (FINAL.has(body.status)) return body;
    last = body;
    await delay(pauseMs);
  }
  throw new Error(`file ${input.id} did not reach its final state: ${JSON.stringify(last)}`);
}

/** Sends one file and waits for its final state. @throws with its log when it is not `Uploaded` */
export async function importFile(
  malote: Pick<Malote, 'url'>,
  input: { token: string; bytes: Uint8Array; extension: '.xml' | '.zip' },
): Promise<void> {
  const record = await imported(malote, { token: input.token, id: await upload(malote, input) });
  if (record.status !== 'Uploaded') throw new Error(`${record.status}: ${record.log}`);
}
