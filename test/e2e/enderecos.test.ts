/** What programs of integrators write that were made for another server: addresses joined from parts. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { openContas } from '../support/acesso-contas.ts';
import {
  type CenarioDeExportacao,
  DOCUMENTOS,
  emitente,
  prepareCenario,
} from '../support/cenario-exportacao.ts';
import { until } from '../support/espera.ts';
import { createEscritorio, fetchJson, type Malote, startMalote } from '../support/malote.ts';

let malote: Malote;
let cenario: CenarioDeExportacao;

before(async () => {
  malote = await startMalote({ env: { MALOTE_LIMITE_MINUTO: '0' } });
  cenario = await prepareCenario(malote, { crm: '123' });
});
after(() => malote[Symbol.asyncDispose]());

const read = (path: string) => fetchJson(`${malote.url}${path}`, { token: cenario.token });

describe('an address with a slash too many', () => {
  it('is read in the export area as the one without, however often it is asked', async () => {
    const below = new URL(cenario.base()).pathname;
    const nfe = '?DataInicial=2020-01-01';
    for (const path of ['/documentos/0/novos', '/documentos/1', `/nfe${nfe}`, '/documentos/0/finalidade']) {
      const [plain = '', query = ''] = path.split(/(?=\?)/);
      const { body } = await read(below + path);
      const urls = [
        `/${below}${path}`,
        `${below.replace('/v1/', '/v1//')}${path}`,
        `${below}${plain}/${query}`,
      ];
      for (const url of [...urls, ...urls]) {
        const answer = await read(url);
        assert.deepEqual([url, answer.status, answer.body.total], [url, 200, body.total]);
        assert.deepEqual(semAssinaturas(answer.body), semAssinaturas(body));
      }
    }
    const { headers } = await read(`/${below}/documentos/0/novos/?Tamanho=2`);
    assert.ok(headers.get('link')?.startsWith(`<${cenario.base()}/documentos/0/novos?Tamanho=2&Pagina=2>`));
  });

  it('still names the value that is missing', async () => {
    const below = new URL(cenario.base()).pathname;
    for (const [path, mensagem] of [
      [`${below}/documentos//novos`, 'nsu é obrigatório.'],
      [`${below}/documentos/`, 'nsu é obrigatório.'],
      [`${below.replace(emitente.id, '')}/documentos/0/novos`, 'cpfCnpj é obrigatório.'],
      ['/storage/arquivo/', 'id é obrigatório.'],
    ] as const) {
      const { body } = await read(path);
      assert.deepEqual([path, body.status, body.mensagem], [path, 400, mensagem]);
    }
  });

  it('is read in the import area', async () => {
    const bytes = Buffer.from(DOCUMENTOS.autorizada.xml);
    const json = { size: bytes.length, extension: '.xml' };
    for (const path of ['//storage', '/storage/']) {
      const ticket = await fetchJson(malote.url + path, { token: cenario.token, json });
      assert.equal(ticket.status, 200);
      const url = ticket.body.url.replace('/upload/', '//upload//');
      const sent = await fetch(url, { method: 'PUT', body: bytes });
      assert.equal(sent.headers.get('etag'), `"${createHash('md5').update(bytes).digest('hex')}"`);
      for (const address of [`//storage/arquivo/${ticket.body.id}`, `/storage/arquivo/${ticket.body.id}/`])
        assert.equal((await read(address)).body.tamanho, bytes.length);
    }
  });

  it('is read in the accounts area', async () => {
    const { clientId, clientSecret } = await openContas(malote, { contadorIds: [cenario.contadorId] });
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const endpoint = '/auth/realms/service/protocol/openid-connect/token';
    for (const path of [`/${endpoint}`, `${endpoint}/`]) {
      const answer = await fetch(malote.url + path, { method: 'POST', body: new URLSearchParams(form) });
      assert.equal(answer.status, 200);
      const { access_token: token } = (await answer.json()) as { access_token: string };
      const clientes = '/api/contas/platform/contador/123/cliente';
      const json = { email: 'novo@exemplo.com.br' };
      for (const address of [`/${clientes}/${emitente.id}`, `${clientes}/${emitente.id}/`]) {
        const put = await fetchJson(malote.url + address, { token, method: 'PUT', json });
        assert.equal(put.status, 200);
      }
      assert.equal(
        (await fetchJson(`${malote.url}${clientes}/`, { token, json })).body.codigo,
        'dados_invalidos',
      );
    }
  });

  it('is unknown where the console and operation are', async () => {
    for (const path of ['//metrics', '/metrics/', '//console/api/clientes', '//openapi.json'])
      assert.equal((await read(path)).body.codigo, 'rota_nao_encontrada');
  });
});

describe('an address with its words in another case, or codigoCrm without its zeros', () => {
  /** Ways to write the path of a client of office 000123. */
  const ways = (path: string) => {
    const padded = path.replace(/^\/api\/v1\/[0-9]+/, '/api/v1/000123');
    const mixed = (text: string) =>
      text.replace(/(api|v1|documentos|novos|nfe|finalidade|chave)(?=[/?]|$)/g, upper);
    const upper = (word: string) => word[0]?.toUpperCase() + word.slice(1);
    return [
      padded,
      padded.replace('000123', '123'),
      padded.replace('000123', '00123'),
      mixed(padded),
      mixed(padded.replace('000123', '123')),
      `/${mixed(padded.replace('000123', '123'))}`,
    ];
  };

  it('is one page in memory, however it is asked for', async () => {
    const repeated = async () => {
      const figures = await (await fetch(`${malote.url}/metrics`)).text();
      return Number(/malote_exportacao_paginas_total\{via="repetidas"\} (\d+)/.exec(figures)?.[1] ?? 0);
    };
    const path = `${new URL(cenario.base()).pathname}/documentos/0/novos?Tamanho=3`;
    await read(path);
    const before = await repeated();
    for (const way of ways(path)) await read(way);
    // Each process has a memory, and figures, of its own.
    if (malote.processes.length === 1) assert.equal((await repeated()) - before, ways(path).length);
  });

  it('is the same route for the same client: answer, links and figures', async () => {
    const below = new URL(cenario.base()).pathname;
    for (const path of [
      '/documentos/0/novos?Tamanho=2',
      '/documentos/1?Xml=true',
      `/documentos/${DOCUMENTOS.autorizada.chave}/chave`,
      '/documentos/0/finalidade?Finalidade=true',
      '/nfe?DataInicial=2026-03-01&Tamanho=2',
    ]) {
      const plain = await read(below + path);
      // Twice: what is kept of a page is kept once, whichever way it was asked for.
      for (const way of [...ways(below + path), ...ways(below + path)]) {
        const { status, headers, body } = await read(way);
        assert.equal(status, 200, way);
        assert.deepEqual(semAssinaturas(body), semAssinaturas(plain.body), way);
        assert.equal(headers.get('link'), plain.headers.get('link'), way);
      }
    }
    const figures = await (await fetch(`${malote.url}/metrics`)).text();
    const routes = [...figures.matchAll(/malote_http_duracao_segundos_count\{.*?route="([^"]*)"/g)].map(
      ([, route = '']) => route,
    );
    assert.ok(routes.some((route) => route.includes('/documentos/:nsu/novos')));
    for (const route of routes)
      assert.doesNotMatch(route, /[A-Z].*(?:Documentos|Novos|NFe|Storage)|123/, route);
  });

  it('is logged in its one form, and never as two offices', async () => {
    const [, short = '', , , mixed = ''] = ways(`${new URL(cenario.base()).pathname}/documentos/7/novos`);
    for (const way of [short, mixed]) await read(way);
    const { codigoCrm } = cenario;
    const asked = /ocumentos\/7\/.ovos/;
    await until('both requests are logged', () => malote.log.filter((line) => asked.test(line)).length === 2);
    const lines = malote.log.filter((line) => asked.test(line));
    for (const line of lines) {
      const { path, codigoCrm: office } = JSON.parse(line);
      assert.deepEqual([path, office], [`/api/v1/${codigoCrm}/${emitente.id}/documentos/7/novos`, codigoCrm]);
    }
  });

  it('is one office for a limit too', async () => {
    await using limited = await startMalote({ env: { MALOTE_LIMITE_MINUTO: '4' } });
    const office = await createEscritorio(limited.dataFolder, { crm: '123', clientes: [emitente.id] });
    const path = `/api/v1/123/${emitente.id}/documentos/0/novos`;
    const status = async (way: string) =>
      (await fetchJson(limited.url + way, { token: office.token })).status;
    const statuses = [];
    const [refused, ...others] = ways(path).reverse();
    for (const way of others.slice(1)) statuses.push(await status(way));
    // These two wait for their refusal side by side.
    statuses.push(...(await Promise.all([refused, others[0]].map((way) => status(String(way))))));
    assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429]);
  });

  it('is read in the import and the accounts area, and leads an upload to its file', async () => {
    const bytes = Buffer.from(DOCUMENTOS.autorizada.xml);
    const json = { size: bytes.length, extension: '.xml' };
    const { status, body } = await fetchJson(`${malote.url}/Storage`, { token: cenario.token, json });
    assert.equal(status, 200);
    const put = await fetch(body.url.replace('/upload/', '/Upload/'), { method: 'PUT', body: bytes });
    assert.equal(put.status, 200);
    assert.equal((await read(`/STORAGE/Arquivo/${body.id}`)).status, 200);
    const { token } = await openContas(malote, { contadorIds: [cenario.contadorId] });
    const url = `${malote.url}/Api/Contas/NFStock/Contador/123/Cliente/${emitente.id}`;
    const changed = await fetchJson(url, { token, method: 'PUT', json: { email: 'outro@exemplo.com.br' } });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    const [record] = (await read(`${new URL(cenario.base()).pathname}/documentos/0/novos`)).body.documentos;
    assert.equal((await fetch(record.url_download.replace('/download/', '/Download/'))).status, 200);
  });

  it('is unknown where the console, the token issuer and operation are', async () => {
    for (const path of ['/Metrics', '/Console/api/clientes', '/OpenApi.json', '/HEALTHZ'])
      assert.equal((await read(path)).body.codigo, 'rota_nao_encontrada', path);
    assert.equal((await read('/auth/realms/Service/protocol/openid-connect/certs')).status, 404);
  });
});

/** Each answer signs anew. */
function semAssinaturas(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (key, value) => (/^url_/.test(key) ? null : value));
}
