import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { AGORA, type Cofre, chaveDe, EMITENTE, evento, nota, openCofre } from '../cofre-testing.ts';
import { deleteDocumentos } from '../delete/excluir.ts';
import { completar, enxugar } from './itens-enxutos.ts';

let cofre: Cofre;
beforeEach(async () => {
  cofre = await openCofre();
  await cofre.registrar(EMITENTE);
});
afterEach(() => cofre.db.close());

test('items say all that they would say had it been written, and write less', async () => {
  const pecas = [
    nota(),
    nota({ numero: 2 }),
    nota({ numero: 2, copia: 'outra' }),
    nota({ numero: 2, conteudo: 'outro' }),
    evento(chaveDe({ numero: 2 })),
    { ...nota({ numero: 3 }), caminho: 'pasta/nota.xml' },
    { ...nota({ numero: 4 }), caminho: `${chaveDe({ numero: 4 })}/${chaveDe({ numero: 4 })}.xml` },
    { ...nota({ numero: 5 }), caminho: `\u0001${chaveDe({ numero: 5 })}.xml` },
    nota({ numero: 6, ambiente: 2 }),
  ];
  const gravadas = await cofre.gravar(...pecas);
  const again = await cofre.gravar(nota());
  const all = [...gravadas, ...again];
  const rows = all.map((peca) => ({
    ...enxugar(peca),
    documento_id: peca.documentoId,
    resultado: peca.resultado,
  }));
  assert.deepEqual(
    rows.map((row) => row.chave === null),
    [true, true, false, false, true, true, true, false, false, false],
  );
  assert.deepEqual(
    (await completar(cofre.db.read, rows)).map(({ caminho, sha256, chave }) => ({ caminho, sha256, chave })),
    all.map(({ caminho, sha256, chave }) => ({ caminho, sha256, chave })),
  );
});

test('of a deleted document the hash is gone, the key stays', async () => {
  const [peca] = await cofre.gravar(nota());
  assert.ok(peca?.documentoId);
  const ids = [peca.documentoId];
  await cofre.db.write
    .transaction()
    .execute((trx) => deleteDocumentos(trx, { contadorId: cofre.contadorId, ids, agora: AGORA }));
  const [row] = await completar(cofre.db.read, [{ ...enxugar(peca), documento_id: peca.documentoId }]);
  assert.deepEqual([row?.chave, row?.sha256, row?.caminho], [peca.chave, null, peca.caminho]);
});
