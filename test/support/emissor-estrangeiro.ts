/** A foreign issuer that is not ours: oidc-provider, with JWT access tokens for one audience. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error: the package ships no types
import Provider from 'oidc-provider';

const CLIENTE_ESTRANGEIRO = { clientId: 'erp', clientSecret: 'segredo-do-erp' };

export interface EmissorEstrangeiroDeTeste extends AsyncDisposable {
  issuer: string;
  /** An access token by client credentials. */
  token(): Promise<string>;
}

/** Starts it. Its tokens carry `crm` under `codigosCrm`. @param input.path of its issuer, as of one that is mounted there */
export async function startEmissorEstrangeiro(input: {
  audience: string;
  crm: readonly string[];
  path?: string;
}): Promise<EmissorEstrangeiroDeTeste> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { path = '' } = input;
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const { clientId, clientSecret } = CLIENTE_ESTRANGEIRO;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    ttl: { ClientCredentials: 300 },
    extraTokenClaims: () => ({ codigosCrm: input.crm }),
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => 'urn:malote',
        getResourceServerInfo: () => ({
          scope: '',
          audience: input.audience,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    const url = request.url ?? '';
    answer(Object.assign(request, { originalUrl: url, url: url.slice(path.length) }), response);
  });
  return {
    issuer,
    async token() {
      const body = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
      });
      const answer = await fetch(`${issuer}/token`, { method: 'POST', body });
      const { access_token: token } = (await answer.json()) as { access_token: string };
      return token;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
