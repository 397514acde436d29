/**
 * Stands in for the framework's own compilers of schemas. Where none is given, they are loaded with each server and each
 * logger: a tenth of a second and some megabytes of each start.
 */
export const NO_COMPILERS = { compilersFactory: { buildValidator: notUsed, buildSerializer: notUsed } };

function notUsed(): never {
  throw new Error('schemas are compiled by readSchemasOurWay');
}
