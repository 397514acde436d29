/** `/openapi.json` and its siblings, and the page `/docs`, made from what the routes say of themselves. */
import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { assembleDocumento, type DescricaoDeApi, type Rotas, rotasDe } from './documentacao/documentos.ts';
import { ESTILO } from './documentacao/estilo.ts';
import { MARCA } from './documentacao/marca.ts';
import { paginaDaApi, ROTEIRO } from './documentacao/pagina.ts';
import { TextosGuardados } from './documentacao/textos.ts';
import type { Documento } from './documentacao/tipos.ts';

/** The page has its own style and script, and nothing else. */
const DOCS_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** A description as text and as bytes, and its compressor. */
const DOCS_BYTES = 4_000_000;

/** One document, and where it is served. */
export interface DocumentoServido {
  path: string;
  /** Its page for people, where there is one. */
  pagina?: string;
  inclui(caminho: string): boolean;
  /** What a request is told: addresses are those that it came by, unless they are set. */
  descrever(request: FastifyRequest): DescricaoDeApi;
}

/** Begins to gather the routes that are registered from here on. @param securitySchemes every scheme that a route names */
export async function describeRoutes(
  app: FastifyInstance,
  securitySchemes: Record<string, object>,
): Promise<void> {
  const info = { title: '', version: '' };
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info, components: { securitySchemes: securitySchemes as never } },
  });
}

/** Serves the documents and their pages. Register after all routes. */
export async function documentationRoutes(
  app: FastifyInstance,
  documentos: readonly DocumentoServido[],
): Promise<void> {
  const todos = () => app.swagger() as unknown as Pick<Documento, 'paths'>;
  const route = { schema: { hide: true }, config: { answerBytes: DOCS_BYTES } };
  const textos = new TextosGuardados();
  for (const documento of documentos) {
    let rotas: Rotas | null = null;
    const montado = (descricao: DescricaoDeApi) => {
      // Once for all: they do not change any more.
      rotas ??= rotasDe(todos(), documento.inclui);
      return assembleDocumento(rotas, descricao);
    };
    const { path, pagina, descrever } = documento;
    const served = { montado, descrever, textos, route };
    app.get(path, route, async (request, reply) => {
      const descricao = descrever(request);
      const make = () => JSON.stringify(montado(descricao));
      return textos.send(request, reply, { key: keyOf(path, descricao), type: 'application/json', make });
    });
    if (pagina !== undefined) pageRoutes(app, { path: pagina, documento: path, ...served });
  }
}

/** What a text says depends on what it is told, and on nothing else. */
function keyOf(path: string, descricao: DescricaoDeApi): string {
  return `${path} ${JSON.stringify(descricao)}`;
}

/** The page, and the three files that it is made of: its policy allows nothing inline. */
function pageRoutes(
  app: FastifyInstance,
  pagina: {
    path: string;
    documento: string;
    descrever(request: FastifyRequest): DescricaoDeApi;
    montado: (descricao: DescricaoDeApi) => Documento;
    textos: TextosGuardados;
    route: { schema: { hide: boolean }; config: { answerBytes: number } };
  },
): void {
  const { path, descrever, montado, textos, route } = pagina;
  for (const name of ['', '/'])
    app.get(path + name, route, async (request, reply) => {
      const descricao = descrever(request);
      const make = () => paginaDaApi(montado(descricao), pagina);
      void reply.header('content-security-policy', DOCS_CSP);
      return textos.send(request, reply, { key: keyOf(path, descricao), type: 'text/html', make });
    });
  const parts: { name: string; type: string; text: string }[] = [
    { name: '/estilo.css', type: 'text/css', text: ESTILO },
    { name: '/copiar.js', type: 'text/javascript', text: ROTEIRO },
    { name: '/malote.svg', type: 'image/svg+xml', text: MARCA },
  ];
  for (const { name, type, text } of parts)
    app.get(path + name, route, async (_request, reply) =>
      reply.header('content-security-policy', DOCS_CSP).type(`${type}; charset=utf-8`).send(text),
    );
}
