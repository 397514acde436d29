import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openBancoDeTeste } from '../../contas/banco-de-teste.ts';
import { medidaDaAtencao } from './medidas-da-captura.ts';

it('what asks for attention is counted once for as long as a hundred counts take, and again when a count has failed', async () => {
  const banco = await openBancoDeTeste();
  try {
    let [agora, counts] = [0, 0];
    const parede = () => agora;
    const relogio = { agora: parede, parede, naParede: (em: number) => em };
    const deps = { db: banco.db, relogio, ambiente: 1 } as const;
    const medida = medidaDaAtencao(async () => {
      counts++;
      agora += 1_000;
      if (counts === 2) throw new Error('the database is away');
      return deps;
    }, parede);
    const read = async () => (await medida.read()).length;
    assert.deepEqual(await Promise.all([read(), read()]), [0, 0]);
    agora += 99_999;
    await read();
    assert.equal(counts, 1);
    agora += 1;
    await assert.rejects(read(), /away/);
    await read();
    assert.equal(counts, 3, 'what failed is not remembered');
  } finally {
    await banco.close();
  }
});
