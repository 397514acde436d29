import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabasePassing } from '../db/faults.ts';
import { AppError } from '../errors.ts';
import { BLOBS_UNAVAILABLE } from '../storage/blob-store.ts';
import { NoPlace } from '../threads/shares.ts';
import type { CatalogoDeErros } from './catalogo.ts';
import {
  caminhoInvalido,
  corpoGrandeDemais,
  corpoInvalido,
  erroInterno,
  indisponivel,
  jsonInvalido,
  NotNow,
  rotaNaoEncontrada,
  tipoDeConteudoInvalido,
} from './errors.ts';
import { sendProblema } from './problema.ts';

/** Clients that were turned away for a passing fault come back after this. */
const RETRY_AFTER_SECONDS = 5;

/** Errors of the framework, by its code; what is not listed is ours. */
const FRAMEWORK_ERRORS: Record<string, (request: FastifyRequest) => AppError> = {
  FST_ERR_BAD_URL: caminhoInvalido,
  // A path value longer than any that could exist: there is no such place.
  FST_ERR_MAX_PARAM_LENGTH: rotaNaoEncontrada,
  FST_ERR_CTP_BODY_TOO_LARGE: (request) => corpoGrandeDemais(request.routeOptions.bodyLimit),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => tipoDeConteudoInvalido('application/json'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => corpoInvalido('O corpo está vazio; envie um objeto JSON.'),
  FST_ERR_CTP_INVALID_JSON_BODY: jsonInvalido,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    corpoInvalido('O corpo não tem o tamanho anunciado em Content-Length. Envie-o de novo, inteiro.'),
};

/** Turns whatever was thrown into the error that the caller sees. */
export function toAppError(error: unknown, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof NoPlace) return indisponivel(RETRY_AFTER_SECONDS, new NotNow(error.message));
  if (isPassing(error)) return indisponivel(RETRY_AFTER_SECONDS, error);
  const { code, statusCode } = error as Partial<FastifyError>;
  const known = code === undefined ? undefined : FRAMEWORK_ERRORS[code];
  if (known) return known(request);
  // The JSON parser refuses `__proto__` and `constructor` keys with a bare SyntaxError of status 400.
  if (error instanceof SyntaxError && statusCode === 400) return jsonInvalido();
  return erroInterno(error);
}

/**
 * Codes of faults of the disk, or of the store of files, that go away by themselves: who comes again in seconds may be
 * served. A disk that fails or is read-only does not heal so, and is an error of ours; an import waits for it all the same
 * (`importacao/storing/surroundings.ts` has its own, longer list).
 */
const PASSING_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', BLOBS_UNAVAILABLE]);

/** Those, and a database that is locked, busy or away. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return PASSING_CODES.has((error as NodeJS.ErrnoException).code) || isDatabasePassing(error);
}

/** Node throws away what is left of a body, but not where the connection is to end with the answer: there it cuts it. */
function isCutWithItsBody({ raw }: FastifyRequest): boolean {
  return !raw.complete && /\bclose\b/i.test(raw.headers.connection ?? '');
}

/** The one place where an error becomes an answer. */
export function errorHandler(catalogo: CatalogoDeErros) {
  return async (thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const error = toAppError(thrown, request);
    if (error.status >= 500 && !(error.cause instanceof NotNow))
      request.log.error({ err: error.cause ?? error }, 'requisição falhou');
    const isTooLarge = (thrown as Partial<FastifyError>).code === 'FST_ERR_CTP_BODY_TOO_LARGE';
    const unread = isTooLarge || isCutWithItsBody(request);
    return sendProblema(error, { catalogo, request, reply, unread });
  };
}
