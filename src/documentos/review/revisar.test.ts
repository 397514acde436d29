import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import {
  type Cofre,
  chaveDe,
  EMITENTE,
  evento,
  nota,
  type OpcoesDaNota,
  openCofre,
} from '../cofre-testing.ts';
import { CODIGO_DE_CORRECAO, MOTIVO } from '../lean/motivos.ts';
import { entradaPorChave, paginaDeNovos } from '../read/feed.ts';
import type { PecaLida, Trx } from '../tipos.ts';
import { chooseVersao, desconsiderar, reavaliar } from './revisar.ts';

const CHAVE = chaveDe({});

let cofre: Cofre;
let cliente: number;
beforeEach(async () => {
  cofre = await openCofre();
  cliente = await cofre.registrar(EMITENTE);
});
afterEach(() => cofre.db.close());

const trocar = <T>(act: (trx: Trx) => Promise<T>) => cofre.db.write.transaction().execute(act);
const idDe = async (classe: 'documento' | 'evento') => {
  const row = await cofre.db.read
    .selectFrom('documento')
    .select('id')
    .where('classe', '=', classe)
    .executeTakeFirstOrThrow();
  return row.id;
};
const mostrado = async () => {
  const input = { clienteId: cliente, contadorId: cofre.contadorId, chave: CHAVE };
  const entrada = await entradaPorChave(cofre.db.read, input);
  return `${entrada?.status}, ${entrada?.prova}`;
};
const alvo = async (classe: 'documento' | 'evento' = 'documento') => ({
  contadorId: cofre.contadorId,
  documentoId: await idDe(classe),
  agora: cofre.agora,
});
const lidaDe = (peca: PecaLida) => {
  assert.ok(peca.kind === 'registro');
  return { registro: peca.registro, prova: peca.prova };
};

/** Why documents were listed once more. */
const correcoes = async () => {
  const { entradas } = await paginaDeNovos(cofre.db.read, {
    clienteId: cliente,
    nsu: 0,
    pagina: 1,
    tamanho: 50,
    comXml: false,
  });
  const ditos = new Map<string, string>(Object.entries(MOTIVO).map(([motivo, dito]) => [dito, motivo]));
  return entradas.flatMap(({ evento: e }) =>
    e?.codigo === CODIGO_DE_CORRECAO ? [ditos.get(e.descricao)] : [],
  );
};

describe('an unproven cancellation', () => {
  test('that a person sets aside cancels nothing, until it is taken back', async () => {
    await cofre.gravar(nota());
    await cofre.gravar(evento(CHAVE, { falhas: ['sem_assinatura'] }));
    assert.equal(await mostrado(), 'Cancelada, declarada');
    const input = await alvo('evento');
    assert.equal(await trocar((trx) => desconsiderar(trx, { ...input, afastar: true })), 'feito');
    assert.equal(await mostrado(), 'Autorizada, assinada');
    assert.deepEqual(
      (await cofre.feed(cliente)).map(({ status }) => status),
      ['Autorizada', 'Cancelada', 'Autorizada'],
      'who only reads by NSU is told by another entry of the note',
    );
    assert.equal(await trocar((trx) => desconsiderar(trx, { ...input, afastar: true })), 'nada');
    assert.equal(await trocar((trx) => desconsiderar(trx, { ...input, afastar: false })), 'feito');
    assert.equal(await mostrado(), 'Cancelada, declarada');
    assert.deepEqual(await correcoes(), ['afastado', 'retomado']);
  });

  test('is told to who reads by NSU also where another one still cancels', async () => {
    await cofre.gravar(nota());
    await cofre.gravar(evento(CHAVE, { falhas: ['sem_assinatura'] }), evento(CHAVE, { sequencia: 2 }));
    const input = await alvo('evento');
    assert.equal(await trocar((trx) => desconsiderar(trx, { ...input, afastar: true })), 'feito');
    assert.deepEqual(await correcoes(), ['afastado']);
  });

  test('that was set aside is settled by the signed one', async () => {
    await cofre.gravar(nota());
    await cofre.gravar(evento(CHAVE, { falhas: ['sem_assinatura'], conteudo: 'x' }));
    const input = await alvo('evento');
    await trocar((trx) => desconsiderar(trx, { ...input, afastar: true }));
    await cofre.gravar(evento(CHAVE));
    assert.equal(await mostrado(), 'Cancelada, assinada');
  });

  test('that was set aside stays so, however often it is written anew, until a signed one comes', async () => {
    await cofre.gravar(nota());
    await cofre.gravar(evento(CHAVE, { falhas: ['alterada'] }));
    const input = await alvo('evento');
    await trocar((trx) => desconsiderar(trx, { ...input, afastar: true }));
    await cofre.gravar(evento(CHAVE, { conteudo: 'b', falhas: ['sem_assinatura'] }));
    assert.equal(await mostrado(), 'Autorizada, assinada', 'of the same event');
    const [outra] = await cofre.gravar(evento(CHAVE, { sequencia: 2, falhas: ['sem_assinatura'] }));
    assert.match(outra?.mensagem ?? '', /já desconsiderou/);
    assert.equal(await mostrado(), 'Autorizada, assinada');
    await cofre.gravar(evento(CHAVE, { sequencia: 3 }));
    assert.equal(await mostrado(), 'Cancelada, assinada');
  });

  test('that is proven cannot be set aside', async () => {
    await cofre.gravar(nota());
    await cofre.gravar(evento(CHAVE));
    const input = await alvo('evento');
    assert.equal(await trocar((trx) => desconsiderar(trx, { ...input, afastar: true })), 'provado');
    assert.equal(await mostrado(), 'Cancelada, assinada');
  });

  test('in an answer alone is set aside on the note itself', async () => {
    await cofre.gravar(nota());
    await cofre.gravar(nota({ cStat: '101', falhas: ['protocolo_incompleto'] }));
    const input = await alvo();
    assert.equal(await trocar((trx) => desconsiderar(trx, { ...input, afastar: true })), 'feito');
    assert.equal(await mostrado(), 'Autorizada, assinada');
    await cofre.gravar(nota({ cStat: '101', falhas: ['protocolo_incompleto'], copia: 'outra' }));
    assert.equal(await mostrado(), 'Autorizada, assinada', 'nor another of the kind');
    assert.equal(await trocar((trx) => desconsiderar(trx, { ...input, afastar: false })), 'feito');
    assert.equal(await mostrado(), 'Cancelada, declarada');
  });
});

describe('a version that a person chooses', () => {
  const COERENTE: OpcoesDaNota = { falhas: ['cadeia_desconhecida'] };
  const versaoIds = async () =>
    (await cofre.db.read.selectFrom('versao').select('id').orderBy('id').execute()).map(({ id }) => id);

  test('is served in place of its equal, and told in the feed', async () => {
    await cofre.gravar(nota({ ...COERENTE, conteudo: 'a', itens: [] }));
    const outra = nota({ ...COERENTE, conteudo: 'b' });
    await cofre.gravar(outra);
    const [, segunda = 0] = await versaoIds();
    const input = { ...(await alvo()), versaoId: segunda, lida: lidaDe(outra) };
    assert.equal(await trocar((trx) => chooseVersao(trx, input)), 'feito');
    const entrada = await entradaPorChave(cofre.db.read, {
      clienteId: cliente,
      contadorId: cofre.contadorId,
      chave: CHAVE,
    });
    assert.deepEqual([entrada?.versaoId, entrada?.nsu], [segunda, 2]);
    await cofre.gravar(nota({ ...COERENTE, conteudo: 'c' }));
    assert.equal((await cofre.feed(cliente)).length, 2, 'an equal that comes later changes nothing');
    assert.deepEqual(await correcoes(), ['escolhida']);
    assert.equal(entrada?.evento, null, 'by its key it is the document, not what happened to it');
  });

  test('may not be proven less', async () => {
    const forjada = nota({ falhas: ['titular_diverso'], conteudo: 'x' });
    await cofre.gravar(nota());
    await cofre.gravar(forjada);
    const [, segunda = 0] = await versaoIds();
    const input = { ...(await alvo()), versaoId: segunda, lida: lidaDe(forjada) };
    assert.equal(await trocar((trx) => chooseVersao(trx, input)), 'mais_fraca');
  });
});

test('verdicts that are renewed let the better version be served', async () => {
  await cofre.gravar(nota({ falhas: ['cadeia_desconhecida'], conteudo: 'a' }));
  const genuina = nota({ falhas: ['cadeia_desconhecida'], conteudo: 'b' });
  await cofre.gravar(genuina);
  const [, segunda] = await cofre.db.read.selectFrom('versao').select('id').orderBy('id').execute();
  await cofre.db.write
    .updateTable('versao')
    .set({ prova: 2, falhas: 0 })
    .where('id', '=', segunda?.id ?? 0)
    .execute();
  const lida = { ...lidaDe(genuina), prova: { prova: 'assinada' as const, falhas: [] } };
  const input = { ...(await alvo()), lidas: new Map([[segunda?.id ?? 0, lida]]) };
  assert.equal(await trocar((trx) => reavaliar(trx, input)), true);
  assert.equal(await mostrado(), 'Autorizada, assinada');
  assert.deepEqual(await correcoes(), ['provas']);
  assert.equal(await trocar((trx) => reavaliar(trx, input)), false, 'and nobody is told twice');
});
