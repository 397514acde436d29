/** The console's listing of documents over HTTP: filters, search as one types, pages, missing numbers, who sees what. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type CenarioDeExportacao, DOCUMENTOS, prepareCenario } from '../support/cenario-exportacao.ts';
import { logInToConsole, type Pedinte } from '../support/console.ts';
import {
  createEscritorio,
  EM_QUATRO,
  fetchJson,
  type Malote,
  startMalote,
  withDeps,
} from '../support/malote.ts';

let malote: Malote;
let cenario: CenarioDeExportacao;
let admin: Pedinte;
let operador: Pedinte;
let doCliente: Pedinte;
let deFora: Pedinte;

before(async () => {
  malote = await startMalote();
  cenario = await prepareCenario(malote, { crm: '41' });
  const { contadorId } = cenario;
  admin = await logInToConsole(malote, { contadorId });
  operador = await logInToConsole(malote, { contadorId, papel: 'operador' });
  doCliente = await logInToConsole(malote, {
    contadorId,
    papel: 'cliente',
    clientes: [cenario.destinatario],
  });
  const outro = await createEscritorio(malote.dataFolder, { crm: '42', clientes: [cenario.emitente] });
  deFora = await logInToConsole(malote, { contadorId: outro.contadorId });
});
after(() => malote[Symbol.asyncDispose]());

const chaves = (body: { itens: { chave: string }[] }) => body.itens.map(({ chave }) => chave);

async function lista(quem: Pedinte, query: string) {
  const { status, body } = await quem.ask(`/documentos?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

describe('the listing of one client', () => {
  it('shows documents and inutilizações, newest first, with an exact total', async () => {
    const body = await lista(admin, `cliente=${cenario.emitente}`);
    assert.deepEqual(
      body.itens.map((item: { modelo: string; numero: string }) => `${item.modelo}/${item.numero}`),
      ['65/1', '55/8', '55/5', '55/4', '55/3', '55/2', '55/1'],
    );
    assert.equal(body.total, 7);
    assert.equal(body.proximo, null);
    const [nfce, ultima] = body.itens;
    assert.equal(nfce.especie, 'NFCe');
    assert.equal(ultima.cliente.cpfCnpj, cenario.emitente);
    assert.equal(ultima.tipo, 'Emitida');
    assert.equal(ultima.uf, 'SP');
    assert.equal(ultima.origem.meio, 'api');
    assert.equal(ultima.conflito, false);
    assert.match(ultima.valor, /^\d+\.\d{2}$/);
  });

  it('walks all pages by their cursor, each row once, in both orders', async () => {
    for (const ordem of ['emissao', 'emissao_asc', 'importacao', 'importacao_asc']) {
      const whole = chaves(await lista(admin, `cliente=${cenario.emitente}&ordem=${ordem}`));
      const walked: string[] = [];
      let depois = '';
      do {
        const body = await lista(admin, `cliente=${cenario.emitente}&ordem=${ordem}&Tamanho=2${depois}`);
        walked.push(...chaves(body));
        depois = body.proximo === null ? '' : `&depois=${body.proximo}`;
      } while (depois !== '');
      assert.deepEqual(walked, whole, ordem);
      assert.equal(whole.length, 7);
    }
  });

  const { autorizada, cancelada, corrigida, denegada, inutilizacao, ultima, nfce } = DOCUMENTOS;
  /** All of the client, newest first. */
  const TODOS = [nfce, ultima, inutilizacao, denegada, corrigida, cancelada, autorizada].map(
    ({ chave }) => chave,
  );
  const visoes: [query: string, expected: string[]][] = [
    ['visao=canceladas', [cancelada.chave]],
    ['visao=cartacorrecao', [corrigida.chave]],
    ['visao=denegadas', [denegada.chave]],
    ['visao=inutilizadas', [inutilizacao.chave]],
    ['especie=nfce', [nfce.chave]],
    ['especie=cte', []],
    ['visao=emitidas', TODOS],
    ['visao=recebidas', []],
    ['visao=canceladas&status=Autorizada', []],
    ['numero=8', [ultima.chave]],
    ['numero=6', [inutilizacao.chave]],
    ['serie=2', [nfce.chave]],
    ['emissaoDe=2026-03-08&emissaoAte=2026-03-08', [ultima.chave]],
    ['uf=RJ', []],
    ['uf=SP', TODOS],
    ['valorDe=999999999', []],
    ['valorDe=0.01', TODOS.filter((chave) => chave !== inutilizacao.chave)],
    ['origem=console', []],
    ['origem=api', TODOS],
    ['manifestacao=ciencia', []],
    ['manifestacao=sem', TODOS],
    ['importacaoDe=2020-01-01&importacaoAte=2020-01-02', []],
    ['importacaoDe=2020-01-01', TODOS],
  ];
  for (const [query, expected] of visoes) {
    it(`narrows by ${query}`, async () => {
      assert.deepEqual(chaves(await lista(admin, `${query}&cliente=${cenario.emitente}`)), expected);
    });
  }

  it('finds as one types: the beginning of a number, of a key, of a CNPJ, of words of a name, in any case and accent', async () => {
    const { ultima } = DOCUMENTOS;
    const [item] = (await lista(admin, `cliente=${cenario.emitente}&numero=8`)).itens;
    const typed = [
      ultima.chave,
      ultima.chave.slice(0, 40),
      ultima.chave.replaceAll(/(.{4})/g, '$1 ').trim(),
      `NFe${ultima.chave}`,
      `${ultima.chave}-procNFe.xml`,
      'NF-e 8',
      'NF-e 8 · série 1',
      'nota nº 8',
      item.destinatario.nome.slice(0, 4).toLowerCase(),
      item.destinatario.nome.normalize('NFD').replaceAll(/\p{M}/gu, '').toUpperCase(),
      item.destinatario.cpfCnpj.slice(0, 8),
      '8',
    ];
    for (const text of typed) {
      const found = chaves(
        await lista(admin, `cliente=${cenario.emitente}&busca=${encodeURIComponent(text)}`),
      );
      assert.ok(found.includes(ultima.chave), text);
    }
    for (const text of ['zzzz', '99999999', '...', "' or 1=1 --", '%', '_']) {
      assert.deepEqual(
        chaves(await lista(admin, `cliente=${cenario.emitente}&busca=${encodeURIComponent(text)}`)),
        [],
        text,
      );
    }
  });

  it('narrows by purpose, which is derived from the CFOP of the items', async () => {
    const base = `cliente=${cenario.destinatario}`;
    const all = (await lista(admin, base)).itens;
    const codigo = all[0].finalidade.codigo;
    const found = (await lista(admin, `${base}&finalidade=${codigo}`)).itens;
    assert.ok(found.length > 0);
    assert.ok(found.every((item: { finalidade: { codigo: string } }) => item.finalidade.codigo === codigo));
    const expected = all.filter(
      (item: { finalidade: { codigo: string } }) => item.finalidade.codigo === codigo,
    );
    assert.deepEqual(chaves({ itens: found }), chaves({ itens: expected }));
  });
});

type Linha = {
  chave: string;
  valor: string | null;
  numero: string;
  status: string;
  emitente: { nome: string | null };
  destinatario: { nome: string | null };
};

describe('columns by which a listing is sorted', () => {
  const porColuna: [string, (linha: Linha) => number | string][] = [
    ['valor', ({ valor }) => (valor === null ? -1 : Number(valor))],
    ['numero', ({ numero }) => Number(numero)],
    ['status', ({ status }) => status],
    ['emitente', ({ emitente }) => (emitente.nome ?? '').toUpperCase()],
    ['destinatario', ({ destinatario }) => (destinatario.nome ?? '').toUpperCase()],
    ['cliente', () => 0],
  ];
  for (const [coluna, chaveDe] of porColuna) {
    it(`sorts by ${coluna}, both ways, each document once over all pages`, async () => {
      for (const [ordem, sinal] of [
        [coluna, -1],
        [`${coluna}_asc`, 1],
      ] as const) {
        const whole: Linha[] = (await lista(admin, `ordem=${ordem}`)).itens;
        assert.equal(whole.length, 7);
        const [first, ...others] = whole.map(chaveDe);
        let antes = first ?? 0;
        for (const value of others) {
          assert.ok(value === antes || value > antes === (sinal === 1), `${ordem}: ${antes}, ${value}`);
          antes = value;
        }
        const walked: string[] = [];
        let depois = '';
        do {
          const body = await lista(admin, `ordem=${ordem}&Tamanho=2${depois}`);
          walked.push(...chaves(body));
          depois = body.proximo === null ? '' : `&depois=${body.proximo}`;
        } while (depois !== '');
        assert.deepEqual(walked, chaves({ itens: whole }), ordem);
      }
    });
  }
});

describe('what a filter comes to', () => {
  const totais = async (quem: Pedinte, query: string) => (await quem.ask(`/documentos/totais?${query}`)).body;

  it('is told by status, each document once however many clients have it', async () => {
    const itens: Linha[] = (await lista(admin, '')).itens;
    const { porStatus, completo } = await totais(admin, '');
    assert.equal(completo, true);
    for (const { status, documentos, valor } of porStatus) {
      const its = itens.filter((linha) => linha.status === status);
      assert.equal(documentos, its.length, status);
      const centavos = its.reduce((sum, linha) => sum + Math.round(Number(linha.valor ?? 0) * 100), 0);
      assert.equal(valor, (centavos / 100).toFixed(2), status);
    }
    assert.equal(
      porStatus.reduce((sum: number, { documentos }: { documentos: number }) => sum + documentos, 0),
      itens.length,
    );
  });

  it('follows the filter, also one that only code can tell', async () => {
    for (const query of ['visao=canceladas', 'finalidade=Revenda', 'numero=8', 'cfop=1111']) {
      const itens = (await lista(admin, query)).itens.length;
      const { porStatus } = await totais(admin, query);
      const documentos = porStatus.reduce(
        (sum: number, one: { documentos: number }) => sum + one.documentos,
        0,
      );
      assert.equal(documentos, itens, query);
    }
    assert.deepEqual((await totais(deFora, '')).porStatus, []);
  });
});

describe('a search by what was sold', () => {
  const xml = Buffer.from(DOCUMENTOS.ultima.bytes).toString();
  const campo = (nome: string) => new RegExp(`<${nome}>([^<]+)</${nome}>`).exec(xml)?.[1] ?? '';
  const acha = async (query: string) => chaves(await lista(admin, query));

  it('finds an amount with its centavos', async () => {
    const [reais = '', centavos = ''] = campo('vNF').split('.');
    const comPontos = Number(reais).toLocaleString('pt-BR');
    for (const texto of [`${reais},${centavos}`, `R$ ${comPontos},${centavos}`])
      assert.deepEqual(await acha(`busca=${encodeURIComponent(texto)}`), [DOCUMENTOS.ultima.chave], texto);
    assert.deepEqual(await acha('busca=0,01'), []);
  });

  it('finds a CFOP, an NCM or its beginning, and words of a product or its code', async () => {
    const [cfop, ncm, produto] = [campo('CFOP'), campo('NCM'), campo('xProd')];
    const primeira = produto.split(' ')[0] ?? '';
    for (const query of [
      `cfop=${cfop}`,
      `ncm=${ncm}`,
      `ncm=${ncm.slice(0, 4)}`,
      `produto=${encodeURIComponent(primeira.toLowerCase())}`,
      `produto=${encodeURIComponent(campo('cProd'))}`,
      `cfop=${cfop}&ncm=${ncm}&produto=${encodeURIComponent(produto)}`,
    ])
      assert.ok((await acha(query)).includes(DOCUMENTOS.ultima.chave), query);
    for (const query of ['cfop=1111', 'ncm=00', 'produto=inexistente', `cfop=1111&produto=${primeira}`])
      assert.deepEqual(await acha(query), [], query);
    assert.deepEqual(await acha('cfop=1111&visao=inutilizadas'), [], 'what has no items');
  });
});

describe('the listing of the whole office', () => {
  it('has one row for a note between two clients, which names both, and pages that never tell it twice', async () => {
    const whole = await lista(admin, 'especie=nfe');
    assert.equal(new Set(chaves(whole)).size, whole.itens.length);
    assert.equal(whole.itens.length, 6);
    const entre = whole.itens.find((i: { chave: string }) => i.chave === DOCUMENTOS.ultima.chave);
    assert.deepEqual(
      [entre.cliente.cpfCnpj, entre.papel, entre.direcao],
      [cenario.emitente, 'emitente', 'Saída'],
    );
    const [outro, ...mais] = entre.tambem;
    assert.deepEqual(
      [outro.cliente.cpfCnpj, outro.papel, outro.direcao, mais],
      [cenario.destinatario, 'destinatario', 'Entrada', []],
    );
    const so = whole.itens.find((i: { chave: string }) => i.chave === DOCUMENTOS.inutilizacao.chave);
    assert.deepEqual(so.tambem, []);
    const walked: string[] = [];
    let depois = '';
    do {
      const body = await lista(admin, `especie=nfe&Tamanho=1${depois}`);
      assert.ok(body.itens.length <= 1);
      walked.push(...chaves(body));
      depois = body.proximo === null ? '' : `&depois=${body.proximo}`;
    } while (depois !== '');
    assert.deepEqual(walked, chaves(whole));
    const recebidas = await lista(admin, 'especie=nfe&visao=recebidas');
    assert.deepEqual(
      new Set(recebidas.itens.map((i: { cliente: { cpfCnpj: string } }) => i.cliente.cpfCnpj)),
      new Set([cenario.destinatario]),
    );
  });

  it('narrows like that of one client', async () => {
    for (const [query, expected] of [
      ['visao=canceladas', DOCUMENTOS.cancelada.chave],
      ['visao=denegadas', DOCUMENTOS.denegada.chave],
      ['visao=inutilizadas', DOCUMENTOS.inutilizacao.chave],
      ['visao=cartacorrecao', DOCUMENTOS.corrigida.chave],
      ['especie=nfce&visao=emitidas', DOCUMENTOS.nfce.chave],
    ]) {
      assert.deepEqual([...new Set(chaves(await lista(admin, query ?? '')))], [expected], query);
    }
  });

  it('counts the tabs', async () => {
    const { status, body } = await admin.ask(`/documentos/contagens?cliente=${cenario.emitente}`);
    assert.equal(status, 200);
    const [nfe, nfce] = body.especies;
    assert.deepEqual(
      { ...nfe },
      {
        especie: 'nfe',
        total: 6,
        emitidas: 6,
        recebidas: 0,
        autorizadas: 3,
        canceladas: 1,
        denegadas: 1,
        inutilizadas: 1,
        pendentes: 0,
        cartacorrecao: 1,
      },
    );
    assert.equal(nfce.total, 1);
  });
});

describe('who sees what', () => {
  it('an operator sees all clients; somebody of papel cliente only its own, whatever is asked for', async () => {
    assert.equal((await lista(operador, '')).itens.length, (await lista(admin, '')).itens.length);
    const { itens } = await lista(doCliente, '');
    assert.ok(itens.length > 0);
    for (const item of itens) assert.equal(item.cliente.cpfCnpj, cenario.destinatario);
    const other = await doCliente.ask(`/documentos?cliente=${cenario.emitente}`);
    assert.equal(other.status, 404);
    assert.equal(other.body.codigo, 'cliente_nao_encontrado');
  });

  it('another office finds nothing, by search neither', async () => {
    assert.equal((await lista(deFora, '')).itens.length, 0);
    assert.deepEqual(chaves(await lista(deFora, `busca=${DOCUMENTOS.ultima.chave}`)), []);
    assert.equal((await deFora.ask(`/documentos?cliente=${cenario.destinatario}`)).status, 404);
  });
});

describe('faults of a listing', () => {
  for (const [query, codigo] of [
    ['cliente=123', 'cpf_cnpj_invalido'],
    ['emissaoDe=2026-02-30', 'data_invalida'],
    ['emissaoDe=2026-03-02&emissaoAte=2026-03-01', 'periodo_invalido'],
    ['chave=1', 'chave_invalida'],
    ['visao=nenhuma', 'dados_invalidos'],
    ['valorDe=muito', 'dados_invalidos'],
    ['cfop=9102', 'dados_invalidos'],
    ['ncm=1', 'dados_invalidos'],
    ['ordem=uf', 'dados_invalidos'],
    ['Tamanho=501', 'tamanho_invalido'],
    ['depois=aqui!', 'pagina_invalida'],
    ['especie=nfe&especie=nfce', 'parametro_repetido'],
    ['visao=faltantes', 'dados_invalidos'],
  ]) {
    it(`answers ${codigo} to ${query}`, async () => {
      const { status, body } = await admin.ask(`/documentos?${query}`);
      assert.equal(status, 400);
      assert.equal(body.codigo, codigo);
    });
  }
});

describe('missing numbers', () => {
  it('tells each gap with its reason and month, and takes a justified one out of the count', async () => {
    const path = `/faltantes?cliente=${cenario.emitente}&emissaoDe=2026-03-01`;
    const { status, body } = await admin.ask(path);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.total, 1);
    const [lacuna] = body.lacunas;
    assert.equal(lacuna.numero, '7');
    assert.equal(lacuna.motivo, 'sem documento');
    assert.equal(lacuna.mes, '2026-03');
    const serie = body.series.find((one: { modelo: string }) => one.modelo === '55');
    assert.deepEqual(serie.meses, [{ mes: '2026-03', conhecidos: 6, faltantes: 1 }]);
    assert.deepEqual([serie.primeiro, serie.ultimo], [1, 8]);

    const corpo = { cliente: cenario.emitente, modelo: '55', serie: '1', numero: 7 };
    const done = await admin.ask('/faltantes/justificar', {
      method: 'POST',
      json: { ...corpo, numeroFinal: 7, motivo: 'Bloco anterior ao sistema' },
    });
    assert.equal(done.status, 200, JSON.stringify(done.body));
    const after = (await admin.ask(path)).body;
    assert.equal(after.total, 0);
    assert.equal(after.justificados, 1);
    const { motivo, numero, numeroFinal } = after.lacunas[0].justificativa;
    assert.deepEqual([motivo, numero, numeroFinal], ['Bloco anterior ao sistema', 7, 7]);
    await admin.ask('/faltantes/justificar', { method: 'DELETE', json: corpo });
    assert.equal((await admin.ask(path)).body.total, 1);
  });

  it('stands in the listing too', async () => {
    const { itens, total } = await lista(admin, `visao=faltantes&especie=nfe&cliente=${cenario.emitente}`);
    assert.equal(total, 1);
    assert.deepEqual([itens[0].numero, itens[0].status, itens[0].chave], ['7', 'Faltante', null]);
  });

  it('is nobody else’s', async () => {
    assert.equal((await doCliente.ask(`/faltantes?cliente=${cenario.emitente}`)).status, 404);
    const { status } = await doCliente.ask('/faltantes/justificar', {
      method: 'POST',
      json: {
        cliente: cenario.emitente,
        modelo: '55',
        serie: '1',
        numero: 7,
        numeroFinal: 7,
        motivo: 'nada',
      },
    });
    assert.equal(status, 404);
  });
});

describe('who read what', () => {
  it('is noted of a token: how far it has read, and which documents', async () => {
    await fetchJson(`${cenario.base()}/documentos/0/novos?Xml=true&Tamanho=5`, { token: cenario.token });
    await fetchJson(`${cenario.base()}/documentos/5/novos?Tamanho=5`, { token: cenario.token });
    const first = await fetchJson(`${cenario.base()}/documentos/1`, { token: cenario.token });
    await fetch(first.body.url_download);
    await malote.stop();
    await withDeps(malote.dataFolder, async ({ db }) => {
      const leituras = await db.read.selectFrom('leitura_do_feed').selectAll().execute();
      assert.equal(leituras.length, 1);
      assert.equal(leituras[0]?.nsu, 9, 'nine entries, read to the end');
      const lotes = (
        await db.read.selectFrom('acesso_em_lote').select(['nsu_de', 'nsu_ate']).orderBy('nsu_de').execute()
      ).map((lote) => ({ ...lote }));
      const acessos = (
        await db.read.selectFrom('acesso').select(['ato', 'autor']).orderBy('id').execute()
      ).map(({ ato }) => ato);
      // Each process notes what it has answered itself: of several, who writes first is chance.
      if (EM_QUATRO && lotes.length > 1) {
        assert.deepEqual(lotes, [
          { nsu_de: 1, nsu_ate: 5 },
          { nsu_de: 6, nsu_ate: 9 },
        ]);
      } else assert.deepEqual(lotes, [{ nsu_de: 1, nsu_ate: 9 }]);
      assert.deepEqual(EM_QUATRO ? acessos.sort().reverse() : acessos, ['leitura', 'endereco']);
    });
  });
});
