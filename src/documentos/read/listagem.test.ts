import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type Cofre,
  chaveDe,
  DESTINATARIO,
  EMITENTE,
  evento,
  inutilizacao,
  nota,
  openCofre,
} from '../cofre-testing.ts';
import { CODIGO_DE_EVENTO, STATUS_EM_CODIGO, TIPO_EM_CODIGO } from '../lean/codigos.ts';
import { type EntradaDeListagem, paginaDeListagem } from './listagem.ts';

let cofre: Cofre;
let clienteId = 0;
beforeEach(async () => {
  cofre = await openCofre();
  clienteId = await cofre.registrar(EMITENTE);
});
afterEach(() => cofre.db.close());

type Consulta = Partial<Omit<EntradaDeListagem, 'desde' | 'ate'>> & { desde?: string; ate?: string };

async function pagina(consulta: Consulta = {}) {
  const { desde = '2000-01-01T00:00:00-02:00', ate, ...rest } = consulta;
  return paginaDeListagem(cofre.db.read, {
    clienteId,
    modelo: '55',
    tipo: null,
    filtro: null,
    pagina: 1,
    tamanho: 500,
    desde: Date.parse(desde),
    ate: ate === undefined ? null : Date.parse(ate),
    ...rest,
  });
}

async function numeros(consulta: Consulta = {}): Promise<number[]> {
  const { total, entradas } = await pagina(consulta);
  assert.equal(total, entradas.length);
  return entradas.map((entrada) => Number(entrada.numero));
}

describe('the listing', () => {
  test('is ordered by the date of issue, then by NSU, whatever the order of arrival', async () => {
    const data = (hour: string) => `2026-03-10T${hour}:00:00-03:00`;
    await cofre.gravar(nota({ numero: 3, data: data('12') }), nota({ numero: 1, data: data('09') }));
    await cofre.gravar(nota({ numero: 2, data: data('09') }), nota({ numero: 4, data: data('08') }));
    assert.deepEqual(await numeros(), [4, 1, 2, 3]);
  });

  test('compares instants and not texts of the dates', async () => {
    await cofre.gravar(
      nota({ numero: 1, data: '2026-03-10T10:30:00-03:00' }),
      nota({ numero: 2, data: '2026-03-10T09:45:00-04:00' }),
      nota({ numero: 3, data: '2026-03-10T13:00:00Z' }),
    );
    assert.deepEqual(await numeros(), [3, 1, 2]);
  });

  test('lists a document once, with its newest NSU, after a better version has come', async () => {
    await cofre.gravar(nota({ cStat: null }));
    await cofre.gravar(nota());
    const { total, entradas } = await pagina();
    assert.equal(total, 1);
    assert.deepEqual(
      entradas.map(({ nsu, status }) => [nsu, status]),
      [[2, 'Autorizada']],
    );
  });

  test('lists documents, no events, and inutilizações only where they are asked for', async () => {
    await cofre.gravar(nota(), evento(chaveDe({})), inutilizacao({ de: 5, ate: 7 }));
    const listed = async (filtro: 'Inutilizada' | null) => {
      const { total, entradas } = await pagina({ filtro });
      assert.equal(total, entradas.length);
      return entradas.map(({ numero, status, evento: e }) => [numero, status, e]);
    };
    assert.deepEqual(await listed(null), [['1', 'Cancelada', null]]);
    assert.deepEqual(await listed('Inutilizada'), [['5', 'Inutilizada', null]]);
  });

  test('keeps NF-e and NFC-e apart', async () => {
    await cofre.gravar(nota({ numero: 1 }), nota({ numero: 2, modelo: '65', destinatario: null }));
    assert.deepEqual(await numeros({ modelo: '55' }), [1]);
    assert.deepEqual(await numeros({ modelo: '65' }), [2]);
  });

  test('filters by the side on which the client stands', async () => {
    await cofre.gravar(
      nota({ numero: 1 }),
      nota({ numero: 2, emitente: DESTINATARIO, destinatario: EMITENTE }),
    );
    assert.deepEqual(await numeros({ tipo: 'Emitida' }), [1]);
    assert.deepEqual(await numeros({ tipo: 'Recebida' }), [2]);
    assert.deepEqual(await numeros(), [1, 2]);
  });

  test('filters by status, and by the letter of correction', async () => {
    await cofre.gravar(
      nota({ numero: 1 }),
      nota({ numero: 2 }),
      nota({ numero: 3, cStat: '302' }),
      nota({ numero: 4 }),
      nota({ numero: 5, cStat: null }),
      inutilizacao({ de: 6, ate: 6 }),
      evento(chaveDe({ numero: 2 })),
      evento(chaveDe({ numero: 4 }), { codigo: '110110' }),
    );
    assert.deepEqual(await numeros({ filtro: 'Autorizada' }), [1, 4]);
    assert.deepEqual(await numeros({ filtro: 'Cancelada' }), [2]);
    assert.deepEqual(await numeros({ filtro: 'Denegada' }), [3]);
    assert.deepEqual(await numeros({ filtro: 'CartaCorrecao' }), [4]);
    assert.deepEqual(await numeros({ filtro: 'Inutilizada' }), [6]);
    assert.deepEqual(await numeros(), [1, 2, 3, 4, 5]);
  });

  test('past the end there is nothing, and the true total', async () => {
    await cofre.gravar(nota({ numero: 1 }), nota({ numero: 2 }));
    for (const past of [2, 1_000_000, 2 ** 53]) {
      assert.deepEqual(await pagina({ pagina: past, tamanho: 2 }), { total: 2, entradas: [] });
    }
  });

  test('a range that is empty or turned round has nothing', async () => {
    await cofre.gravar(nota());
    const at = '2026-03-10T10:00:00-03:00';
    assert.equal((await pagina({ desde: at, ate: at })).total, 0);
    assert.equal((await pagina({ desde: at, ate: '2020-01-01T00:00:00Z' })).total, 0);
  });

  test('a range without bounds to speak of is answered', async () => {
    await cofre.gravar(nota());
    const { total } = await paginaDeListagem(cofre.db.read, {
      clienteId,
      modelo: '55',
      desde: -8.64e15,
      ate: 8.64e15,
      tipo: null,
      filtro: null,
      pagina: 1,
      tamanho: 1,
    });
    assert.equal(total, 1);
  });
});

describe('a range that cuts days', () => {
  test('takes the first instant in and leaves the last one out, to the second', async () => {
    const at = (time: string) => `2026-03-10T${time}-03:00`;
    await cofre.gravar(
      ...['08:59:59', '09:00:00', '09:30:00', '10:00:00'].map((time, i) =>
        nota({ numero: i + 1, data: at(time) }),
      ),
    );
    assert.deepEqual(await numeros({ desde: at('09:00:00'), ate: at('10:00:00') }), [2, 3]);
    assert.deepEqual(await numeros({ desde: at('09:00:00'), ate: at('10:00:01') }), [2, 3, 4]);
    assert.deepEqual(await numeros({ desde: at('09:00:01'), ate: '2026-03-12T05:00:00-03:00' }), [3, 4]);
  });

  test('a day is a day in São Paulo, also where daylight saving made it 23 or 25 hours', async () => {
    // 2018-11-04 began at 01:00 (UTC−2); 2018-02-17 ended an hour later than it should (UTC−2 to UTC−3).
    const data = [
      '2018-02-17T00:00:00-02:00',
      '2018-02-17T23:30:00-03:00',
      '2018-02-18T00:00:00-03:00',
      '2018-11-03T23:59:59-03:00',
      '2018-11-04T01:00:00-02:00',
      '2018-11-04T23:59:59-02:00',
      '2018-11-05T00:00:00-02:00',
    ];
    await cofre.gravar(...data.map((at, i) => nota({ numero: i + 1, data: at })));
    const dias = await cofre.db.read.selectFrom('contagem').select(['dia', 'quantidade']).execute();
    assert.deepEqual(
      dias.map(({ dia, quantidade }) => [dia, quantidade]),
      [
        ['2018-02-17', 2],
        ['2018-02-18', 1],
        ['2018-11-03', 1],
        ['2018-11-04', 2],
        ['2018-11-05', 1],
      ],
    );
    assert.deepEqual(
      await numeros({ desde: '2018-02-17T00:00:00-02:00', ate: '2018-02-18T00:00:00-03:00' }),
      [1, 2],
    );
    assert.deepEqual(
      await numeros({ desde: '2018-11-04T00:00:00-03:00', ate: '2018-11-05T00:00:00-02:00' }),
      [5, 6],
    );
    assert.deepEqual(await numeros({ desde: '2018-02-17T23:45:00-02:00' }), [2, 3, 4, 5, 6, 7]);
  });
});

test('every page of every question is what sorting all rows gives', async () => {
  const random = fc.sample(
    fc.record({
      numero: fc.integer({ min: 1, max: 100_000 }),
      instant: fc.integer({ min: 0, max: 40 * 24 * 60 }),
      received: fc.boolean(),
      fate: fc.constantFrom('none', 'cancelled', 'corrected', 'pending', 'denied'),
    }),
    { numRuns: 400, seed: 42 },
  );
  const unique = [...new Map(random.map((row) => [row.numero, row])).values()];
  const inicio = Date.parse('2018-01-20T00:00:00-02:00');
  const pecas = unique.map(({ numero, instant, received, fate }) =>
    nota({
      numero,
      data: new Date(inicio + instant * 60_000).toISOString(),
      ...(received ? { emitente: DESTINATARIO, destinatario: EMITENTE } : {}),
      cStat: fate === 'pending' ? null : fate === 'denied' ? '302' : '100',
    }),
  );
  for (let at = 0; at < pecas.length; at += 90) await cofre.gravar(...pecas.slice(at, at + 90));
  const eventos = unique.flatMap(({ fate }, i) => {
    const peca = pecas[i];
    if (peca?.kind !== 'registro') return [];
    if (fate === 'cancelled') return [evento(peca.registro.chave)];
    return fate === 'corrected' ? [evento(peca.registro.chave, { codigo: '110110' })] : [];
  });
  await cofre.gravar(...eventos);

  const all = await cofre.db.read
    .selectFrom('participacao')
    .selectAll()
    .where('classe', '<>', CODIGO_DE_EVENTO)
    .orderBy('emitido_em')
    .orderBy('nsu')
    .execute();
  const questions = fc.sample(
    fc.record({
      desde: fc.integer({ min: -1_000, max: 45 * 24 * 60 }),
      length: fc.option(fc.integer({ min: 0, max: 45 * 24 * 60 })),
      tipo: fc.constantFrom(null, 'Emitida' as const, 'Recebida' as const),
      filtro: fc.constantFrom(
        null,
        'Autorizada' as const,
        'Cancelada' as const,
        'Denegada' as const,
        'CartaCorrecao' as const,
      ),
      tamanho: fc.integer({ min: 1, max: 60 }),
      pagina: fc.integer({ min: 1, max: 30 }),
    }),
    { numRuns: 300, seed: 7 },
  );
  for (const { desde: minute, length, tipo, filtro, tamanho, pagina: n } of questions) {
    const desde = inicio + minute * 60_000;
    const ate = length === null ? null : desde + length * 60_000;
    const rows = all.filter(
      (row) =>
        row.emitido_em >= desde &&
        (ate === null || row.emitido_em < ate) &&
        (tipo === null || TIPO_EM_CODIGO.ler(row.tipo) === tipo) &&
        (filtro === null || filtro === 'CartaCorrecao'
          ? STATUS_EM_CODIGO.ler(row.status) !== 'Inutilizada' &&
            (filtro === null || row.carta_correcao === 1)
          : STATUS_EM_CODIGO.ler(row.status) === filtro),
    );
    const answer = await paginaDeListagem(cofre.db.read, {
      clienteId,
      modelo: '55',
      desde,
      ate,
      tipo,
      filtro,
      tamanho,
      pagina: n,
    });
    assert.equal(answer.total, rows.length);
    assert.deepEqual(
      answer.entradas.map((entrada) => entrada.nsu),
      rows.slice((n - 1) * tamanho, n * tamanho).map((row) => row.nsu),
    );
  }
});
