/** What anybody can make any number of costs as much as it is, and keeps nothing out. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { contandoLinhas, observado, planoDe } from '../../../test/support/consultas.ts';
import { MOTOR } from '../../../test/support/motor.ts';
import type { CpfCnpj, Papel } from '../../fiscal/tipos.ts';
import { lengthOf, ManyColumns, ManyRows } from '../../platform/db/many-rows.ts';
import {
  type Cofre,
  chaveDe,
  cnpj,
  EMITENTE,
  esperado,
  evento,
  inutilizacao,
  nota,
  openCofre,
} from '../cofre-testing.ts';
import { entradaPorChave } from '../read/feed.ts';
import { findEsperados } from '../read/queries-faltantes.ts';
import type { PecaGravada, PecaLida } from '../tipos.ts';
import { EVENTOS_MAX, VERSOES_MAX } from './candidatos.ts';
import { storeLotes } from './store.ts';

let cofre: Cofre;
beforeEach(async () => {
  cofre = await openCofre();
});
afterEach(() => cofre.db.close());

const CHAVE = chaveDe({});

async function count(table: 'documento' | 'versao' | 'participante' | 'empresa'): Promise<number> {
  const { n } = await cofre.db.read
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

function porCodigo(gravadas: readonly PecaGravada[]): Record<string, number> {
  const quantos: Record<string, number> = {};
  for (const { resultado, codigo } of gravadas) {
    const nome = codigo ?? resultado;
    quantos[nome] = (quantos[nome] ?? 0) + 1;
  }
  return quantos;
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

describe('contradicting copies of one document', () => {
  const copias = (from: number, to: number) => range(from, to).map((n) => nota({ conteudo: `copia ${n}` }));

  test('are kept up to a number, in one file or in many, and the others are told by name', async () => {
    await cofre.registrar(EMITENTE);
    await cofre.gravar(...copias(0, 30));
    const gravadas = await cofre.gravar(...copias(30, 80));
    assert.deepEqual(porCodigo(gravadas), { chave_com_outro_conteudo: 20, versoes_demais: 30 });
    assert.equal(await count('versao'), VERSOES_MAX);
    const [demais] = (await cofre.gravar(...copias(80, 81))).slice(-1);
    assert.deepEqual([demais?.resultado, demais?.codigo], ['rejeitado', 'versoes_demais']);
    assert.match(demais?.mensagem ?? '', new RegExp(`${CHAVE}.*só está no arquivo enviado`));
    // What is kept is known again.
    assert.deepEqual(porCodigo(await cofre.gravar(...copias(3, 4))), { chave_com_outro_conteudo: 1 });
  });

  test('never keep the one out that is to be served', async () => {
    const id = await cofre.registrar(EMITENTE);
    const pendentes = range(0, 80).map((n) => nota({ conteudo: `copia ${n}`, cStat: null }));
    await cofre.gravar(...pendentes);
    assert.equal(await count('versao'), VERSOES_MAX);
    const [autorizada] = await cofre.gravar(nota({ conteudo: 'a verdadeira' }));
    assert.match(autorizada?.mensagem ?? '', /passa a ser a entregue/);
    assert.equal(await count('versao'), VERSOES_MAX + 1);
    assert.deepEqual(
      (await cofre.feed(id)).map(({ status }) => status),
      ['Autorizada', 'Autorizada'],
    );
  });
});

describe('events of one key', () => {
  const cartas = (from: number, to: number, assinatura: 'integra' | 'sem_assinatura' = 'sem_assinatura') =>
    range(from, to).map((n) =>
      evento(CHAVE, { codigo: String(110_200 + Math.floor(n / 90)), sequencia: 1 + (n % 90), assinatura }),
    );

  test('without a signature that holds are kept up to a number; one with it is taken all the same', async () => {
    const id = await cofre.registrar(EMITENTE);
    await cofre.gravar(nota());
    await cofre.gravar(...cartas(0, 60));
    const gravadas = await cofre.gravar(...cartas(60, 130));
    assert.deepEqual(porCodigo(gravadas), { evento: EVENTOS_MAX.declarada - 60, eventos_demais: 30 });
    assert.deepEqual(porCodigo(await cofre.gravar(evento(CHAVE))), { evento: 1 });
    assert.equal((await cofre.feed(id))[0]?.status, 'Cancelada');
  });

  test('with a signature that holds are kept up to a larger one, and the key is still read in one page', async () => {
    const id = await cofre.registrar(EMITENTE);
    await cofre.gravar(nota());
    const gravadas = await cofre.gravar(...cartas(0, EVENTOS_MAX.assinada + 5, 'integra'));
    assert.deepEqual(porCodigo(gravadas), { evento: EVENTOS_MAX.assinada, eventos_demais: 5 });
    const { contadorId } = cofre;
    const entrada = await entradaPorChave(cofre.db.read, { clienteId: id, contadorId, chave: CHAVE });
    assert.equal(entrada?.evento, null);
  });
});

describe('the parties of a document with events', () => {
  const outros = range(0, 40).map((n): [Papel, CpfCnpj] => ['autorizado', cnpj(700_000_000_000 + n)]);

  /** Stores pieces. @returns rows of parties that were sent to the database for it */
  async function linhasDePartes(...pecas: PecaLida[]): Promise<number> {
    const { db, consultas } = observado(cofre.db.write);
    const { contadorId, agora } = cofre;
    const lotes = [{ arquivoNumero: 1, contadorId, pecas }];
    await db.transaction().execute((trx) => storeLotes(trx, { lotes, agora, homologacao: false }));
    return consultas
      .filter(({ sql }) => sql.startsWith('insert into "participante"'))
      .flatMap(({ parameters }) => parameters)
      .reduce<number>((sum, value) => {
        if (value instanceof ManyRows) return sum + value.rows.length;
        return value instanceof ManyColumns ? sum + lengthOf(value.columns) : sum;
      }, 0);
  }

  test('are written once for each event, however many there are already', async () => {
    const partes = outros.length + 2;
    await cofre.registrar(EMITENTE);
    await cofre.gravar(nota({ outros }));
    const linhas: number[] = [];
    for (const sequencia of range(1, 30))
      linhas.push(await linhasDePartes(evento(CHAVE, { codigo: '110110', sequencia })));
    // Those that an event names itself, and those of its document.
    assert.ok(
      linhas.every((n) => n <= partes + 2),
      String(linhas),
    );
    assert.equal(await count('participante'), 30 * partes);
  });

  test('reach all events that came before their document', async () => {
    await cofre.gravar(...range(1, 30).map((sequencia) => evento(CHAVE, { codigo: '110110', sequencia })));
    await cofre.gravar(nota({ outros }));
    assert.equal(await count('participante'), 30 * (outros.length + 2));
    const [, ultimo = EMITENTE] = outros.at(-1) ?? [];
    assert.equal((await cofre.feed(await cofre.registrar(ultimo))).length, 30);
  });
});

test('a document of which not all was noted says so beside what became of it', async () => {
  await cofre.registrar(EMITENTE);
  const peca = nota();
  if (peca.kind !== 'registro' || peca.registro.classe !== 'documento') throw new Error('no note');
  peca.registro.anotadoEmParte = 'Só os 50 primeiros foram anotados.';
  const [nova, repetida] = await cofre.gravar(peca, peca);
  assert.deepEqual(
    [nova?.resultado, nova?.codigo, nova?.mensagem],
    ['novo', 'anotado_em_parte', 'Só os 50 primeiros foram anotados.'],
  );
  assert.equal(repetida?.mensagem, 'Já estava no Malote. Só os 50 primeiros foram anotados.');
});

test('a document of which something is not clear says so beside what became of it', async () => {
  await cofre.registrar(EMITENTE);
  const peca = nota();
  if (peca.kind !== 'registro' || peca.registro.classe !== 'documento') throw new Error('no note');
  peca.registro.ressalva = { codigo: 'lido_com_duvida', mensagem: 'Não está claro o que diz X.' };
  const [nova] = await cofre.gravar(peca);
  assert.deepEqual(
    [nova?.resultado, nova?.codigo, nova?.mensagem],
    ['novo', 'lido_com_duvida', 'Não está claro o que diz X.'],
  );
});

test('names that one company was given do not have to be read for another one', async () => {
  const chamada = (numero: number) => {
    const peca = nota({ numero });
    if (peca.kind !== 'registro' || peca.registro.classe !== 'documento') throw new Error('no note');
    for (const parte of peca.registro.participantes) parte.nome = `Nome ${numero} de ${parte.cpfCnpj}`;
    return peca;
  };
  const linhas: number[] = [];
  for (const lote of range(0, 5)) {
    const lido = contandoLinhas(cofre.db.write);
    const pecas = range(1, 41).map((n) => chamada(lote * 40 + n));
    const { contadorId, agora } = cofre;
    await lido.db.transaction().execute((trx) =>
      storeLotes(trx, {
        lotes: [{ arquivoNumero: lote + 1, contadorId, pecas }],
        agora,
        homologacao: false,
      }),
    );
    linhas.push(lido.linhas('from "empresa"') + lido.linhas('"empresa"."cpf_cnpj"'));
  }
  assert.deepEqual(linhas, [0, 0, 0, 0, 0]);
  assert.equal(await count('empresa'), 2 * 5 * 40);
});

describe('keys that are expected', () => {
  test('say whether an inutilização covers them, however the ranges overlap', async () => {
    const numeros = range(1, 41);
    await cofre.gravar(...numeros.map((numero) => esperado(chaveDe({ numero }))));
    const faixas = [
      [5, 6],
      [6, 6],
      [10, 30],
      [12, 13],
      [28, 33],
    ];
    await cofre.gravar(...faixas.map(([de = 0, ate = 0]) => inutilizacao({ de, ate })));
    const { contadorId } = cofre;
    const numeracao = { contadorId, emitente: EMITENTE, modelo: '55' };
    const achados = await findEsperados(cofre.db.read, { ...numeracao, limite: 100 });
    assert.deepEqual(
      achados.map(({ numero, inutilizada }) => [numero, inutilizada]),
      numeros.map((n) => [n, n === 5 || n === 6 || (n >= 10 && n <= 33)]),
    );
    const primeiros = await findEsperados(cofre.db.read, { ...numeracao, limite: 7 });
    assert.deepEqual(
      primeiros.map(({ numero }) => numero),
      range(1, 8),
    );
  });

  test('are not compared with each known number', {
    skip: MOTOR !== 'sqlite' && 'plans of SQLite',
  }, async () => {
    const { db, consultas } = observado(cofre.db.read);
    await findEsperados(db, { contadorId: 1, emitente: EMITENTE, modelo: '55', limite: 10 });
    const [consulta] = consultas;
    assert.ok(consulta);
    assert.doesNotMatch(await planoDe(cofre.db.read, consulta), /numero_inicial[<>]/);
  });
});
