import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppError, ErroDeCampo } from '../errors.ts';
import type { CatalogoDeErros } from './catalogo.ts';

/** The body of every error (contract 7, RFC 9457). */
export interface Problema {
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

/** Answers with a problem, its headers and its status. */
export function sendProblema(
  error: AppError,
  input: { catalogo: CatalogoDeErros; request: FastifyRequest; reply: FastifyReply },
): FastifyReply {
  const { request, reply, catalogo } = input;
  const problema = toProblema(error, { catalogo, path: pathOf(request.raw.url), requestId: request.id });
  return reply
    .code(error.status)
    .headers(error.headers)
    .header('cache-control', 'no-store')
    .type(PROBLEM_JSON)
    .send(JSON.stringify(problema));
}

/** Longest path that an answer or a log line repeats. */
const SHOWN_PATH_CHARACTERS = 512;

/** The path of a request target without its query string. */
export function pathOf(url: string | undefined): string {
  return (url ?? '/').split('?', 1)[0]?.slice(0, SHOWN_PATH_CHARACTERS) ?? '/';
}
