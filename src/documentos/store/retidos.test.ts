import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
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
  TRANSPORTADOR,
} from '../cofre-testing.ts';
import { PAPEL_EM_CODIGO } from '../lean/codigos.ts';
import { entregarHomologacao } from './retidos.ts';

let cofre: Cofre;
beforeEach(async () => {
  cofre = await openCofre();
});
afterEach(() => cofre.db.close());

const CHAVE = chaveDe({});

function numeros(feed: readonly { chave: string }[]): number[] {
  return feed.map(({ chave }) => Number(chave.slice(25, 34)));
}

describe('documents of nobody', () => {
  test('are held, and the message names the parties as people write them', async () => {
    const [peca] = await cofre.gravar(nota());
    assert.equal(peca?.resultado, 'sem_cliente');
    assert.equal(peca?.codigo, 'cliente_nao_cadastrado');
    assert.match(peca?.mensagem ?? '', /emitente 31\.313\.131\/0001-52, destinatário 42\.424\.242\/0001-/);
    assert.ok(peca?.documentoId);
  });

  test('are told as held every time they come', async () => {
    await cofre.gravar(nota());
    const [again] = await cofre.gravar(nota());
    assert.equal(again?.resultado, 'sem_cliente');
  });

  test('go to a client that is registered later, in order of arrival', async () => {
    await cofre.gravar(nota({ numero: 9 }), nota({ numero: 4 }));
    await cofre.gravar(nota({ numero: 7 }));
    const id = await cofre.registrar(EMITENTE);
    const feed = await cofre.feed(id);
    assert.deepEqual(numeros(feed), [9, 4, 7]);
    assert.deepEqual(
      feed.map(({ nsu }) => nsu),
      [1, 2, 3],
    );
  });

  test('go to each client when it is registered, and not again to one who has them', async () => {
    const emitente = await cofre.registrar(EMITENTE);
    await cofre.gravar(nota());
    const destinatario = await cofre.registrar(DESTINATARIO);
    assert.equal((await cofre.feed(emitente)).length, 1);
    assert.equal((await cofre.feed(destinatario)).length, 1);
  });

  test('show the status that events have given them meanwhile', async () => {
    await cofre.gravar(evento(CHAVE));
    await cofre.gravar(nota());
    const id = await cofre.registrar(DESTINATARIO);
    assert.deepEqual(await cofre.feed(id), [
      { nsu: 1, chave: CHAVE, status: 'Cancelada' },
      { nsu: 2, chave: CHAVE, status: 'Cancelada' },
    ]);
  });

  test('are handed over whole when there are more of them than one step takes', async () => {
    const outros = [
      ['transportador', TRANSPORTADOR],
      ['autorizado', TRANSPORTADOR],
      ['retirada', TRANSPORTADOR],
    ] as const;
    const total = 2_345;
    for (let first = 1; first <= total; first += 500) {
      const count = Math.min(500, total - first + 1);
      await cofre.gravar(...Array.from({ length: count }, (_, i) => nota({ numero: first + i, outros })));
    }
    const id = await cofre.registrar(TRANSPORTADOR);
    const feed = await cofre.feed(id);
    const expected = Array.from({ length: total }, (_, i) => i + 1);
    assert.deepEqual(numeros(feed), expected);
    assert.deepEqual(
      feed.map(({ nsu }) => nsu),
      expected,
    );
    const papeis = await cofre.db.read.selectFrom('participacao').select('papel').distinct().execute();
    assert.deepEqual(
      papeis.map(({ papel }) => PAPEL_EM_CODIGO.ler(papel)),
      ['transportador'],
    );
  });

  test('of another office are not handed over', async () => {
    await cofre.gravar(nota());
    const outro = await cofre.novoContador();
    assert.deepEqual(await cofre.feed(await cofre.registrar(EMITENTE, outro)), []);
  });
});

describe('documents of homologação', () => {
  test('are kept apart, told as such and seen by nobody', async () => {
    const id = await cofre.registrar(EMITENTE);
    const [peca] = await cofre.gravar(nota({ ambiente: 2 }));
    assert.equal(peca?.resultado, 'homologacao');
    assert.match(peca?.mensagem ?? '', /tpAmb 2/);
    assert.deepEqual(await cofre.feed(id), []);
    assert.deepEqual(await cofre.feed(await cofre.registrar(DESTINATARIO)), []);
  });

  test('and of production with the same key are two documents', async () => {
    const id = await cofre.registrar(EMITENTE);
    const results = await cofre.gravar(nota({ ambiente: 2 }), nota());
    assert.deepEqual(
      results.map((peca) => peca.resultado),
      ['homologacao', 'novo'],
    );
    assert.equal((await cofre.feed(id)).length, 1);
  });

  test('are delivered in order of arrival once that is switched on, and once only', async () => {
    const id = await cofre.registrar(EMITENTE);
    await cofre.gravar(
      nota({ ambiente: 2, numero: 5 }),
      nota({ numero: 1 }),
      nota({ ambiente: 2, numero: 3 }),
    );
    await cofre.gravar(evento(chaveDe({ numero: 5 }), { ambiente: 2 }));
    const deliver = () =>
      cofre.db.write.transaction().execute((trx) => entregarHomologacao(trx, { agora: AGORA }));
    assert.equal(await deliver(), 3);
    assert.deepEqual(numeros(await cofre.feed(id)), [1, 5, 3, 5]);
    assert.equal(await deliver(), 0);
  });

  test('enter the feeds at once while that is on', async () => {
    cofre.homologacao = true;
    await cofre.gravar(nota({ ambiente: 2 }));
    const emitente = await cofre.registrar(EMITENTE);
    const [peca] = await cofre.gravar(nota({ ambiente: 2, numero: 2 }));
    assert.equal(peca?.resultado, 'novo');
    assert.deepEqual(numeros(await cofre.feed(emitente)), [1, 2]);
    assert.deepEqual(await cofre.feed(await cofre.registrar(TERCEIRO)), []);
  });
});
