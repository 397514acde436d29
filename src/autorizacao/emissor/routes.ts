/** HTTP of the embedded issuer (specification 4.3; RFC 6749, 7662, 7009; docs/emissores.md): not problem+json, but OAuth's own. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../../platform/errors.ts';
import { toAppError } from '../../platform/http/error-handler.ts';
import { requestOrigin, requestProtocol } from '../../platform/http/origem.ts';
import { CAMINHOS, describeIssuer } from './descoberta.ts';
import { caminhoDoReino, type Emissor } from './emissor.ts';
import {
  caminhoInexistente,
  httpsExigido,
  metodoInvalido,
  OauthError,
  ocupado,
  pedidoInvalido,
  reinoInexistente,
} from './erros.ts';
import type { PedidoOauth } from './formulario.ts';
import { answerIntrospection, answerRevocation } from './introspeccao.ts';
import { tokenSchema } from './schemas.ts';
import { answerToken } from './token.ts';

const REALMS = '/auth/realms';
/** A form of credentials and one token has some 2 KB. */
const FORM_LIMIT_BYTES = 65_536;
const PREFLIGHT_SECONDS = 3_600;
const RETRY_AFTER_SECONDS = 5;

const JSON_TYPE = 'application/json';
/** On every answer of the issuer, as Keycloak sends them. */
const HEADERS = {
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'x-robots-tag': 'none',
};
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };
const PUBLIC = { 'access-control-allow-origin': '*' };

interface EmissorHttp {
  emissor: Emissor;
  /** Public address of the auth area without trailing slash; empty: what the caller used. */
  auth: string;
  /** Whether requests that did not come by https are refused. */
  exigirHttps: boolean;
}

type Answer = (pedido: PedidoOauth) => Promise<unknown>;

/** Registers the issuer below `/auth/realms`. */
export async function emissorRoutes(app: FastifyInstance, http: EmissorHttp): Promise<void> {
  const { emissor, auth, exigirHttps } = http;
  await app.register(async (scope) => {
    acceptAnyBody(scope);
    scope.setErrorHandler(sendOauthError);
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers(HEADERS);
      if (realmOf(request) !== emissor.reino) throw reinoInexistente();
      if (exigirHttps && requestProtocol(request) !== 'https') throw httpsExigido();
    });
    const issuerOf = (request: FastifyRequest) =>
      (auth || requestOrigin(request)) + caminhoDoReino(emissor.reino);

    readRoute(scope, {
      path: CAMINHOS.descoberta,
      cache: 'no-cache, must-revalidate, no-transform, no-store',
      answer: (request) => describeIssuer(issuerOf(request)),
    });
    readRoute(scope, { path: CAMINHOS.certs, cache: 'no-cache', answer: () => emissor.chaves.jwks() });
    const form = (path: string, headers: Record<string, string>, answer: Answer, schema?: object) => {
      const toAnswer = (request: FastifyRequest) => answer(toPedido(request, issuerOf(request)));
      formRoute(scope, { path, headers, answer: toAnswer, schema });
    };
    form(CAMINHOS.token, NO_STORE, (pedido) => answerToken(emissor, pedido), tokenSchema);
    form(CAMINHOS.introspeccao, { 'cache-control': 'no-cache' }, (pedido) =>
      answerIntrospection(emissor, pedido),
    );
    form(CAMINHOS.revogacao, NO_STORE, (pedido) => answerRevocation(emissor, pedido));
    refuseTheRest(scope);
  });
}

/** A document that anybody may read, from any page. */
function readRoute(
  scope: FastifyInstance,
  route: { path: string; cache: string; answer: (request: FastifyRequest) => unknown },
): void {
  const url = `${REALMS}/:realm${route.path}`;
  scope.get(url, { schema: { hide: true } }, async (request, reply) => {
    return sendJson(reply.headers({ ...PUBLIC, 'cache-control': route.cache }), route.answer(request));
  });
  preflightRoute(scope, { url, methods: 'GET, OPTIONS' });
}

function formRoute(
  scope: FastifyInstance,
  route: {
    path: string;
    headers: Record<string, string>;
    answer: (request: FastifyRequest) => Promise<unknown>;
    /** For the OpenAPI document; none for what programs find by the discovery document. */
    schema?: object | undefined;
  },
): void {
  const { schema = { hide: true } } = route;
  const url = `${REALMS}/:realm${route.path}`;
  // Before anything can fail: errors carry these headers too.
  const onRequest = async (_request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(route.headers);
  };
  // Secrets and compression do not go together, and a token does not compress.
  const asItCame = { schema, validatorCompiler: () => (value: unknown) => ({ value }) };
  scope.post(url, { ...asItCame, onRequest, compress: false }, async (request, reply) => {
    const body = await route.answer(request);
    return body === undefined ? reply.code(200).send('') : sendJson(reply, body);
  });
  preflightRoute(scope, { url, methods: 'POST, OPTIONS' });
}

function preflightRoute(scope: FastifyInstance, { url, methods }: { url: string; methods: string }): void {
  scope.options(url, { schema: { hide: true } }, async (_request, reply) =>
    reply
      .code(200)
      .headers({
        ...PUBLIC,
        'access-control-allow-methods': methods,
        'access-control-allow-headers':
          'Origin, Accept, X-Requested-With, Content-Type, Access-Control-Request-Method, Access-Control-Request-Headers, Authorization',
        'access-control-max-age': String(PREFLIGHT_SECONDS),
      })
      .send(''),
  );
}

/** Whatever else lies below a realm, in any verb. */
function refuseTheRest(scope: FastifyInstance): void {
  const known = new Map<string, string[]>([
    [CAMINHOS.descoberta, ['GET', 'HEAD', 'OPTIONS']],
    [CAMINHOS.certs, ['GET', 'HEAD', 'OPTIONS']],
    [CAMINHOS.token, ['POST', 'OPTIONS']],
    [CAMINHOS.introspeccao, ['POST', 'OPTIONS']],
    [CAMINHOS.revogacao, ['POST', 'OPTIONS']],
  ]);
  const refuse = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathBelowRealm(request);
    if (path === CAMINHOS.token) reply.headers(NO_STORE);
    const allowed = known.get(path);
    throw allowed ? metodoInvalido(allowed) : caminhoInexistente();
  };
  for (const url of [`${REALMS}/*`, REALMS]) {
    scope.route({
      method: scope.supportedMethods,
      url,
      schema: { hide: true },
      config: { rest: true },
      // Its body is never looked at.
      onRequest: refuse,
      handler: refuse,
      exposeHeadRoute: false,
    });
  }
}

/** Case matters, as with Keycloak. */
function realmOf(request: FastifyRequest): string {
  return segmentsOf(request)[0] ?? '';
}

function pathBelowRealm(request: FastifyRequest): string {
  return `/${segmentsOf(request).slice(1).join('/')}`;
}

/** Decoded segments of the path below `/auth/realms/`. */
function segmentsOf(request: FastifyRequest): string[] {
  const { realm, '*': rest } = request.params as { realm?: string; '*'?: string };
  return realm === undefined ? (rest ?? '').split('/') : [realm];
}

/** Content types are judged by the steps of an endpoint, which know what to say of them. */
function acceptAnyBody(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    '*',
    { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
    (_request, body, done) => done(null, body),
  );
}

function toPedido(request: FastifyRequest, issuer: string): PedidoOauth {
  return {
    issuer,
    endereco: request.ip,
    contentType: request.headers['content-type'],
    authorization: request.raw.headersDistinct.authorization ?? [],
    body: typeof request.body === 'string' ? request.body : '',
  };
}

/** Without charset, as Keycloak writes it: the framework would add one to a text. */
function sendJson(reply: FastifyReply, body: unknown): FastifyReply {
  return reply.header('content-type', JSON_TYPE).send(Buffer.from(JSON.stringify(body)));
}

/** Every fault below the issuer in OAuth's shape, those of the framework included. */
function sendOauthError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toOauthError(thrown, request);
  if (error.status >= 500) request.log.error({ err: error.cause ?? error }, 'requisição falhou');
  return sendJson(reply.code(error.status).headers(error.headers), error.toBody());
}

function toOauthError(thrown: unknown, request: FastifyRequest): OauthError {
  if (thrown instanceof OauthError) return thrown;
  const error: AppError = toAppError(thrown, request);
  if (error.status === 503) return ocupado(RETRY_AFTER_SECONDS, error.cause);
  // The framework found no media type in the header at all.
  if (error.status === 415) return pedidoInvalido('Missing or malformed Content-Type header');
  if (error.status < 500)
    return new OauthError({
      status: error.status,
      error: 'invalid_request',
      description: 'Malformed request',
    });
  return new OauthError({
    status: 500,
    error: 'server_error',
    description: `Internal error, request ${request.id}`,
    cause: error.cause ?? error,
  });
}
