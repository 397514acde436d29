import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { booleanParameter, integerParameter, parameter, readInt64, readParameters } from './parametros.ts';

const schema = Type.Object({
  Tamanho: integerParameter({
    codigo: 'tamanho_invalido',
    mensagem: 'Tamanho deve ser de 1 a 500.',
    minimum: 1,
    maximum: 500,
    default: 50,
    description: '',
  }),
  Xml: booleanParameter({ name: 'Xml', description: '' }),
  Data: parameter({
    codigo: 'data_invalida',
    mensagem: 'Data deve ser uma data.',
    schema: { type: 'string' },
    read: (text) => (/^\d{4}$/.test(text) ? Number(text) : undefined),
  }),
});

function read(raw: Record<string, string | string[]>) {
  const result = readParameters(schema, raw);
  return 'value' in result ? result.value : result.error;
}

const codes = (raw: Record<string, string | string[]>) => {
  const result = readParameters(schema, raw);
  return 'error' in result ? result.error.erros.map(({ campo, codigo }) => [campo, codigo]) : [];
};

test('names are read in any case, unknown ones are ignored, defaults fill the gaps', () => {
  assert.deepEqual(read({ DATA: '2026', xMl: 'TRUE', outra: ['1', '2'] }), {
    Tamanho: 50,
    Xml: true,
    Data: 2026,
  });
});

test('an empty value counts as absent, and so does one of blanks', () => {
  assert.deepEqual(read({ Data: '2026', Tamanho: ' ', Xml: '  ' }), { Tamanho: 50, Xml: false, Data: 2026 });
  assert.deepEqual(codes({ Data: ' ' }), [['Data', 'parametro_obrigatorio']]);
  assert.deepEqual(read({ Data: '2026', Tamanho: '', Xml: '' }), { Tamanho: 50, Xml: false, Data: 2026 });
  assert.deepEqual(codes({ Data: '' }), [['Data', 'parametro_obrigatorio']]);
});

test('a repeated parameter is a fault, in whatever case it is repeated', () => {
  assert.deepEqual(codes({ Data: ['2026', '2026'] }), [['Data', 'parametro_repetido']]);
  assert.deepEqual(codes({ Data: '2026', tamanho: '1', TAMANHO: '2' }), [['Tamanho', 'parametro_repetido']]);
});

test('every faulty parameter is named, and the first one names the problem', () => {
  assert.deepEqual(codes({ Tamanho: '0', Xml: 'sim', Data: 'x' }), [
    ['Tamanho', 'tamanho_invalido'],
    ['Xml', 'booleano_invalido'],
    ['Data', 'data_invalida'],
  ]);
  const error = read({ Tamanho: '501', Data: 'x' });
  assert.ok(error instanceof Error);
  assert.equal(error.message, 'Tamanho deve ser de 1 a 500.');
});

test('booleans are true, false, 1 and 0', () => {
  for (const [text, value] of [
    ['true', true],
    ['1', true],
    ['False', false],
    ['0', false],
  ] as const) {
    assert.equal((read({ Data: '2026', Xml: text }) as { Xml: boolean }).Xml, value);
  }
  for (const text of ['sim', '2', 'yes', 'null'])
    assert.equal(codes({ Data: '2026', Xml: text }).length, 1, text);
});

test('int64 text is read exactly, and clamped where a number could not hold it', () => {
  assert.deepEqual(['0', '-0', '+7', '007', ' 42 '].map(readInt64), [0, 0, 7, 7, 42]);
  assert.equal(readInt64('9223372036854775807'), Number.MAX_SAFE_INTEGER);
  for (const text of [
    '9223372036854775808',
    '1.5',
    '1e3',
    '0x10',
    '',
    ' ',
    '--1',
    '١',
    '1'.repeat(100_000),
  ]) {
    assert.equal(readInt64(text), undefined, text.slice(0, 20));
  }
});

test('hostile names do not reach an object prototype', () => {
  const raw = JSON.parse('{"__proto__": "1", "constructor": "2", "Data": "2026"}');
  assert.deepEqual(read(raw), { Tamanho: 50, Xml: false, Data: 2026 });
});
