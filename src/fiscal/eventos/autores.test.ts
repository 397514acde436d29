import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CpfCnpj } from '../tipos.ts';
import { ehDeOutro, ehSoDoEmitente } from './autores.ts';
import { EVENTOS_CTE, EVENTOS_EM_COMUM, EVENTOS_NFE } from './tabela.ts';

const [UM, FILIAL, OUTRO] = ['11222333000181', '11222333000262', '44555666000181'] as CpfCnpj[] as [
  CpfCnpj,
  CpfCnpj,
  CpfCnpj,
];

test('what cancels or corrects a document is the issuer’s in every kind', () => {
  const tabelas = [
    ['55', EVENTOS_NFE],
    ['65', EVENTOS_NFE],
    ['57', EVENTOS_CTE],
    ['67', EVENTOS_CTE],
    ['62', EVENTOS_EM_COMUM],
  ] as const;
  for (const [modelo, tabela] of tabelas)
    for (const [codigo, { efeito }] of Object.entries(tabela))
      if (efeito === 'cancela' || efeito === 'carta_correcao')
        assert.equal(ehSoDoEmitente(modelo, codigo), true, `${modelo} ${codigo}`);
  assert.equal(ehSoDoEmitente('59', 'CFeCanc'), true);
});

test('who may write an event is the party that its code names, from whichever branch', () => {
  const cases: [modelo: string, codigo: string, papel: 'destinatario' | 'tomador' | 'transportador'][] = [
    ['55', '210200', 'destinatario'],
    ['55', '211130', 'destinatario'],
    ['57', '610110', 'tomador'],
    ['67', '610111', 'tomador'],
    ['NFSe', '203206', 'tomador'],
  ];
  for (const [modelo, codigo, papel] of cases) {
    const de = (autor: string | null, quem: CpfCnpj[] | null) =>
      ehDeOutro({ modelo, codigo, autor, conferido: false }, { [papel]: quem });
    assert.deepEqual([de(UM, [UM]), de(FILIAL, [UM]), de(OUTRO, [UM])], [false, false, true], codigo);
    assert.deepEqual(
      [de(OUTRO, null), de(null, [UM])],
      [false, false],
      'what is not known is not held against it',
    );
  }
});

test('a 110150 is that of any of three, and what an authority writes is not looked at', () => {
  const partes = { emitente: [UM], destinatario: [OUTRO], transportador: [] };
  const de = (codigo: string, autor: string) =>
    ehDeOutro({ modelo: '55', codigo, autor, conferido: false }, partes);
  assert.deepEqual(
    [de('110150', UM), de('110150', OUTRO), de('110150', '99888777000166'), de('990900', '99888777000166')],
    [false, false, true, false],
  );
});
