/**
 * Pages for those who ask as somebody asked before: the same request, with every header that could matter, or one that
 * differs from it in the NSU alone, as those of a poller do. What the ordinary way found out about the first (whose it
 * is, which client, which parameters) holds for the others; whether the token still lives and where the feed stands is
 * asked anew for each (`vigencia.ts`), and who asks is counted, limited, noted and logged as there. If nothing has
 * moved, the very same bytes go out again; else the page is made by the function that the ordinary way makes it by.
 * Whatever is in doubt goes the ordinary way.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { authOf, officeKey, tokenKey } from '../../autorizacao/contexto.ts';
import type { TokenReader } from '../../autorizacao/tokens.ts';
import type { Deps } from '../../deps.ts';
import { boundedCache } from '../../platform/bounded-cache.ts';
import { type Counter, keyOf, type Saldo } from '../../platform/http/limite.ts';
import type { Metrics } from '../../platform/http/metricas.ts';
import type { Outgoing } from '../../platform/http/outgoing.ts';
import type { AnswerPlaces } from '../../platform/http/places.ts';
import { pathOf } from '../../platform/http/problema.ts';
import { giveBackPagina } from '../prepared/pagina.ts';
import type { Resposta, Vigencia, Vigencias } from '../prepared/vigencia.ts';
import { type Alvo, Alvos } from './alvo.ts';
import type { PaginaDoFeed } from './pagina-do-feed.ts';

const BYTES = 24 * 1024 * 1024;
/** A page larger than this is not kept: it would push many others out. */
const LARGEST_BYTES = 4 * 1024 * 1024;
/**
 * Larger ones are kept once they are asked for a second time: who polls reads each page once, and what is thrown away
 * soon costs the collector of garbage more than making it anew. What was asked for is remembered this far back.
 */
const SMALL_BYTES = 4 * 1024;
const ASKED_ONCE = 10_000;
/** Requests that differ in more than the NSU. */
const MOLDES = 5_000;
/** Headers, key and objects of one answer, estimated generously. */
const OVERHEAD_BYTES = 4_000;

/** Headers that each answer has of its own. */
const REQUEST_ID = 'x-request-id';
const POLICY = 'ratelimit-policy';
const LEFT = 'ratelimit';
/** Headers of the page, or of the connection. */
const NOT_COMMON: ReadonlySet<string> = new Set([
  'link',
  'content-encoding',
  'content-length',
  'date',
  'connection',
  'keep-alive',
]);

interface Oferta {
  clienteId: number;
  /** State of the feed that the page was made at. */
  feed: Vigencia;
  pagina: PaginaDoFeed;
  /** What such a page takes in memory until it has been taken, bytes. */
  reserva(nsu: number, feed: Vigencia): number;
  /** Makes the page of the same request with another NSU, or of another state. Null: the ordinary way has to. */
  remake(nsu: number, url: string, feed: Vigencia): Promise<PaginaDoFeed | null>;
}

/** What the ordinary way found out about a request; holds for all that differ from it in the NSU alone. */
interface Molde {
  clienteId: number;
  tokenId: number;
  codigoCrm: string;
  /** Among those who wait for room, and for their turn. */
  escritorio: string;
  token: string;
  /** Where it comes from; what tells it is part of the key. */
  ip: string;
  /** Name, value, name, value … in their order; without those of one page. */
  headers: string[];
  reserva: Oferta['reserva'];
  remake: Oferta['remake'];
  observe(seconds: number): void;
}

interface Guardada {
  alvo: Alvo;
  molde: Molde;
  feed: Vigencia;
  pagina: PaginaDoFeed;
}

/** A page on its way. */
type PaginaDada = PaginaDoFeed & {
  /** It is not kept. */
  onlyOnce?: boolean;
};

/** A request that is being answered here. */
interface Pedido {
  alvo: Alvo;
  molde: Molde;
  request: IncomingMessage;
  response: ServerResponse;
  ordinary: () => void;
  startedAt: number;
}

interface MemoriaDeps extends Pick<Deps, 'clock' | 'log'> {
  vigencias: Pick<Vigencias, 'put'>;
  enderecos: { current(): { kid: string } };
  contar: Counter;
  inWork: Pick<AnswerPlaces, 'tryEnter'>;
  outgoing: Pick<Outgoing, 'tryEnter' | 'send'>;
  metrics: Metrics;
  tokens: Pick<TokenReader, 'noteUse' | 'forget'>;
  /** The process is about to stop: connections are to end. */
  stopping(): boolean;
}

/** One for the process. */
export class Memoria {
  readonly #deps: MemoriaDeps;
  readonly #alvos = new Alvos();
  readonly #moldes = boundedCache<string, Molde>(MOLDES);
  readonly #guardadas = new LRUCache<string, Guardada>({
    maxSize: BYTES,
    maxEntrySize: LARGEST_BYTES,
    sizeCalculation: ({ pagina }) => pagina.body.length + OVERHEAD_BYTES,
  });
  /** Pages that were made and not kept. */
  readonly #asked = boundedCache<string, true>(ASKED_ONCE);
  readonly #ofertas = new WeakMap<FastifyRequest, Oferta>();
  readonly #counts = { repetidas: 0, montadas: 0, preparadas: 0 };

  constructor(deps: MemoriaDeps) {
    this.#deps = deps;
  }

  /** Pages that were given again, that were put together here, and that the ordinary way put together. */
  get counts(): { repetidas: number; montadas: number; preparadas: number } {
    return this.#counts;
  }

  /** What lies here, bytes. */
  get bytes(): number {
    return this.#guardadas.calculatedSize;
  }

  /** A route has made this page. It is kept once it was sent, with the headers that were sent: see `keep`. */
  offer(request: FastifyRequest, oferta: Oferta): void {
    this.#counts.preparadas += 1;
    this.#ofertas.set(request, oferta);
  }

  /** Hook behind each answer. */
  keep(request: FastifyRequest, reply: FastifyReply): void {
    const oferta = this.#ofertas.get(request);
    this.#ofertas.delete(request);
    if (!oferta || reply.statusCode !== 200 || this.#deps.stopping()) return;
    const alvo = this.#alvos.of(request.raw);
    const route = request.routeOptions.url;
    if (!alvo || route === undefined) return;
    const { clienteId, feed, pagina, reserva, remake } = oferta;
    const { tokenId, codigoCrm, contadorId, clienteIds } = authOf(request);
    // Whether an access token still stands, and what one that is limited to clients still reaches, the ordinary way asks.
    if (tokenId === null || clienteIds) return;
    const molde = {
      clienteId,
      tokenId,
      codigoCrm,
      escritorio: officeKey(contadorId),
      token: tokenKey(tokenId),
      ip: request.ip,
      headers: commonHeaders(reply.getHeaders()),
      reserva,
      remake,
      observe: this.#deps.metrics.durationOf({ method: 'GET', route, status: 200 }),
    };
    this.#moldes.set(alvo.molde, molde);
    if (pagina.body.length <= SMALL_BYTES || this.#wasAsked(alvo))
      this.#guardadas.set(alvo.pagina, { alvo, molde, feed, pagina });
  }

  /** Answers a request, or leaves it to the ordinary way. */
  answer(request: IncomingMessage, response: ServerResponse, ordinary: () => void): void {
    const found = this.#deps.stopping() ? null : this.#find(request);
    // Where it has to wait for its turn, it does so there.
    if (!found || !this.#deps.inWork.tryEnter(response, found.molde.token)) {
      ordinary();
      return;
    }
    const { alvo, molde } = found;
    const pedido = { alvo, molde, request, response, ordinary, startedAt: performance.now() };
    // Without a promise unless something has to be waited for: these would be a tenth of what a page costs.
    this.#deps.vigencias.put({
      clienteId: molde.clienteId,
      tokenId: molde.tokenId,
      resolve: (resposta) => this.#goOn(pedido, resposta),
      reject: (error) => this.#fail(pedido, error),
    });
  }

  /** What is known about a request: at once where its very page is kept. */
  #find(request: IncomingMessage): Pick<Pedido, 'alvo' | 'molde'> | null {
    const pagina = this.#alvos.paginaDe(request);
    if (pagina === null) return null;
    const guardada = this.#guardadas.get(pagina);
    if (guardada) return guardada;
    const alvo = this.#alvos.of(request);
    const molde = alvo ? this.#moldes.get(alvo.molde) : undefined;
    return alvo && molde ? { alvo, molde } : null;
  }

  /** Gives the page as the feed stands now: the one that is kept, or another one. */
  #goOn(pedido: Pedido, { feed, tokenVive }: Resposta): void {
    try {
      const { alvo, molde, ordinary } = pedido;
      if (!tokenVive) this.#deps.tokens.forget(molde.tokenId);
      if (!tokenVive || !feed) {
        this.#moldes.delete(alvo.molde);
        this.#guardadas.delete(alvo.pagina);
        ordinary();
        return;
      }
      const guardada = this.#guardadas.get(alvo.pagina);
      if (guardada && isSame(guardada.feed, feed) && this.#mayHandOut(guardada.pagina)) {
        if (!this.#hasRoom(pedido, guardada.pagina.body.length)) {
          ordinary();
          return;
        }
        this.#counts.repetidas += 1;
        this.#countAndGive(pedido, guardada.pagina);
      } else this.#makeAndGive(pedido, feed).catch((error: unknown) => this.#fail(pedido, error));
    } catch (error) {
      this.#fail(pedido, error);
    }
  }

  async #makeAndGive(pedido: Pedido, feed: Vigencia): Promise<void> {
    const { alvo, molde, request, ordinary } = pedido;
    if (!this.#hasRoom(pedido, molde.reserva(alvo.nsu, feed))) {
      ordinary();
      return;
    }
    const again = this.#wasAsked(alvo);
    const pagina = await molde.remake(alvo.nsu, request.url ?? '', feed);
    if (!pagina) {
      ordinary();
      return;
    }
    this.#counts.montadas += 1;
    const kept = again || pagina.body.length <= SMALL_BYTES;
    if (kept) this.#guardadas.set(alvo.pagina, { alvo, molde, feed, pagina });
    this.#countAndGive(pedido, { ...pagina, onlyOnce: !kept });
  }

  /** Whoever has to wait for room does so the ordinary way. */
  #hasRoom({ response, molde }: Pedido, bytes: number): boolean {
    return this.#deps.outgoing.tryEnter(response, molde.escritorio, bytes);
  }

  #countAndGive(pedido: Pedido, pagina: PaginaDada): void {
    const saldo = this.#deps.contar(keyOf('exportacao', pedido.molde.token));
    if (!(saldo instanceof Promise)) {
      this.#giveWithin(pedido, pagina, saldo);
      return;
    }
    saldo
      .then((counted) => this.#giveWithin(pedido, pagina, counted))
      .catch((error: unknown) => this.#fail(pedido, error));
  }

  /** A page that may not be given: the ordinary way says why in its words. */
  #giveWithin(pedido: Pedido, pagina: PaginaDada, saldo: Saldo | null): void {
    if (saldo === null || saldo.waitMs === null) this.#give(pedido, pagina, saldo);
    else pedido.ordinary();
  }

  #fail({ response, ordinary }: Pedido, err: unknown): void {
    this.#deps.log.warn({ err }, 'a page could not be given again');
    if (!response.headersSent) ordinary();
  }

  /** Whether a page was asked for before; from now on it was. */
  #wasAsked({ pagina: key }: Alvo): boolean {
    const before = this.#guardadas.has(key) || this.#asked.has(key);
    this.#asked.set(key, true);
    return before;
  }

  #mayHandOut({ kid, untilSeconds }: PaginaDoFeed): boolean {
    const { clock, enderecos } = this.#deps;
    return untilSeconds * 1_000 > clock.now() && kid === enderecos.current().kid;
  }

  #give({ molde, request, response, startedAt }: Pedido, pagina: PaginaDada, saldo: Saldo | null): void {
    this.#deps.tokens.noteUse(molde.tokenId, molde.ip);
    const requestId = randomUUID();
    this.#deps.outgoing.send(response, pagina.body.length);
    response.writeHead(200, headersFor({ molde, pagina, saldo, requestId }));
    response.end(pagina.body, () => {
      const elapsedMs = performance.now() - startedAt;
      molde.observe(elapsedMs / 1_000);
      // Nobody else has its bytes, and the system has taken all of them.
      if (pagina.onlyOnce && response.writableFinished) giveBackPagina(pagina.body);
      this.#deps.log.info(
        {
          requestId,
          method: 'GET',
          path: pathOf(request.url),
          status: 200,
          ms: Math.round(elapsedMs * 10) / 10,
          codigoCrm: molde.codigoCrm,
        },
        'requisição',
      );
    });
    pagina.note();
  }
}

function isSame(one: Vigencia, other: Vigencia): boolean {
  return one.ultimoNsu === other.ultimoNsu && one.revisao === other.revisao;
}

function commonHeaders(headers: Record<string, unknown>): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    NOT_COMMON.has(name) || value === undefined ? [] : [name, String(value)],
  );
}

/** What was sent then, with what is this request's and this page's own. */
function headersFor(input: {
  molde: Molde;
  pagina: PaginaDoFeed;
  saldo: Saldo | null;
  requestId: string;
}): string[] {
  const { molde, pagina, saldo, requestId } = input;
  const headers = molde.headers.slice();
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at];
    if (name === REQUEST_ID) headers[at + 1] = requestId;
    else if (saldo && name === POLICY) headers[at + 1] = saldo.policy;
    else if (saldo && name === LEFT) headers[at + 1] = saldo.left;
  }
  if (pagina.link !== null) headers.push('link', pagina.link);
  if (pagina.codificacao !== 'identity') headers.push('content-encoding', pagina.codificacao);
  headers.push('content-length', String(pagina.body.length));
  return headers;
}
