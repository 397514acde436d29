import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type as Typebox } from 'typebox';
import { Type } from './esquema.ts';

/** The same schemas by either builder: each one that is used, with options and without. */
function written(t: typeof Type) {
  const partly = t.Object({ a: t.String(), b: t.Optional(t.Integer({ minimum: 1 })) }, { title: 'Partes' });
  return [
    partly,
    t.Object({ a: t.Optional(t.Null()) }),
    t.Partial(t.Object({ a: t.String(), b: t.Boolean() }), { title: 'Tudo' }),
    t.Object(
      { dentro: partly, fora: t.Optional(partly), ...partly.properties },
      { additionalProperties: false },
    ),
    t.Array(t.Union([t.Null(), t.Literal('x', { title: 'X' }), t.Literal(7), t.Literal(true)]), {
      maxItems: 2,
    }),
    t.Enum(['a', 'b'], { description: 'A ou b' }),
    t.Record(t.String(), t.Array(t.Integer()), { maxProperties: 3 }),
    t.Unsafe<number>({ type: 'number', 'x-codigo': 'c' }),
  ];
}

describe('schemas of routes', () => {
  it('are to the letter what typebox writes', () => {
    assert.equal(JSON.stringify(written(Type)), JSON.stringify(written(Typebox)));
  });
});
