/** How the console's routes are registered: method, path and types of one are said once, in its description. */
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
} from 'fastify';
import type { Static, TObject } from 'typebox';
import type { CatalogoDeErros } from '../platform/http/catalogo.ts';
import { consoleSchema, type DescricaoDaRota } from './schemas.ts';

/** What a schema lets through; unknown where the route has none. */
type Dados<T> = T extends TObject ? Static<T> : unknown;

type Descricao<P, Q, B> = Omit<DescricaoDaRota, 'params' | 'querystring' | 'body'> & {
  params?: P;
  querystring?: Q;
  body?: B;
  /** Where the answer is larger, or the body, than those of most routes are. */
  config?: FastifyContextConfig;
  bodyLimit?: number;
};

/** Registers one route below `/console/api`. */
export type AddRoute = <
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TObject | undefined = undefined,
>(
  descricao: Descricao<P, Q, B>,
  answer: (
    request: FastifyRequest<{ Params: Dados<P>; Querystring: Dados<Q>; Body: Dados<B> }>,
    reply: FastifyReply,
  ) => unknown,
) => void;

export const addRouteTo =
  (api: FastifyInstance, catalogo: CatalogoDeErros): AddRoute =>
  ({ config = {}, bodyLimit, ...descricao }, answer) => {
    const [method = '', url = ''] = descricao.rota.split(' ');
    api.route({
      method: method as HTTPMethods,
      url,
      schema: consoleSchema(catalogo, descricao as DescricaoDaRota),
      config,
      ...(bodyLimit === undefined ? {} : { bodyLimit }),
      handler: answer as (request: FastifyRequest, reply: FastifyReply) => unknown,
    });
  };
