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

const LINKS = { download: 'http://x/d', finalidade: '', evento: '' };

test('a record has every key of the specification in its order, then ours', () => {
  const registro = presentEntrada(entrada, LINKS);
  assert.deepEqual(Object.keys(registro), KEYS);
  assert.equal(registro.data_emissao, '2026-03-01T10:00:00-04:00');
  assert.equal(registro.data_importacao, '2026-03-01T22:02:03-03:00');
  assert.deepEqual(
    [registro.xml, registro.url_finalidade, registro.municipio_prestacao, registro.evento],
    ['', '', 0, null],
    'what was not asked for or does not apply has its type',
  );
});

test('a missing number has the same keys with their types, and null where no time is known', () => {
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
    [0, '', null, 'Faltante', '1', '9'],
  );
  assert.deepEqual(
    [registro.url_download, registro.xml, registro.url_finalidade, registro.municipio_prestacao],
    ['', '', '', 0],
  );
});

test('an event is told apart, its text last; one without bytes of its own has the time of the entry', () => {
  const evento = {
    codigo: '110111',
    descricao: 'Cancelamento',
    sequencia: 1,
    id: `ID110111${entrada.chave}01`,
    data: '2026-03-01T11:00:00-03:00',
    prova: 'assinada' as const,
    versaoId: 3,
    revisao: 1,
    tamanho: 10,
    xml: '<evento/>',
  };
  const registro = presentEntrada({ ...entrada, evento }, { ...LINKS, evento: 'http://x/e' });
  assert.deepEqual(Object.entries(registro.evento ?? {}), [
    ['codigo', '110111'],
    ['descricao', 'Cancelamento'],
    ['sequencia', 1],
    ['id', `ID110111${entrada.chave}01`],
    ['data', '2026-03-01T11:00:00-03:00'],
    ['prova', 'assinada'],
    ['url_download', 'http://x/e'],
    ['xml', '<evento/>'],
  ]);
  const correcao = { ...evento, codigo: 'correcao', data: null, versaoId: null, xml: null };
  const outro = presentEntrada({ ...entrada, evento: correcao }, LINKS).evento;
  assert.deepEqual([outro?.data, outro?.url_download, outro?.xml], ['2026-03-01T22:02:03-03:00', '', '']);
});

test('an instant is shown to the second in America/Sao_Paulo', () => {
  assert.equal(presentInstante(Date.UTC(2026, 0, 1, 2, 59, 59, 999)), '2025-12-31T23:59:59-03:00');
});
