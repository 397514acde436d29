/** Pages of a feed: what is newer than an NSU. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authOf } from '../../autorizacao/contexto.ts';
import { tokenInvalido } from '../../autorizacao/errors.ts';
import {
  bytesDosTextos,
  entradasComTexto,
  entradasDoIntervalo,
  paginaDeNovos,
} from '../../documentos/read/feed.ts';
import { adquiridosPor } from '../../documentos/read/finalidade.ts';
import type { Entrada } from '../../documentos/tipos.ts';
import type { ContextoDaExportacao } from '../contexto.ts';
import { COPIES_OF_TEXT, presenter } from '../documents/documento.ts';
import { addLinks, LAST_PAGE, type Paginacao, sendSliced, toPagina } from '../paginas.ts';
import { type CodificacaoPronta, codificacaoPronta } from '../prepared/codificacao.ts';
import type { RegistroDeDocumento } from '../present.ts';
import { LAST_NSU, makePagina, reservaDe } from './pagina-do-feed.ts';

/** What a page that is sent slice by slice takes in memory, besides its longest text. */
const SLICE_BYTES = 4 * 1024 * 1024;

interface NovosInput {
  request: FastifyRequest;
  reply: FastifyReply;
  clienteId: number;
  nsu: number;
  pagina: number;
  tamanho: number;
}

/** Answers a page of a feed: out of what is prepared, else the ordinary way. */
export async function sendPagina(
  ctx: ContextoDaExportacao,
  input: NovosInput & { comFinalidade: boolean; comXml: boolean },
): Promise<FastifyReply> {
  const codificacao = codificacaoPronta(input.request.headers);
  if (codificacao && (await sendPronta(ctx, { ...input, codificacao }))) return input.reply;
  return input.comXml ? sendNovosComXml(ctx, input) : sendNovos(ctx, input);
}

/** @returns whether it has answered; not the reply, which is a promise of its own end */
async function sendPronta(
  ctx: ContextoDaExportacao,
  input: NovosInput & { comFinalidade: boolean; comXml: boolean; codificacao: CodificacaoPronta },
): Promise<boolean> {
  const { request, reply, ...asked } = input;
  const { contadorId, tokenId, autor } = authOf(request);
  const { feed, tokenVive } = await ctx.vigencias.ask(input.clienteId, tokenId);
  if (tokenId !== null && !tokenVive) {
    ctx.tokens.forget(tokenId);
    throw tokenInvalido();
  }
  if (!feed) return false;
  const origin = ctx.origin(request, 'base');
  const pedido = { ...asked, contadorId, tokenId, autor, origin, url: request.raw.url ?? '' };
  await ctx.outgoing.reserve(reply.raw, reservaDe(pedido, feed));
  const pagina = await makePagina(ctx, pedido, feed);
  if (!pagina) return false;
  pagina.note();
  if (ctx.clientes.isSettled(request, (request.params as { cpfCnpj: string }).cpfCnpj)) {
    ctx.memoria.offer(request, {
      clienteId: input.clienteId,
      feed,
      pagina,
      reserva: (nsu, state) => reservaDe({ ...pedido, nsu }, state),
      remake: (nsu, url, state) => makePagina(ctx, { ...pedido, nsu, url }, state),
    });
  }
  if (pagina.link !== null) reply.header('link', pagina.link);
  if (pagina.codificacao === 'gzip') reply.header('content-encoding', 'gzip');
  reply.type('application/json; charset=utf-8').send(pagina.body);
  return true;
}

/** Answers a page of records without their text. */
async function sendNovos(
  ctx: ContextoDaExportacao,
  input: NovosInput & { comFinalidade: boolean },
): Promise<FastifyReply> {
  const { request, reply, clienteId, tamanho } = input;
  const { total, entradas } = await paginaDeNovos(ctx.deps.db.read, {
    clienteId,
    nsu: Math.min(input.nsu, LAST_NSU),
    pagina: Math.min(input.pagina, LAST_PAGE),
    tamanho,
    comXml: false,
  });
  const paginacao = { total, tamanho, pagina: input.pagina };
  addLinks(reply, { paginacao, origin: ctx.origin(request, 'base') });
  noteRead(ctx, { request, clienteId, nsu: Math.min(input.nsu, LAST_NSU), entradas });
  const documentoIds = entradas.map(({ documentoId }) => documentoId);
  const finalidade = input.comFinalidade
    ? { clienteId, adquiridos: await adquiridosPor(ctx.deps.db.read, { clienteId, documentoIds }) }
    : null;
  const present = presenter(ctx, { request, ...(finalidade ? { finalidade } : {}) });
  return reply.send(toPagina(paginacao, entradas.map(present)));
}

/** Answers a page of records with their text, read and sent slice by slice. */
async function sendNovosComXml(ctx: ContextoDaExportacao, input: NovosInput): Promise<FastifyReply> {
  const { request, reply, clienteId, tamanho } = input;
  const nsu = Math.min(input.nsu, LAST_NSU);
  const { total } = await paginaDeNovos(ctx.deps.db.read, {
    clienteId,
    nsu,
    pagina: 1,
    tamanho: 0,
    comXml: false,
  });
  const paginacao: Paginacao = { total, tamanho, pagina: input.pagina };
  addLinks(reply, { paginacao, origin: ctx.origin(request, 'base') });
  const lidos = (Math.min(input.pagina, LAST_PAGE) - 1) * tamanho;
  const [primeiro, ultimo] = [nsu + lidos + 1, nsu + Math.min(total, lidos + tamanho)];
  noteRange(ctx, { request, clienteId, de: primeiro, ate: Math.max(ultimo, primeiro - 1) });
  const intervalo = { clienteId, primeiro, ultimo };
  const sizes = (await entradasDoIntervalo(ctx.deps.db.read, intervalo)).map(bytesDosTextos);
  await ctx.outgoing.reserve(reply.raw, SLICE_BYTES + COPIES_OF_TEXT * Math.max(0, ...sizes));
  const entradas = entradasComTexto(ctx.deps.db.read, intervalo);
  return sendSliced(reply, { paginacao, slices: presented(entradas, presenter(ctx, { request })) });
}

/** What was answered, or that nothing was new: the reader has come as far as it asked from. */
function noteRead(
  ctx: ContextoDaExportacao,
  input: { request: FastifyRequest; clienteId: number; nsu: number; entradas: readonly Entrada[] },
): void {
  const { request, clienteId, nsu, entradas } = input;
  const [de, ate] = [entradas[0]?.nsu ?? nsu + 1, entradas.at(-1)?.nsu ?? nsu];
  noteRange(ctx, { request, clienteId, de, ate });
}

function noteRange(
  ctx: ContextoDaExportacao,
  input: { request: FastifyRequest; clienteId: number; de: number; ate: number },
): void {
  const { contadorId, tokenId, autor } = authOf(input.request);
  const { clienteId, de, ate } = input;
  ctx.acessos.feed({ contadorId, clienteId, tokenId, autor, de, ate });
}

async function* presented(
  slices: AsyncIterable<Entrada[]>,
  present: (entrada: Entrada) => RegistroDeDocumento,
): AsyncGenerator<RegistroDeDocumento[]> {
  for await (const slice of slices) yield slice.map(present);
}
