/** Pages of a feed: what is newer than an NSU. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authOf, type HttpContext } from '../autorizacao/contexto.ts';
import { tokenInvalido } from '../autorizacao/errors.ts';
import type { TokenReader } from '../autorizacao/tokens.ts';
import type { RegistroDeAcessos } from '../documentos/acessos.ts';
import { paginaDeNovos } from '../documentos/feed.ts';
import type { Entrada } from '../documentos/tipos.ts';
import type { ClientesConhecidos } from './clientes-conhecidos.ts';
import { type CodificacaoPronta, codificacaoPronta } from './codificacao.ts';
import { presenter } from './documento.ts';
import type { Memoria } from './memoria.ts';
import { addLinks, LAST_PAGE, type Paginacao, sendSliced, toPagina } from './paginas.ts';
import type { RegistroDeDocumento } from './present.ts';
import type { Preparador } from './prontos/preparador.ts';
import { paginaPronta } from './prontos/responder.ts';
import type { Vigia } from './prontos/vigia.ts';
import type { Vigencias } from './vigencia.ts';

/** Feeds end far below; clamping here keeps sums of NSU and page exact. */
const LAST_NSU = 2 ** 52;
/** A slice begins small, because one document may have 10 MB, and grows while documents are small. */
const FIRST_SLICE = 5;
const LARGEST_SLICE = 50;
const SMALL_SLICE_CHARACTERS = 1_000_000;
const LARGE_SLICE_CHARACTERS = 4_000_000;

/** What the feed routes are given beside the rest. */
export type ContextoDaExportacao = HttpContext & {
  /** Notes who read how far. */
  acessos: RegistroDeAcessos;
  vigencias: Vigencias;
  preparador: Preparador;
  vigia: Vigia;
  memoria: Memoria;
  clientes: ClientesConhecidos;
  tokens: Pick<TokenReader, 'forget'>;
};

export interface NovosInput {
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
  if (codificacao && (codificacao === 'gzip' || !input.comXml)) {
    const sent = await sendPronta(ctx, { ...input, codificacao });
    if (sent) return sent;
  }
  return input.comXml ? sendNovosComXml(ctx, input) : sendNovos(ctx, input);
}

async function sendPronta(
  ctx: ContextoDaExportacao,
  input: NovosInput & { comFinalidade: boolean; comXml: boolean; codificacao: CodificacaoPronta },
): Promise<FastifyReply | null> {
  const { request, reply, clienteId, tamanho, comXml, comFinalidade, codificacao } = input;
  const { contadorId, tokenId } = authOf(request);
  const { feed, tokenVive } = await ctx.vigencias.ask(clienteId, tokenId);
  if (!tokenVive) {
    ctx.tokens.forget(tokenId);
    throw tokenInvalido();
  }
  if (!feed) return null;
  const nsu = Math.min(input.nsu, LAST_NSU);
  const total = Math.max(0, feed.ultimoNsu - nsu);
  const paginacao = { total, tamanho, pagina: input.pagina };
  const de = nsu + (Math.min(input.pagina, LAST_PAGE) - 1) * tamanho + 1;
  const ate = Math.min(feed.ultimoNsu, de + tamanho - 1);
  const variante = { origin: ctx.origin(request, 'base'), comFinalidade };
  const intervalo = { clienteId, variante, feed, de, ate };
  const pagina = await paginaPronta(ctx.preparador, { intervalo, paginacao, comXml, codificacao }).catch(
    (err: unknown) => {
      request.log.warn({ err }, 'a page could not be prepared');
      return null;
    },
  );
  if (!pagina) return null;
  const lido = de > ate ? { de: nsu + 1, ate: nsu } : { de, ate };
  const note = () => {
    ctx.acessos.feed({ contadorId, clienteId, tokenId, ...lido });
    ctx.vigia.lido({ clienteId, variante, comXml, ate: lido.ate });
  };
  note();
  const { body, untilSeconds } = pagina;
  const kid = pagina.kid ?? ctx.enderecos.current().kid;
  ctx.memoria.offer(request, { clienteId, feed, body, kid, untilSeconds, note });
  addLinks(reply, { paginacao, origin: variante.origin });
  if (pagina.codificacao === 'gzip') reply.header('content-encoding', 'gzip');
  return reply.type('application/json; charset=utf-8').send(body);
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
  const present = presenter(
    ctx,
    input.comFinalidade ? { request, finalidadeDoCliente: clienteId } : { request },
  );
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
  const range = { clienteId, depoisDe: nsu + lidos, ate: nsu + Math.min(total, lidos + tamanho) };
  noteRange(ctx, { request, clienteId, de: range.depoisDe + 1, ate: Math.max(range.ate, range.depoisDe) });
  const present = presenter(ctx, { request });
  return sendSliced(reply, { paginacao, slices: presented(slicesOf(ctx, range), present) });
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
  const { contadorId, tokenId } = authOf(input.request);
  const { clienteId, de, ate } = input;
  ctx.acessos.feed({ contadorId, clienteId, tokenId, de, ate });
}

/** Reads the entries of an NSU range in order. Numbers are dense, so a slice is a page of its own. */
async function* slicesOf(
  ctx: Pick<HttpContext, 'deps'>,
  range: { clienteId: number; depoisDe: number; ate: number },
): AsyncGenerator<Entrada[]> {
  let size = FIRST_SLICE;
  let nsu = range.depoisDe;
  while (nsu < range.ate) {
    const tamanho = Math.min(size, range.ate - nsu);
    const { entradas } = await paginaDeNovos(ctx.deps.db.read, {
      clienteId: range.clienteId,
      nsu,
      pagina: 1,
      tamanho,
      comXml: true,
    });
    yield entradas;
    nsu += tamanho;
    size = nextSize(size, entradas);
  }
}

function nextSize(size: number, entradas: readonly Entrada[]): number {
  const characters = entradas.reduce((sum, { xml }) => sum + (xml?.length ?? 0), 0);
  if (characters > LARGE_SLICE_CHARACTERS) return Math.max(1, Math.floor(size / 2));
  return characters < SMALL_SLICE_CHARACTERS ? Math.min(size * 2, LARGEST_SLICE) : size;
}

async function* presented(
  slices: AsyncIterable<Entrada[]>,
  present: (entrada: Entrada) => RegistroDeDocumento,
): AsyncGenerator<RegistroDeDocumento[]> {
  for await (const slice of slices) yield slice.map(present);
}
