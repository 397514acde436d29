/**
 * What stands before several web processes in production: one address, round robin among those whose `/readyz` says
 * so, a new connection for each request, and the next process where one refuses. As nginx does by default, a request
 * that may have been begun is sent again only when its method is idempotent.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** On the 502 that says that nobody was there; never on an answer of the product. */
export const MARCA_DO_BALANCEADOR = 'x-balanceador';

/** Well below the time for which a process that stops goes on. */
const LOOK_EVERY_MS = 250;
const HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);
const IDEMPOTENT = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']);

export interface Balanceador extends AsyncDisposable {
  url: string;
}

/** @param portas of the processes, asked before each request */
export async function openBalanceador(portas: () => readonly number[]): Promise<Balanceador> {
  let turn = 0;
  const ready = new Set<number>();
  const looking = setInterval(() => {
    for (const port of portas())
      void isReady(port).then((yes) => (yes ? ready.add(port) : ready.delete(port)));
  }, LOOK_EVERY_MS);
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming).catch(() => null);
    if (!body) return;
    // The unready ones last: a look may be old, and something is better than nothing.
    const ordered = portas().toSorted((a, b) => Number(ready.has(b)) - Number(ready.has(a)));
    const first = ordered.filter((port) => ready.has(port));
    turn += 1;
    const mine = turn;
    const rotated = first.map((_, at) => first[(mine + at) % first.length] ?? 0);
    const causas: string[] = [];
    for (const port of [...rotated, ...ordered.slice(first.length)]) {
      if (await forward({ incoming, outgoing, body, port, causas })) return;
    }
    nobody(outgoing, causas);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      clearInterval(looking);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
  await answer?.body?.cancel();
  return answer?.status === 200;
}

/** @returns false when the next process may be tried */
function forward(input: {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  body: Buffer;
  port: number;
  /** Why the processes before did not answer; this one's reason is added. */
  causas: string[];
}): Promise<boolean> {
  const { incoming, outgoing, body, port, causas } = input;
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
      causas.push(`${port} ${error.code ?? error.message}`);
      const untouched = error.code === 'ECONNREFUSED';
      if (untouched || IDEMPOTENT.has(method)) return resolve(false);
      nobody(outgoing, causas);
      resolve(true);
    });
    upstream.end(body);
  });
}

function nobody(outgoing: ServerResponse, causas: readonly string[]): void {
  outgoing.writeHead(502, { [MARCA_DO_BALANCEADOR]: causas.join('; ') || 'nenhum processo' }).end();
}

function withoutHops(headers: IncomingMessage['headers']): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(([name]) => !HOP.has(name));
  return Object.fromEntries(kept) as Record<string, string | string[]>;
}
