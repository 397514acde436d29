import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type onSendAsyncHookHandler,
} from 'fastify';
import { inPlainWords } from './accept-encoding.ts';
import { straightener, takeServerName } from './barras.ts';
import { addSecurityHeaders } from './cabecalhos.ts';
import type { CatalogoDeErros } from './catalogo.ts';
import { clientErrorHandler } from './client-error.ts';
import { answerPreflight, openToPages } from './cors.ts';
import { errorHandler } from './error-handler.ts';
import { metodoNaoPermitido, requisicaoMalformada, rotaNaoEncontrada } from './errors.ts';
import { scopeRequests } from './escopo.ts';
import { acceptOnlyJson } from './json-body.ts';
import { logRequests } from './log.ts';
import { type KnownMethods, rememberMethods } from './metodos.ts';
import { NO_COMPILERS } from './no-compilers.ts';
import { oneByOne } from './one-by-one.ts';
import { Outgoing, STREAM_BYTES, USUAL_BYTES } from './outgoing.ts';
import { pathOf } from './problema.ts';

/** JSON bodies of this service are a few KB; larger ones are a mistake or an attack. */
const JSON_LIMIT_BYTES = 1_000_000;
/** Longest path value: a composed NFS-e key (64) or a masked CNPJ, URL-encoded, with room. Longer ones are 404. */
const PATH_VALUE_CHARACTERS = 200;
/** With the check every 5 s, a client that dribbles its headers is closed within 30 s (docs/confiabilidade.md, R11). */
const HEADERS_TIMEOUT_MS = 25_000;
const TIMEOUT_CHECK_MS = 5_000;
/**
 * A connection is read no further while so much of it waits. One read brings up to 64 KB: less than that, so that a thousand
 * uploads whose turn has not come wait with one read each instead of two.
 */
const BUFFERED_BYTES = 16 * 1024;
/** A body of JSON or a form; with its headers it stays below a minute. */
const BODY_TIMEOUT_MS = 30_000;
/** Whole request, body included: the 120 s that an upload has, and a little for its headers. */
const REQUEST_TIMEOUT_MS = 150_000;
/** A connection on which nothing moves while somebody has to. More than any answer is waited for. */
const STILL_MS = 120_000;
/** Above the 60 s of common proxies, so that the proxy is the one that closes. */
const KEEP_ALIVE_MS = 72_000;
const COMPRESS_FROM_BYTES = 1_024;
/** Up to here compressing inline costs less than a stream; above it runs in the thread pool. */
const COMPRESS_INLINE_BYTES = 16_384;
const GZIP_LEVEL = 4;
/** What it looks back on; by itself Brotli would take 4 MB for that, and more for its tables, for each answer on its way. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the answers of a route take in memory at most, about, where that is not `USUAL_BYTES`; 0: they never wait. */
    answerBytes?: number;
  }
}

interface HttpServerOptions {
  log: FastifyBaseLogger;
  catalogo: CatalogoDeErros;
  /** Addresses and networks whose `X-Forwarded-*` headers are believed. */
  proxies?: readonly string[];
  /** True once the process is about to stop: every answer then ends its connection. */
  stopping?: () => boolean;
  /** Whether the public address is https: adds HSTS. */
  https: boolean;
  /** Added to the log line of a request. */
  logFields: (request: FastifyRequest) => Record<string, unknown>;
  /** The memory of answers on their way. */
  outgoing?: Outgoing;
  /** Whose share of it an answer is of; by default all are one's. */
  ownerOf?: (request: FastifyRequest) => string;
  /** Looks at each request before the framework does, and answers it or calls `ordinary`. */
  first?: (request: IncomingMessage, response: ServerResponse, ordinary: () => void) => void;
  /** Paths whose routes answer `Expect: 100-continue` themselves, after looking at the request. */
  answersContinueItself: (path: string) => boolean;
  /** Paths that may be written with slashes too many; none, unless it is told. */
  forgivesSlashes?: (path: string) => boolean;
  /** The one form of a path that may be written in several. */
  canonical?: (path: string) => string;
  /** Paths that programs in a browser may call from any page; none, unless it is told. */
  opensToPages?: (path: string) => boolean;
  /** Health and figures are all that is served: what reads parameters and bodies is not even loaded. */
  operationOnly?: boolean;
}

/** Makes a web server with everything that all areas share; routes are registered on it afterwards. */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const { proxies = [], stopping = () => false } = options;
  const handleError = errorHandler(options.catalogo);
  const toOneForm = straightener({
    isForgiven: options.forgivesSlashes ?? (() => false),
    isRouted: (method, path) => methods.isRouted(method, path),
    isKnown: (path) => methods.allowed(path).length > 0,
    canonical: options.canonical ?? ((path) => path),
  });
  const straighten = (request: IncomingMessage) => {
    takeServerName(request);
    return toOneForm(request);
  };
  const app: FastifyInstance = Fastify({
    loggerInstance: options.log,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: proxies.length > 0 && [...proxies],
    bodyLimit: JSON_LIMIT_BYTES,
    connectionTimeout: STILL_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      highWaterMark: BUFFERED_BYTES,
      // Node would refuse a request without one itself, with an empty body: `requireOneHost`.
      requireHostHeader: false,
    },
    // Requests that come while the server stops are still answered; their connections close afterwards.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: PATH_VALUE_CHARACTERS },
    schemaController: NO_COMPILERS,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      reply.header('x-content-type-options', 'nosniff');
      handleError(error, request as FastifyRequest, reply);
    },
    clientErrorHandler: clientErrorHandler(options.catalogo),
    rewriteUrl: straighten,
  });
  const methods = rememberMethods(app);
  scopeRequests(app);
  if (!options.operationOnly) {
    const { readSchemasOurWay } = await import('./schemas-nossos.ts');
    readSchemasOurWay(app);
  }
  acceptOnlyJson(app);
  addSecurityHeaders(app, options);
  closeWhileStopping(app, stopping);
  limitBodies(app, options.answersContinueItself);
  logRequests(app, { fields: options.logFields });
  app.setErrorHandler(handleError);
  requireOneHost(app);
  const { opensToPages = () => false } = options;
  openToPages(app, opensToPages);
  refuseUnknownPaths(app, { methods, opensToPages });
  answerContinue(app, (request) => options.answersContinueItself(pathOf(straighten(request))));
  boundAnswers(app, options);
  const { first } = options;
  if (first) {
    replaceHandler(app.server, (ordinary) => (request, response) => {
      request.url = straighten(request);
      first(request, response, () => ordinary(request, response));
    });
  }
  replaceHandler(app.server, oneByOne);
  closeSilentConnections(app);
  tellNoLengthOfNothing(app);
  negotiateCodings(app);
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: COMPRESS_FROM_BYTES,
    syncThreshold: COMPRESS_INLINE_BYTES,
    zlibOptions: { level: GZIP_LEVEL },
    brotliOptions: { params: BROTLI },
    globalDecompression: false,
  });
  return app;
}

/** Puts a handler before the server's own, which it is given. */
function replaceHandler(server: Server, make: (ordinary: Answer) => Answer): void {
  const own = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on(
    'request',
    make((request, response) => {
      for (const handle of own) handle.call(server, request, response);
    }),
  );
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** What is read has room for its answer before it is made. What is written is answered in a few words. */
function boundAnswers(
  app: FastifyInstance,
  { outgoing = new Outgoing(), ownerOf = () => '' }: Pick<HttpServerOptions, 'outgoing' | 'ownerOf'>,
): void {
  app.addHook('preHandler', (request, reply, done) => {
    const { answerBytes = USUAL_BYTES } = request.routeOptions.config;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    // Without a promise unless something has to be waited for.
    if (!isRead || answerBytes === 0 || outgoing.tryEnter(reply.raw, ownerOf(request), answerBytes)) done();
    else outgoing.enter(reply.raw, ownerOf(request), answerBytes).then(() => done(), done);
  });
  // Before the compressor looks: what it takes lies in memory beside what it is given.
  app.addHook('onSend', ({ headers }, reply, payload, done) => {
    const bytes = lengthOf(payload);
    const streamed =
      bytes !== null &&
      bytes > COMPRESS_INLINE_BYTES &&
      headers['accept-encoding'] !== undefined &&
      !reply.hasHeader('content-encoding');
    outgoing.send(reply.raw, streamed ? bytes + STREAM_BYTES : bytes);
    done(null, payload);
  });
}

/** @returns null for a stream */
function lengthOf(payload: unknown): number | null {
  if (typeof payload === 'string' || payload instanceof Uint8Array) return payload.length;
  return payload === null || payload === undefined ? 0 : null;
}

/** That the path exists comes before everything else, so also before its body is looked at. */
function refuseUnknownPaths(
  app: FastifyInstance,
  { methods, opensToPages }: { methods: KnownMethods; opensToPages: (path: string) => boolean },
): void {
  const refuse = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request.raw.url);
    const known = methods.allowed(path);
    const allowed = known.length > 0 && opensToPages(path) ? [...new Set([...known, 'OPTIONS'])] : known;
    // A known path with the right method: its route has found nothing there, such as a file that does not exist.
    if (allowed.length === 0 || known.includes(request.method)) throw rotaNaoEncontrada();
    if (!allowed.includes(request.method)) throw metodoNaoPermitido(request.method, allowed);
    return answerPreflight(reply, allowed);
  };
  app.addHook('onRequest', async (request, reply) => (request.is404 ? refuse(request, reply) : undefined));
  app.setNotFoundHandler(refuse);
}

/**
 * With two names of the server, a proxy may have judged by the other one than we; Node gives the first and says nothing.
 * HTTP/1.0 has none.
 * @fonte RFC 9112, 3.2
 */
function requireOneHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: { rawHeaders, httpVersion } }) => {
    let hosts = 0;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at];
      if (name?.length === 'host'.length && name.toLowerCase() === 'host') hosts += 1;
    }
    if (hosts > 1) throw requisicaoMalformada('O cabeçalho Host veio mais de uma vez. Envie um só.');
    if (hosts === 0 && httpVersion === '1.1') throw requisicaoMalformada('Falta o cabeçalho Host.');
  });
}

/**
 * To HEAD the framework says of an empty answer that it has 0 bytes. With a 304 that would be the length of what the caller
 * holds (RFC 9110 §8.6), and 204 has none.
 */
function tellNoLengthOfNothing(app: FastifyInstance): void {
  const forget: onSendAsyncHookHandler = async (_request, reply, payload) => {
    if (reply.statusCode === 304 || reply.statusCode === 204) reply.removeHeader('content-length');
    return payload;
  };
  app.addHook('onRoute', (route) => {
    if (route.method === 'HEAD') route.onSend = [route.onSend ?? [], forget].flat();
  });
}

/** Before the compressor looks: it would send gzip to those who refuse it and take whatever else there is. */
function negotiateCodings(app: FastifyInstance): void {
  // Not async: a promise less for each request.
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    const accepted = headers['accept-encoding'];
    if (typeof accepted === 'string') headers['accept-encoding'] = inPlainWords(accepted);
    done();
  });
}

function answerContinue(app: FastifyInstance, answersItself: (request: IncomingMessage) => boolean): void {
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (!answersItself(request)) response.writeContinue();
    app.server.emit('request', request, response);
  });
  // One that nobody knows may be ignored (RFC 9110 §10.1.1); Node would answer 417 with an empty body.
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response);
  });
}

/** A client that keeps its connection is told to make another one, which its proxy leads to another process. */
function closeWhileStopping(app: FastifyInstance, stopping: () => boolean): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    if (stopping()) reply.header('connection', 'close');
    return payload;
  });
}

/** Whoever dribbles a small body is cut off; uploads have limits of their own. */
function limitBodies(app: FastifyInstance, isUpload: (path: string) => boolean): void {
  // Not before the request has its turn: until then nobody reads its body.
  app.addHook('preParsing', async ({ raw }) => {
    const announced = raw.headers['content-length'] ?? raw.headers['transfer-encoding'];
    if (announced === undefined || announced === '0' || isUpload(pathOf(raw.url))) return;
    const timer = setTimeout(() => {
      if (!raw.complete) raw.destroy();
    }, BODY_TIMEOUT_MS).unref();
    raw.once('close', () => clearTimeout(timer));
  });
}

/**
 * When the server closes, Node ends connections that are idle between requests, but waits for those on which
 * nothing has ever come, such as a browser's spare one; these are ended here.
 */
function closeSilentConnections(app: FastifyInstance): void {
  const open = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', async () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
}
