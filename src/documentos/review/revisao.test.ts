import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { writeHash } from '../bytes/hash-guardado.ts';
import {
  AGORA,
  type Cofre,
  chaveDe,
  DESTINATARIO,
  EMITENTE,
  evento,
  nota,
  openCofre,
  TERCEIRO,
} from '../cofre-testing.ts';
import { deleteDocumentos } from '../delete/excluir.ts';
import { entradaPorNsu } from '../read/feed.ts';

let cofre: Cofre;
beforeEach(async () => {
  cofre = await openCofre();
});
afterEach(() => cofre.db.close());

interface Estado {
  ultimo: number;
  revisao: number;
}

async function estadoDe(id: number): Promise<Estado> {
  const row = await cofre.db.read
    .selectFrom('cliente')
    .select(['ultimo_nsu', 'revisao'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { ultimo: row.ultimo_nsu, revisao: row.revisao };
}

/** With the hashes of their bytes, which texts are of. */
const mostradas = (clienteId: number, ultimo: number) =>
  Promise.all(
    Array.from({ length: ultimo }, (_, at) => entradaPorNsu(cofre.db.read, { clienteId, nsu: at + 1 })),
  );

/** Does something, and holds what a feed showed before against what it shows of the same numbers now. */
async function mudou(
  id: number,
  act: () => Promise<unknown>,
): Promise<{ mostra: boolean; revisao: boolean }> {
  const antes = await estadoDe(id);
  const mostrava = await mostradas(id, antes.ultimo);
  await act();
  const depois = await estadoDe(id);
  return {
    mostra: JSON.stringify(mostrava) !== JSON.stringify(await mostradas(id, antes.ultimo)),
    revisao: depois.revisao > antes.revisao,
  };
}

const SIM = { mostra: true, revisao: true };
const NAO = { mostra: false, revisao: false };

describe('the revision of a feed', () => {
  test('stands still while documents come, and grows when one that was shown is cancelled', async () => {
    const emitente = await cofre.registrar(EMITENTE);
    const destinatario = await cofre.registrar(DESTINATARIO);
    const terceiro = await cofre.registrar(TERCEIRO);
    await cofre.gravar(nota());
    assert.deepEqual(await mudou(emitente, () => cofre.gravar(nota({ numero: 2 }))), NAO);
    assert.deepEqual(await mudou(emitente, () => cofre.gravar(nota())), NAO);
    const before = await estadoDe(terceiro);
    assert.deepEqual(await mudou(emitente, () => cofre.gravar(evento(chaveDe({})))), SIM);
    assert.deepEqual(await mudou(destinatario, () => cofre.gravar(evento(chaveDe({ numero: 2 })))), SIM);
    assert.deepEqual(await estadoDe(terceiro), before);
  });

  test('grows when a document takes the place of an event that came before it', async () => {
    const emitente = await cofre.registrar(EMITENTE);
    await cofre.gravar(evento(chaveDe({})));
    assert.deepEqual(await mudou(emitente, () => cofre.gravar(nota())), SIM);
  });

  test('grows when a version takes the place of another', async () => {
    const emitente = await cofre.registrar(EMITENTE);
    await cofre.gravar(nota({ cStat: null }));
    assert.deepEqual(await mudou(emitente, () => cofre.gravar(nota())), SIM);
  });

  test('grows when a document is deleted, and when another version is served by hand', async () => {
    const emitente = await cofre.registrar(EMITENTE);
    await cofre.gravar(nota());
    const { documento_id: id } = await cofre.db.read
      .selectFrom('entrada')
      .select('documento_id')
      .where('cliente_id', '=', emitente)
      .executeTakeFirstOrThrow();
    const { contadorId } = cofre;
    const excluir = () =>
      cofre.db.write
        .transaction()
        .execute((trx) => deleteDocumentos(trx, { contadorId, ids: [id], agora: AGORA }));
    assert.deepEqual(await mudou(emitente, excluir), SIM);
    const trocar = () =>
      cofre.db.write
        .updateTable('versao')
        .set({ sha256: writeHash('00ff') })
        .where('documento_id', '=', id)
        .execute();
    assert.deepEqual(await mudou(emitente, trocar), SIM);
  });
});
