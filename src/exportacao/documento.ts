/** Single documents: by NSU, by key, with ETag. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpContext } from '../autorizacao/contexto.ts';
import { textosDe } from '../documentos/feed.ts';
import type { Entrada, EntradaComHash } from '../documentos/tipos.ts';
import { type Alvo, signedAddress } from './enderecos.ts';
import { documentoNaoEncontrado } from './errors.ts';
import { presentEntrada, type RegistroDeDocumento } from './present.ts';

/** Gives entries their links and wire form; `finalidadeDoCliente` also fills `url_finalidade`. */
export function presenter(
  ctx: HttpContext,
  input: { request: FastifyRequest; finalidadeDoCliente?: number },
): (entrada: Entrada) => RegistroDeDocumento {
  const origin = ctx.origin(input.request, 'base');
  return presenterWith((alvo) => signedAddress(ctx, { origin, alvo }), input.finalidadeDoCliente);
}

/** The same, whoever makes the addresses. */
export function presenterWith(
  addressOf: (alvo: Alvo) => string,
  finalidadeDoCliente?: number,
): (entrada: Entrada) => RegistroDeDocumento {
  const clienteId = finalidadeDoCliente;
  return (entrada) => {
    const { versaoId, documentoId } = entrada;
    return presentEntrada(entrada, {
      download: foiExcluido(entrada) ? null : addressOf({ kind: 'download', versaoId }),
      finalidade: clienteId === undefined ? null : addressOf({ kind: 'finalidade', clienteId, documentoId }),
    });
  };
}

/** Its retention is over: the entry stays and has no content any more. */
export function foiExcluido({ tamanho }: Pick<Entrada, 'tamanho'>): boolean {
  return tamanho === 0;
}

/**
 * Answers one entry, with its text when that is wanted; or 304 when the caller holds it already, for which its text is
 * not read. @throws documento_nao_encontrado
 */
export async function sendDocumento(
  ctx: HttpContext,
  input: { request: FastifyRequest; reply: FastifyReply; entrada: EntradaComHash | null; comXml: boolean },
): Promise<FastifyReply> {
  const { request, reply, entrada, comXml } = input;
  if (!entrada) throw documentoNaoEncontrado();
  const etag = etagOf(entrada, comXml);
  reply.header('etag', etag).header('cache-control', 'private, no-cache');
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const { versaoId } = entrada;
  const xml = comXml ? ((await textosDe(ctx.deps.db.read, [versaoId])).get(versaoId) ?? null) : null;
  return reply.send(presenter(ctx, { request })({ ...entrada, xml }));
}

/**
 * Weak, since the same document is sent in several codings and with ever new signed addresses. `revisao` grows
 * with every visible change, such as a cancellation.
 */
function etagOf(entrada: EntradaComHash, comXml: boolean): string {
  return `W/"${entrada.sha256.slice(0, 16)}-${entrada.nsu}.${entrada.revisao}${comXml ? '-xml' : ''}"`;
}

/** Weak comparison of RFC 9110 §13.1.2. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
}
