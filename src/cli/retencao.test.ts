import assert from 'node:assert/strict';
import { it } from 'node:test';
import { lineOfExclusao } from './retencao.ts';

it('a deletion is listed under the day on which the office asked for it, late in the evening too', () => {
  const exclusao = {
    id: '6cd5ca28',
    estado: 'preparada' as const,
    documentos: 2,
    excluidos: 1,
    criada_em: Date.parse('2026-11-27T01:30:00Z'),
    erro: null,
  };
  assert.equal(lineOfExclusao(exclusao), '6cd5ca28  2026-11-26  preparada   2 documentos, 1 excluído');
  assert.match(lineOfExclusao({ ...exclusao, erro: 'sem disco' }), /1 excluído {2}sem disco$/);
});
