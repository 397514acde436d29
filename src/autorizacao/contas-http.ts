/** Joins the accounts area with what stands above it: who a request comes from and which office it may touch. */
import type { FastifyRequest } from 'fastify';
import type { CadastroDeps, Origem } from '../contas/cadastrar.ts';
import { findContadorByCrm } from '../contas/queries.ts';
import type { ContasHttp } from '../contas/routes.ts';
import { actForOffice } from '../platform/db/tenant.ts';
import type { CatalogoDeErros } from '../platform/http/catalogo.ts';
import { type OnRequestHook, oauthOf } from './contexto.ts';
import { crmNaoAutorizado } from './errors.ts';
import { ownCrmOf } from './oauth-guard.ts';

/** Makes what `contasRoutes` is given. */
export function createContasHttp(
  deps: CadastroDeps,
  parts: { requireOauth: OnRequestHook; catalogo: CatalogoDeErros },
): ContasHttp {
  return {
    deps,
    catalogo: parts.catalogo,
    guards: [
      parts.requireOauth,
      async (request) => {
        ownCrmOf(request, crmOf(request));
      },
    ],
    origemOf: (request) => origemOf(deps, request),
  };
}

function crmOf(request: FastifyRequest): string {
  return (request.params as { CRM: string }).CRM;
}

/** @throws crm_nao_autorizado also for an office that a foreign issuer names and that has no account here */
async function origemOf(deps: CadastroDeps, request: FastifyRequest): Promise<Origem> {
  const contador = await findContadorByCrm(deps.db.read, ownCrmOf(request, crmOf(request)));
  if (!contador) throw crmNaoAutorizado();
  actForOffice(contador.id);
  return { contadorId: contador.id, autor: `oauth:${oauthOf(request).clientId}` };
}
