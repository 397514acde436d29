/** 4.1 POST /storage and PUT {upload_url}/{id}: from outside, with a client that knows nothing of ours. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { ChavesDeEndereco } from '../../src/autorizacao/chaves-de-endereco.ts';
import type { Logger } from '../../src/deps.ts';
import { generateCenario } from '../../src/gerador/cenario.ts';
import { makeTicket } from '../../src/importacao/upload/ticket.ts';
import { openVault } from '../../src/platform/crypto/cofre.ts';
import { alterado } from '../support/alterado.ts';
import {
  createEscritorio,
  type Escritorio,
  fetchJson,
  imported,
  type Malote,
  makeDataFolder,
  startMalote,
  withDeps,
} from '../support/malote.ts';

const cenario = generateCenario({
  semente: 'upload',
  clientes: 1,
  documentos: 12,
  inicio: '2026-03-01',
  meses: 1,
});
const documentos = [...cenario.documentos].filter((item) => item.tipo === 'NFe' || item.tipo === 'NFCe');

describe('4.1 upload', () => {
  const dataFolder = makeDataFolder();
  let escritorio: Escritorio;
  let malote: Malote;
  let taken = 0;

  before(async () => {
    escritorio = await createEscritorio(dataFolder, {
      crm: '000501',
      clientes: cenario.empresas.map((empresa) => empresa.id),
    });
    malote = await startMalote({ dataFolder });
  });
  after(async () => {
    await malote.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  });

  /** A document that no other test of this file sends. */
  function nextDocument(): Uint8Array<ArrayBuffer> {
    const item = documentos[taken++];
    if (!item) throw new Error('the scenario is too small for this test file');
    return new Uint8Array(item.bytes);
  }
  async function ticket(size = 1): Promise<{ id: string; url: string }> {
    const { token } = escritorio;
    return (await fetchJson(`${malote.url}/storage`, { token, json: { size, extension: '.xml' } })).body;
  }
  const put = (url: string, body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) =>
    fetch(url, { method: 'PUT', body, headers });
  const record = async (id: string) =>
    (await fetchJson(`${malote.url}/storage/arquivo/${id}`, { token: escritorio.token })).body;

  it('the address needs no token, and what is sent there is imported', async () => {
    const bytes = nextDocument();
    const { id, url } = await ticket(bytes.length);
    assert.equal((await record(id)).status, 'Aguardando Upload');
    const answer = await put(url, bytes);
    assert.deepEqual([answer.status, await answer.text()], [200, '']);
    assert.equal(answer.headers.get('etag'), `"${createHash('md5').update(bytes).digest('hex')}"`);
    const final = await imported(malote, { token: escritorio.token, id });
    assert.deepEqual([final.status, final.log, final.tamanho], ['Uploaded', '', bytes.length]);
  });

  it('a body in chunks and one with Content-MD5 are taken; a wrong digest is not', async () => {
    const chunked = await ticket();
    const stream = new Blob([nextDocument()]).stream();
    const answer = await fetch(chunked.url, { method: 'PUT', body: stream, duplex: 'half' } as RequestInit);
    assert.equal(answer.status, 200);
    const bytes = nextDocument();
    const { url } = await ticket();
    const wrong = await put(url, bytes, { 'content-md5': createHash('md5').digest('base64') });
    assert.deepEqual([wrong.status, /<Code>BadDigest</.test(await wrong.text())], [400, true]);
    const right = await put(url, bytes, {
      'content-md5': createHash('md5').update(bytes).digest('base64'),
    });
    assert.equal(right.status, 200);
  });

  it('an altered signature, expiry, id or key is 403, as XML or as problem+json', async () => {
    const { url } = await ticket();
    const altered = (name: string, change: (value: string) => string) => {
      const copy = new URL(url);
      copy.searchParams.set(name, change(copy.searchParams.get(name) ?? ''));
      return String(copy);
    };
    const flip = (text: string) => alterado(text, 0);
    for (const forged of [
      altered('Signature', flip),
      altered('Expires', (text) => String(Number(text) + 1)),
      altered('StorageAccessKeyId', flip),
      url.replace(/upload\/./, (start) => `upload/${start.endsWith('0') ? '1' : '0'}`),
    ]) {
      const asXml = await put(forged, 'x');
      assert.equal(asXml.status, 403, forged);
      assert.match(await asXml.text(), /^<\?xml .*<Error><Code>/s);
      const asJson = await put(forged, 'x', { accept: 'application/json' });
      assert.equal(asJson.status, 403);
      assert.equal(((await asJson.json()) as { codigo: string }).codigo, 'endereco_invalido');
    }
  });

  it('an address is good for one minute', async () => {
    // A ticket made 61 seconds ago, by the office's own keys.
    const { id, url } = await withDeps(
      dataFolder,
      async (deps) => {
        const log = { warn() {} } as unknown as Logger;
        const enderecos = new ChavesDeEndereco({ ...deps, log, vault: openVault(deps.config) });
        await enderecos.start();
        enderecos.stop();
        const pedido = { size: 1, extension: '.xml' };
        const { contadorId } = escritorio;
        return makeTicket(
          { ...deps, enderecos },
          { pedido, contadorId, tokenId: 1, origin: `${malote.url}/upload` },
        );
      },
      { now: () => Date.now() - 62_000 },
    );
    const answer = await put(url, 'x');
    assert.equal(answer.status, 403);
    assert.match(
      await answer.text(),
      /<Message>O endereço de envio expirou. Peça outro a POST \/storage e envie em até 1 minuto.<\/Message>/,
    );
    assert.equal((await record(id)).status, 'Expirado');
  });

  it('fifty times the same upload at once is one import; other bytes are refused afterwards', async () => {
    const bytes = nextDocument();
    const { id, url } = await ticket();
    const answers = await Promise.all(Array.from({ length: 50 }, () => put(url, bytes)));
    assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
    assert.equal((await imported(malote, { token: escritorio.token, id })).status, 'Uploaded');
    const { body } = await fetchJson(`${malote.url}/storage/arquivo/${id}/itens`, {
      token: escritorio.token,
    });
    assert.deepEqual([body.total, body.itens[0].resultado], [1, 'novo']);
    const other = await put(url, nextDocument());
    assert.deepEqual([other.status, /InvalidObjectState/.test(await other.text())], [409, true]);
    assert.equal((await put(url, bytes)).status, 200, 'the accepted bytes are still fine');
    assert.equal((await record(id)).status, 'Uploaded');
  });

  it('a form is told to send the bytes instead', async () => {
    const { url } = await ticket();
    const form = new FormData();
    form.set('file', new Blob([nextDocument()]));
    const answer = await put(url, form);
    assert.equal(answer.status, 415);
    assert.match(await answer.text(), /--data-binary/);
  });

  it('a page of any origin may send, and only with PUT', async () => {
    const { url } = await ticket();
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin: 'https://erp.example', 'access-control-request-method': 'PUT' },
    });
    assert.ok(preflight.ok);
    assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
    assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /PUT/);
    const get = await fetch(url);
    assert.deepEqual([get.status, get.headers.get('allow')], [405, 'PUT, OPTIONS']);
  });

  it('the log never shows a signature', async () => {
    const { url } = await ticket();
    const signature = new URL(url).searchParams.get('Signature') ?? '';
    await put(url, nextDocument());
    await put(url, 'other');
    await fetch(url);
    await malote.stop();
    assert.ok(malote.log.some((line) => line.includes('/upload/')));
    for (const line of malote.log) {
      assert.ok(
        !line.includes('Signature=') && !line.includes(signature) && !line.includes('Expires='),
        line,
      );
    }
    malote = await startMalote({ dataFolder });
  });
});
