/** A server of its own: oidc-provider with one client whose access tokens are JWT, signed RS256. Prints its address. */
import { generateKeyPairSync } from 'node:crypto';
import type { AddressInfo } from 'node:net';
// The package ships no types.
// @ts-expect-error: no declarations
import Provider from 'oidc-provider';

const RESOURCE = 'urn:malote:bench';
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });

const provider = new Provider('http://127.0.0.1', {
  clients: [
    {
      client_id: 'bench',
      client_secret: 'bench-secret',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => RESOURCE,
      getResourceServerInfo: () => ({
        scope: '',
        accessTokenFormat: 'jwt',
        accessTokenTTL: 300,
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
});
const server = provider.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/token`);
});
