/** Joins the issuers that a process trusts: the embedded one, the configured ones, or both. */
import type { FastifyInstance } from 'fastify';
import { ConfigError } from '../config.ts';
import type { Deps } from '../deps.ts';
import type { Vault } from '../platform/crypto/cofre.ts';
import type { Janelas } from '../platform/http/janelas.ts';
import { AccessTokens } from './access-tokens.ts';
import { EmissorEmbutido } from './emissor/acesso.ts';
import { closeEmissor, openEmissor } from './emissor/emissor.ts';
import { emissorRoutes } from './emissor/routes.ts';
import { EmissorEstrangeiro } from './emissor-externo.ts';
import { readEmissores } from './emissores-externos.ts';
import type { AccessTokenReader } from './oauth-guard.ts';

export interface Emissores {
  accessTokens: AccessTokenReader;
  /** Registers the endpoints of the embedded issuer, when it is on. */
  routes(app: FastifyInstance): Promise<void>;
  /** Reads the keys anew, and sweeps sessions, at once; both happen by themselves from time to time. */
  refreshKeys(): Promise<void>;
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** @throws ConfigError when `MALOTE_EMISSORES` cannot be read, or no issuer is left */
export async function openEmissores(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'config'> & { vault: Vault; janelas?: Janelas },
): Promise<Emissores> {
  const { config } = deps;
  const externos = readEmissores(config.emissores).map((externo) => new EmissorEstrangeiro(deps, externo));
  if (!config.emissorEmbutido) {
    if (externos.length === 0)
      throw new ConfigError('MALOTE_EMISSOR_EMBUTIDO=0 pede ao menos um emissor em MALOTE_EMISSORES.');
    return {
      accessTokens: new AccessTokens(deps, externos),
      routes: async () => {},
      refreshKeys: async () => {},
      sweep: async () => {},
      close: async () => {},
    };
  }
  const emissor = await openEmissor(deps);
  return {
    // The embedded one last: without a public address it takes any host with its path for its own, a Keycloak's too.
    accessTokens: new AccessTokens(deps, [...externos, new EmissorEmbutido(emissor)]),
    routes: (app) => emissorRoutes(app, { emissor, auth: config.urls.auth, exigirHttps: config.exigirHttps }),
    refreshKeys: () => emissor.chaves.refresh(),
    sweep: () => emissor.sessoes.sweep(),
    close: () => closeEmissor(emissor),
  };
}
