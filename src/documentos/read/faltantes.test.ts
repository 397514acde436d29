import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import {
  type Cofre,
  chaveDe,
  cnpj,
  cpf,
  EMITENTE,
  esperado,
  evento,
  inutilizacao,
  nota,
  type OpcoesDaNota,
  openCofre,
} from '../cofre-testing.ts';
import { type ConsultaDeFaltantes, paginaDeFaltantes } from './faltantes.ts';

let cofre: Cofre;
beforeEach(async () => {
  cofre = await openCofre();
});
afterEach(() => cofre.db.close());

function consulta(input: Partial<ConsultaDeFaltantes> = {}) {
  return paginaDeFaltantes(cofre.db.read, {
    contadorId: cofre.contadorId,
    cpfCnpj: EMITENTE,
    modelo: '55',
    desde: Date.parse('2026-01-01T00:00:00-03:00'),
    ate: null,
    pagina: 1,
    tamanho: 500,
    ...input,
  });
}

async function numeros(input: Partial<ConsultaDeFaltantes> = {}): Promise<string[]> {
  const { total, faltantes } = await consulta(input);
  assert.equal(total, faltantes.length);
  return faltantes.map(({ serie, numero }) => `${serie}/${numero}`);
}

async function notas(...lista: (number | OpcoesDaNota)[]): Promise<void> {
  await cofre.gravar(...lista.map((item) => nota(typeof item === 'number' ? { numero: item } : item)));
}

describe('missing numbers', () => {
  test('are what lies between the known numbers of a series', async () => {
    await notas(5, 6, 9, 11);
    assert.deepEqual(await numeros(), ['1/7', '1/8', '1/10']);
    const [primeiro] = (await consulta()).faltantes;
    assert.equal(primeiro?.modelo, '55');
    assert.equal(primeiro?.chave, null);
    assert.equal(primeiro?.motivo, 'sem documento');
  });

  test('an issuer without documents, or with one, misses nothing', async () => {
    assert.deepEqual(await consulta(), { total: 0, truncado: false, faltantes: [], foraDaConta: [] });
    await notas(7);
    assert.deepEqual(await numeros(), []);
  });

  test('what the Fisco numbers for all issuers together has no gaps, and the page says why', async () => {
    await notas(
      { serie: '890', numero: 700100 },
      { serie: '899', numero: 5 },
      { serie: '899', numero: 9 },
      { serie: '890', numero: 755000 },
      { serie: '900', numero: 1 },
      { serie: '900', numero: 3 },
    );
    assert.deepEqual(await numeros(), ['900/2']);
    assert.deepEqual((await consulta()).foraDaConta, ['890', '899']);
    await notas({ modelo: '65', serie: '890', numero: 1 }, { modelo: '65', serie: '890', numero: 3 });
    assert.deepEqual(await numeros({ modelo: '65' }), ['890/2']);
  });

  test('who issues with a CPF has a numbering in each state, a company one for all', async () => {
    const produtor = cpf(123456789);
    for (const emitente of [produtor, EMITENTE])
      await notas(
        { emitente, serie: '920', numero: 1, uf: '35' },
        { emitente, serie: '920', numero: 3, uf: '35' },
        { emitente, serie: '920', numero: 2, uf: '51' },
        { emitente, serie: '920', numero: 5, uf: '51' },
      );
    const { faltantes } = await consulta({ cpfCnpj: produtor });
    assert.deepEqual(
      faltantes.map(({ uf, numero }) => `${uf}/${numero}`),
      ['SP/2', 'MT/3', 'MT/4'],
    );
    assert.deepEqual(await numeros(), ['920/4']);
  });

  test('every series, model, issuer and office has its own numbering', async () => {
    const outro = cnpj(888888880001);
    await notas(
      { serie: '1', numero: 1 },
      { serie: '1', numero: 3 },
      { serie: '10', numero: 5 },
      { serie: '10', numero: 7 },
      { serie: '2', numero: 8 },
      { serie: '2', numero: 10 },
      { modelo: '65', numero: 2 },
      { emitente: outro, numero: 2 },
    );
    assert.deepEqual(await numeros(), ['1/2', '2/9', '10/6']);
    assert.deepEqual(await numeros({ cpfCnpj: outro }), []);
    assert.deepEqual(await numeros({ contadorId: await cofre.novoContador() }), []);
  });

  test('a CPF has its numbering too', async () => {
    const produtor = cpf(123456780);
    await notas(
      { emitente: produtor, serie: '920', numero: 1 },
      { emitente: produtor, serie: '920', numero: 3 },
    );
    assert.deepEqual(await numeros({ cpfCnpj: produtor }), ['920/2']);
  });

  test('a document in any status takes its number', async () => {
    await notas(1, { numero: 2, cStat: '302' }, { numero: 3, cStat: null }, 4, 5);
    await cofre.gravar(evento(chaveDe({ numero: 4 })));
    assert.deepEqual(await numeros(), []);
  });

  test('a document of homologação takes none', async () => {
    await notas(1, { numero: 2, ambiente: 2 }, 3, { numero: 9, ambiente: 2 });
    assert.deepEqual(await numeros(), ['1/2']);
  });

  test('what was received takes no number of the recipient', async () => {
    await notas(1, 3);
    await cofre.gravar(nota({ emitente: cnpj(888888880001), destinatario: EMITENTE, numero: 2 }));
    assert.deepEqual(await numeros(), ['1/2']);
  });
});

describe('inutilizações', () => {
  test('cover the numbers of their range', async () => {
    await notas(1, 10);
    await cofre.gravar(inutilizacao({ de: 3, ate: 8 }));
    assert.deepEqual(await numeros(), ['1/2', '1/9']);
  });

  test('may overlap each other, the documents and the bounds', async () => {
    await notas(5, 20);
    await cofre.gravar(
      inutilizacao({ de: 1, ate: 7 }),
      inutilizacao({ de: 6, ate: 9 }),
      inutilizacao({ de: 7, ate: 8 }),
      inutilizacao({ de: 12, ate: 15 }),
      inutilizacao({ de: 18, ate: 30 }),
      inutilizacao({ de: 40, ate: 50 }),
    );
    assert.deepEqual(await numeros(), ['1/10', '1/11', '1/16', '1/17']);
  });

  test('of another series or model cover nothing here', async () => {
    await notas(1, 3);
    await cofre.gravar(
      inutilizacao({ de: 2, ate: 2, serie: '2' }),
      inutilizacao({ de: 2, ate: 2, modelo: '65' }),
    );
    assert.deepEqual(await numeros(), ['1/2']);
  });

  test('alone frame no gap', async () => {
    await cofre.gravar(inutilizacao({ de: 1, ate: 2 }), inutilizacao({ de: 8, ate: 9 }));
    assert.deepEqual(await numeros(), []);
  });
});

describe('a period', () => {
  const em = (mes: string, numero: number) => ({ numero, data: `2026-${mes}-15T12:00:00-03:00` });
  const inicio = (mes: string) => Date.parse(`2026-${mes}-01T00:00:00-03:00`);

  test('is framed by the numbers issued in it, and the last number before it', async () => {
    await notas(em('01', 1), em('01', 3), em('02', 6), em('02', 8), em('03', 10));
    assert.deepEqual(await numeros({ desde: inicio('02'), ate: inicio('03') }), ['1/4', '1/5', '1/7']);
    assert.deepEqual(await numeros({ desde: inicio('01'), ate: inicio('02') }), ['1/2']);
    assert.deepEqual(await numeros({ desde: inicio('03') }), ['1/9']);
    assert.deepEqual(await numeros(), ['1/2', '1/4', '1/5', '1/7', '1/9']);
  });

  test('in which nothing was issued has no gaps', async () => {
    await notas(em('01', 1), em('05', 9));
    assert.deepEqual(await numeros({ desde: inicio('02'), ate: inicio('04') }), []);
  });

  test('a number that was issued out of turn, in another period, is not missing', async () => {
    await notas(em('02', 1), em('03', 2), em('02', 3));
    assert.deepEqual(await numeros({ desde: inicio('02'), ate: inicio('03') }), []);
  });

  test('an earlier number with a later date does not open the gap before the period', async () => {
    await notas(em('03', 1), em('02', 5), em('02', 7));
    assert.deepEqual(await numeros({ desde: inicio('02'), ate: inicio('03') }), ['1/6']);
  });

  test('its last instant is left out', async () => {
    await notas(em('02', 1), { numero: 3, data: '2026-03-01T00:00:00-03:00' });
    assert.deepEqual(await numeros({ desde: inicio('02'), ate: inicio('03') }), []);
    assert.deepEqual(await numeros({ desde: inicio('02'), ate: inicio('03') + 1 }), ['1/2']);
  });
});

describe('documents that are known by their key', () => {
  test('a key of a list is missing with its key until the document comes', async () => {
    const chave = chaveDe({ numero: 2 });
    await notas(1, 4);
    await cofre.gravar(esperado(chave));
    const { faltantes } = await consulta();
    assert.deepEqual(
      faltantes.map(({ numero, chave: key }) => [numero, key]),
      [
        ['2', chave],
        ['3', null],
      ],
    );
    assert.equal(faltantes[0]?.motivo, 'anunciada');
    await notas(2);
    assert.deepEqual(await numeros(), ['1/3']);
  });

  test('a document that a summary announces is missing', async () => {
    await cofre.gravar({ ...esperado(chaveDe({ numero: 9 })), origem: 'resumo' });
    const { faltantes } = await consulta();
    assert.equal(faltantes[0]?.chave, chaveDe({ numero: 9 }));
    assert.equal(faltantes[0]?.motivo, 'anunciada');
  });

  test('a document of which only an event is known is missing', async () => {
    await cofre.gravar(evento(chaveDe({ numero: 9 }), { codigo: '110110' }));
    const { total, faltantes } = await consulta();
    assert.equal(total, 1);
    assert.equal(faltantes[0]?.chave, chaveDe({ numero: 9 }));
    assert.equal(faltantes[0]?.motivo, 'só evento');
  });

  test('is explained: cancelled, denied, given up or only named', async () => {
    const chave = (numero: number) => chaveDe({ numero });
    await cofre.gravar(evento(chave(1)));
    await cofre.gravar({ ...esperado(chave(2)), origem: 'resumo_denegada' });
    await cofre.gravar({ ...esperado(chave(3)), origem: 'resumo_cancelada' });
    await cofre.gravar(esperado(chave(4)), inutilizacao({ de: 4, ate: 4 }));
    await cofre.gravar(esperado(chave(5)), { ...esperado(chave(5)), origem: 'resumo_denegada' });
    await cofre.gravar({ ...esperado(chave(5)), origem: 'resumo' });
    await cofre.gravar(esperado(chave(7)));
    const { faltantes } = await consulta();
    assert.deepEqual(
      faltantes.map(({ numero, motivo }) => `${numero} ${motivo}`),
      [
        '1 cancelada',
        '2 denegada',
        '3 cancelada',
        '4 inutilizada',
        '5 denegada',
        '6 sem documento',
        '7 anunciada',
      ],
    );
  });

  test('frame gaps as documents do', async () => {
    await notas(5);
    await cofre.gravar(esperado(chaveDe({ numero: 8 })), esperado(chaveDe({ numero: 3 })));
    assert.deepEqual(await numeros(), ['1/3', '1/4', '1/6', '1/7', '1/8']);
  });

  test('count when their month touches the period', async () => {
    await cofre.gravar(esperado(chaveDe({ numero: 1, data: '2026-03-10T00:00:00-03:00' })));
    const range = (desde: string, ate: string) => ({
      desde: Date.parse(`${desde}T00:00:00-03:00`),
      ate: Date.parse(`${ate}T00:00:00-03:00`),
    });
    assert.deepEqual(await numeros(range('2026-03-31', '2026-04-01')), ['1/1']);
    assert.deepEqual(await numeros(range('2026-02-01', '2026-03-02')), ['1/1']);
    assert.deepEqual(await numeros(range('2026-04-01', '2026-05-01')), []);
    assert.deepEqual(await numeros(range('2026-02-01', '2026-03-01')), []);
  });

  test('of an issuer who is no client are shown to nobody else', async () => {
    await cofre.gravar(esperado(chaveDe({ emitente: cnpj(888888880001), numero: 2 })));
    assert.deepEqual(await numeros(), []);
    assert.deepEqual(await numeros({ cpfCnpj: cnpj(888888880001) }), ['1/2']);
  });
});

/** Copies of the first document under every `step`th number, without the bytes that nobody looks at here. */
async function copies({ step, count }: { step: number; count: number }): Promise<void> {
  await sql`
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
    insert into documento (contador_id, ambiente, classe, identidade, especie, chave, modelo, serie, numero,
      numero_inicial, numero_final, data_emissao, emitido_em, dia, emitente, status_protocolo, status, importado_em)
    select contador_id, ambiente, classe, identidade, especie, 'copia ' || i, modelo, serie, 1 + i * ${step},
      1 + i * ${step}, 1 + i * ${step}, data_emissao, emitido_em, dia, emitente, status_protocolo, status, importado_em
    from documento, n where documento.id = 1`.execute(cofre.db.write);
}

describe('many missing numbers', () => {
  test('a jump of the numbering tells the first 10,000 of a series, and that there are more', async () => {
    await notas(1, 500_000, { serie: '2', numero: 1 }, { serie: '2', numero: 3 });
    const first = await consulta({ tamanho: 2 });
    assert.equal(first.total, 10_001);
    assert.equal(first.truncado, true);
    assert.deepEqual(
      first.faltantes.map(({ numero }) => numero),
      ['2', '3'],
    );
    const last = await consulta({ tamanho: 500, pagina: 21 });
    assert.deepEqual(
      last.faltantes.map(({ serie, numero }) => `${serie}/${numero}`),
      ['2/2'],
    );
    assert.equal((await consulta({ tamanho: 500, pagina: 20 })).faltantes.at(-1)?.numero, '10001');
  });

  test('of several series stand on pages that begin and end within them', async () => {
    await notas(
      ...['1', '2', '3'].flatMap((serie) => [
        { serie, numero: 1 },
        { serie, numero: 5 },
        { serie, numero: 20_000 },
      ]),
    );
    const { total, truncado, faltantes } = await consulta({ pagina: 101, tamanho: 99 });
    assert.deepEqual([total, truncado, faltantes.length], [30_000, true, 99]);
    assert.deepEqual([faltantes[0]?.serie, faltantes[0]?.numero], ['1', '9903']);
    const doSegundo = await consulta({ pagina: 11, tamanho: 999 });
    const achados = doSegundo.faltantes.map(({ serie, numero }) => `${serie}/${numero}`);
    assert.deepEqual([achados[9], achados[10], achados[13]], ['1/10002', '2/2', '2/6']);
    const ultima = await consulta({ pagina: 31, tamanho: 999 });
    assert.deepEqual([ultima.faltantes.length, ultima.faltantes.at(-1)?.serie], [30, '3']);
  });

  test('exactly 10,000 are told whole', async () => {
    await notas(1, 10_002);
    assert.deepEqual(await consulta({ tamanho: 1 }).then(({ total, truncado }) => [total, truncado]), [
      10_000,
      false,
    ]);
    await notas(10_004);
    assert.deepEqual(await consulta({ tamanho: 1 }).then(({ total, truncado }) => [total, truncado]), [
      10_000,
      true,
    ]);
  });

  test('so are more gaps of one number than that', async () => {
    await notas(1);
    await copies({ step: 2, count: 10_001 });
    const { total, truncado } = await consulta({ tamanho: 1 });
    assert.deepEqual([total, truncado], [10_000, true]);
  });

  test('keys far behind do not push out the first numbers', async () => {
    await notas(1, 10_005);
    await cofre.gravar(...Array.from({ length: 20 }, (_, i) => esperado(chaveDe({ numero: 20_000 + i }))));
    const { total, truncado } = await consulta();
    assert.deepEqual([total, truncado], [10_000, true]);
    assert.equal((await consulta({ pagina: 20 })).faltantes.at(-1)?.numero, '10001');
  });

  test('more keys than that are truncated as well', async () => {
    await cofre.gravar(...Array.from({ length: 10_050 }, (_, i) => esperado(chaveDe({ numero: i + 1 }))));
    const { total, truncado } = await consulta();
    assert.deepEqual([total, truncado], [10_000, true]);
  });

  test('past the end there is nothing, and the true total', async () => {
    await notas(1, 3);
    assert.deepEqual(await consulta({ pagina: 2 ** 53 }), {
      total: 1,
      truncado: false,
      faltantes: [],
      foraDaConta: [],
    });
  });
});
