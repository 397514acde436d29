/**
 * Answers that were given before, given again to the very same request. The request is the key, with every header
 * that could matter; before an answer is used, `vigencia.ts` says whether the token still lives and the feed still
 * stands where it stood. What is then sent is what the ordinary way sent, byte for byte; who asks is counted, limited,
 * noted and logged as there. Whatever is in doubt goes the ordinary way.
 */
import { hash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { authOf } from '../autorizacao/contexto.ts';
import type { TokenReader } from '../autorizacao/tokens.ts';
import type { Deps } from '../deps.ts';
import type { Contador, Saldo } from '../platform/http/limite.ts';
import type { Metrics } from '../platform/http/metricas.ts';
import { pathOf } from '../platform/http/problema.ts';
import type { Resposta, Vigencia, Vigencias } from './vigencia.ts';

const BYTES = 32 * 1024 * 1024;
/** A page larger than this is not kept: it would push many others out. */
const LARGEST_BYTES = 4 * 1024 * 1024;
/** Headers, key and objects of one answer, estimated generously. */
const OVERHEAD_BYTES = 4_000;

/** Headers that differ from request to request and change no answer. All others are part of the key. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  'user-agent',
  'traceparent',
  'tracestate',
  'x-request-id',
  'x-correlation-id',
  'x-amzn-trace-id',
]);
/** Of these answers have their own. */
const REQUEST_ID = 'x-request-id';
const POLICY = 'ratelimit-policy';
const LEFT = 'ratelimit';
const OF_THE_CONNECTION: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive']);

export interface Oferta {
  clienteId: number;
  /** State of the feed that the answer was made at. */
  feed: Vigencia;
  body: Buffer;
  /** The key of its signed addresses, and until when these may be handed out (Unix seconds). */
  kid: string;
  untilSeconds: number;
  /** What has to be noted whenever it is given. */
  note(): void;
}

interface Guardada extends Oferta {
  tokenId: number;
  codigoCrm: string;
  /** Name, value, name, value … in their order. */
  headers: string[];
  observe(seconds: number): void;
}

interface MemoriaDeps extends Pick<Deps, 'clock' | 'log'> {
  vigencias: Vigencias;
  enderecos: { current(): { kid: string } };
  contar: Contador;
  metrics: Metrics;
  /** Whose last use has to be written again goes the ordinary way, and who was revoked too. */
  tokens: Pick<TokenReader, 'lastUseIsDue' | 'forget'>;
  /** The process is about to stop: connections are to end. */
  stopping(): boolean;
}

/** One for the process. */
export class Memoria {
  readonly #deps: MemoriaDeps;
  readonly #guardadas = new LRUCache<string, Guardada>({
    maxSize: BYTES,
    maxEntrySize: LARGEST_BYTES,
    sizeCalculation: ({ body }) => body.length + OVERHEAD_BYTES,
  });
  readonly #ofertas = new WeakMap<FastifyRequest, Oferta>();

  constructor(deps: MemoriaDeps) {
    this.#deps = deps;
  }

  /** A route has made this answer. It is kept once it was sent, as it was sent: see `keep`. */
  offer(request: FastifyRequest, oferta: Oferta): void {
    this.#ofertas.set(request, oferta);
  }

  /** Hook behind each answer. */
  keep(request: FastifyRequest, reply: FastifyReply): void {
    const oferta = this.#ofertas.get(request);
    if (!oferta || reply.statusCode !== 200 || this.#deps.stopping()) return;
    const key = keyOf(request.raw);
    const route = request.routeOptions.url;
    if (key === null || route === undefined) return;
    const { tokenId, codigoCrm } = authOf(request);
    this.#guardadas.set(key, {
      ...oferta,
      tokenId,
      codigoCrm,
      headers: flat(reply.getHeaders()),
      observe: this.#deps.metrics.durationOf({ method: 'GET', route, status: 200 }),
    });
  }

  /** Answers a request, or leaves it to the ordinary way. */
  answer(request: IncomingMessage, response: ServerResponse, ordinary: () => void): void {
    const key = request.method === 'GET' ? keyOf(request) : null;
    const guardada = key === null ? undefined : this.#guardadas.get(key);
    if (key === null || !guardada || !this.#mayServe(guardada)) {
      ordinary();
      return;
    }
    const startedAt = performance.now();
    this.#deps.vigencias
      .ask(guardada.clienteId, guardada.tokenId)
      .then((resposta) => {
        if (!stands(guardada, resposta) || !this.#mayServe(guardada)) {
          this.#guardadas.delete(key);
          if (!resposta.tokenVive) this.#deps.tokens.forget(guardada.tokenId);
          ordinary();
          return;
        }
        const saldo = this.#deps.contar(String(guardada.tokenId));
        if (!(saldo instanceof Promise)) {
          this.#give(guardada, { request, response, ordinary, startedAt, saldo });
          return;
        }
        return saldo.then((found) =>
          this.#give(guardada, { request, response, ordinary, startedAt, saldo: found }),
        );
      })
      .catch((error: unknown) => {
        this.#deps.log.debug({ err: error }, 'an answer that was kept could not be given');
        if (!response.headersSent) ordinary();
      });
  }

  #mayServe({ kid, untilSeconds, tokenId }: Guardada): boolean {
    const { clock, enderecos, stopping, tokens } = this.#deps;
    return (
      untilSeconds * 1_000 > clock.now() &&
      kid === enderecos.current().kid &&
      !stopping() &&
      !tokens.lastUseIsDue(tokenId)
    );
  }

  #give(
    guardada: Guardada,
    input: {
      request: IncomingMessage;
      response: ServerResponse;
      ordinary: () => void;
      startedAt: number;
      saldo: Saldo | null;
    },
  ): void {
    const { request, response, saldo, startedAt } = input;
    // Refused by the ordinary way, in its words.
    if (saldo && saldo.waitSeconds !== null) {
      input.ordinary();
      return;
    }
    const requestId = randomUUID();
    response.writeHead(200, headersFor(guardada.headers, requestId, saldo));
    response.end(guardada.body, () => {
      const elapsedMs = performance.now() - startedAt;
      guardada.observe(elapsedMs / 1_000);
      this.#deps.log.info(
        {
          requestId,
          method: 'GET',
          path: pathOf(request.url),
          status: 200,
          ms: Math.round(elapsedMs * 10) / 10,
          codigoCrm: guardada.codigoCrm,
        },
        'requisição',
      );
    });
    guardada.note();
  }
}

function stands({ feed }: Guardada, resposta: Resposta): boolean {
  return (
    resposta.tokenVive &&
    resposta.feed?.ultimoNsu === feed.ultimoNsu &&
    resposta.feed.revisao === feed.revisao
  );
}

/**
 * The request line and the headers, as they came. Null for a request with a body. It holds the token, so only its
 * digest is kept.
 */
function keyOf(request: IncomingMessage): string | null {
  const { rawHeaders } = request;
  let text = `${request.url}\n${request.socket.remoteAddress}`;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (WITHOUT_EFFECT.has(name)) continue;
    if (name === 'content-length' || name === 'transfer-encoding' || name === 'expect') return null;
    text += `\n${name}:${rawHeaders[at + 1]}`;
  }
  return hash('sha256', text, 'base64');
}

function flat(headers: Record<string, unknown>): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    OF_THE_CONNECTION.has(name) || value === undefined ? [] : [name, String(value)],
  );
}

/** What was sent then, with what is this request's own. */
function headersFor(kept: readonly string[], requestId: string, saldo: Saldo | null): string[] {
  const headers = kept.slice();
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at];
    if (name === REQUEST_ID) headers[at + 1] = requestId;
    else if (saldo && name === POLICY) headers[at + 1] = saldo.policy;
    else if (saldo && name === LEFT) headers[at + 1] = saldo.left;
  }
  return headers;
}
