import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { AppError } from '../errors.ts';
import type { CatalogoDeErros } from './catalogo.ts';
import { PROBLEM_JSON, toProblema } from './problema.ts';
import { STATUS_CODES } from './status-codes.ts';

const BY_CODE: Record<string, { codigo: string; status: number; mensagem: string }> = {
  HPE_HEADER_OVERFLOW: {
    codigo: 'cabecalhos_grandes_demais',
    status: 431,
    mensagem: 'Os cabeçalhos da requisição são grandes demais.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    codigo: 'tempo_esgotado',
    status: 408,
    mensagem: 'A requisição não terminou de chegar a tempo.',
  },
};

const MALFORMED = {
  codigo: 'requisicao_malformada',
  status: 400,
  mensagem: 'Os bytes recebidos não são uma requisição HTTP válida.',
};

/** Answers what never became a request, and closes the connection: after bad bytes nothing on it can be trusted. */
export function clientErrorHandler(catalogo: CatalogoDeErros) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const fault = BY_CODE[error.code ?? ''] ?? MALFORMED;
    const requestId = randomUUID();
    const body = JSON.stringify(toProblema(new AppError(fault), { catalogo, path: '/', requestId }));
    const head = [
      `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}`,
      `Content-Type: ${PROBLEM_JSON}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'X-Content-Type-Options: nosniff',
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  };
}
