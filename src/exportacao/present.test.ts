import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entrada } from '../documentos/tipos.ts';
import { presentEntrada, presentFaltante, presentInstante } from './present.ts';

/** The twelve keys of the specification 2.1 in its order, then ours. */
const KEYS = [
  'nsu',
  'data_emissao',
  'data_importacao',
  'chave',
  'modelo',
  'status',
  'tipo',
  'url_download',
  'xml',
  'url_finalidade',
  'layout_nacional',
  'municipio_prestacao',
  'evento',
  'papel',
  'serie',
  'numero',
  'prova',
];

const entrada: Entrada = {
  nsu: 7,
  documentoId: 1,
  versaoId: 2,
  chave: '3'.repeat(44),
  modelo: '55',
  status: 'Autorizada',
  tipo: 'Recebida',
  papel: 'destinatario',
  serie: '1',
  numero: '42',
  dataEmissao: '2026-03-01T10:00:00-04:00',
  importadoEm: Date.parse('2026-03-02T01:02:03.456Z'),
  evento: null,
  prova: 'assinada',
  layoutNacional: false,
  municipioPrestacao: null,
  revisao: 1,
  tamanho: 100,
  xml: null,
};

test('a record has every key of the specification in its order, then ours', () => {
  const registro = presentEntrada(entrada, { download: 'http://x/d', finalidade: null });
  assert.deepEqual(Object.keys(registro), KEYS);
  assert.equal(registro.data_emissao, '2026-03-01T10:00:00-04:00');
  assert.equal(registro.data_importacao, '2026-03-01T22:02:03-03:00');
  assert.equal(registro.municipio_prestacao, null);
});

test('a missing number has the same keys, and null where nothing is known', () => {
  const registro = presentFaltante({
    modelo: '55',
    serie: '1',
    uf: null,
    numero: '9',
    chave: null,
    motivo: 'sem documento',
  });
  assert.deepEqual(Object.keys(registro), [...KEYS, 'motivo', 'explicacao']);
  assert.match(registro.explicacao, /^Nenhum documento/);
  assert.deepEqual(
    [registro.nsu, registro.chave, registro.data_emissao, registro.status, registro.serie, registro.numero],
    [null, null, null, 'Faltante', '1', '9'],
  );
});

test('an instant is shown to the second in America/Sao_Paulo', () => {
  assert.equal(presentInstante(Date.UTC(2026, 0, 1, 2, 59, 59, 999)), '2025-12-31T23:59:59-03:00');
});
