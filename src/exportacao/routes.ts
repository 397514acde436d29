/** HTTP of the export area (specification 4.2). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { authOf, type HttpContext, type OnRequestHook } from '../autorizacao/contexto.ts';
import { requireCliente } from '../autorizacao/guard.ts';
import type { Cliente } from '../contas/clientes.ts';
import { ATO_DE_ACESSO } from '../documentos/read/acessos.ts';
import { entradaPorChave, entradaPorNsu } from '../documentos/read/feed.ts';
import type { Entrada } from '../documentos/tipos.ts';
import type { ContextoDaExportacao } from './contexto.ts';
import { sendDocumento } from './documents/documento.ts';
import { sendOriginal } from './documents/download.ts';
import { readFinalidade, requireSomething, setFinalidade } from './documents/finalidade.ts';
import { checkAddress } from './enderecos.ts';
import { sendPagina } from './feed/novos.ts';
import { sendClientes } from './listing/clientes.ts';
import { type FiltroDeStatus, STATUS_NFCE, STATUS_NFE } from './listing/filtros.ts';
import { sendFaltantes, sendListagem, toPeriodo } from './listing/listagem.ts';
import * as schemas from './schemas.ts';

const CLIENTE = '/api/v1/:codigoCrm/:cpfCnpj';

type EscopoParams = Static<typeof schemas.EscopoParams>;
type NsuParams = Static<typeof schemas.NsuParams>;
type ChaveParams = Static<typeof schemas.ChaveParams>;

/** Registers every route of the export area. */
export function exportacaoRoutes(app: FastifyInstance, ctx: ContextoDaExportacao): void {
  app.addHook('onResponse', async (request, reply) => ctx.memoria.keep(request, reply));
  clientesRoute(app, ctx);
  feedRoutes(app, ctx);
  documentoRoutes(app, ctx);
  informarFinalidadeRoute(app, ctx);
  listagemRoute(app, ctx, { caminho: 'nfe', especie: 'NF-e', modelo: '55', status: STATUS_NFE });
  listagemRoute(app, ctx, { caminho: 'nfce', especie: 'NFC-e', modelo: '65', status: STATUS_NFCE });
  signedRoutes(app, ctx);
}

/** Hooks of every route below a client's path, in their order (docs/regras.md, order of checks). */
function guards(ctx: HttpContext): OnRequestHook[] {
  return [ctx.requireToken, ctx.requireOwnCrm];
}

/** The client of the path; after validation, so that other faults of the request are told first. */
function clienteOf(ctx: HttpContext, request: FastifyRequest<{ Params: EscopoParams }>): Promise<Cliente> {
  return requireCliente(ctx.deps, { request, cpfCnpj: request.params.cpfCnpj });
}

function clientesRoute(app: FastifyInstance, ctx: HttpContext): void {
  app.get<{ Querystring: Static<typeof schemas.PaginaQuery> }>(
    '/api/v1/:codigoCrm/clientes',
    { schema: schemas.clientesSchema, onRequest: guards(ctx) },
    (request, reply) => {
      const { Pagina: pagina, Tamanho: tamanho } = request.query;
      return sendClientes(ctx, { request, reply, pagina, tamanho });
    },
  );
}

function feedRoutes(app: FastifyInstance, ctx: ContextoDaExportacao): void {
  app.get<{ Params: NsuParams; Querystring: Static<typeof schemas.NovosQuery> }>(
    `${CLIENTE}/documentos/:nsu/novos`,
    { schema: schemas.novosSchema, onRequest: guards(ctx) },
    (request, reply) => feedPage(ctx, { request, reply, comXml: request.query.Xml, comFinalidade: false }),
  );
  app.get<{ Params: NsuParams; Querystring: Static<typeof schemas.FinalidadeQuery> }>(
    `${CLIENTE}/documentos/:nsu/finalidade`,
    { schema: schemas.finalidadeSchema, onRequest: guards(ctx) },
    (request, reply) =>
      feedPage(ctx, { request, reply, comXml: false, comFinalidade: request.query.Finalidade }),
  );
}

/** A page of a feed, in either of its two forms. */
async function feedPage(
  ctx: ContextoDaExportacao,
  input: {
    request: FastifyRequest<{ Params: NsuParams; Querystring: { Pagina: number; Tamanho: number } }>;
    reply: FastifyReply;
    comXml: boolean;
    comFinalidade: boolean;
  },
): Promise<FastifyReply> {
  const { request, reply, comXml, comFinalidade } = input;
  const { cpfCnpj, nsu } = request.params;
  const clienteId = await ctx.clientes.idOf(request, cpfCnpj);
  const { Pagina: pagina, Tamanho: tamanho } = request.query;
  return sendPagina(ctx, { request, reply, clienteId, nsu, pagina, tamanho, comXml, comFinalidade });
}

function documentoRoutes(app: FastifyInstance, ctx: ContextoDaExportacao): void {
  type Querystring = Static<typeof schemas.RegistroQuery>;
  app.get<{ Params: NsuParams; Querystring: Querystring }>(
    `${CLIENTE}/documentos/:nsu`,
    { schema: schemas.porNsuSchema, onRequest: guards(ctx) },
    async (request, reply) => {
      const { id: clienteId } = await clienteOf(ctx, request);
      const comXml = request.query.Xml;
      const { nsu } = request.params;
      const entrada = await entradaPorNsu(ctx.deps.db.read, { clienteId, nsu });
      noteAccess(ctx, { request, entrada, comXml });
      return sendDocumento(ctx, { request, reply, entrada, comXml });
    },
  );
  app.get<{ Params: ChaveParams; Querystring: Querystring }>(
    `${CLIENTE}/documentos/:chave/chave`,
    { schema: schemas.porChaveSchema, onRequest: guards(ctx) },
    async (request, reply) => {
      const { id: clienteId, contadorId } = await clienteOf(ctx, request);
      const comXml = request.query.Xml;
      const { chave } = request.params;
      const entrada = await entradaPorChave(ctx.deps.db.read, {
        clienteId,
        contadorId,
        chave,
      });
      noteAccess(ctx, { request, entrada, comXml });
      return sendDocumento(ctx, { request, reply, entrada, comXml });
    },
  );
}

/** Who read one document (LGPD). */
function noteAccess(
  ctx: ContextoDaExportacao,
  input: { request: FastifyRequest; entrada: Entrada | null; comXml: boolean },
): void {
  if (!input.entrada) return;
  const { contadorId, autor } = authOf(input.request);
  ctx.acessos.documento({
    contadorId,
    documentoId: input.entrada.documentoId,
    ato: input.comXml ? ATO_DE_ACESSO.xml : ATO_DE_ACESSO.leitura,
    autor,
  });
}

function informarFinalidadeRoute(app: FastifyInstance, ctx: HttpContext): void {
  type Rota = { Params: ChaveParams; Body: Static<typeof schemas.FinalidadeBody> };
  const set = async (request: FastifyRequest<Rota>) => {
    requireSomething(request.body);
    const cliente = await clienteOf(ctx, request);
    const { autor: por } = authOf(request);
    return setFinalidade(ctx, { cliente, chave: request.params.chave, corpo: request.body, por });
  };
  const schema = schemas.informarFinalidadeSchema;
  const onRequest = guards(ctx);
  app.put<Rota>(`${CLIENTE}/documentos/:chave/chave/finalidade`, { schema, onRequest }, set);
  // Where it was first. It differs from the page with purposes in the name of a parameter only, which OpenAPI forbids.
  app.put<Rota>(
    `${CLIENTE}/documentos/:chave/finalidade`,
    { schema: { ...schema, hide: true }, onRequest },
    set,
  );
}

interface Listagem {
  caminho: 'nfe' | 'nfce';
  especie: string;
  modelo: '55' | '65';
  status: readonly FiltroDeStatus[];
}

function listagemRoute(app: FastifyInstance, ctx: HttpContext, listagem: Listagem): void {
  app.get<{ Params: EscopoParams; Querystring: Static<ReturnType<typeof schemas.listagemQuery>> }>(
    `${CLIENTE}/${listagem.caminho}`,
    { schema: schemas.listagemSchema(listagem), onRequest: guards(ctx) },
    async (request, reply) => {
      const { DataInicial, DataFinal, Tipo: tipo, Status: status } = request.query;
      const { Pagina: pagina, Tamanho: tamanho } = request.query;
      const periodo = toPeriodo(DataInicial, DataFinal);
      const cliente = await clienteOf(ctx, request);
      const input = { request, reply, cliente, modelo: listagem.modelo, periodo, tipo, pagina, tamanho };
      return status === 'Faltantes' ? sendFaltantes(ctx, input) : sendListagem(ctx, { ...input, status });
    },
  );
}

/** The signature vouches for every value of a signed address. */
const asTheyAre = () => (value: unknown) => ({ value });

/** Addresses that carry their permission in themselves; judged before anything is looked up. */
function signedRoutes(app: FastifyInstance, ctx: ContextoDaExportacao): void {
  app.get<{ Params: { versaoId: string } }>(
    '/download/:versaoId',
    {
      schema: schemas.downloadSchema,
      validatorCompiler: asTheyAre,
      onRequest: async (request) => {
        checkAddress(ctx, { request, alvo: { kind: 'download', versaoId: request.params.versaoId } });
      },
    },
    async (request, reply) => {
      const versaoId = Number(request.params.versaoId);
      const sent = await sendOriginal(ctx, { reply, versaoId });
      ctx.acessos.versao({ versaoId, ato: ATO_DE_ACESSO.endereco, autor: 'endereco' });
      return sent;
    },
  );
  app.get<{ Params: { clienteId: string; documentoId: string } }>(
    '/finalidade/:clienteId/:documentoId',
    {
      schema: schemas.enderecoFinalidadeSchema,
      validatorCompiler: asTheyAre,
      onRequest: async (request) => {
        checkAddress(ctx, { request, alvo: { kind: 'finalidade', ...request.params } });
      },
    },
    async (request) => {
      const { clienteId, documentoId } = request.params;
      return readFinalidade(ctx, { clienteId: Number(clienteId), documentoId: Number(documentoId) });
    },
  );
}
