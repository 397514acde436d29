import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FALHA_DE_PROVA } from '../../fiscal/tipos.ts';
import { type Cofre, chaveDe, EMITENTE, nota, openCofre } from '../cofre-testing.ts';
import { entradaPorChave } from '../read/feed.ts';
import { provarPelaFonte } from './provar-pela-fonte.ts';
import { writeVeredicto } from './revisar.ts';

describe('bytes that are there and come again from the authority', () => {
  let cofre: Cofre;
  let clienteId: number;
  beforeEach(async () => {
    cofre = await openCofre();
    clienteId = await cofre.registrar(EMITENTE);
  });
  afterEach(() => cofre.db.close());

  const shown = async () => {
    const input = { clienteId, contadorId: cofre.contadorId, chave: chaveDe({}) };
    return (await entradaPorChave(cofre.db.read, input))?.prova;
  };

  it('are proven by that, and stay so when they are read anew', async () => {
    const peca = nota({ falhas: [FALHA_DE_PROVA.semAssinatura] });
    assert.ok(peca.kind === 'registro');
    await cofre.gravar(peca);
    assert.equal(await shown(), 'declarada');
    const { contadorId, agora } = cofre;
    const { id, documento_id } = await cofre.db.read
      .selectFrom('versao')
      .select(['id', 'documento_id'])
      .executeTakeFirstOrThrow();
    await cofre.db.write.transaction().execute(async (trx) => {
      await provarPelaFonte(trx, { contadorId, agora, duplicados: [{ documentoId: documento_id, peca }] });
      await writeVeredicto(trx, { id, peca });
    });
    assert.equal(await shown(), 'sefaz');
    const { prova } = await cofre.db.read.selectFrom('versao').select('prova').executeTakeFirstOrThrow();
    assert.equal(prova, 3);
  });
});
