import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ItemFiscal } from '../../fiscal/tipos.ts';
import { lerItens, writeItens } from './itens-guardados.ts';

const item = (numero: number, cfop: string | null, ncm: string | null, valor: string | null): ItemFiscal => ({
  numero,
  cfop,
  ncm,
  valor,
});

describe('items of a document', () => {
  test('are written short, and what repeats not again', () => {
    assert.equal(
      writeItens([
        item(1, '5405', '19053100', '23.70'),
        item(2, '5405', '04012010', '22.95'),
        item(3, '5102', '04012010', null),
        item(4, null, null, '1.00'),
        item(5, null, null, '2'),
      ]),
      '5405,19053100,23.70;,04012010,22.95;5102,,-;-,-,1.00;,,2',
    );
  });

  test('of digits alone, with amounts in centavos, take half of that', () => {
    const itens = [
      item(1, '5405', '19053100', '23.70'),
      item(2, '5405', '04012010', '0.05'),
      item(3, '6102', '04012010', '11123.00'),
    ];
    assert.match(writeItens(itens), /^![!-~]{25}$/);
    assert.deepEqual(lerItens(writeItens(itens)), itens);
  });

  test('that another form could not give back are JSON', () => {
    for (const itens of [
      [],
      [item(2, '5102', null, '1')],
      [item(1, '5102', null, '1'), item(1, '5102', null, '1')],
      [item(1, '', null, '1')],
      [item(1, '5102', '-', '1')],
      [item(1, '5102', 'a,b', '1')],
      [item(1, '5102', null, '1;2')],
    ]) {
      assert.match(writeItens(itens), /^\[/);
      assert.deepEqual(lerItens(writeItens(itens)), itens);
    }
  });

  test('come back as they were, whatever is in them', () => {
    const campo = fc.option(
      fc.oneof(fc.constantFrom('5102', '6102', '61091000', '10.00', '', '-', '[', ',', ';'), fc.string()),
    );
    const itens = fc
      .array(fc.tuple(fc.nat(3), campo, campo, campo))
      .map((drawn) =>
        drawn.map(([skip, cfop, ncm, valor], at) => item(at + 1 + (skip === 3 ? 7 : 0), cfop, ncm, valor)),
      );
    fc.assert(fc.property(itens, (some) => assert.deepEqual(lerItens(writeItens(some)), some)));
  });

  test('of rows of earlier versions are read, and of a document that was deleted there are none', () => {
    assert.deepEqual(lerItens('[[3,"5405",null,"23.70"],[4,null,"04012010",null]]'), [
      item(3, '5405', null, '23.70'),
      item(4, null, '04012010', null),
    ]);
    assert.deepEqual(lerItens(null), []);
  });
});
