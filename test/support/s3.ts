/** A real S3 server for tests, and a line to it that can be made to fail in every way a line fails. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startFauxqs } from 'fauxqs';

/** Any will do for the server that tests start. */
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'teste', AWS_SECRET_ACCESS_KEY: 'teste', AWS_REGION: 'us-east-1' };

/**
 * What the line does with requests: `reset` breaks it in the middle of the body, `cut` in the middle of the answer,
 * `corrupt` changes a byte of what is stored, `lost` does what was asked and loses the answer.
 */
export type Falha = 'down' | 'silent' | '500' | 'slowdown' | 'reset' | 'cut' | 'corrupt' | 'lost';

export interface S3DeTeste extends AsyncDisposable {
  /** Address of the line to the server. */
  endpoint: string;
  bucket: string;
  /** Settings for a product process that keeps its files there. */
  env: Record<string, string>;
  /** From now on every request, or the given number of them, or those that the function picks, fail in this way. */
  fail(falha: Falha, which?: number | ((request: IncomingMessage) => boolean)): void;
  heal(): void;
  /** Uploads in parts that were begun and neither finished nor given back. */
  unfinished(): string[];
  /** `METHOD path?query` of every request so far. */
  requests: string[];
}

/**
 * Starts a server with one bucket, and the line in front of it. `MALOTE_TESTE_S3` names another server for the same
 * tests (`http://key:secret@host:port/bucket`); its bucket must exist and may be written to.
 */
export async function startS3(): Promise<S3DeTeste> {
  const given = process.env.MALOTE_TESTE_S3;
  const own = given ? null : await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  const target = new URL(given ?? `http://127.0.0.1:${own?.port}/malote`);
  const bucket = target.pathname.slice(1);
  own?.createBucket(bucket);
  const credentials = given
    ? { ...CREDENTIALS, AWS_ACCESS_KEY_ID: target.username, AWS_SECRET_ACCESS_KEY: target.password }
    : CREDENTIALS;
  const line = new Line(target);
  const endpoint = await line.listen();
  const prefix = `t-${process.pid}-${Date.now().toString(36)}`;
  return {
    endpoint,
    bucket,
    env: { ...credentials, S3_ENDPOINT: endpoint, MALOTE_ARQUIVOS: `s3://${bucket}/${prefix}` },
    fail: (falha, which) => line.fail(falha, which),
    heal: () => line.heal(),
    unfinished: () => [...line.uploads.keys()],
    requests: line.requests,
    async [Symbol.asyncDispose]() {
      await line.close();
      await own?.stop();
    },
  };
}

class Line {
  readonly requests: string[] = [];
  /** Upload id → key and time, of uploads in parts. */
  readonly uploads = new Map<string, { key: string; at: number }>();
  readonly #target: URL;
  readonly #server: Server;
  #falha: Falha | null = null;
  #picks: (request: IncomingMessage) => boolean = () => true;

  constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((incoming, outgoing) => {
      this.#handle(incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  fail(
    falha: Falha,
    which: number | ((request: IncomingMessage) => boolean) = Number.POSITIVE_INFINITY,
  ): void {
    this.#falha = falha;
    let left = typeof which === 'number' ? which : 0;
    this.#picks = typeof which === 'number' ? () => left-- > 0 : which;
  }

  heal(): void {
    this.#falha = null;
  }

  async #handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = incoming;
    this.requests.push(`${method} ${url}`);
    const falha = this.#falha !== null && this.#picks(incoming) ? this.#falha : null;
    if (falha === 'down') return void incoming.socket.destroy();
    if (falha === 'silent') return;
    if (falha === '500' || falha === 'slowdown') {
      incoming.resume();
      const code = falha === '500' ? 'InternalError' : 'SlowDown';
      outgoing.writeHead(falha === '500' ? 500 : 503, { 'content-type': 'application/xml' });
      return void outgoing.end(`<Error><Code>${code}</Code><Message>teste</Message></Error>`);
    }
    if (falha === 'reset') return void incoming.once('data', () => incoming.socket.destroy());
    const query = new URL(url, 'http://s3').searchParams;
    // The test server does not tell unfinished uploads; the line has seen them.
    if (method === 'GET' && query.has('uploads')) return void this.#tellUploads(outgoing);
    const body = await buffer(incoming);
    if (falha === 'corrupt' && body.length > 0) body[0] = (body[0] ?? 0) ^ 1;
    const answer = await this.#forward(incoming, body);
    this.#note({ method, url, query, answer });
    if (falha === 'lost') return void incoming.socket.destroy();
    outgoing.writeHead(answer.status, answer.headers);
    if (falha !== 'cut') return void outgoing.end(method === 'HEAD' ? undefined : answer.body);
    outgoing.write(answer.body.subarray(0, answer.body.length / 2), () => incoming.socket.destroy());
  }

  #forward(incoming: IncomingMessage, body: Buffer) {
    const { hostname, port } = this.#target;
    return new Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>(
      (resolve, reject) => {
        const { method, url, headers } = incoming;
        const sent = request({ hostname, port, method, path: url, headers }, (answer) => {
          buffer(answer).then(
            (bytes) => resolve({ status: answer.statusCode ?? 500, headers: answer.headers, body: bytes }),
            reject,
          );
        });
        sent.on('error', reject);
        sent.end(body);
      },
    );
  }

  #note(input: {
    method: string;
    url: string;
    query: URLSearchParams;
    answer: { status: number; body: Buffer };
  }) {
    const { method, url, query, answer } = input;
    if (answer.status >= 300) return;
    const begun = /<UploadId>([^<]+)</.exec(answer.body.toString('latin1'))?.[1];
    const key = decodeURIComponent(url.split('?')[0]?.split('/').slice(2).join('/') ?? '');
    if (method === 'POST' && query.has('uploads') && begun) this.uploads.set(begun, { key, at: Date.now() });
    if (method === 'DELETE' || (method === 'POST' && query.has('uploadId'))) {
      this.uploads.delete(query.get('uploadId') ?? '');
    }
  }

  #tellUploads(outgoing: ServerResponse): void {
    const uploads = [...this.uploads].map(
      ([id, { key, at }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${new Date(at).toISOString()}</Initiated></Upload>`,
    );
    outgoing.writeHead(200, { 'content-type': 'application/xml' });
    outgoing.end(`<ListMultipartUploadsResult>${uploads.join('')}</ListMultipartUploadsResult>`);
  }
}
