/**
 * A small reverse proxy that hands every request to the next of several servers: stands for what an installation has
 * in front of its API processes. It never repeats a request; it only passes over a server that refuses the
 * connection or says on `/readyz` that it is not ready.
 */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const ASK_READY_EVERY_MS = 100;

export interface ProxyDeTeste extends AsyncDisposable {
  url: string;
  /** Replaces the servers behind it. */
  use(upstreams: readonly string[]): void;
  close(): Promise<void>;
}

/** @param options.forward adds `X-Forwarded-*`, as real ones do */
export async function startProxy(
  upstreams: readonly string[],
  options: { forward?: boolean } = {},
): Promise<ProxyDeTeste> {
  const agent = new Agent({ keepAlive: true });
  const behind = new Behind(upstreams);
  const handle = (incoming: IncomingMessage, answer: ServerResponse) =>
    pass({ incoming, answer, agent, behind, forward: options.forward ?? false });
  const server = createServer(handle);
  server.on('checkContinue', handle);
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    behind.close();
    agent.destroy();
    server.closeAllConnections();
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use: (urls) => behind.use(urls),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The servers, and which of them are taking requests. */
class Behind {
  #urls: readonly string[] = [];
  readonly #away = new Set<string>();
  #closed = false;
  #turn = 0;

  constructor(urls: readonly string[]) {
    this.use(urls);
    void this.#watch();
  }

  use(urls: readonly string[]): void {
    this.#urls = urls;
    this.#away.clear();
  }

  close(): void {
    this.#closed = true;
  }

  /** All of them, in the order in which a request should try them. */
  next(): string[] {
    this.#turn += 1;
    const turned = this.#urls.map((_url, at) => this.#urls[(at + this.#turn) % this.#urls.length] ?? '');
    return [...turned.filter((url) => !this.#away.has(url)), ...turned.filter((url) => this.#away.has(url))];
  }

  async #watch(): Promise<void> {
    while (!this.#closed) {
      await this.#look();
      await delay(ASK_READY_EVERY_MS, undefined, { ref: false });
    }
  }

  async #look(): Promise<void> {
    if (this.#urls.length < 2) return;
    for (const url of this.#urls) {
      const ready = await fetch(`${url}/readyz`, { headers: { connection: 'close' } }).then(
        async (answer) => {
          await answer.arrayBuffer();
          return answer.ok;
        },
        () => false,
      );
      if (ready) this.#away.delete(url);
      else this.#away.add(url);
    }
  }
}

interface Passing {
  incoming: IncomingMessage;
  answer: ServerResponse;
  agent: Agent;
  behind: Behind;
  forward: boolean;
}

function pass(passing: Passing): void {
  tryNext(passing, passing.behind.next());
}

function tryNext(passing: Passing, [url, ...others]: readonly string[]): void {
  const { incoming, answer } = passing;
  if (url === undefined) {
    incoming.socket.destroy();
    return;
  }
  const { hostname, port } = new URL(url);
  const outgoing = request({
    host: hostname,
    port,
    agent: passing.agent,
    method: incoming.method,
    path: incoming.url,
    setHost: false,
    headers: headersFor(passing),
  });
  let connected = false;
  const sendBody = () => {
    connected = true;
    if (hasBody(incoming)) incoming.pipe(outgoing);
  };
  // Not before there is somebody to take it: the next server must find the body whole.
  outgoing.once('socket', (socket) => {
    if (socket.connecting) socket.once('connect', sendBody);
    else sendBody();
  });
  outgoing.once('continue', () => answer.writeContinue());
  let answered = false;
  outgoing.once('response', (response) => {
    answered = true;
    answer.writeHead(response.statusCode ?? 502, withoutHopByHop(response.rawHeaders));
    response.pipe(answer);
    response.once('error', () => incoming.socket.destroy());
    response.once('end', () => {
      if (outgoing.writableFinished) return;
      // Answered before all of the body was there: the rest is for nobody, and the client may use its connection again.
      incoming.unpipe(outgoing);
      incoming.resume();
      outgoing.destroy();
    });
  });
  outgoing.once('error', (error: NodeJS.ErrnoException) => {
    // Nothing of the request has left yet: another one may have it.
    if (!connected && error.code === 'ECONNREFUSED') tryNext(passing, others);
    // A server may answer and close before it has read the whole body.
    else if (!answered) incoming.socket.destroy();
  });
  answer.once('close', () => {
    if (!answer.writableFinished) outgoing.destroy();
  });
  if (hasBody(incoming)) outgoing.flushHeaders();
  else outgoing.end();
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function headersFor({ incoming, forward }: Passing): string[] {
  const headers = withoutHopByHop(incoming.rawHeaders);
  if (incoming.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');
  if (!forward) return headers;
  return [
    ...headers,
    'X-Forwarded-For',
    incoming.socket.remoteAddress ?? '',
    'X-Forwarded-Proto',
    'http',
    'X-Forwarded-Host',
    incoming.headers.host ?? '',
  ];
}

const HOP_BY_HOP = /^(connection|keep-alive|transfer-encoding|upgrade|te|trailer|proxy-.*)$/i;

function withoutHopByHop(raw: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2);
    if (!HOP_BY_HOP.test(name)) kept.push(name, value);
  }
  return kept;
}
