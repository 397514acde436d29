import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { bodyValidator } from './corpo.ts';

const validate = bodyValidator(
  Type.Object(
    {
      nome: Type.String({ 'x-codigo': 'nome_invalido', 'x-mensagem': 'nome deve ser um texto.' }),
      itens: Type.Optional(Type.Array(Type.Object({ numero: Type.Integer({ minimum: 1 }) }))),
    },
    { 'x-codigo': 'dados_invalidos' },
  ),
);

const faults = (body: unknown) => {
  const result = validate(body);
  return 'error' in result ? result.error.erros.map(({ campo, codigo }) => [campo, codigo]) : null;
};

test('a good body passes, with its unknown fields', () => {
  assert.deepEqual(validate({ nome: 'x', outro: 1 }), { value: { nome: 'x', outro: 1 } });
});

test('what is no object is a faulty body', () => {
  for (const body of [null, undefined, 'texto', 1, []]) {
    const result = validate(body);
    assert.ok('error' in result && result.error.codigo === 'corpo_invalido', JSON.stringify(body));
  }
});

test('every faulty field is named once, by its path, with its own code', () => {
  assert.deepEqual(faults({ itens: [{ numero: 1 }, { numero: 'x' }, {}] }), [
    ['nome', 'nome_invalido'],
    ['itens[1].numero', 'valor_invalido'],
    ['itens[2].numero', 'obrigatorio'],
  ]);
});

test('the code of the schema names the problem, and a single fault gives its sentence', () => {
  const result = validate({ nome: 1 });
  assert.ok('error' in result);
  assert.deepEqual(
    [result.error.codigo, result.error.message],
    ['dados_invalidos', 'nome deve ser um texto.'],
  );
});
