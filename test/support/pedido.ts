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
}

export interface Resposta {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends the request and reads the whole answer. */
export function send(pedido: Pedido): Promise<Resposta> {
  const { hostname, port, pathname, search, host } = new URL(pedido.url);
  const body = Buffer.from(pedido.body ?? '');
  const length = body.length + (pedido.withheldBytes ?? 0);
  const named = pedido.headers.some(([name]) => name.toLowerCase() === 'host') ? [] : ['Host', host];
  const headers = [...pedido.headers.flat(), ...named, 'Connection', 'close'];
  if (length > 0) headers.push('Content-Length', String(length));
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, path: pathname + search, method: pedido.method, headers, agent: false },
      async (answer) => {
        const chunks = await answer.toArray();
        sent.destroy();
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(chunks).toString(),
        });
      },
    );
    sent.on('error', reject);
    if (pedido.withheldBytes) sent.write(body.length > 0 ? body : Buffer.from(' '));
    else sent.end(body);
  });
}
