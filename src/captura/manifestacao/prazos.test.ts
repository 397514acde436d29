import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type DocumentoAManifestar, impedimentoDe, prazoDe } from './prazos.ts';
import { type CodigoDeManifestacao, MANIFESTACOES, manifestacaoDe } from './tipos.ts';

const DAY = 86_400_000;
const AUTORIZADA = Date.parse('2026-09-01T12:00:00Z');
const NOTA: DocumentoAManifestar = {
  modelo: '55',
  status: 'Autorizada',
  autorizadaEm: AUTORIZADA,
  ehDestinatario: true,
  registradas: [],
};

function refused(
  codigo: CodigoDeManifestacao,
  outros: Partial<DocumentoAManifestar>,
  agora = AUTORIZADA + DAY,
) {
  return impedimentoDe(MANIFESTACOES[codigo], { ...NOTA, ...outros }, agora)?.codigo ?? null;
}

it('the term is of 10, 90 and 45 days from the authorisation, to the instant', () => {
  for (const [codigo, dias] of [
    ['210210', 10],
    ['210200', 90],
    ['210220', 90],
    ['210240', 90],
    ['610110', 45],
  ] as const) {
    const fim = AUTORIZADA + dias * DAY;
    const modelo = codigo === '610110' ? '57' : '55';
    assert.equal(refused(codigo, { modelo }, fim), null, codigo);
    assert.equal(refused(codigo, { modelo }, fim + 1), 'manifestacao_fora_do_prazo', codigo);
    assert.deepEqual(prazoDe(MANIFESTACOES[codigo], AUTORIZADA, AUTORIZADA), {
      codigo,
      ate: fim,
      diasRestantes: dias,
    });
    assert.equal(prazoDe(MANIFESTACOES[codigo], AUTORIZADA, fim - 1).diasRestantes, 0);
    assert.equal(prazoDe(MANIFESTACOES[codigo], AUTORIZADA, fim + 1).diasRestantes, -1);
  }
});

it('a document whose authorisation nobody knows has no term that has ended', () => {
  assert.equal(refused('210210', { autorizadaEm: null }, AUTORIZADA + 400 * DAY), null);
});

it('who is not the recipient says nothing, nor does anybody of a cancelled or denied note', () => {
  assert.equal(refused('210200', { ehDestinatario: false }), 'manifestacao_de_terceiro');
  for (const status of ['Cancelada', 'Denegada'])
    assert.equal(refused('210200', { status }), 'manifestacao_nao_se_aplica');
  assert.equal(refused('210200', { modelo: '65' }), 'manifestacao_nao_se_aplica');
  assert.equal(refused('610110', {}), 'manifestacao_nao_se_aplica');
});

it('the same is not said twice, and two conclusive ones are the most', () => {
  assert.equal(refused('210210', { registradas: ['210210'] }), 'manifestacao_ja_registrada');
  assert.equal(refused('210200', { registradas: ['210210'] }), null);
  assert.equal(refused('210200', { registradas: ['210220'] }), null);
  assert.equal(refused('210240', { registradas: ['210220', '210200'] }), 'manifestacao_ja_registrada');
  assert.equal(refused('210210', { registradas: ['210200'] }), 'manifestacao_ja_registrada');
});

it('a code that is none of ours is none, whatever words objects have', () => {
  for (const codigo of ['110111', 'constructor', '']) assert.equal(manifestacaoDe(codigo), null);
});
