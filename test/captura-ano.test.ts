/** Some weeks of the simulated year (`npm run captura:ano`), with more going wrong in them. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Ano } from './captura-ano/ano.ts';

it('weeks of capture block nobody, lose and double nothing, and are never late', async () => {
  const ano = new Ano({
    semente: 'semanas',
    clientes: 8,
    dias: 7,
    documentosPorMes: 90,
    falhasPorMil: 10,
    sossegoDias: 1,
    semParar: false,
  });
  const { mediana_min, pior_min, documentos, ...counts } = await ano.run();
  const notes = ano.notas.join('\n');
  const none = { bloqueios: 0, perdidos: 0, dobrados: 0, limites_violados: 0 };
  assert.deepEqual(counts, none, notes);
  assert.ok(documentos > 100, `${documentos} documents: the weeks were too quiet to say anything`);
  assert.ok(mediana_min < 70, `median of ${mediana_min} min`);
  assert.ok(pior_min <= 180, `${pior_min} min\n${notes}`);
});
