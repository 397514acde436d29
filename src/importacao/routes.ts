/** HTTP of the import area (specification 4.1). */
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { authOf, type HttpContext } from '../autorizacao/contexto.ts';
import { saoDoisPassos } from './errors.ts';
import { readItens } from './itens.ts';
import { type ArquivoParams, type ItensQuery, itensSchema, statusSchema, ticketSchema } from './schemas.ts';
import { readSituacao } from './status.ts';
import { Contrapressao } from './upload/contrapressao.ts';
import { makeTicket, type Pedido, readPedido } from './upload/ticket.ts';
import { uploadRoutes } from './upload/upload-routes.ts';

const MULTIPART = /^\s*multipart\//i;

type Params = Static<typeof ArquivoParams>;

/** Registers every route of the import area. */
export function importacaoRoutes(app: FastifyInstance, ctx: HttpContext): void {
  const contrapressao = new Contrapressao(ctx.deps);
  app.post<{ Body: Pedido }>(
    '/storage',
    {
      schema: ticketSchema,
      onRequest: ctx.requireToken,
      // The framework would say of a form what it says of every other type.
      preParsing: async (request, _reply, payload) => {
        if (MULTIPART.test(request.headers['content-type'] ?? ''))
          throw saoDoisPassos(ctx.origin(request, 'importacao'));
        return payload;
      },
      // Headers are the guard's.
      validatorCompiler: ({ httpPart }) =>
        httpPart === 'body' ? readPedido : (value: unknown) => ({ value }),
    },
    async (request) => {
      const { contadorId, tokenId } = authOf(request);
      await contrapressao.admitir(contadorId);
      const origin = ctx.origin(request, 'upload');
      return makeTicket(
        { ...ctx.deps, enderecos: ctx.enderecos },
        { pedido: request.body, contadorId, tokenId, origin },
      );
    },
  );
  app.get<{ Params: Params }>(
    '/storage/arquivo/:id',
    { schema: statusSchema, onRequest: ctx.requireToken },
    async (request) => {
      const { contadorId } = authOf(request);
      return readSituacao(ctx.deps, { id: request.params.id, contadorId });
    },
  );
  app.get<{ Params: Params; Querystring: Static<typeof ItensQuery> }>(
    '/storage/arquivo/:id/itens',
    { schema: itensSchema, onRequest: ctx.requireToken },
    async (request) => {
      const { contadorId } = authOf(request);
      const { Pagina: pagina, Tamanho: tamanho } = request.query;
      return readItens(ctx.deps, { id: request.params.id, contadorId, pagina, tamanho });
    },
  );
  uploadRoutes(app, { ...ctx, contrapressao });
}
