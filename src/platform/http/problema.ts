import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppError, ErroDeCampo } from '../errors.ts';
import type { CatalogoDeErros } from './catalogo.ts';
import { answerThenDiscard } from './descarte.ts';
import { STATUS_CODES } from './status-codes.ts';

/** The body of every error (RFC 9457). */
interface Problema {
  type: string;
  title: string;
  status: number;
  detail: string;
  /** Path of the request, never its query: signed addresses carry secrets there. */
  instance: string;
  codigo: string;
  mensagem: string;
  erros: readonly ErroDeCampo[];
  requestId: string;
}

export const PROBLEM_JSON = 'application/problem+json; charset=utf-8';

/** Builds the body of an error. */
export function toProblema(
  error: AppError,
  input: { catalogo: CatalogoDeErros; path: string; requestId: string },
): Problema {
  return {
    type: `urn:malote:erro:${error.codigo}`,
    title: input.catalogo[error.codigo]?.titulo ?? STATUS_CODES[error.status] ?? 'Erro',
    status: error.status,
    detail: error.message,
    instance: input.path,
    codigo: error.codigo,
    mensagem: error.message,
    erros: error.erros,
    requestId: input.requestId,
  };
}

/** Answers with a problem, its headers and its status; `unread` when the body of the request was not read. */
export function sendProblema(
  error: AppError,
  input: { catalogo: CatalogoDeErros; request: FastifyRequest; reply: FastifyReply; unread?: boolean },
): FastifyReply {
  const { request, reply, catalogo } = input;
  const problema = toProblema(error, { catalogo, path: pathOf(request.raw.url), requestId: request.id });
  const body = JSON.stringify(problema);
  reply.code(error.status).headers(error.headers).header('cache-control', 'no-store').type(PROBLEM_JSON);
  if (!input.unread) return reply.send(body);
  const bytes = Buffer.from(body);
  // A compressor would hold the answer back until its end, which waits for the body.
  request.headers['x-no-compression'] = '1';
  return reply.header('content-length', bytes.length).send(answerThenDiscard(bytes, request.raw));
}

/** Longest path that an answer or a log line repeats. */
const SHOWN_PATH_CHARACTERS = 512;

/** The path of a request target without its query string. */
export function pathOf(url: string | undefined): string {
  return (url ?? '/').split('?', 1)[0]?.slice(0, SHOWN_PATH_CHARACTERS) ?? '/';
}
