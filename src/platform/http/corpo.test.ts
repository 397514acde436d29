import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
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

describe('a body of an area that programs of all kinds write to', () => {
  const schema = Type.Object(
    {
      size: Type.Integer(),
      extension: Type.String(),
      procuracao: Type.Optional(Type.Boolean()),
      itens: Type.Optional(Type.Array(Type.Object({ numero: Type.Integer() }))),
    },
    { 'x-tolerante': true },
  );
  const read = bodyValidator(schema);
  const meant = { size: 100, extension: '.xml', procuracao: true, itens: [{ numero: 2 }] };

  it('has names in any case, blanks around texts, numbers and booleans as text', () => {
    for (const body of [
      meant,
      { SIZE: 100, Extension: ' .xml ', Procuracao: 'True', ITENS: [{ Numero: '2' }] },
      { size: ' 100 ', extension: '.xml\n', procuracao: '1', itens: [{ numero: ' 2' }] },
      { Size: '+100', extension: '.xml', procuracao: '-1', itens: [{ NUMERO: 2 }] },
    ])
      assert.deepEqual(read(body), { value: meant });
    const other = { Outro: ' x ', size: '1', extension: 'x' };
    assert.deepEqual(read(other), { value: { Outro: 'x', size: 1, extension: 'x' } });
  });

  it('has no name twice, and nothing that only looks like a number', () => {
    for (const body of [
      { size: 1, Size: 2, extension: 'x' },
      { size: 1, extension: 'x', itens: [{ numero: 1, Numero: 1 }] },
    ]) {
      const answer = read(body);
      assert.ok('error' in answer && answer.error.codigo === 'corpo_invalido', JSON.stringify(answer));
    }
    for (const size of ['1.5', '1e3', '', '0x10', '٣', '99999999999999999999', [1], { a: 1 }])
      assert.ok('error' in read({ size, extension: 'x' }), JSON.stringify(size));
  });

  it('is no place for names that an object has of itself', () => {
    const body = JSON.parse('{"size":1,"extension":"x","toString":1,"ITENS":[]}');
    const answer = read(body);
    assert.ok('value' in answer);
    assert.deepEqual(Object.keys(answer.value as object), ['size', 'extension', 'toString', 'itens']);
  });
});

it('other bodies are taken as they are written: a password may begin with a blank', () => {
  const read = bodyValidator(Type.Object({ senha: Type.String() }));
  assert.deepEqual(read({ senha: ' x ' }), { value: { senha: ' x ' } });
  assert.ok('error' in read({ Senha: 'x' }));
});
