import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCaminho } from './caminho.ts';
import { LEIAUTES } from './tabela.ts';
import { validateLeiaute } from './validar-leiaute.ts';

const MINIMO = {
  id: 'cidade-nova',
  nome: 'Cidade Nova',
  fonte: 'notas da cidade',
  nota: { elemento: ['nota'], tem: ['./numero'] },
  numero: ['./numero'],
  data: { campos: ['./data'] },
  prestador: { cpfCnpj: ['./prestador/cnpj'] },
  valor: ['./valor'],
};
const faltas = (valor: unknown): string[] => {
  const read = validateLeiaute(valor);
  return read.ok ? [] : read.faltas;
};

describe('a description of a layout', () => {
  it('of ours is JSON and passes its own check, each under a name of its own', () => {
    for (const leiaute of LEIAUTES)
      assert.deepEqual(faltas(JSON.parse(JSON.stringify(leiaute))), [], leiaute.id);
    assert.equal(new Set(LEIAUTES.map(({ id }) => id)).size, LEIAUTES.length);
  });

  it('may be no longer than its needs', () => assert.deepEqual(faltas(MINIMO), []));

  const wrong: [string, unknown, RegExp][] = [
    ['is no object', [], /^O leiaute deve ser um objeto/],
    ['lacks its number', { ...MINIMO, numero: undefined }, /numero deve ser uma lista/],
    ['has no place for its number', { ...MINIMO, numero: [] }, /numero deve ter ao menos 1/],
    ['has a field that nobody reads', { ...MINIMO, funcao: 'x' }, /O campo funcao não existe/],
    [
      'has one inside',
      { ...MINIMO, data: { campos: ['./d'], forma: 'x' } },
      /O campo data\.forma não existe/,
    ],
    ['has a name that is none', { ...MINIMO, id: 'Cidade Nova' }, /^id deve ser/],
    [
      'has a place that is none',
      { ...MINIMO, valor: ['./a[1]'] },
      /valor\[1\]: o caminho .* nome que não vale em "a\[1\]"/,
    ],
    ['has a place from nowhere', { ...MINIMO, valor: ['valor'] }, /não começa por/],
    ['has too deep a place', { ...MINIMO, valor: ['./a/b/c/d/e/f'] }, /passa de 5 passos/],
    [
      'has too many places',
      { ...MINIMO, valor: Array.from({ length: 13 }, () => './v') },
      /valor passa de 12/,
    ],
    [
      'has a city that is none',
      { ...MINIMO, municipio: { fixo: '123' } },
      /municipio\.fixo deve ser um código do IBGE/,
    ],
    [
      'has an own code for no city',
      { ...MINIMO, municipio: { proprios: { 9: 'x' } } },
      /municipio\.proprios\.9 deve ser um código do IBGE/,
    ],
    [
      'has a sign of no kind',
      { ...MINIMO, situacao: [{ tipo: 'cor', campos: ['./c'] }] },
      /situacao\[1\]\.tipo deve ser/,
    ],
    [
      'has codes for a date',
      { ...MINIMO, situacao: [{ tipo: 'data', campos: ['./c'], cancelada: ['2'] }] },
      /situacao\[1\]\.cancelada não existe/,
    ],
    ['has nowhere its prestador', { ...MINIMO, prestador: { cpfCnpj: [] } }, /prestador deve ter um caminho/],
    ['has a text for a yes', { ...MINIMO, chaveNacionalDaNota: 'sim' }, /deve ser true ou false/],
  ];
  for (const [what, valor, says] of wrong)
    it(`that ${what} is told so`, () => assert.match(faltas(valor).join(' '), says));

  it('lacking all is told all that it lacks', () => {
    assert.deepEqual(
      faltas({}).map((falta) => /Falta o campo (\w+)/.exec(falta)?.[1]),
      ['id', 'nome', 'fonte', 'nota', 'numero', 'data', 'prestador', 'valor'],
    );
  });
});

describe('a place', () => {
  it('is taken apart into its steps, names without case and marks', () => {
    const read = readCaminho('.//Dados_Prestador|prest/CNPJ');
    assert.ok(!('falta' in read));
    assert.equal(read.daNota, true);
    assert.deepEqual(
      read.passos.map(({ nomes, fundo }) => [nomes.join(' '), fundo]),
      [
        ['dadosprestador prest', true],
        ['cnpj', false],
      ],
    );
  });

  it('may not have three bars, no name, or begin with one bar', () => {
    for (const texto of ['///a', './/a///b', './', '//', '/a', 'a', './a|', `.//${'a'.repeat(81)}`])
      assert.ok('falta' in readCaminho(texto), texto);
  });
});
