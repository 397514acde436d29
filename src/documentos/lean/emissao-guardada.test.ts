import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { lerEmissao, writeEmissao } from './emissao-guardada.ts';

const guardada = (texto: string) => {
  const emitido_em = Date.parse(texto);
  return { data_emissao: writeEmissao(texto, emitido_em), emitido_em };
};

describe('the date of issue', () => {
  test('is kept as its offset beside the instant, and read as it was written', () => {
    for (const [texto, escrito] of [
      ['2026-01-27T16:39:32-03:00', ''],
      ['2026-12-31T23:59:59-02:00', '-02:00'],
      ['2026-03-01T00:00:00+00:00', '+00:00'],
      ['2026-03-01T00:00:00-00:00', '-00:00'],
      ['2024-02-29T23:30:00+05:30', '+05:30'],
    ] as const) {
      assert.equal(guardada(texto).data_emissao, escrito);
      assert.equal(lerEmissao(guardada(texto)), texto);
    }
  });

  test('in a form that the instant does not give back is kept as it stands', () => {
    for (const texto of [
      '2026-01-27T16:39:32Z',
      '2026-01-27T16:39:32.123-03:00',
      '2026-01-27T24:00:00-03:00',
      '2026-01-27T16:39-03:00',
      '2026-01-27',
      'ontem',
      '2026-13-27T16:39:32-03:00',
      '+012026-01-27T16:39:32-03:00',
    ]) {
      assert.equal(guardada(texto).data_emissao, texto);
      assert.equal(lerEmissao(guardada(texto)), texto);
    }
    assert.equal(
      lerEmissao({ data_emissao: '-03:00', emitido_em: Date.parse('2026-01-27T16:39:32-03:00') }),
      '2026-01-27T16:39:32-03:00',
    );
    // The instant is another one than the text names.
    assert.equal(writeEmissao('2026-01-27T16:39:32-03:00', 0), '2026-01-27T16:39:32-03:00');
  });

  test('of any day and offset is read as it was written', () => {
    const two = (max: number) => fc.nat(max).map((n) => String(n).padStart(2, '0'));
    const drawn = fc.tuple(fc.nat(9_999), two(13), two(32), two(25), two(60), two(60), two(24), two(60));
    const property = fc.property(drawn, fc.constantFrom('+', '-'), ([year, ...rest], sinal) => {
      const [mes, dia, hora, minuto, segundo, horas, minutos] = rest;
      const ano = String(year).padStart(4, '0');
      const texto = `${ano}-${mes}-${dia}T${hora}:${minuto}:${segundo}${sinal}${horas}:${minutos}`;
      assert.equal(lerEmissao(guardada(texto)), texto);
    });
    fc.assert(property, { numRuns: 2_000 });
  });
});
