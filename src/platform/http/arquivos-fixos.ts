import type { FastifyError, FastifyInstance } from 'fastify';
import { rotaNaoEncontrada } from './errors.ts';

/**
 * For a scope that serves the files of a folder: a folder, a name that no file can have, what climbs out of it: to the
 * outside nothing is there. The package that serves them throws these, each in its own way, as faults of the framework.
 */
export function tellNothingIsThere(scope: FastifyInstance): void {
  scope.setErrorHandler((error: FastifyError) => {
    throw (error.statusCode ?? 500) < 500 ? rotaNaoEncontrada() : error;
  });
}
