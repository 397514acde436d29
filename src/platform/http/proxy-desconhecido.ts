import type { FastifyRequest } from 'fastify';
import type { Logger } from '../../deps.ts';
import { requestProtocol } from './origem.ts';

/**
 * Notices a proxy that ends https and that no setting names. What it says is not believed, so addresses are made with
 * `http://`, and all callers seem to be one. It may also be somebody who only claims to be a proxy. The operator has to
 * know, so it is said; nothing else is done.
 */
export class ProxyDesconhecido {
  readonly #log: Logger;
  #endereco: string | null = null;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Where the last request came from that a proxy would have to be believed about; null: there was none. */
  get endereco(): string | null {
    return this.#endereco;
  }

  /** Looks at a request; says it once in the life of the process. */
  look(request: FastifyRequest): void {
    const proto = request.headers['x-forwarded-proto'];
    if (proto === undefined || !/^\s*https\s*(?:,|$)/i.test(String(proto))) return;
    if (requestProtocol(request) === 'https') return;
    const first = this.#endereco === null;
    this.#endereco = (request.socket.remoteAddress ?? 'desconhecido').replace(/^::ffff:/i, '');
    if (first) this.#log.warn({ endereco: this.#endereco }, proxyNaoConfigurado(this.#endereco));
  }
}

/** What is wrong and which setting mends it, for people. */
export function proxyNaoConfigurado(endereco: string): string {
  return (
    `Um proxy em ${endereco} diz que atende por https, mas não está em MALOTE_PROXIES: os endereços são feitos com http:// e ` +
    `todos os clientes parecem vir dele. Se é o seu, defina MALOTE_PROXIES=${endereco}; ou MALOTE_URL_BASE com o endereço https.`
  );
}
