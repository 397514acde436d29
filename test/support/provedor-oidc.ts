/** An identity provider as people come into the console by: oidc-provider, whose person is whoever the test says. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error: the package ships no types
import Provider from 'oidc-provider';

export interface Conta {
  sub: string;
  email: string;
  email_verified: boolean;
}

export interface ProvedorOidc extends AsyncDisposable {
  issuer: string;
  /** Who logs in next. */
  conta: Conta;
  /** What it was asked for last at its authorization endpoint. */
  pedido: URLSearchParams;
}

export const CLIENTE = { id: 'malote', segredo: 'segredo/do malote+1' };

const RETORNO = '/console/api/entrar/externo/retorno';

/** It takes the way back to any server: the one under test is up only later. */
export async function startProvedorOidc(): Promise<ProvedorOidc> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const made: ProvedorOidc = {
    issuer,
    conta: { sub: 'ninguem', email: 'ninguem@exemplo.com.br', email_verified: true },
    pedido: new URLSearchParams(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENTE.id,
        client_secret: CLIENTE.segredo,
        redirect_uris: [`http://127.0.0.1${RETORNO}`],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    cookies: { keys: ['só para testes'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_ctx: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ ...made.conta, sub }),
    }),
  });
  provider.Client.prototype.redirectUriAllowed = (uri: string) => new URL(uri).pathname === RETORNO;
  const answer = provider.callback();
  server.on('request', async (request, response) => {
    const url = new URL(request.url ?? '', issuer);
    if (url.pathname === '/auth') made.pedido = url.searchParams;
    if (!url.pathname.startsWith('/interaction/')) return answer(request, response);
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login')
      return provider.interactionFinished(request, response, { login: { accountId: made.conta.sub } });
    const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
    grant.addOIDCScope('openid email profile');
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  });
  return made;
}

/** A browser that follows redirects from one site to the other, with a jar of cookies for each. */
export class NavegadorEntreSites {
  readonly #jars = new Map<string, Map<string, string>>();

  /** `Cookie` header for a site. */
  cookie(url: string): string {
    return [...(this.#jars.get(new URL(url).host) ?? [])].map((pair) => pair.join('=')).join('; ');
  }

  async open(url: string): Promise<Response> {
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie: this.cookie(url) } });
    const jar = this.#jars.get(new URL(url).host) ?? new Map<string, string>();
    this.#jars.set(new URL(url).host, jar);
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', ...value] = pair.split('=');
      if (value.join('=') === '' || /expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value.join('='));
    }
    return answer;
  }

  /** Follows redirects until a page of the console's screens. @returns its address, and each one on the way */
  async follow(url: string): Promise<{ fim: string; passos: string[] }> {
    const passos: string[] = [];
    for (let here = url; passos.length < 20; ) {
      passos.push(here);
      const answer = await this.open(here);
      await answer.arrayBuffer();
      const location = answer.headers.get('location');
      if (location === null) throw new Error(`${here} answered ${answer.status} and leads nowhere`);
      here = new URL(location, here).href;
      if (new URL(here).pathname === '/console/entrar') return { fim: here, passos };
    }
    throw new Error('redirected without end');
  }
}
