import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { FalhaDeProva } from '../../fiscal/tipos.ts';
import {
  type Cofre,
  chaveDe,
  collect,
  DESTINATARIO,
  EMITENTE,
  evento,
  inutilizacao,
  nota,
  type OpcoesDaNota,
  openCofre,
  TERCEIRO,
  TRANSPORTADOR,
} from '../cofre-testing.ts';
import { paginaDeFaltantes } from '../read/faltantes.ts';
import { entradaPorChave } from '../read/feed.ts';
import type { PecaLida } from '../tipos.ts';
import { verifyCofre } from '../verify/verificar.ts';

const CHAVE = chaveDe({});
const ALTERADA: readonly FalhaDeProva[] = ['alterada', 'protocolo_de_outro_conteudo'];
const DE_ESTRANHO: readonly FalhaDeProva[] = ['titular_diverso', 'cadeia_invalida'];

let cofre: Cofre;
let cliente: number;
beforeEach(async () => {
  cofre = await openCofre();
  cliente = await cofre.registrar(EMITENTE);
});
afterEach(() => cofre.db.close());

const documento = async () => {
  const entrada = await entradaPorChave(cofre.db.read, {
    clienteId: cliente,
    contadorId: cofre.contadorId,
    chave: CHAVE,
  });
  assert.ok(entrada);
  return entrada;
};
const mostrado = async () => {
  const { status, prova } = await documento();
  return `${status}, ${prova}`;
};
const item = async (peca: PecaLida) => {
  const [gravada] = await cofre.gravar(peca);
  assert.ok(gravada);
  return gravada;
};
const sha256De = (peca: PecaLida) => (peca.kind === 'registro' ? peca.conteudo.sha256 : '');

describe('a forged copy', () => {
  const forjadas: [string, OpcoesDaNota][] = [
    ['altered after signing', { conteudo: 'x', falhas: ALTERADA, cStat: '101' }],
    ['signed by a stranger', { conteudo: 'y', falhas: DE_ESTRANHO }],
    ['whose signature was taken away', { conteudo: 'z', falhas: ['sem_assinatura'] }],
  ];
  for (const [name, opcoes] of forjadas) {
    test(`${name} that comes first gives way to the genuine note, and is kept`, async () => {
      await cofre.gravar(nota(opcoes));
      const genuina = nota();
      assert.equal((await item(genuina)).resultado, 'atualizado');
      assert.equal((await documento()).sha256, sha256De(genuina));
      assert.equal(await mostrado(), 'Autorizada, assinada');
      assert.equal((await cofre.feed(cliente)).length, 2, 'who read the forged one is told');
    });

    test(`${name} that comes later changes nothing, and its row says what it is`, async () => {
      const genuina = nota();
      await cofre.gravar(genuina);
      const { resultado, mensagem } = await item(nota(opcoes));
      assert.equal(resultado, 'conflito');
      assert.match(mensagem ?? '', /continua sendo a entregue/);
      assert.equal((await documento()).sha256, sha256De(genuina));
      assert.equal(await mostrado(), 'Autorizada, assinada');
      assert.equal((await cofre.feed(cliente)).length, 1);
    });
  }

  test('that is alone is kept, and said to be only declared', async () => {
    const { resultado, codigo, mensagem } = await item(nota({ falhas: DE_ESTRANHO }));
    assert.deepEqual([resultado, codigo], ['novo', 'sem_prova']);
    assert.match(mensagem ?? '', /quem assinou não é quem devia assinar; o certificado não é da ICP-Brasil/);
    assert.equal(await mostrado(), 'Autorizada, declarada');
  });
});

describe('a cancellation', () => {
  test('that is proven as its note is cancels it', async () => {
    await cofre.gravar(nota());
    const { resultado, codigo } = await item(evento(CHAVE));
    assert.deepEqual([resultado, codigo], ['evento', null]);
    assert.equal(await mostrado(), 'Cancelada, assinada');
  });

  for (const order of ['before', 'after'] as const) {
    test(`that nobody signed cancels it marked, when it comes ${order} it`, async () => {
      const cancelamento = evento(CHAVE, { falhas: ['sem_assinatura'] });
      const [primeira, segunda] = order === 'before' ? [cancelamento, nota()] : [nota(), cancelamento];
      await cofre.gravar(primeira);
      const gravada = await item(segunda);
      assert.equal(await mostrado(), 'Cancelada, declarada');
      if (order === 'after') assert.equal(gravada.codigo, 'evento_sem_prova');
    });
  }

  test('that names the protocol of another note cancels it marked', async () => {
    await cofre.gravar(nota());
    await cofre.gravar(evento(CHAVE, { protocoloDaNota: '999999999999999' }));
    assert.equal(await mostrado(), 'Cancelada, declarada');
  });

  test('in an answer that stands without its request is told, marked, and leaves the bytes as they were', async () => {
    const genuina = nota();
    await cofre.gravar(genuina);
    const { resultado, codigo, mensagem } = await item(
      nota({ cStat: '101', falhas: ['protocolo_incompleto'] }),
    );
    assert.deepEqual([resultado, codigo], ['atualizado', 'status_sem_prova']);
    assert.match(mensagem ?? '', /passa a constar como Cancelada, marcado como só declarado/);
    assert.equal(await mostrado(), 'Cancelada, declarada');
    assert.equal((await documento()).sha256, sha256De(genuina));
    assert.equal((await cofre.feed(cliente)).length, 2, 'who only reads by NSU is told');
  });

  test('that is only said is settled by the signed event', async () => {
    await cofre.gravar(nota());
    await cofre.gravar(nota({ cStat: '101', falhas: ['protocolo_incompleto'] }));
    await cofre.gravar(evento(CHAVE));
    assert.equal(await mostrado(), 'Cancelada, assinada');
  });
});

test('a letter of correction with another text and a stranger’s signature does not keep the genuine one out', async () => {
  await cofre.gravar(nota());
  const opcoes = { codigo: '110110', nProt: '135260000000009' };
  await cofre.gravar(evento(CHAVE, { ...opcoes, conteudo: 'forjada', falhas: DE_ESTRANHO }));
  const genuina = evento(CHAVE, { ...opcoes, conteudo: 'genuína' });
  assert.equal((await item(genuina)).resultado, 'atualizado');
  assert.equal(
    (await item(evento(CHAVE, { ...opcoes, conteudo: 'outra', falhas: DE_ESTRANHO }))).resultado,
    'conflito',
  );
});

test('a manifestation that a stranger takes back stays', async () => {
  await cofre.gravar(nota());
  await cofre.gravar(evento(CHAVE, { codigo: '210200', autor: DESTINATARIO, nProt: '1' }));
  const desfaz = { codigo: '210200', sequencia: null, nProt: null };
  await cofre.gravar(evento(CHAVE, { codigo: '110001', desfaz, falhas: DE_ESTRANHO }));
  const row = await cofre.db.read
    .selectFrom('documento')
    .select('manifestacao')
    .where('classe', '=', 'documento')
    .executeTakeFirstOrThrow();
  assert.equal(row.manifestacao, '210200');
});

test('an unsigned inutilização is kept and marked', async () => {
  await cofre.gravar(inutilizacao({ de: 1, ate: 2, falhas: ['sem_assinatura', 'so_resposta'] }));
  const row = await cofre.db.read
    .selectFrom('documento')
    .select(['status_prova', 'status'])
    .executeTakeFirstOrThrow();
  assert.deepEqual([row.status, row.status_prova], ['Inutilizada', 0]);
});

test('an inutilização of more numbers than SEFAZ gives up at once hides no missing number', async () => {
  for (const numero of [1, 4]) await cofre.gravar(nota({ numero }));
  await cofre.gravar(inutilizacao({ de: 1, ate: 999_999_999, falhas: ['sem_assinatura'] }));
  const faltam = async () => {
    const pagina = await paginaDeFaltantes(cofre.db.read, {
      contadorId: cofre.contadorId,
      cpfCnpj: EMITENTE,
      modelo: '55',
      desde: Date.parse('2026-03-01T00:00:00-03:00'),
      ate: Date.parse('2026-04-01T00:00:00-03:00'),
      pagina: 1,
      tamanho: 50,
    });
    return pagina.faltantes.map(({ numero }) => numero);
  };
  assert.deepEqual(await faltam(), ['2', '3']);
  await cofre.gravar(inutilizacao({ de: 2, ate: 2 }));
  assert.deepEqual(await faltam(), ['3']);
});

describe('what is said in the name of somebody else', () => {
  const manifestacao = async () =>
    (
      await cofre.db.read
        .selectFrom('documento')
        .select('manifestacao')
        .where('classe', '=', 'documento')
        .executeTakeFirstOrThrow()
    ).manifestacao;

  test('manifests nothing, unless its author is the recipient, whichever branch of his', async () => {
    await cofre.gravar(nota());
    // The answer, which nobody signs, may name whom it likes.
    for (const autor of [TERCEIRO, EMITENTE]) {
      await cofre.gravar(
        evento(CHAVE, {
          codigo: '210200',
          autor,
          destinatario: DESTINATARIO,
          sequencia: autor === EMITENTE ? 1 : 2,
        }),
      );
      assert.equal(await manifestacao(), null);
    }
    const filial = `${DESTINATARIO.slice(0, 8)}000299` as typeof DESTINATARIO;
    await cofre.gravar(evento(CHAVE, { codigo: '210210', autor: filial }));
    assert.equal(await manifestacao(), '210210');
  });

  const TOMADOR = TRANSPORTADOR;
  const CTE: OpcoesDaNota = { modelo: '57', outros: [['tomador', TOMADOR]] };
  const DO_CTE = chaveDe(CTE);
  const doCte = (codigo: string, autor: typeof TOMADOR, mais: Parameters<typeof evento>[1] = {}) =>
    evento(DO_CTE, { codigo, autor, nProt: '9', ...mais });
  /** What each of its events is shown to be, by its author. */
  const provas = async () =>
    (
      await cofre.db.read
        .selectFrom('documento')
        .select(['autor', 'status_prova'])
        .where('classe', '=', 'evento')
        .orderBy('id')
        .execute()
    ).map(({ autor, status_prova }) => [autor, status_prova]);
  const ASSINADA = 2;

  test('of a CT-e only who pays for it says that it is not as agreed, and he alone takes it back', async () => {
    const filial = `${TOMADOR.slice(0, 8)}000299` as typeof TOMADOR;
    // The recipient of the goods does not pay for them, and the first of the events comes before there is a CT-e.
    await cofre.gravar(doCte('610110', DESTINATARIO));
    await cofre.gravar(nota(CTE));
    assert.equal(await manifestacao(), null);
    const { codigo, mensagem } = await item(doCte('610110', TERCEIRO, { sequencia: 2 }));
    assert.equal(codigo, 'evento_sem_prova');
    assert.match(mensagem ?? '', /não é quem pode/);
    assert.equal(await manifestacao(), null);
    await cofre.gravar(doCte('610110', filial, { sequencia: 3 }));
    assert.equal(await manifestacao(), '610110');
    const desfaz = { codigo: '610110', sequencia: null, nProt: '9' };
    await cofre.gravar(doCte('610111', TERCEIRO, { desfaz }));
    assert.equal(await manifestacao(), '610110');
    assert.deepEqual(await provas(), [
      [DESTINATARIO, 0],
      [TERCEIRO, 0],
      [filial, ASSINADA],
      [TERCEIRO, 0],
    ]);
    await cofre.gravar(doCte('610111', TOMADOR, { sequencia: 2, desfaz }));
    assert.equal(await manifestacao(), null);
    assert.deepEqual(await collect(verifyCofre(cofre.db.read)), []);
  });

  test('a forged CT-e that names a stranger as who pays lets him say so only until the genuine one is there', async () => {
    await cofre.gravar(nota({ ...CTE, outros: [['tomador', TERCEIRO]], conteudo: 'x', falhas: DE_ESTRANHO }));
    await cofre.registrar(TERCEIRO);
    await cofre.gravar(doCte('610110', TERCEIRO), doCte('610110', TOMADOR, { sequencia: 2 }));
    assert.deepEqual(await provas(), [
      [TERCEIRO, ASSINADA],
      [TOMADOR, 0],
    ]);
    await cofre.gravar(nota(CTE));
    assert.deepEqual(await provas(), [
      [TERCEIRO, 0],
      [TOMADOR, ASSINADA],
    ]);
    assert.deepEqual(await collect(verifyCofre(cofre.db.read)), []);
  });

  test('of an NF-e nobody but issuer, recipient and carrier lets somebody have it, however well he signs', async () => {
    const terceiro = await cofre.registrar(TERCEIRO);
    const ve = async () => (await cofre.feed(terceiro)).some(({ status }) => status === 'Autorizada');
    const ator = (autor: typeof TERCEIRO, sequencia: number) =>
      evento(CHAVE, { codigo: '110150', autor, sequencia, autorizados: [TERCEIRO] });
    await cofre.gravar(ator(TERCEIRO, 1));
    await cofre.gravar(nota({ outros: [['transportador', TRANSPORTADOR]] }));
    assert.match((await item(ator(TERCEIRO, 2))).mensagem ?? '', /não é quem pode/);
    assert.equal(await ve(), false);
    await cofre.gravar(ator(TRANSPORTADOR, 3));
    assert.equal(await ve(), true);
    assert.deepEqual(
      (await provas()).map(([, prova]) => prova),
      [0, 0, ASSINADA],
    );
    assert.deepEqual(await collect(verifyCofre(cofre.db.read)), []);
  });

  test('lets nobody have the note, until it is proven', async () => {
    const terceiro = await cofre.registrar(TERCEIRO);
    const feed = async () => (await cofre.feed(terceiro)).map(({ status }) => status);
    const ator = (falhas: readonly FalhaDeProva[]) =>
      evento(CHAVE, { codigo: '110150', autorizados: [TERCEIRO], conteudo: `${falhas}`, falhas });
    await cofre.gravar(nota());
    assert.match((await item(ator(['sem_assinatura']))).mensagem ?? '', /não a recebe/);
    await cofre.gravar(ator(['cadeia_desconhecida']));
    assert.deepEqual(new Set(await feed()), new Set(['Evento']), 'of the event it sees the event');
    await cofre.gravar(ator([]));
    assert.ok((await feed()).includes('Autorizada'));
  });
});

test('a cancellation from before there was a note is only declared, and its row says why', async () => {
  await cofre.gravar(nota());
  const { codigo, mensagem } = await item(evento(CHAVE, { data: '2026-01-10T09:00:00-03:00' }));
  assert.equal(codigo, 'evento_sem_prova');
  assert.match(mensagem ?? '', /data é anterior/);
  assert.equal(await mostrado(), 'Cancelada, declarada');
});

test('what nothing proves is told when it comes, whether its note is there or not', async () => {
  const { codigo } = await item(evento(CHAVE, { falhas: ['sem_assinatura'] }));
  assert.equal(codigo, 'evento_sem_prova');
  const cancelada = nota({ numero: 77, cStat: '101' });
  assert.equal((await item(cancelada)).codigo, 'status_sem_prova');
});
