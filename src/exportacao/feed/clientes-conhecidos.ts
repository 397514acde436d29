import type { FastifyRequest } from 'fastify';
import { authOf, type HttpContext } from '../../autorizacao/contexto.ts';
import { requireCliente } from '../../autorizacao/guard.ts';
import { parseCpfCnpj } from '../../fiscal/cpf-cnpj.ts';
import { boundedCache } from '../../platform/bounded-cache.ts';

const KNOWN = 20_000;

/**
 * Ids of clients by their path. A client is never taken away, so an id that was found once stays right; whether the
 * token reaches it is looked at each time.
 */
export class ClientesConhecidos {
  readonly #deps: HttpContext['deps'];
  readonly #ids = boundedCache<string, number>(KNOWN);

  constructor(deps: HttpContext['deps']) {
    this.#deps = deps;
  }

  /** @throws cliente_nao_encontrado */
  async idOf(request: FastifyRequest, cpfCnpj: string): Promise<number> {
    const { contadorId, clienteIds } = authOf(request);
    const key = keyOf(contadorId, cpfCnpj);
    const known = this.#ids.get(key);
    if (known !== undefined && (!clienteIds || clienteIds.has(known))) return known;
    const cliente = await requireCliente(this.#deps, { request, cpfCnpj });
    // What reads as a CPF and as a CNPJ means the CPF as soon as that is registered.
    if (cliente.cpfCnpj === parseCpfCnpj(cpfCnpj)) this.#ids.set(key, cliente.id);
    return cliente.id;
  }

  /** Whether a path that was asked for names its client for good. */
  isSettled(request: FastifyRequest, cpfCnpj: string): boolean {
    return this.#ids.has(keyOf(authOf(request).contadorId, cpfCnpj));
  }
}

const keyOf = (contadorId: number, cpfCnpj: string) => `${contadorId}/${cpfCnpj}`;
