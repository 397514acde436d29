import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFiltro, STATUS_NFCE, STATUS_NFE, statusDe, TIPOS, tipoDe } from './filtros.ts';

test('Tipo is read in any case, number and gender', () => {
  for (const text of ['Emitidas', 'emitida', 'EMITIDO', 'Emitidos', ' emi-ti_das ']) {
    assert.equal(readFiltro(text, TIPOS), 'Emitidas', text);
  }
  assert.equal(readFiltro('recebidos', TIPOS), 'Recebidas');
  for (const text of ['Todas', 'todos', 'Todo']) assert.equal(readFiltro(text, TIPOS), 'Todas', text);
});

test('Status is read without regard to accents, blanks, hyphens and underscores', () => {
  for (const text of [
    'CartaCorrecao',
    'Carta de Correção',
    'carta_correcao',
    'CARTA-DE-CORREÇÃO',
    'Cartas de Correção',
    'cartas de correções',
    'cce',
  ]) {
    assert.equal(readFiltro(text, STATUS_NFE), 'CartaCorrecao', text);
  }
  const others = {
    cancelada: 'Canceladas',
    Denegado: 'Denegadas',
    inutilizados: 'Inutilizadas',
    faltante: 'Faltantes',
  };
  for (const [text, value] of Object.entries(others)) assert.equal(readFiltro(text, STATUS_NFE), value);
});

test('each status that a record shows can be sent back as a filter', () => {
  for (const text of ['Autorizada', 'Cancelada', 'Denegada', 'Inutilizada', 'CartaCorrecao', 'Faltante']) {
    assert.ok(readFiltro(text, STATUS_NFE), text);
  }
});

test('words of another route, and others, are refused', () => {
  assert.equal(readFiltro('Denegadas', STATUS_NFCE), undefined);
  for (const text of ['', 'x', 'Emitidasx', 'Emitidas,Recebidas', '*', 'carta', 'Pendente']) {
    assert.equal(readFiltro(text, TIPOS), undefined, text);
    assert.equal(readFiltro(text, STATUS_NFE), undefined, text);
  }
});

test('filters select the words that records show', () => {
  assert.deepEqual(TIPOS.map(tipoDe), ['Emitida', 'Recebida', null]);
  assert.deepEqual(STATUS_NFCE.map(statusDe), ['Autorizada', 'Cancelada', null]);
});
