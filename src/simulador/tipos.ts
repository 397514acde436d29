/** What the simulated services take and give, whether a socket stands between or not. */

/** The services, by the names under which a client is told their addresses. */
const SERVICOS = [
  'nfe',
  'nfe_eventos',
  'cte',
  'cte_eventos',
  'adn',
  'sefin',
  'sae_chaves',
  'sae_download',
  'convenio',
] as const;
export type Servico = (typeof SERVICOS)[number];

export const HORA_MS = 3_600_000;
export const DIA_MS = 86_400_000;

/** What a client showed in the TLS handshake. */
export interface CertificadoApresentado {
  /** CNPJ (14) or CPF (11); null for a certificate that names neither. */
  titular: string | null;
  /** ms */
  validoDe: number;
  validoAte: number;
  /** Issued by the laboratory. Default true. */
  confiavel?: boolean;
}

export interface Pedido {
  servico: Servico;
  metodo: string;
  /** What stands behind the base address of the service, with its query; empty for SOAP. */
  caminho: string;
  /** Names in lower case. */
  cabecalhos: Readonly<Record<string, string | undefined>>;
  corpo: Uint8Array | string;
  certificado: CertificadoApresentado | null;
}

export interface Resposta {
  status: number;
  cabecalhos: Record<string, string>;
  corpo: Uint8Array | string;
}

/** Whose call put a clock into the state it is in. */
export interface Origem {
  /** The program, by its `User-Agent`. */
  agente: string;
  /** false: the answer never came to who had asked. Whoever cuts the line sets it. */
  entregue: boolean;
}

/** How a call ended. */
export type Desfecho =
  | { tipo: 'resposta'; resposta: Resposta; origem: Origem }
  /** The connection breaks, or nothing comes; what was asked for may have been done. */
  | { tipo: 'queda'; queda: 'reset' | 'timeout'; origem: Origem };

/** An entry of a queue. */
export interface Entrega {
  servico: 'nfe' | 'cte' | 'adn' | 'sae';
  interessado: string;
  nsu: number;
  chave: string;
  /** Name of the schema, as `docZip` tells it; of the ADN the kind of document. */
  schema: string;
}
