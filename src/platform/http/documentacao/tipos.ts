/** The parts of an OpenAPI document that we look into; the rest passes through as it is. */

export interface Esquema {
  title?: string;
  type?: string | string[];
  properties?: Record<string, Esquema>;
  required?: string[];
  items?: Esquema;
  anyOf?: Esquema[];
  enum?: unknown[];
  examples?: unknown[];
  default?: unknown;
  description?: string;
  format?: string;
  $ref?: string;
  /** Name of the shell variable that stands for it in examples: only the caller has a value. */
  'x-variavel'?: string;
}

export interface Parametro {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Esquema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Resposta {
  description: string;
  content?: Record<string, { schema?: Esquema; 'x-codigos'?: string[] }>;
}

export interface Operacao {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parametro[];
  requestBody?: { content: Record<string, { schema: Esquema }> };
  responses: Record<string, Resposta>;
  /** Shell variable with the whole address, where the service itself hands it out. */
  'x-endereco'?: string;
  'x-codeSamples'?: { lang: string; label: string; source: string }[];
}

interface Servidor {
  url: string;
  description?: string;
}

export interface Caminho {
  servers?: Servidor[];
  get?: Operacao;
  post?: Operacao;
  put?: Operacao;
  delete?: Operacao;
  patch?: Operacao;
}

export interface Etiqueta {
  name: string;
  /** How it is written where accents are no trouble; generators make names of programs from `name`. */
  'x-displayName'?: string;
  description: string;
}

export interface Documento {
  openapi: string;
  info: { title: string; version: string; description: string; license: object };
  servers?: Servidor[];
  tags: Etiqueta[];
  paths: Record<string, Caminho>;
  components: { schemas: Record<string, Esquema>; securitySchemes: Record<string, unknown> };
}

export const METODOS = ['get', 'post', 'put', 'delete', 'patch'] as const;

/** Every operation with its path, in the order of the routes. */
export function operacoesDe(documento: Pick<Documento, 'paths'>) {
  return Object.entries(documento.paths).flatMap(([caminho, item]) =>
    METODOS.flatMap((metodo) => {
      const operacao = item[metodo];
      return operacao ? [{ caminho, metodo, operacao, servers: item.servers }] : [];
    }),
  );
}
