/** The original bytes of a document, by its signed address. */
import type { FastifyReply } from 'fastify';
import { type HttpContext, officeKey } from '../../autorizacao/contexto.ts';
import { type ConteudoOriginal, conteudoOriginal, donoDaVersao } from '../../documentos/read/feed.ts';
import { documentoNaoEncontrado } from '../errors.ts';

/** A version never changes; the address with its signature is the cache key. */
const IMMUTABLE = 'private, max-age=31536000, immutable';

/**
 * Answers the bytes as they came. No charset is told: the document says its own.
 * @throws documento_nao_encontrado; an Error when the bytes are not those that were stored
 */
export async function sendOriginal(
  ctx: Pick<HttpContext, 'deps' | 'outgoing'>,
  input: { reply: FastifyReply; versaoId: number },
): Promise<FastifyReply> {
  const dono = await donoDaVersao(ctx.deps.db.read, input);
  if (!dono) throw documentoNaoEncontrado();
  await ctx.outgoing.reserve(input.reply.raw, dono.tamanho, officeKey(dono.contadorId));
  const conteudo = await conteudoOriginal(ctx.deps.db.read, { versaoId: input.versaoId });
  if (!conteudo) throw documentoNaoEncontrado();
  return input.reply
    .type('application/xml')
    .header('content-disposition', `attachment; filename="${fileNameOf(conteudo)}"`)
    .header('cache-control', IMMUTABLE)
    .header('vary', 'accept-encoding')
    .send(conteudo.bytes);
}

/** `<chave>.xml`, of an event `<chave>-<codigo>-<sequencia>.xml`; nothing but plain ASCII (OWASP ASVS 5.0, 5.4). */
function fileNameOf({ chave, evento }: ConteudoOriginal): string {
  const name = evento ? `${chave}-${evento.codigo}-${evento.sequencia}` : chave;
  return `${name.replace(/[^0-9A-Za-z._~-]/g, '_')}.xml`;
}
