import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { weightsOf } from './accept-encoding.ts';
import { tellNothingIsThere } from './arquivos-fixos.ts';

/** The documentation page runs its own bundled scripts; it may fetch only from this origin. */
const DOCS_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/** The description as text and as bytes, and its compressor. */
const DOCS_BYTES = 4_000_000;

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

type Coding = 'br' | 'gzip' | 'identity';
type Texts = Readonly<Record<Coding, Buffer>>;

/** Whoever asks for it again and again costs no more than the sending. */
async function compressed(text: string): Promise<Texts> {
  const identity = Buffer.from(text);
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(identity), promisify(gzip)(identity)]);
  return { br, gzip: zipped, identity };
}

/** The smallest of those that are as welcome as any. */
function bestOf(accepted: string | string[] | undefined): Coding {
  const weights = weightsOf(typeof accepted === 'string' ? accepted : '');
  const weigh = (coding: Coding) => weights.get(coding) ?? 0;
  const codings = ['br', 'gzip'] as const;
  const best = Math.max(...codings.map(weigh), weigh('identity'));
  return codings.find((coding) => weigh(coding) > 0 && weigh(coding) === best) ?? 'identity';
}

/** Serves `/openapi.json` and the page `/docs`. Register after all routes. */
export async function documentationRoutes(app: FastifyInstance): Promise<void> {
  let description: Promise<Texts> | null = null;
  const config = { answerBytes: DOCS_BYTES };
  app.get('/openapi.json', { schema: { hide: true }, config }, async ({ headers }, reply) => {
    // Once for all: it does not change any more.
    description ??= compressed(JSON.stringify(app.swagger()));
    const texts = await description;
    const coding = bestOf(headers['accept-encoding']);
    void reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding');
    if (coding !== 'identity') void reply.header('content-encoding', coding);
    return reply.send(texts[coding]);
  });
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('content-security-policy', DOCS_CSP);
    });
    tellNothingIsThere(scope);
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...config };
    });
    await scope.register(swaggerUi, { routePrefix: '/docs' });
  });
}
