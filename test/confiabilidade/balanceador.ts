/**
 * What stands before several web processes in production: one address, round robin, a new connection for each
 * request, and the next process where one refuses. As nginx does by default, a request that may have been begun is
 * sent again only when its method is idempotent.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** On the 502 that says that nobody was there; never on an answer of the product. */
export const MARCA_DO_BALANCEADOR = 'x-balanceador';

const HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);
const IDEMPOTENT = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']);

export interface Balanceador extends AsyncDisposable {
  url: string;
}

/** @param portas of the processes, asked before each request */
export async function abrirBalanceador(portas: () => readonly number[]): Promise<Balanceador> {
  let turn = 0;
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming).catch(() => null);
    if (!body) return;
    const all = portas();
    turn += 1;
    for (let at = 0; at < all.length; at++) {
      const port = all[(turn + at) % all.length] ?? 0;
      if (await forward({ incoming, outgoing, body, port })) return;
    }
    outgoing.writeHead(502, { [MARCA_DO_BALANCEADOR]: '1' }).end();
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** @returns false when the next process may be tried */
function forward(input: {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  body: Buffer;
  port: number;
}): Promise<boolean> {
  const { incoming, outgoing, body, port } = input;
  const { method = 'GET', url: path = '/' } = incoming;
  const headers = { ...withoutHops(incoming.headers), 'content-length': body.length };
  return new Promise((resolve) => {
    const upstream = request({ host: '127.0.0.1', port, method, path, headers, agent: false });
    upstream.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, withoutHops(answer.headers));
      answer.on('error', () => outgoing.destroy());
      answer.pipe(outgoing);
      resolve(true);
    });
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.headersSent) {
        outgoing.destroy();
        return resolve(true);
      }
      const untouched = error.code === 'ECONNREFUSED';
      if (untouched || IDEMPOTENT.has(method)) return resolve(false);
      outgoing.writeHead(502, { [MARCA_DO_BALANCEADOR]: '1' }).end();
      resolve(true);
    });
    upstream.end(body);
  });
}

function withoutHops(headers: IncomingMessage['headers']): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(([name]) => !HOP.has(name));
  return Object.fromEntries(kept) as Record<string, string | string[]>;
}
