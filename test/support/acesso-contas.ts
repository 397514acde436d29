/** Access to the accounts area for tests: an OAuth client of some offices and a token of it, as an integrator gets it. */
import { createClienteOauth } from '../../src/autorizacao/cliente-oauth.ts';
import { type Malote, withDeps } from './malote.ts';

export interface AcessoContas {
  clientId: string;
  clientSecret: string;
  /** Good for 300 seconds. */
  token: string;
}

/** Makes an OAuth client bound to offices and gets a token for it. */
export async function openContas(
  malote: Pick<Malote, 'url' | 'dataFolder'>,
  input: { contadorIds: readonly number[] },
): Promise<AcessoContas> {
  const made = await withDeps(malote.dataFolder, (deps) =>
    createClienteOauth(deps, { contadorIds: input.contadorIds, nome: 'ERP' }),
  );
  return { ...made, token: await fetchAccessToken(malote, made) };
}

/** A new token by the client credentials grant. */
export async function fetchAccessToken(
  malote: Pick<Malote, 'url'>,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): Promise<string> {
  const answer = await fetch(`${malote.url}/auth/realms/service/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }),
  });
  const body = (await answer.json()) as { access_token?: string };
  if (body.access_token === undefined) throw new Error(`no access token: ${JSON.stringify(body)}`);
  return body.access_token;
}
