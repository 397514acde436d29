import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  ArquivoGrandeDemais,
  Conflito,
  criarCliente,
  FalhaDeRede,
  Indisponivel,
  LimiteExcedido,
  NaoAutorizado,
  NaoEncontrado,
  type OpcoesDoCliente,
  Proibido,
  RequisicaoInvalida,
  RespostaInesperada,
  TempoEsgotado,
} from './cliente.ts';

interface Sent {
  method: string;
  /** Path and query. */
  path: string;
  headers: Headers;
  body: string;
}

type Answer = Response | Error;

/** A service that answers what the test says, in order; the last answer is repeated. */
function service(answers: (Answer | ((sent: Sent) => Answer))[], options: Partial<OpcoesDoCliente> = {}) {
  const sent: Sent[] = [];
  const pausesMs: number[] = [];
  const fakeFetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(String(url));
    const request: Sent = {
      method: init.method ?? 'GET',
      path: pathname + search,
      headers: new Headers(init.headers),
      body: init.body instanceof Uint8Array ? Buffer.from(init.body).toString() : String(init.body ?? ''),
    };
    const next = answers[Math.min(sent.length, answers.length - 1)];
    sent.push(request);
    const answer = typeof next === 'function' ? next(request) : next;
    if (answer instanceof Error) throw answer;
    return answer?.clone() ?? Response.error();
  };
  const cliente = criarCliente({
    url: 'http://servidor.exemplo/',
    token: 'mlt_segredo',
    codigoCrm: '123',
    cpfCnpj: '12.ABC.345/01DE-35',
    fetch: fakeFetch as typeof fetch,
    esperar: async (ms) => {
      pausesMs.push(ms);
    },
    aleatorio: () => 0.5,
    ...options,
  });
  return { cliente, sent, pausesMs };
}

const json = (value: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
const problem = (status: number, codigo: string, headers: Record<string, string> = {}) =>
  json(
    {
      status,
      codigo,
      mensagem: `mensagem de ${codigo}`,
      erros: [{ campo: 'a', codigo: 'b', mensagem: 'c' }],
      requestId: 'r-1',
    },
    status,
    headers,
  );
const page = (nsus: number[], total = nsus.length) =>
  json({
    total,
    paginas: 1,
    tamanho: 2,
    pagina: 1,
    documentos: nsus.map((nsu) => ({ nsu, url_download: `http://servidor.exemplo/d/${nsu}` })),
  });
const ticket = (id: string) =>
  json({ mensagem: 'ok', url: `http://servidor.exemplo/upload/${id}?Signature=x`, id });
const state = (status: string) =>
  json({ tamanho: 3, extensao: '.xml', status, dataCriacao: '', log: '', dataUploaded: null });
const ok = () => new Response(null, { status: 200 });
const down = () => new TypeError('fetch failed', { cause: new Error('ECONNRESET') });

describe('calls', () => {
  it('carry the token, a padded CRM and an escaped CNPJ', async () => {
    const { cliente, sent } = service([page([])]);
    await cliente.novos(7, { tamanho: 10, xml: true });
    assert.equal(sent[0]?.path, '/api/v1/000123/12.ABC.345%2F01DE-35/documentos/7/novos?Tamanho=10&Xml=true');
    assert.equal(sent[0]?.headers.get('authorization'), 'Bearer mlt_segredo');
  });

  it('serve another company through daEmpresa', async () => {
    const { cliente, sent } = service([page([])]);
    await cliente.daEmpresa('11144477735', 999999).nfe({ dataInicial: '2026-03-01', status: 'Canceladas' });
    assert.equal(sent[0]?.path, '/api/v1/999999/11144477735/nfe?DataInicial=2026-03-01&Status=Canceladas');
  });

  it('ask for the company before anything is sent', () => {
    const { cliente, sent } = service([page([])], { cpfCnpj: undefined as never });
    assert.throws(() => cliente.novos(0), TypeError);
    assert.equal(sent.length, 0);
  });

  it('go to an http address only, which is told before anything is tried', () => {
    for (const url of ['localhost:8080', '127.0.0.1:8080', 'file:///x', ''])
      assert.throws(() => service([], { url }), { name: 'TypeError', message: /http:\/\/ ou https:\/\// });
    assert.throws(() => service([], { urlImportacao: 'importa.example' }), TypeError);
  });
});

describe('errors', () => {
  const classes = [
    [400, 'tamanho_invalido', RequisicaoInvalida],
    [401, 'token_invalido', NaoAutorizado],
    [403, 'crm_nao_autorizado', Proibido],
    [404, 'documento_nao_encontrado', NaoEncontrado],
    [409, 'cliente_ja_cadastrado', Conflito],
    [413, 'corpo_grande_demais', ArquivoGrandeDemais],
  ] as const;
  for (const [status, codigo, ErrorClass] of classes) {
    it(`turn ${status} into ${ErrorClass.name}, once, with code, request id and fields`, async () => {
      const { cliente, sent } = service([problem(status, codigo)]);
      await assert.rejects(cliente.porNsu(1), (error) => {
        assert.ok(error instanceof ErrorClass);
        const { codigo: code, requestId, erros, message } = error;
        assert.deepEqual(
          { code, requestId, fields: erros.length, message },
          { code: codigo, requestId: 'r-1', fields: 1, message: `mensagem de ${codigo}` },
        );
        return true;
      });
      assert.equal(sent.length, 1);
    });
  }

  it('name a page that is not of this service', async () => {
    const { cliente } = service([new Response('<html>entrar</html>', { status: 200 })]);
    await assert.rejects(cliente.porNsu(1), RespostaInesperada);
  });

  it('hand on only what is an error of a field', async () => {
    const good = { campo: 'a', codigo: 'b', mensagem: 'c' };
    const erros = [null, 'x', { campo: 'a', codigo: 'b', mensagem: {} }, good];
    const { cliente } = service([json({ codigo: 'x', erros }, 400)]);
    await assert.rejects(cliente.porNsu(1), { codigo: 'x', erros: [good] });
  });

  it('read the XML of the upload address', async () => {
    const xml = '<Error><Code>EntityTooLarge</Code><Message>grande</Message></Error>';
    const { cliente } = service([ticket('a'), new Response(xml, { status: 413 })]);
    await assert.rejects(cliente.enviarArquivo(new Uint8Array(3), { extensao: '.xml' }), {
      codigo: 'entity_too_large',
      message: 'grande',
    });
  });
});

describe('tries', () => {
  it('go on after network faults, with growing pauses, until an answer comes', async () => {
    const { cliente, pausesMs } = service([down(), down(), down(), page([])]);
    await cliente.novos(0);
    assert.equal(pausesMs.length, 3);
    assert.ok((pausesMs[0] ?? 0) < (pausesMs[1] ?? 0) && (pausesMs[1] ?? 0) < (pausesMs[2] ?? 0));
  });

  it('end with FalhaDeRede after the given number', async () => {
    const { cliente, sent } = service([down()], { tentativas: 3 });
    await assert.rejects(cliente.novos(0), FalhaDeRede);
    assert.equal(sent.length, 3);
  });

  it('wait as long as Retry-After asks on 429 and 503', async () => {
    const { cliente, pausesMs } = service([
      problem(429, 'limite_excedido', { 'retry-after': '7' }),
      problem(503, 'indisponivel', { 'retry-after': '2' }),
      page([]),
    ]);
    await cliente.novos(0);
    assert.ok((pausesMs[0] ?? 0) >= 7_000 && (pausesMs[0] ?? 0) < 8_000);
    assert.ok((pausesMs[1] ?? 0) >= 2_000 && (pausesMs[1] ?? 0) < 3_000);
  });

  it('do not wait for an hour, but hand the limit to the caller', async () => {
    const { cliente, pausesMs } = service([problem(429, 'limite_excedido', { 'retry-after': '3600' })]);
    await assert.rejects(
      cliente.novos(0),
      (error) => error instanceof LimiteExcedido && error.esperarMs === 3_600_000,
    );
    assert.deepEqual(pausesMs, []);
  });

  it('end with Indisponivel when a gateway stays down', async () => {
    const { cliente, sent } = service([new Response('bad gateway', { status: 502 })], { tentativas: 2 });
    await assert.rejects(cliente.novos(0), Indisponivel);
    assert.equal(sent.length, 2);
  });

  it('stop at once when the caller gives up', async () => {
    const { cliente, sent } = service([ticket('a')]);
    const signal = AbortSignal.abort(new Error('chega'));
    const failing = service([() => new Error('aborted')], {});
    await assert.rejects(
      failing.cliente.enviarArquivo(new Uint8Array(1), { extensao: '.xml', signal }),
      /chega/,
    );
    assert.equal(failing.sent.length, 1);
    assert.equal(sent.length + (cliente ? 0 : 1), 0);
  });
});

describe('enviarArquivo', () => {
  it('announces, sends the bytes without token and waits for the final state', async () => {
    const { cliente, sent } = service([ticket('a1'), ok(), state('Em Processamento'), state('Uploaded')]);
    const arquivo = await cliente.enviarArquivo(Buffer.from('<x/>'), { extensao: '.xml' });
    assert.deepEqual([arquivo.id, arquivo.status], ['a1', 'Uploaded']);
    assert.deepEqual(
      sent.map(({ method, path }) => `${method} ${path}`),
      ['POST /storage', 'PUT /upload/a1?Signature=x', 'GET /storage/arquivo/a1', 'GET /storage/arquivo/a1'],
    );
    assert.equal(sent[0]?.body, '{"size":4,"extension":".xml"}');
    assert.equal(sent[1]?.body, '<x/>');
    assert.equal(sent[1]?.headers.get('authorization'), null);
  });

  it('takes a path, with its size and extension', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'malote-cliente-'));
    try {
      writeFileSync(join(folder, 'lote.zip'), 'PK...');
      const { cliente, sent } = service([ticket('z'), ok(), state('Com Erro')]);
      assert.equal((await cliente.enviarArquivo(join(folder, 'lote.zip'))).status, 'Com Erro');
      assert.equal(sent[0]?.body, '{"size":5,"extension":".zip"}');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('asks for a new address when the first has lapsed', async () => {
    const { cliente, sent } = service([
      ticket('velho'),
      problem(403, 'access_denied'),
      state('Expirado'),
      ticket('novo'),
      ok(),
      state('Uploaded'),
    ]);
    assert.equal((await cliente.enviarArquivo(new Uint8Array(1), { extensao: '.xml' })).id, 'novo');
    assert.equal(sent.filter(({ method }) => method === 'PUT').length, 2);
  });

  it('does not send twice what arrived although its answer was lost', async () => {
    const { cliente, sent } = service([
      ticket('a'),
      down(),
      problem(403, 'access_denied'),
      state('Em Processamento'),
      state('Uploaded'),
    ]);
    assert.equal((await cliente.enviarArquivo(new Uint8Array(1), { extensao: '.xml' })).id, 'a');
    assert.equal(sent.filter(({ method }) => method === 'POST').length, 1);
  });

  it('shows why the address is refused when a new one does not help', async () => {
    const { cliente } = service([
      (sent) =>
        sent.method === 'POST'
          ? ticket('a')
          : sent.method === 'PUT'
            ? problem(403, 'signature_does_not_match')
            : state('Aguardando Upload'),
    ]);
    await assert.rejects(cliente.enviarArquivo(new Uint8Array(1), { extensao: '.xml' }), {
      codigo: 'signature_does_not_match',
    });
  });

  it('gives up waiting after the deadline and says how to ask again', async () => {
    const { cliente } = service([ticket('a'), ok(), state('Em Processamento')]);
    await assert.rejects(
      cliente.enviarArquivo(new Uint8Array(1), { extensao: '.xml', prazoMs: 1_000 }),
      (error) => error instanceof TempoEsgotado && /statusArquivo\("a"\)/.test(error.message),
    );
  });

  it('wants an extension for bytes', async () => {
    const { cliente } = service([ticket('a')]);
    await assert.rejects(cliente.enviarArquivo(new Uint8Array(1)), { codigo: 'extensao_invalida' });
  });
});

describe('loops', () => {
  it('percorrer asks for what is newer than the last document it gave', async () => {
    const { cliente, sent } = service([page([4, 5]), page([6, 7]), page([])]);
    const nsus: number[] = [];
    for await (const documento of cliente.percorrer(3, { tamanho: 2 })) nsus.push(documento.nsu);
    assert.deepEqual(nsus, [4, 5, 6, 7]);
    assert.deepEqual(
      sent.map(({ path }) => path.split('/documentos')[1]),
      ['/3/novos?Tamanho=2', '/5/novos?Tamanho=2', '/7/novos?Tamanho=2'],
    );
  });

  it('percorrer ends at a short page', async () => {
    const { cliente, sent } = service([page([1])]);
    for await (const _ of cliente.percorrer(0, { tamanho: 2 }));
    assert.equal(sent.length, 1);
  });

  it('itensDoArquivo reads all pages', async () => {
    const rows = (n: number) => json({ itens: Array.from({ length: n }, () => ({ caminho: 'x' })) });
    const { cliente, sent } = service([rows(500), rows(3)]);
    let count = 0;
    for await (const _ of cliente.itensDoArquivo('id 1')) count++;
    assert.equal(count, 503);
    assert.equal(sent[1]?.path, '/storage/arquivo/id%201/itens?Pagina=2&Tamanho=500');
  });
});

describe('baixar', () => {
  it('reads a signed address without token', async () => {
    const { cliente, sent } = service([new Response('<nfe/>')]);
    assert.equal(Buffer.from(await cliente.baixar('http://servidor.exemplo/d/1')).toString(), '<nfe/>');
    assert.equal(sent[0]?.headers.get('authorization'), null);
  });

  it('draws a new address for a document whose own has expired', async () => {
    const { cliente, sent } = service([
      page([9]),
      problem(403, 'endereco_expirado'),
      json({ nsu: 9, url_download: 'http://servidor.exemplo/novo' }),
      new Response('<nfe/>'),
    ]);
    const [documento] = (await cliente.novos(8)).documentos;
    assert.ok(documento);
    assert.equal(Buffer.from(await cliente.baixar(documento)).toString(), '<nfe/>');
    assert.equal(sent.at(-1)?.path, '/novo');
  });

  it('reads the bytes of the event of an entry, also where their address has expired', async () => {
    const evento = { url_download: 'http://servidor.exemplo/e/1' };
    const { cliente, sent } = service([
      json({ nsu: 9, url_download: 'http://servidor.exemplo/d/1', evento }),
      problem(403, 'endereco_expirado'),
      json({ nsu: 9, evento: { url_download: 'http://servidor.exemplo/e/2' } }),
      new Response('<procEventoNFe/>'),
    ]);
    const documento = await cliente.porNsu(9);
    assert.equal(Buffer.from(await cliente.baixarEvento(documento)).toString(), '<procEventoNFe/>');
    assert.deepEqual(
      sent.slice(1).map(({ path }) => path),
      ['/e/1', '/api/v1/000123/12.ABC.345%2F01DE-35/documentos/9', '/e/2'],
    );
    const semEvento = { ...documento, evento: null };
    await assert.rejects(cliente.baixarEvento(semEvento), { codigo: 'conteudo_excluido' });
  });

  it('says that a content was deleted, whether the entry knows it yet or not', async () => {
    const { cliente } = service([
      page([9]),
      problem(404, 'documento_nao_encontrado'),
      json({ nsu: 9, url_download: '' }),
      json({ nsu: 9, url_download: '' }),
    ]);
    const [documento] = (await cliente.novos(8)).documentos;
    assert.ok(documento);
    const gone = { name: 'ConteudoExcluido', codigo: 'conteudo_excluido', message: /NSU 9/ };
    await assert.rejects(cliente.baixar(documento), gone);
    await assert.rejects(cliente.baixar(await cliente.porNsu(9)), gone);
  });
});
