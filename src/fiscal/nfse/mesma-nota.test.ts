import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chaveDe } from '../amostras-de-teste.ts';
import type { Chave } from '../tipos.ts';
import { chave50, PRESTADOR } from './amostras-de-teste.ts';
import { outrasChavesDaNfse } from './mesma-nota.ts';

const finds = (chave: string, outra: string) =>
  outrasChavesDaNfse(chave as Chave).some(({ de, ate }) => de <= outra && outra <= ate);

/** Whether each is looked for from the other. */
function both(chave: string, outra: string): boolean {
  assert.equal(finds(chave, outra), finds(outra, chave));
  return finds(chave, outra);
}

describe('the other key of an NFS-e', () => {
  const composta = (numero: string, prestador = PRESTADOR, municipio = '3550308') =>
    `NFSE-${municipio}-${prestador}-${numero}`;

  it('has the same city, prestador and number, whatever the city numbers by', () => {
    assert.ok(both(chave50('42'), composta('42')));
    assert.ok(both(chave50('42'), `${composta('42')}~40670945`));
    assert.ok(both(chave50('7', '52998224725', '1'), composta('7', '52998224725')));
    assert.ok(both(chave50('42', '7A9B1C2D000101'), composta('42', '7A9B1C2D000101')));
  });

  it('is not that of another city, prestador or number', () => {
    assert.ok(!both(chave50('42'), composta('421')));
    assert.ok(!both(chave50('42'), composta('4')));
    assert.ok(!both(chave50('42'), composta('42', PRESTADOR, '3304557')));
    assert.ok(!both(chave50('42'), composta('42', '52998224725')));
  });

  it('is not looked for where the key does not say enough, or is of something else', () => {
    for (const chave of [
      chaveDe(),
      composta('42', PRESTADOR, '0000000'),
      composta('202600000000015'),
      composta('4.2'),
    ])
      assert.deepEqual(outrasChavesDaNfse(chave as Chave), [], chave);
  });
});
