import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { abrirCofre, type Cofre, cnpj, EMITENTE } from '../../documentos/cofre-testing.ts';
import { aquecer } from './aquecer.ts';

let cofre: Cofre;
let clienteId = 0;
beforeEach(async () => {
  cofre = await abrirCofre();
  clienteId = await cofre.registrar(EMITENTE);
  await comEntradas(await cofre.registrar(cnpj(900000000001)), 120);
});
afterEach(() => cofre.db.close());

function comEntradas(id: number, quantas: number) {
  return cofre.db.write
    .updateTable('cliente')
    .set({ ultimo_nsu: quantas })
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Warms up, with threads that note what they are given. @returns what that was, and what was told of it */
async function aquecido(input: { ensaiado?: (made: number) => void; quantos?: number } = {}) {
  const made: { clienteId: number; de: number; ate: number }[] = [];
  const told: unknown[] = [];
  const preparador = {
    threads: 2,
    get idle() {
      return made.length < (input.quantos ?? Number.POSITIVE_INFINITY);
    },
    ensaiar: async (pagina: { clienteId: number; de: number; ate: number }) => {
      made.push(pagina);
      input.ensaiado?.(made.length);
    },
  };
  const log = { debug: (...said: unknown[]) => told.push(said.at(-1)) };
  await aquecer({ db: cofre.db, preparador, log: log as never });
  return { made, told };
}

describe('a process that has started', () => {
  test('makes full pages of the longest feed for nobody, no entry behind its last', async () => {
    await comEntradas(clienteId, 450);
    const { made } = await aquecido();
    assert.equal(made.length, 20);
    const distintas = new Set(made.map((pagina) => `${pagina.clienteId} ${pagina.de}-${pagina.ate}`));
    const paginas = ['51-150', '151-250', '251-350', '351-450'];
    assert.deepEqual([...distintas].sort(), paginas.map((pagina) => `${clienteId} ${pagina}`).sort());
  });

  test('starts no threads for an empty vault, nor for one with little in it', async () => {
    assert.deepEqual((await aquecido()).made, []);
    await comEntradas(clienteId, 299);
    assert.deepEqual((await aquecido()).made, []);
    await cofre.db.write.deleteFrom('cliente').execute();
    assert.deepEqual(await aquecido(), { made: [], told: [] });
  });

  test('leaves it once somebody waits for a page', async () => {
    await comEntradas(clienteId, 450);
    assert.equal((await aquecido({ quantos: 0 })).made.length, 0);
    assert.equal((await aquecido({ quantos: 5 })).made.length, 5);
  });

  test('goes on when a document is damaged, and tells the log', async () => {
    await comEntradas(clienteId, 450);
    const { told } = await aquecido({
      ensaiado: () => {
        throw new Error('damaged');
      },
    });
    assert.deepEqual(told, ['pages could not be rehearsed']);
  });
});
