/** HTTP of the upload address: no token, no header that matters, errors as S3 gives them. */

import { Readable } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpContext } from '../../autorizacao/contexto.ts';
import { UPLOAD_PATH } from '../../autorizacao/criar-contexto.ts';
import { actForOffice } from '../../platform/db/tenant.ts';
import { ERROS_HTTP } from '../../platform/http/catalogo.ts';
import { answerThenDiscard } from '../../platform/http/descarte.ts';
import { PROBLEM_JSON, pathOf, toProblema } from '../../platform/http/problema.ts';
import { announceArrival, announceToOthers } from '../arriving.ts';
import { ERROS_DE_IMPORTACAO } from '../errors.ts';
import { envioSchema } from '../schemas.ts';
import { isSurroundings } from '../storing/surroundings.ts';
import { wakeImportWorker } from '../thread/worker.ts';
import type { Contrapressao } from './contrapressao.ts';
import { receiveUpload } from './receive.ts';
import { admitUpload, type EnvioAdmitido } from './upload-address.ts';
import { EnvioInterrompido } from './upload-body.ts';
import {
  envioIndisponivel,
  erroInternoDeEnvio,
  metodoDeEnvioNaoPermitido,
  toS3Xml,
  UploadError,
  wantsJson,
} from './upload-errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on the upload address once every check that needs no body has passed. */
    envio: EnvioAdmitido | null;
    /** A client waits for `100 Continue` before it sends its body. */
    esperaContinuar: boolean;
  }
}

const CATALOGO = { ...ERROS_HTTP, ...ERROS_DE_IMPORTACAO };

/** What the upload address is given: it also asks whether there is room for another upload. */
type UploadContext = HttpContext & { contrapressao: Pick<Contrapressao, 'motivo'> };

type Rota = { Params: { id: string } };

const ROTA = `${UPLOAD_PATH}/:id`;

/** Browsers may send files from any page: the address itself is the permission, and no credentials go along. */
const CORS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'PUT',
  'access-control-allow-headers': 'Content-Type, Content-MD5, *',
  'access-control-expose-headers': 'ETag, X-Request-Id',
  'access-control-max-age': '3000',
};

/** Registers the upload address in a scope of its own: its parsers and errors are unlike those of all other routes. */
export function uploadRoutes(app: FastifyInstance, ctx: UploadContext): void {
  app.register(async (scope) => {
    scope.decorateRequest('envio', null);
    scope.decorateRequest('esperaContinuar', false);
    scope.removeAllContentTypeParsers();
    // The handler reads the connection itself.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.setErrorHandler(answerRefusal);
    scope.addHook('onRequest', async (_request, reply) => void reply.headers(CORS));
    putRoute(scope, ctx);
    otherMethods(scope);
  });
}

function putRoute(scope: FastifyInstance, ctx: UploadContext): void {
  const deps = { ...ctx.deps, enderecos: ctx.enderecos };
  scope.put<Rota>(
    ROTA,
    {
      schema: envioSchema,
      compress: false,
      validatorCompiler: () => (value) => ({ value }),
      // All checks come before the body, and the deadline counts from here.
      onRequest: async (request, reply) => {
        const { id } = request.params as Rota['Params'];
        const { raw } = request;
        request.esperaContinuar = /100-continue/i.test(raw.headers.expect ?? '');
        reply.raw.once('close', announceArrival(id));
        const agoraMs = ctx.deps.clock.now();
        const envio = await admitUpload(deps, { id, url: raw.url ?? '', headers: raw.headers, agoraMs });
        actForOffice(envio.arquivo.contador_id);
        request.envio = envio;
        if (envio.arquivo.sha256 === null) {
          const motivo = await ctx.contrapressao.motivo(envio.arquivo.contador_id);
          if (motivo) throw envioIndisponivel(new Error(`uploads wait: ${motivo}`));
          reply.raw.once('close', await announceToOthers(ctx.deps, envio));
        }
        // The framework refuses media types that it cannot parse; here none matters.
        delete raw.headers['content-type'];
      },
    },
    async (request, reply) => {
      const { envio, raw } = request;
      if (!envio) throw new Error('the upload address was not checked');
      if (request.esperaContinuar) {
        request.esperaContinuar = false;
        reply.raw.writeContinue();
      }
      const { md5, novo } = await receiveUpload(ctx.deps, { envio, raw });
      if (novo) wakeImportWorker();
      return reply.header('etag', `"${md5}"`).send();
    },
  );
}

function otherMethods(scope: FastifyInstance): void {
  scope.options(ROTA, { schema: { hide: true } }, async (_request, reply) =>
    reply.code(204).header('allow', 'PUT, OPTIONS').send(),
  );
  scope.route({
    method: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    url: ROTA,
    exposeHeadRoute: false,
    compress: false,
    schema: { hide: true },
    onRequest: async (request) => {
      throw metodoDeEnvioNaoPermitido(request.method);
    },
    handler: async () => {},
  });
}

function answerRefusal(
  thrown: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (thrown instanceof EnvioInterrompido) {
    // Nobody is there to be answered.
    reply.hijack();
    request.raw.destroy();
    return reply;
  }
  const refusal = refusalOf(thrown);
  if (refusal.status >= 500) request.log.error({ err: refusal.cause ?? thrown }, 'an upload failed');
  const { type, body } = refusalBody(refusal, request);
  return reply
    .code(refusal.status)
    .headers(refusal.headers)
    .header('cache-control', 'no-store')
    .header('content-length', body.length)
    .type(type)
    .send(request.method === 'HEAD' ? '' : bodyThatCloses(body, { request, reply }));
}

function refusalBody(refusal: UploadError, request: FastifyRequest): { type: string; body: Buffer } {
  const about = { path: pathOf(request.raw.url), requestId: request.id };
  if (wantsJson(request.headers.accept)) {
    const problema = toProblema(refusal, { ...about, catalogo: CATALOGO });
    return { type: PROBLEM_JSON, body: Buffer.from(JSON.stringify(problema)) };
  }
  const key = (request.params as Rota['Params']).id ?? '';
  return { type: 'application/xml; charset=utf-8', body: Buffer.from(toS3Xml(refusal, { ...about, key })) };
}

function bodyThatCloses(body: Buffer, input: { request: FastifyRequest; reply: FastifyReply }): Readable {
  const { request, reply } = input;
  if (!request.esperaContinuar) return answerThenDiscard(body, request.raw);
  // Whether the body still comes is the client's choice: only a new connection is unambiguous.
  reply.header('connection', 'close');
  return Readable.from([body]);
}

function refusalOf(thrown: unknown): UploadError {
  if (thrown instanceof UploadError) return thrown;
  return isSurroundings(thrown) ? envioIndisponivel(thrown) : erroInternoDeEnvio(thrown);
}
