import type { Deps } from '../../deps.ts';
import type { Vault } from '../../platform/crypto/cofre.ts';
import type { Janelas } from '../../platform/http/janelas.ts';
import { ClientesOauth } from '../clientes-oauth.ts';
import { AutenticadorDeClientes } from './autenticar-cliente.ts';
import { ChavesDoEmissor } from './chaves.ts';
import { Sessoes } from './sessoes.ts';

/** The parts of the embedded issuer; every endpoint is given them. */
export interface Emissor {
  reino: string;
  clock: Deps['clock'];
  /** Whether an `iss` is this issuer's. */
  recognises(iss: unknown): boolean;
  chaves: ChavesDoEmissor;
  clientes: ClientesOauth;
  autenticador: AutenticadorDeClientes;
  sessoes: Sessoes;
}

/** Opens the embedded issuer: its keys are made at the first start. End it with `closeEmissor`. */
export async function openEmissor(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'config'> & { vault: Vault; janelas?: Janelas },
): Promise<Emissor> {
  const { reino } = deps.config;
  const clientes = new ClientesOauth(deps);
  const chaves = new ChavesDoEmissor({ ...deps, reino });
  const sessoes = new Sessoes(deps);
  await chaves.start();
  sessoes.start();
  const autenticador = new AutenticadorDeClientes({ ...deps, clientes, reino });
  const recognises = issuerCheck({ auth: deps.config.urls.auth, reino });
  return { reino, clock: deps.clock, recognises, chaves, clientes, autenticador, sessoes };
}

/**
 * Makes the check of a token's `iss`. Where no public address is set, tokens name the address by which the issuer was
 * reached, and there may be several. Then the path decides, and the key, with which nobody else signs.
 */
function issuerCheck({ auth, reino }: { auth: string; reino: string }): (iss: unknown) => boolean {
  const path = caminhoDoReino(reino);
  if (auth) return (iss) => iss === auth + path;
  return (iss) => typeof iss === 'string' && /^https?:\/\/[^/]+/.exec(iss)?.[0].concat(path) === iss;
}

export async function closeEmissor({ chaves, sessoes, clientes }: Emissor): Promise<void> {
  chaves.stop();
  sessoes.stop();
  await clientes.drain();
}

/** Path of a realm below the auth address. @fonte specification 4.3 */
export const caminhoDoReino = (reino: string) => `/auth/realms/${reino}`;
