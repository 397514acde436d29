/**
 * What schemas of routes are written with: typebox's builders, as far as they are used here, and its types. Its own are
 * loaded with all the rest of it, 373 files, in each start; what they make is no more than this. Only bodies that come are
 * checked, by a part of typebox that is loaded with the first of them (`corpo.ts`).
 */
import type { Type as Builders, TSchema } from 'typebox';

type Schema = Record<string, unknown>;

/** The properties that may be missing; a schema says so only of the object that it is part of. */
const optional = new WeakSet<object>();

const ofType =
  (type: string) =>
  (options?: object): Schema => ({ type, ...options });

function asOptional(schema: object): object {
  const copy = { ...schema };
  optional.add(copy);
  return copy;
}

function ofProperties(properties: Record<string, object>, options?: object): Schema {
  const required = Object.entries(properties).flatMap(([name, one]) => (optional.has(one) ? [] : [name]));
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
}

export const Type = {
  String: ofType('string'),
  Integer: ofType('integer'),
  Boolean: ofType('boolean'),
  Null: ofType('null'),
  Literal: (value: string | number | boolean, options?: object) => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Enum: (values: readonly string[], options?: object) => ({ enum: values, ...options }),
  Array: (items: object, options?: object) => ({ type: 'array', items, ...options }),
  Union: (anyOf: readonly object[], options?: object) => ({ anyOf, ...options }),
  /** By any text. */
  Record: (_key: object, value: object, options?: object) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  Object: ofProperties,
  Optional: asOptional,
  Partial: ({ properties }: { properties: Record<string, object> }, options?: object) =>
    ofProperties(
      Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, asOptional(one)])),
      options,
    ),
  Unsafe: (schema: object) => schema,
} as unknown as Pick<
  typeof Builders,
  | 'String'
  | 'Integer'
  | 'Boolean'
  | 'Null'
  | 'Literal'
  | 'Enum'
  | 'Array'
  | 'Union'
  | 'Record'
  | 'Object'
  | 'Optional'
  | 'Partial'
  | 'Unsafe'
>;

/** A value that may be null. */
export const ouNulo = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
