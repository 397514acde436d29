import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { type Cofre, chaveDe, EMITENTE, esperado, evento, nota, openCofre } from '../cofre-testing.ts';

let cofre: Cofre;
beforeEach(async () => {
  cofre = await openCofre();
  await cofre.registrar(EMITENTE);
});
afterEach(() => cofre.db.close());

const CHAVE = chaveDe({});

async function esperados(): Promise<{ chave: string; origem: string }[]> {
  const rows = await cofre.db.read.selectFrom('esperado').select(['chave', 'origem']).execute();
  return rows.map(({ chave, origem }) => ({ chave, origem }));
}

describe('expected documents', () => {
  test('a key of a list is expected until its document comes', async () => {
    const [peca] = await cofre.gravar(esperado(CHAVE));
    assert.equal(peca?.resultado, 'esperado');
    assert.deepEqual(await esperados(), [{ chave: CHAVE, origem: 'lista' }]);
    await cofre.gravar(nota());
    assert.deepEqual(await esperados(), []);
  });

  test('a key whose document is there is told as a duplicate', async () => {
    await cofre.gravar(nota());
    const [peca] = await cofre.gravar(esperado(CHAVE));
    assert.equal(peca?.resultado, 'duplicado');
    assert.equal(peca?.codigo, 'documento_ja_importado');
    assert.deepEqual(await esperados(), []);
  });

  test('a key and its document in one batch, in either order, expect nothing', async () => {
    await cofre.gravar(esperado(CHAVE), nota());
    await cofre.gravar(nota({ numero: 2 }), esperado(chaveDe({ numero: 2 })));
    assert.deepEqual(await esperados(), []);
  });

  test('a key twice, in one list or in two, is expected once', async () => {
    await cofre.gravar(esperado(CHAVE), esperado(CHAVE));
    await cofre.gravar(esperado(CHAVE));
    assert.equal((await esperados()).length, 1);
  });

  test('an event whose document has not come announces it', async () => {
    await cofre.gravar(evento(CHAVE));
    assert.deepEqual(await esperados(), [{ chave: CHAVE, origem: 'evento' }]);
    await cofre.gravar(nota());
    assert.deepEqual(await esperados(), []);
  });

  test('an event whose document is there, or comes with it, announces nothing', async () => {
    await cofre.gravar(nota());
    await cofre.gravar(evento(CHAVE));
    await cofre.gravar(evento(chaveDe({ numero: 2 })), nota({ numero: 2 }));
    assert.deepEqual(await esperados(), []);
  });

  test('a document of homologação fulfils no key, and its event announces none', async () => {
    await cofre.gravar(esperado(CHAVE), evento(chaveDe({ numero: 2 }), { ambiente: 2 }));
    await cofre.gravar(nota({ ambiente: 2 }));
    assert.deepEqual(await esperados(), [{ chave: CHAVE, origem: 'lista' }]);
    const [peca] = await cofre.gravar(esperado(CHAVE));
    assert.equal(peca?.resultado, 'esperado');
  });

  test('a summary announces its note until the note comes, and says what it is', async () => {
    const mensagem = 'Resumo (resNFe) da nota.';
    const resumo = { ...esperado(CHAVE), especie: 'Resumo', origem: 'resumo', mensagem } as const;
    const [peca] = await cofre.gravar(resumo);
    assert.equal(peca?.resultado, 'esperado');
    assert.equal(peca?.mensagem, `${mensagem} A nota consta como faltante até o XML chegar.`);
    assert.deepEqual(await esperados(), [{ chave: CHAVE, origem: 'resumo' }]);
    await cofre.gravar(nota());
    assert.deepEqual(await esperados(), []);
    const [again] = await cofre.gravar(resumo);
    assert.equal(again?.codigo, 'documento_ja_importado');
    assert.equal(again?.mensagem, `O documento desta chave já está no Malote. ${mensagem}`);
  });

  test('a key keeps what tells most of it, in whatever order that came', async () => {
    const origens = ['resumo', 'lista', 'resumo_denegada', 'resumo'] as const;
    await cofre.gravar(...origens.map((origem) => ({ ...esperado(CHAVE), origem })));
    assert.deepEqual(await esperados(), [{ chave: CHAVE, origem: 'resumo_denegada' }]);
    await cofre.gravar(esperado(CHAVE));
    await cofre.gravar({ ...esperado(CHAVE), origem: 'resumo_cancelada' });
    await cofre.gravar({ ...esperado(CHAVE), origem: 'resumo_denegada' });
    assert.deepEqual(await esperados(), [{ chave: CHAVE, origem: 'resumo_cancelada' }]);
  });

  test('a list longer than one statement takes is remembered whole', async () => {
    await cofre.gravar(...Array.from({ length: 2_500 }, (_, i) => esperado(chaveDe({ numero: i + 1 }))));
    assert.equal((await esperados()).length, 2_500);
  });
});
