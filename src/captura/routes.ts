/** HTTP of capture for integrators. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { type Auth, authOf, type HttpContext, type OnRequestHook } from '../autorizacao/contexto.ts';
import { escopoInsuficiente } from '../autorizacao/errors.ts';
import { requireCliente } from '../autorizacao/guard.ts';
import type { ChaveParams, EscopoParams } from '../exportacao/schemas.ts';
import type { Chave } from '../fiscal/tipos.ts';
import { mensagemDoPedido, presentChave, presentEstado } from './apresentar.ts';
import { askForChave } from './chaves.ts';
import type { DepsDaCaptura } from './deps-da-captura.ts';
import { estadosDaCaptura } from './estado.ts';
import { captureNow, type Pedido, setCaptura } from './ligar.ts';
import * as queries from './queries.ts';
import * as schemas from './schemas.ts';

const CAPTURA = '/api/v1/:codigoCrm/:cpfCnpj/captura';
const CHAVES_MOSTRADAS = 500;

type ComServico = { Params: Static<typeof schemas.ServicoParams> };

interface Contexto {
  ctx: HttpContext;
  captura: DepsDaCaptura;
  onRequest: OnRequestHook[];
  onWrite: OnRequestHook[];
}

type ComCliente = { Params: Static<typeof EscopoParams> };

/** Registers the routes of capture; `captura` is what they act with. */
export function capturaRoutes(app: FastifyInstance, ctx: HttpContext, captura: DepsDaCaptura): void {
  const onRequest = [ctx.requireToken, ctx.requireOwnCrm];
  const contexto = { ctx, captura, onRequest, onWrite: [...onRequest, requireEverything] };
  servicosRoutes(app, contexto);
  chavesRoutes(app, contexto);
}

function clienteOf(ctx: HttpContext, request: FastifyRequest<ComCliente>) {
  return requireCliente(ctx.deps, { request, cpfCnpj: request.params.cpfCnpj });
}

async function pedidoOf(ctx: HttpContext, request: FastifyRequest<ComServico>): Promise<Pedido> {
  const cliente = await clienteOf(ctx, request);
  const { contadorId, autor } = authOf(request);
  return { contadorId, cliente, servico: request.params.servico, autor };
}

function servicosRoutes(app: FastifyInstance, { ctx, captura, onRequest, onWrite }: Contexto): void {
  app.get<ComCliente>(CAPTURA, { schema: schemas.estadosSchema, onRequest }, async (request) => {
    const cliente = await clienteOf(ctx, request);
    const estados = await estadosDaCaptura(captura, { contadorId: authOf(request).contadorId, cliente });
    return { servicos: estados.map(presentEstado) };
  });
  app.put<ComServico & { Body: Static<typeof schemas.CapturaBody> }>(
    `${CAPTURA}/:servico`,
    { schema: schemas.mudarSchema, onRequest: onWrite },
    async (request) => {
      const { ligada, passiva = false } = request.body;
      const pedido = await pedidoOf(ctx, request);
      return presentEstado(await setCaptura(captura, { ...pedido, ligada, passiva }));
    },
  );
  app.post<ComServico>(
    `${CAPTURA}/:servico/capturar`,
    { schema: schemas.capturarSchema, onRequest: onWrite },
    async (request) => {
      const pedida = await captureNow(captura, await pedidoOf(ctx, request));
      const { agora, estado } = pedida;
      return { agora, mensagem: mensagemDoPedido(pedida), estado: presentEstado(estado) };
    },
  );
}

function chavesRoutes(app: FastifyInstance, { ctx, captura, onRequest, onWrite }: Contexto): void {
  app.get<ComCliente>(`${CAPTURA}/chaves`, { schema: schemas.chavesSchema, onRequest }, async (request) => {
    const { id: clienteId } = await clienteOf(ctx, request);
    const { contadorId } = authOf(request);
    const input = { contadorId, clienteId, limite: CHAVES_MOSTRADAS };
    return { chaves: (await queries.findChaves(ctx.deps.db.read, input)).map(presentChave) };
  });
  app.post<{ Params: Static<typeof ChaveParams> }>(
    '/api/v1/:codigoCrm/:cpfCnpj/documentos/:chave/capturar',
    { schema: schemas.pedirChaveSchema, onRequest: onWrite },
    async (request) => {
      const cliente = await clienteOf(ctx, request);
      const { contadorId, autor } = authOf(request);
      const chave = request.params.chave as Chave;
      return presentChave(await askForChave(captura, { contadorId, cliente, chave, autor }));
    },
  );
}

/** Acting for a client is more than reading its documents. */
const requireEverything: OnRequestHook = async (request) => {
  const { escopo }: Auth = authOf(request);
  if (escopo !== 'tudo') throw escopoInsuficiente();
};
