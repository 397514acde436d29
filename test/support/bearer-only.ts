/** A resource server as people build it: keycloak-connect, bearer only, in front of one page. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Keycloak from 'keycloak-connect';

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Gives requests and responses what Express would, as far as the adapter looks at it. */
function likeExpress(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://localhost');
  Object.assign(request, { query: {}, path: url.pathname, originalUrl: request.url });
  Object.assign(response, {
    status: (code: number) => Object.assign(response, { statusCode: code }),
  });
}

/** Starts it; its realm is the one of an issuer's address. */
export async function startBearerOnly(
  issuer: string,
): Promise<{ url: string; [Symbol.asyncDispose](): Promise<void> }> {
  const [authServer = '', realm = ''] = issuer.split('/realms/');
  const keycloak = new Keycloak(
    {},
    {
      realm,
      'auth-server-url': authServer,
      resource: 'pagina',
      'bearer-only': true,
      'ssl-required': 'none',
      'confidential-port': 0,
    },
  );
  const steps: Middleware[] = [...keycloak.middleware(), keycloak.protect()];
  const server = createServer((request, response) => {
    likeExpress(request, response);
    const run = (at: number): void => {
      const step = steps[at];
      if (step) step(request, response, () => run(at + 1));
      else response.end('entrou');
    };
    run(0);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
