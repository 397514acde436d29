/** One HTTP request, exactly as written: headers may repeat, which `fetch` would not let them. */
import { request } from 'node:http';

export interface Pedido {
  method: string;
  /** Absolute. */
  url: string;
  /** Name and value in turn, as they go over the wire. */
  headers: readonly (readonly [name: string, value: string])[];
  body?: string | Uint8Array;
  /** Bytes of the body that are announced and never sent. */
  withheldBytes?: number;
  /** Sent as it stands in the place of the path of `url`, which would be brought into order. */
  rawPath?: string;
  /** Address of this machine that it comes from. */
  from?: string;
  /** Broken off when the whole answer is not there by then, ms. */
  withinMs?: number;
}

export interface Resposta {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Bytes of the body, as they came over the wire. */
  bytes: number;
}

/** Sends the request and reads the whole answer. @throws when there is none, or not in time */
export function send(pedido: Pedido): Promise<Resposta> {
  const { hostname, port, pathname, search, host } = new URL(pedido.url);
  const body = Buffer.from(pedido.body ?? '');
  const length = body.length + (pedido.withheldBytes ?? 0);
  const named = pedido.headers.some(([name]) => name.toLowerCase() === 'host') ? [] : ['Host', host];
  const headers = [...pedido.headers.flat(), ...named, 'Connection', 'close'];
  if (length > 0) headers.push('Content-Length', String(length));
  const { withinMs, from } = pedido;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname,
        port,
        path: pedido.rawPath ?? pathname + search,
        method: pedido.method,
        headers,
        agent: false,
        ...(from === undefined ? {} : { localAddress: from }),
        ...(withinMs === undefined ? {} : { signal: AbortSignal.timeout(withinMs) }),
      },
      (answer) => {
        answer.toArray().then((chunks) => {
          sent.destroy();
          const whole = Buffer.concat(chunks);
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text: whole.toString(),
            bytes: whole.length,
          });
        }, reject);
      },
    );
    sent.on('error', reject);
    if (pedido.withheldBytes) sent.write(body.length > 0 ? body : Buffer.from(' '));
    else sent.end(body);
  });
}
