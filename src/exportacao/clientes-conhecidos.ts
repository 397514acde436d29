import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { authOf, type HttpContext } from '../autorizacao/contexto.ts';
import { requireCliente } from '../autorizacao/guard.ts';

const KNOWN = 20_000;

/**
 * Ids of clients by their path. A client is never taken away, so an id that was found once stays right; whether the
 * token reaches it is looked at each time.
 */
export class ClientesConhecidos {
  readonly #deps: HttpContext['deps'];
  readonly #ids = new LRUCache<string, number>({ max: KNOWN });

  constructor(deps: HttpContext['deps']) {
    this.#deps = deps;
  }

  /** @throws cliente_nao_encontrado */
  async idOf(request: FastifyRequest, cpfCnpj: string): Promise<number> {
    const { contadorId, clienteIds } = authOf(request);
    const key = `${contadorId}/${cpfCnpj}`;
    const known = this.#ids.get(key);
    if (known !== undefined && (!clienteIds || clienteIds.has(known))) return known;
    const { id } = await requireCliente(this.#deps, { request, cpfCnpj });
    this.#ids.set(key, id);
    return id;
  }
}
