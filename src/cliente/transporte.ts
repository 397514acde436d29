import {
  errorOf,
  FalhaDeRede,
  Indisponivel,
  LimiteExcedido,
  type MaloteError,
  RespostaInesperada,
} from './erros.ts';

/** First pause before a new try; each further one doubles, up to the longest. */
const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 20_000;
/** A `Retry-After` beyond this is not waited for: the caller decides. */
const LONGEST_OBEYED_MS = 120_000;
const DEFAULT_TRIES = 6;

export interface OpcoesDeTransporte {
  token: string;
  fetch?: typeof fetch;
  /** Tries of one call in all, the first included. Default 6. */
  tentativas?: number;
  /** Waits between tries; for tests. */
  esperar?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** 0…1; for tests. */
  aleatorio?: () => number;
}

export interface Chamada {
  method: 'GET' | 'POST' | 'PUT';
  url: string;
  /** False for signed addresses, which carry their own permission. */
  comToken: boolean;
  json?: unknown;
  bytes?: Uint8Array;
  signal?: AbortSignal;
}

/** Sends calls, tries again what is worth it, turns failed answers into errors. */
export interface Transporte {
  json<T>(call: Chamada): Promise<T>;
  bytes(call: Chamada): Promise<Uint8Array>;
  /** Waits with the client's clock. */
  esperar(ms: number, signal?: AbortSignal): Promise<void>;
}

export function createTransporte(options: OpcoesDeTransporte): Transporte {
  const send = options.fetch ?? fetch;
  const tries = Math.max(1, options.tentativas ?? DEFAULT_TRIES);
  const wait = options.esperar ?? pause;
  const random = options.aleatorio ?? Math.random;

  async function attempt(call: Chamada): Promise<Response> {
    const response = await send(call.url, requestOf(call, options.token)).catch((cause: unknown) => {
      if (call.signal?.aborted) throw call.signal.reason;
      throw noAnswer(call, cause);
    });
    if (response.ok) return response;
    throw errorOf({
      status: response.status,
      headers: response.headers,
      body: await response.text().catch(() => ''),
    });
  }

  /** Runs the call and the reading of its body as one: an answer cut off in the middle is tried again as well. */
  async function tryAgain<T>(call: Chamada, read: (response: Response) => Promise<T>): Promise<T> {
    for (let done = 1; ; done++) {
      try {
        const response = await attempt(call);
        return await read(response).catch((cause: unknown) => {
          if (cause instanceof RespostaInesperada || call.signal?.aborted) throw cause;
          throw noAnswer(call, cause);
        });
      } catch (error) {
        const pauseMs = pauseBefore(error, done, random);
        if (pauseMs === null || done >= tries) throw error;
        await wait(pauseMs, call.signal);
      }
    }
  }

  return {
    json: (call) => tryAgain(call, readJson) as Promise<never>,
    bytes: (call) => tryAgain(call, async (response) => new Uint8Array(await response.arrayBuffer())),
    esperar: wait,
  };
}

function requestOf(call: Chamada, token: string): RequestInit {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (call.comToken) headers.authorization = `Bearer ${token}`;
  if (call.json !== undefined) headers['content-type'] = 'application/json';
  return {
    method: call.method,
    headers,
    ...(call.json === undefined ? {} : { body: JSON.stringify(call.json) }),
    ...(call.bytes === undefined ? {} : { body: call.bytes as Uint8Array<ArrayBuffer> }),
    ...(call.signal === undefined ? {} : { signal: call.signal }),
  };
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RespostaInesperada({
      codigo: 'resposta_inesperada',
      status: response.status,
      mensagem: `A resposta de ${new URL(response.url || 'http://servidor').host} não é JSON: confira se o endereço é o do Malote.`,
      requestId: response.headers.get('x-request-id'),
      cause,
    });
  }
}

function noAnswer(call: Chamada, cause: unknown): MaloteError {
  const { host } = new URL(call.url);
  const reason = cause instanceof Error ? ((cause.cause as Error | undefined)?.message ?? cause.message) : '';
  return new FalhaDeRede({
    codigo: 'falha_de_rede',
    status: 0,
    mensagem: `Sem resposta de ${host}${reason ? ` (${reason})` : ''}. Confira o endereço e a rede.`,
    cause,
  });
}

/**
 * Every call here may be sent twice without harm: GETs, a PUT of the same bytes, and a POST that only draws an
 * address, which lapses when unused.
 * @returns null when a further try would bring nothing
 */
function pauseBefore(error: unknown, done: number, random: () => number): number | null {
  if (error instanceof LimiteExcedido || error instanceof Indisponivel) {
    if (error.esperarMs !== null) {
      // A little more than asked for, so that many clients do not come back in the same instant.
      return error.esperarMs > LONGEST_OBEYED_MS
        ? null
        : Math.round(error.esperarMs + random() * FIRST_PAUSE_MS);
    }
  } else if (!(error instanceof FalhaDeRede)) {
    return null;
  }
  const ceiling = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (done - 1));
  return Math.round(ceiling / 2 + (random() * ceiling) / 2);
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
