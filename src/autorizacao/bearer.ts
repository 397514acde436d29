import type { FastifyRequest } from 'fastify';
import { credencialRepetida, tokenAusente, tokenInvalido } from './errors.ts';

const BEARER = /^Bearer +(\S+) *$/i;
/** A header without a token, or of another scheme, counts as no credentials at all (RFC 6750, 3.1). */
const OF_BEARER = /^Bearer +\S/i;

/**
 * Takes the bearer token from the header; anywhere else it is ignored.
 * @throws credencial_repetida, token_ausente, token_invalido
 */
export function bearerOf(request: FastifyRequest): string {
  const headers = request.raw.headersDistinct.authorization ?? [];
  if (headers.length > 1) throw credencialRepetida();
  const header = (headers[0] ?? '').trim();
  if (!OF_BEARER.test(header)) throw tokenAusente();
  const token = BEARER.exec(header)?.[1];
  if (token === undefined) throw tokenInvalido();
  return token;
}
