import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { tellNothingIsThere } from './arquivos-fixos.ts';

/** The documentation page runs its own bundled scripts; it may fetch only from this origin. */
const DOCS_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

export interface ApiDescription {
  title: string;
  version: string;
  /** Markdown, pt-BR. */
  description: string;
  tags: readonly { name: string; description: string }[];
  securitySchemes: Record<string, SecurityScheme>;
}

type SecurityScheme =
  | { type: 'http'; scheme: 'bearer'; description: string }
  | { type: 'apiKey'; in: 'cookie'; name: string; description: string }
  | {
      type: 'oauth2';
      description: string;
      flows: { clientCredentials: { tokenUrl: string; refreshUrl: string; scopes: Record<string, string> } };
    };

/** Begins to gather the routes that are registered from here on into an OpenAPI 3.1 document. */
export async function describeRoutes(app: FastifyInstance, api: ApiDescription): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: api.title,
        version: api.version,
        description: api.description,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } as { name: string },
      },
      tags: [...api.tags],
      components: { securitySchemes: api.securitySchemes },
    },
  });
}

/** Serves `/openapi.json` and the page `/docs`. Register after all routes. */
export async function documentationRoutes(app: FastifyInstance): Promise<void> {
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('content-security-policy', DOCS_CSP);
    });
    tellNothingIsThere(scope);
    await scope.register(swaggerUi, { routePrefix: '/docs' });
  });
}
