import assert from 'node:assert/strict';
import { it } from 'node:test';
import { adquiriu, direcaoDe } from './direcao.ts';
import type { Modelo, Papel } from './tipos.ts';

type Caso = [
  modelo: Modelo,
  papel: Papel,
  tpNF: '0' | '1' | null,
  ehTomador: boolean,
  direcao: string | null,
];

it('goods and services come in, go out, or only pass by, as the part and the kind of a document say', () => {
  const casos: Caso[] = [
    ['55', 'emitente', '1', false, 'Saída'],
    ['55', 'emitente', '0', false, 'Entrada'],
    ['55', 'destinatario', '1', false, 'Entrada'],
    ['55', 'destinatario', '0', false, 'Saída'],
    ['55', 'transportador', '1', false, null],
    ['55', 'autorizado', '1', false, null],
    ['55', 'intermediario', '1', false, null],
    ['55', 'entrega', '1', false, null],
    ['65', 'destinatario', '1', false, 'Entrada'],
    ['59', 'emitente', null, false, 'Saída'],
    ['59', 'destinatario', null, false, 'Entrada'],
    ['62', 'destinatario', null, false, 'Entrada'],
    ['NFSe', 'prestador', null, false, 'Saída'],
    ['NFSe', 'tomador', null, true, 'Entrada'],
    ['NFSe', 'intermediario', null, false, null],
    ['57', 'emitente', null, false, 'Saída'],
    ['57', 'tomador', null, true, 'Entrada'],
    ['57', 'destinatario', null, true, 'Entrada'],
    ['57', 'destinatario', null, false, null],
    ['57', 'remetente', null, false, null],
    ['67', 'tomador', null, true, 'Entrada'],
  ];
  for (const [modelo, papel, tpNF, ehTomador, direcao] of casos)
    assert.equal(direcaoDe({ modelo, papel, tpNF, ehTomador }), direcao, `${modelo} ${papel} ${tpNF}`);
});

it('something is acquired by what comes in, unless it comes back or is no goods', () => {
  const nota = { modelo: '55', papel: 'destinatario', tpNF: '1', ehTomador: false } as const;
  const compra = (finalidade: string | null) => adquiriu({ ...nota, finalidade });
  assert.deepEqual([null, '1', '2', '3', '4', '5', '6'].map(compra), [
    ...[true, true, true],
    ...[false, false, false, false],
  ]);
  // Codes of other kinds mean other things.
  assert.ok(adquiriu({ modelo: '57', papel: 'tomador', tpNF: null, ehTomador: true, finalidade: '4' }));
  assert.ok(!adquiriu({ modelo: '55', papel: 'emitente', tpNF: '1', ehTomador: false, finalidade: '1' }));
});
