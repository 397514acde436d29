/** Pages of a feed: what is newer than an NSU. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authOf, type HttpContext } from '../autorizacao/contexto.ts';
import type { RegistroDeAcessos } from '../documentos/acessos.ts';
import { paginaDeNovos } from '../documentos/feed.ts';
import type { Entrada } from '../documentos/tipos.ts';
import { presenter } from './documento.ts';
import { addLinks, LAST_PAGE, type Paginacao, sendSliced, toPagina } from './paginas.ts';
import type { RegistroDeDocumento } from './present.ts';

/** Feeds end far below; clamping here keeps sums of NSU and page exact. */
const LAST_NSU = 2 ** 52;
/** A slice begins small, because one document may have 10 MB, and grows while documents are small. */
const FIRST_SLICE = 5;
const LARGEST_SLICE = 50;
const SMALL_SLICE_CHARACTERS = 1_000_000;
const LARGE_SLICE_CHARACTERS = 4_000_000;

/** What the feed routes are given beside the rest: who read how far is noted. */
export type ContextoDaExportacao = HttpContext & { acessos: RegistroDeAcessos };

export interface NovosInput {
  request: FastifyRequest;
  reply: FastifyReply;
  clienteId: number;
  nsu: number;
  pagina: number;
  tamanho: number;
}

/** Answers a page of records without their text. */
export async function sendNovos(
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
export async function sendNovosComXml(ctx: ContextoDaExportacao, input: NovosInput): Promise<FastifyReply> {
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
