/** Names for the shapes of an OpenAPI document, so that programs made from it have types with names. */
import { isDeepStrictEqual } from 'node:util';
import type { Documento, Esquema } from './tipos.ts';

/**
 * Moves every schema that has a title to `components/schemas`, under that title, and refers to it where it stood.
 * @throws when two schemas that differ have one title
 */
export function nomearEsquemas(paths: Documento['paths']): {
  paths: Documento['paths'];
  schemas: Record<string, Esquema>;
} {
  const schemas: Record<string, Esquema> = {};
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
    const { title, ...schema } = copy;
    // A property may be called `title`: then it is a schema, not a text.
    if (typeof title !== 'string') return copy;
    const known = schemas[title];
    if (known && !isDeepStrictEqual(known, schema)) throw new Error(`two schemas are called ${title}`);
    schemas[title] = schema;
    return { $ref: `#/components/schemas/${title}` };
  };
  return { paths: walk(paths) as Documento['paths'], schemas };
}

/** The schema itself, where another place only refers to it. */
export function resolver(documento: Pick<Documento, 'components'>, schema: Esquema): Esquema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (documento.components.schemas[name] ?? {});
}
