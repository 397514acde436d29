/** What programs that were made for another server write a little differently, where nothing is lost by taking it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openContas } from '../support/acesso-contas.ts';
import { type CenarioDeExportacao, DOCUMENTOS, prepareCenario } from '../support/cenario-exportacao.ts';
import { fetchJson, type Malote, startMalote } from '../support/malote.ts';
import { send } from '../support/pedido.ts';

let malote: Malote;
let cenario: CenarioDeExportacao;
let contas: string;

before(async () => {
  malote = await startMalote({ env: { MALOTE_LIMITE_MINUTO: '0' } });
  cenario = await prepareCenario(malote, { crm: '123' });
  contas = (await openContas(malote, { contadorIds: [cenario.contadorId] })).token;
});
after(() => malote[Symbol.asyncDispose]());

const storage = (json: unknown) => fetchJson(`${malote.url}/storage`, { token: cenario.token, json });

/** A body as bytes, with headers of its own. */
async function post(body: Uint8Array | string, headers: Record<string, string>, path = '/storage') {
  const answer = await send({
    method: 'POST',
    url: malote.url + path,
    headers: Object.entries({
      authorization: `Bearer ${path === '/storage' ? cenario.token : contas}`,
      'content-type': 'application/json',
      ...headers,
    }),
    body,
  });
  return { ...answer, body: JSON.parse(answer.text) };
}

describe('fields of a body', () => {
  it('of POST /storage: names in any case, numbers as text, blanks around', async () => {
    for (const json of [
      { size: '100', extension: '.xml' },
      { Size: 100, Extension: ' .XML ' },
      { SIZE: ' 100 ', EXTENSION: 'zip', ContentType: 'application/xml' },
    ]) {
      const { status, body } = await storage(json);
      assert.equal(status, 200, JSON.stringify([json, body]));
      const url = `${malote.url}/storage/arquivo/${body.id}`;
      const { tamanho, extensao } = (await fetchJson(url, { token: cenario.token })).body;
      assert.deepEqual([tamanho, extensao], [100, String(Object.values(json)[1]).trim()]);
    }
    for (const [json, codigo] of [
      [{ size: 1, Size: 2, extension: '.xml' }, 'corpo_invalido'],
      [{ size: '1.5', extension: '.xml' }, 'size_invalido'],
      [{ size: '', extension: '.xml' }, 'size_invalido'],
      [{ size: 'cem', extension: '.xml' }, 'size_invalido'],
      [{ Size: 1 }, 'parametro_obrigatorio'],
    ] as const)
      assert.equal((await storage(json)).body.codigo, codigo, JSON.stringify(json));
  });

  it('of the purpose of a document', async () => {
    const url = `${cenario.base(cenario.destinatario)}/documentos/${DOCUMENTOS.autorizada.chave}/finalidade`;
    const json = { Itens: [{ NUMERO: '1', Finalidade_Aquisicao: ' Revenda ' }] };
    const { status, body } = await fetchJson(url, { token: cenario.token, method: 'PUT', json });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.itens[0].finalidade_aquisicao, 'Revenda');
  });

  it('of the accounts area: booleans as text too', async () => {
    const clientes = `${malote.url}/api/contas/platform/contador/123/cliente`;
    const json = {
      CPFCNPJ: ' 11.222.333/0001-81 ',
      NomeEmpresa: ' Padaria Estrela ',
      EMAIL: 'a@b.co ',
      TrabalhaComProcuracao: 'True',
    };
    const made = await fetchJson(clientes, { token: contas, json });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const put = (body: object) =>
      fetchJson(`${clientes}/11222333000181`, { token: contas, method: 'PUT', json: body });
    assert.equal((await put({ trabalhacomprocuracao: '0' })).status, 200);
    const refused = await put({ TRABALHACOMPROCURACAO: 'talvez', Email: 'x' });
    assert.deepEqual(refused.body.erros.map(({ campo }: { campo: string }) => campo).sort(), [
      'email',
      'trabalhaComProcuracao',
    ]);
    assert.equal((await put({ email: 'a@b.co', Email: 'c@d.co' })).body.codigo, 'corpo_invalido');
  });
});

describe('a body of JSON', () => {
  const pedido = JSON.stringify({ size: 100, extension: '.xml' });

  it('may come as gzip, in the accounts area too', async () => {
    for (const coding of ['gzip', 'GZIP', 'x-gzip'])
      assert.equal((await post(gzipSync(pedido), { 'content-encoding': coding })).status, 200, coding);
    assert.equal((await post(pedido, { 'content-encoding': 'identity' })).status, 200);
    const path = '/api/contas/platform/contador/123/cliente';
    const { body } = await post(gzipSync('{}'), { 'content-encoding': 'gzip' }, path);
    assert.deepEqual([body.codigo, body.erros.length], ['dados_invalidos', 3]);
  });

  it('is no bomb, and nothing else than it says', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20));
    assert.ok(bomb.length < 100_000);
    for (const [body, headers, status, codigo] of [
      [bomb, { 'content-encoding': 'gzip' }, 413, 'corpo_grande_demais'],
      [pedido, { 'content-encoding': 'gzip' }, 400, 'corpo_invalido'],
      [gzipSync(pedido).subarray(0, -4), { 'content-encoding': 'gzip' }, 400, 'corpo_invalido'],
      [gzipSync('{"size":1,"size":2}'), { 'content-encoding': 'gzip' }, 400, 'corpo_invalido'],
      [gzipSync(pedido), {}, 400, 'corpo_invalido'],
      [pedido, { 'content-encoding': 'br' }, 415, 'tipo_de_conteudo_invalido'],
    ] as const) {
      const answer = await post(body, headers as Record<string, string>);
      assert.deepEqual([answer.status, answer.body.codigo], [status, codigo], JSON.stringify(headers));
      if (status === 415) assert.equal(answer.headers['accept-encoding'], 'gzip, identity');
    }
  });
});

describe('a form at /storage', () => {
  it('is told the two steps, with the address that the caller used', async () => {
    const form = new FormData();
    form.set('file', new Blob(['<a/>']), 'a.xml');
    const answer = await fetch(`${malote.url}/storage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${cenario.token}` },
      body: form,
    });
    const { codigo, mensagem } = (await answer.json()) as { codigo: string; mensagem: string };
    assert.deepEqual([answer.status, codigo], [415, 'tipo_de_conteudo_invalido']);
    assert.ok(mensagem.includes(`1) curl ${malote.url}/storage `), mensagem);
    assert.match(mensagem, /2\) curl -T arquivo\.xml "\$URL"/);
  });

  it('is told so only to who may ask', async () => {
    const answer = await fetch(`${malote.url}/storage`, { method: 'POST', body: new FormData() });
    assert.equal(((await answer.json()) as { codigo: string }).codigo, 'token_ausente');
  });
});

describe('words of a query', () => {
  it('Xml=-1 is true, as some languages write it', async () => {
    for (const word of ['-1', '1', 'TRUE'])
      assert.match((await read(`/documentos/1?xml=${word}`)).body.xml, /^<|^\ufeff</, word);
    assert.equal((await read('/documentos/1?Xml=-2')).body.codigo, 'booleano_invalido');
  });

  it('of blanks alone is none', async () => {
    for (const query of ['Status=%20', 'Status=+&Tipo=++', 'DataFinal=%20&Tamanho=+&Pagina=%20'])
      assert.equal((await read(`/nfe?DataInicial=2026-03-01&${query}`)).status, 200, query);
    assert.equal((await read('/nfe?DataInicial=%20')).body.codigo, 'parametro_obrigatorio');
  });

  const read = (path: string) => fetchJson(cenario.base() + path, { token: cenario.token });
});

describe('a target with the name of the server before its path', () => {
  it('is the same route, in any case and with few digits, and its answers lead where it was sent', async () => {
    const asked = (rawPath: string) =>
      send({
        method: 'GET',
        url: malote.url,
        rawPath,
        headers: [['Authorization', `Bearer ${cenario.token}`]],
      });
    const path = `/documentos/0/novos?Tamanho=1`;
    const plain = JSON.parse((await asked(new URL(cenario.base()).pathname + path)).text);
    const named = await asked(`http://notas.exemplo/API//v1/123/${cenario.emitente}${path}`);
    assert.equal(named.status, 200, named.text);
    assert.match(String(named.headers.link), /^<http:\/\/notas\.exemplo\/api\//);
    const { documentos, ...page } = JSON.parse(named.text);
    assert.deepEqual(page, { total: plain.total, paginas: plain.paginas, tamanho: 1, pagina: 1 });
    assert.match(documentos[0].url_download, /^http:\/\/notas\.exemplo\/download\//);
  });
});

describe('programs in a browser', () => {
  const origin: [string, string] = ['Origin', 'https://erp.exemplo.com.br'];
  const options = (path: string, method: string) =>
    send({
      method: 'OPTIONS',
      url: malote.url + path,
      headers: [origin, ['Access-Control-Request-Method', method]],
    });

  it('may ask import and export from any page, before they have a token', async () => {
    const below = new URL(cenario.base()).pathname;
    for (const [path, methods] of [
      ['/storage', 'OPTIONS, POST'],
      ['/storage/arquivo/x', 'GET, HEAD, OPTIONS'],
      ['/Storage/Arquivo/x/Itens', 'GET, HEAD, OPTIONS'],
      [`${below}/documentos/0/novos`, 'GET, HEAD, OPTIONS'],
      [`${below}/nfe`, 'GET, HEAD, OPTIONS'],
      [`${below}/documentos/${DOCUMENTOS.autorizada.chave}/finalidade`, 'GET, HEAD, OPTIONS, PUT'],
      ['/download/1', 'GET, HEAD, OPTIONS'],
      ['/finalidade/1/1', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const { status, headers, text } = await options(path, 'GET');
      assert.deepEqual([status, text], [204, ''], path);
      const listed = String(headers['access-control-allow-methods']).split(', ').sort().join(', ');
      assert.equal(listed, methods, path);
      assert.equal(headers['access-control-allow-origin'], '*');
      assert.match(String(headers['access-control-allow-headers']), /\bAuthorization\b.*\bX-Codigo-Crm\b/);
      assert.equal(headers['access-control-allow-credentials'], undefined);
    }
  });

  it('read answers and errors alike, kept pages too', async () => {
    const ask = (path: string, token: string) =>
      send({
        method: 'GET',
        url: malote.url + path,
        headers: [origin, ['Authorization', `Bearer ${token}`]],
      });
    const page = `${new URL(cenario.base()).pathname}/documentos/0/novos?Tamanho=2`;
    for (const [path, token, status] of [
      [page, cenario.token, 200],
      [page, cenario.token, 200],
      [page, cenario.token, 200],
      [page, 'x', 401],
      [page.replace('000123', '999999'), cenario.token, 403],
      ['/storage/arquivo/x', cenario.token, 404],
      ['/storage/nada', cenario.token, 404],
      ['/download/1', '', 403],
    ] as const) {
      const { status: got, headers } = await ask(path, token);
      assert.deepEqual([got, headers['access-control-allow-origin']], [status, '*'], path);
      assert.match(String(headers['access-control-expose-headers']), /\bLink\b/);
    }
  });

  it('are not let into the console, nor told of paths that there are not', async () => {
    for (const path of ['/console/api/sessao', '/console/api/documentos', '/metrics']) {
      const { status, headers } = await options(path, 'GET');
      assert.deepEqual([status, headers['access-control-allow-origin']], [405, undefined], path);
    }
    for (const path of ['/storage/nada', '/api/v1/000123', '/api/v1/x/y/z'])
      assert.equal((await options(path, 'GET')).status, 404, path);
    const refused = await fetchJson(`${malote.url}/storage`, { method: 'DELETE', token: cenario.token });
    assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'POST, OPTIONS']);
  });
});
