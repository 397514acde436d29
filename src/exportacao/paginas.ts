import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { RegistroDeDocumento } from './present.ts';

/** No feed is longer than this many pages; what lies behind is empty, and the sums below stay exact. */
export const LAST_PAGE = 2 ** 31;

export interface Paginacao {
  total: number;
  tamanho: number;
  /** 1-based, as it was asked for. */
  pagina: number;
}

/** Page object of the specification 2.2. */
interface PaginaDeDocumentos {
  total: number;
  paginas: number;
  tamanho: number;
  pagina: number;
  documentos: RegistroDeDocumento[];
}

/** How many pages there are; 0 of nothing. */
export function paginasDe({ total, tamanho }: Pick<Paginacao, 'total' | 'tamanho'>): number {
  return Math.ceil(total / tamanho);
}

/** A page in its wire form. */
export function toPagina(paginacao: Paginacao, documentos: RegistroDeDocumento[]): PaginaDeDocumentos {
  const { total, tamanho, pagina } = paginacao;
  return { total, paginas: paginasDe(paginacao), tamanho, pagina, documentos };
}

/** Writes the `Link` header to the neighbouring pages. */
export function addLinks(reply: FastifyReply, input: { paginacao: Paginacao; origin: string }): void {
  const link = linkDe({ ...input, url: reply.request.raw.url ?? '' });
  if (link !== null) reply.header('link', link);
}

/**
 * Links to the neighbouring pages (RFC 8288): absolute, with every parameter of the request. Behind the last page
 * `prev` is the last one.
 */
export function linkDe(input: { paginacao: Paginacao; origin: string; url: string }): string | null {
  const { pagina } = input.paginacao;
  const paginas = paginasDe(input.paginacao);
  const hasNext = pagina < paginas;
  const hasPrevious = pagina > 1 && paginas > 0;
  if (!hasNext && !hasPrevious) return null;
  const { pathname, searchParams } = new URL(input.url, 'http://localhost');
  const others = [...searchParams].filter(([name]) => name.toLowerCase() !== 'pagina');
  const link = (to: number, rel: string) => {
    const query = new URLSearchParams([...others, ['Pagina', String(to)]]);
    return `<${input.origin}${pathname}?${query}>; rel="${rel}"`;
  };
  const links: string[] = [];
  if (hasNext) links.push(link(pagina + 1, 'next'));
  if (hasPrevious) links.push(link(Math.min(pagina - 1, paginas), 'prev'));
  return links.join(', ');
}

/** Up to here a page is sent in one piece, with its length; above, piece by piece. */
const WHOLE_CHARACTERS = 1_000_000;

/**
 * Sends a page whose records come in slices, so that a page of large documents is never in memory as a whole and
 * never stringified in one go.
 */
export async function sendSliced(
  reply: FastifyReply,
  input: { paginacao: Paginacao; slices: AsyncIterable<RegistroDeDocumento[]> },
): Promise<FastifyReply> {
  reply.type('application/json; charset=utf-8');
  const pieces = jsonPieces(input)[Symbol.asyncIterator]();
  const begun: string[] = [];
  let characters = 0;
  for (;;) {
    const { value, done } = await pieces.next();
    if (done) return reply.send(begun.join(''));
    begun.push(value);
    characters += value.length;
    if (characters > WHOLE_CHARACTERS) break;
  }
  // Counted in bytes: else the stream would hold sixteen records, however large.
  return reply.send(Readable.from(continued(begun, pieces), { objectMode: false }));
}

async function* continued(begun: readonly string[], rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield* begun;
  yield* rest;
}

async function* jsonPieces(input: {
  paginacao: Paginacao;
  slices: AsyncIterable<RegistroDeDocumento[]>;
}): AsyncGenerator<string> {
  const empty = JSON.stringify(toPagina(input.paginacao, []));
  yield empty.slice(0, -']}'.length);
  let separator = '';
  for await (const slice of input.slices) {
    for (const registro of slice) {
      yield separator + JSON.stringify(registro);
      separator = ',';
    }
  }
  yield ']}';
}
