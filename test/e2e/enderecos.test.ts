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
import { fetchJson, type Malote, startMalote } from '../support/malote.ts';

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

/** Each answer signs anew. */
function semAssinaturas(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (key, value) => (/^url_/.test(key) ? null : value));
}
