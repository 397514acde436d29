/** `/openapi.json` and its siblings, and the page `/docs`, made from what the routes say of themselves. */
import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type DescricaoDeApi, montarDocumento, type Rotas, rotasDe } from './documentacao/documentos.ts';
import { ESTILO } from './documentacao/estilo.ts';
import { MARCA } from './documentacao/marca.ts';
import { paginaDaApi, ROTEIRO } from './documentacao/pagina.ts';
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
  for (const documento of documentos) {
    let rotas: Rotas | null = null;
    const montado = (request: FastifyRequest) => {
      // Once for all: they do not change any more.
      rotas ??= rotasDe(todos(), documento.inclui);
      return montarDocumento(rotas, documento.descrever(request));
    };
    app.get(documento.path, route, async (request, reply) =>
      reply.type('application/json; charset=utf-8').send(JSON.stringify(montado(request))),
    );
    if (documento.pagina !== undefined)
      pageRoutes(app, { path: documento.pagina, documento: documento.path, montado, route });
  }
}

/** The page, and the three files that it is made of: its policy allows nothing inline. */
function pageRoutes(
  app: FastifyInstance,
  pagina: {
    path: string;
    documento: string;
    montado: (request: FastifyRequest) => Documento;
    route: { schema: { hide: boolean }; config: { answerBytes: number } };
  },
): void {
  const { path, montado, route } = pagina;
  const page = {
    type: 'text/html',
    make: (request: FastifyRequest) => paginaDaApi(montado(request), pagina),
  };
  const parts: { name: string; type: string; make: (request: FastifyRequest) => string }[] = [
    { name: '', ...page },
    { name: '/', ...page },
    { name: '/estilo.css', type: 'text/css', make: () => ESTILO },
    { name: '/copiar.js', type: 'text/javascript', make: () => ROTEIRO },
    { name: '/malote.svg', type: 'image/svg+xml', make: () => MARCA },
  ];
  for (const { name, type, make } of parts)
    app.get(path + name, route, async (request, reply) =>
      reply.header('content-security-policy', DOCS_CSP).type(`${type}; charset=utf-8`).send(make(request)),
    );
}
