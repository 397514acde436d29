import type { FastifyError, FastifyInstance } from 'fastify';
import { rotaNaoEncontrada } from './errors.ts';

/**
 * For a scope that serves the files of a folder. A folder, a name that no file can have, a path that climbs out: all of
 * these are "not there" to the outside. The package that serves files throws them, each in its own way, as faults of the
 * framework.
 */
export function tellNothingIsThere(scope: FastifyInstance): void {
  scope.setErrorHandler((error: FastifyError) => {
    throw (error.statusCode ?? 500) < 500 ? rotaNaoEncontrada() : error;
  });
}
