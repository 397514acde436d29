/** Single documents: by NSU, by key, with ETag. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpContext } from '../../autorizacao/contexto.ts';
import { bytesDosTextos, comOsTextos, textosDe, versoesDe } from '../../documentos/read/feed.ts';
import type { Entrada, EntradaComHash } from '../../documentos/tipos.ts';
import { type Alvo, signedAddress, VALID_SECONDS } from '../enderecos.ts';
import { documentoNaoEncontrado } from '../errors.ts';
import { presentEntrada, type RegistroDeDocumento } from '../present.ts';

/** Whose purpose `url_finalidade` tells, and of which documents: those by which the client acquired something. */
interface ComFinalidade {
  clienteId: number;
  adquiridos: ReadonlySet<number>;
}

/** Gives entries their links and wire form; with `finalidade`, `url_finalidade` too. */
export function presenter(
  ctx: HttpContext,
  input: { request: FastifyRequest; finalidade?: ComFinalidade },
): (entrada: Entrada) => RegistroDeDocumento {
  const origin = ctx.origin(input.request, 'base');
  return presenterWith((alvo) => signedAddress(ctx, { origin, alvo }), input.finalidade);
}

/** The same, whoever makes the addresses. */
export function presenterWith(
  addressOf: (alvo: Alvo) => string,
  finalidade?: ComFinalidade,
): (entrada: Entrada) => RegistroDeDocumento {
  const urlDaFinalidade = (documentoId: number) =>
    finalidade?.adquiridos.has(documentoId)
      ? addressOf({ kind: 'finalidade', clienteId: finalidade.clienteId, documentoId })
      : '';
  return (entrada) => {
    const { versaoId, documentoId, evento } = entrada;
    const doEvento = evento?.versaoId ?? null;
    return presentEntrada(entrada, {
      download: foiExcluido(entrada) ? '' : addressOf({ kind: 'download', versaoId }),
      finalidade: urlDaFinalidade(documentoId),
      evento: doEvento === null ? '' : addressOf({ kind: 'download', versaoId: doEvento }),
    });
  };
}

/** Its retention is over: the entry stays and has no content any more. */
function foiExcluido({ tamanho }: Pick<Entrada, 'tamanho'>): boolean {
  return tamanho === 0;
}

/** The text as it is read, as JSON, and as bytes. */
export const COPIES_OF_TEXT = 3;

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
  const conteudo = opaqueOf(entrada, comXml);
  const agora = periodAt(ctx.deps.clock.now());
  reply.header('etag', etagOf(conteudo, agora)).header('cache-control', 'private, no-cache');
  const held = heldTag(request.headers['if-none-match'], { conteudo, agora });
  // Its own tag comes back, not today's: else a cache would take its old addresses for new ones.
  if (held) return reply.header('etag', held).code(304).send();
  const present = presenter(ctx, { request });
  if (!comXml) return reply.send(present(entrada));
  await ctx.outgoing.reserve(reply.raw, bytesDosTextos(entrada) * COPIES_OF_TEXT);
  return reply.send(present(comOsTextos(entrada, await textosDe(ctx.deps.db.read, versoesDe(entrada)))));
}

/** Signed addresses go with a record: who holds one that is older than two of these asks for it anew, while they still work. */
const PERIOD_MS = (VALID_SECONDS * 1_000) / 3;

const periodAt = (instante: number) => Math.floor(instante / PERIOD_MS);

/**
 * What does not change as long as the record says the same: `revisao` grows with every visible change of the document, such
 * as a cancellation. What the client is in it may change by itself: who an event is about is known with its document. An
 * event has a revision of its own beside its document's.
 */
export function opaqueOf(entrada: EntradaComHash, comXml: boolean): string {
  const { sha256, nsu, revisao, papel, tipo, evento } = entrada;
  const doEvento = evento ? `-${evento.versaoId ?? ''}.${evento.revisao}` : '';
  return `${sha256.slice(0, 16)}-${nsu}.${revisao}.${papel}.${tipo}${doEvento}${comXml ? '-xml' : ''}`;
}

/** Weak, since the same record is sent in several codings and with ever new addresses; it says when these were made. */
function etagOf(conteudo: string, periodo: number): string {
  return `W/"${conteudo}-${periodo}"`;
}

/** The tag of a record that the caller may go on using, if he holds one: weak comparison of RFC 9110 §13.1.2. */
function heldTag(
  ifNoneMatch: string | undefined,
  { conteudo, agora }: { conteudo: string; agora: number },
): string | null {
  const asked = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  // One period ahead: the clock of another process.
  const periods = [agora + 1, agora, agora - 1].map((periodo) => etagOf(conteudo, periodo));
  if (asked.includes('*')) return etagOf(conteudo, agora);
  return periods.find((etag) => asked.includes(etag.replace(/^W\//, ''))) ?? null;
}
