/** Uploads in a bucket: the whole way once, and what happens while the bucket is away (R23). */
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { until } from '../support/espera.ts';
import {
  createEscritorio,
  type Escritorio,
  fetchJson,
  imported,
  type Malote,
  startMalote,
  upload,
} from '../support/malote.ts';
import { checkFeed, lerFeed } from '../support/observador.ts';
import { generateRemessa, type Remessa } from '../support/remessa.ts';
import { type S3DeTeste, startS3 } from '../support/s3.ts';

let s3: S3DeTeste;
let malote: Malote;
let remessa: Remessa;
let escritorio: Escritorio;
before(async () => {
  s3 = await startS3();
  remessa = await generateRemessa({ semente: 's3', clientes: 2, documentos: 60, porArquivo: 15 });
  malote = await startMalote({ env: s3.env });
  escritorio = await createEscritorio(malote.dataFolder, { crm: '1', clientes: remessa.clientes });
});
after(async () => {
  await malote[Symbol.asyncDispose]();
  await s3[Symbol.asyncDispose]();
});

async function ticketFor(bytes: Uint8Array): Promise<{ id: string; url: string }> {
  const { token } = escritorio;
  const { body } = await fetchJson(`${malote.url}/storage`, {
    token,
    json: { size: bytes.length, extension: '.xml' },
  });
  return body;
}
const statusOf = async (id: string) =>
  (await fetchJson(`${malote.url}/storage/arquivo/${id}`, { token: escritorio.token })).body.status;
const stored = (since: number) => s3.requests.slice(since).filter((line) => /^PUT |^POST /.test(line)).length;
/** What lies on the disk on its way to the bucket. */
const spooled = () => {
  const folder = join(malote.dataFolder, 'recebendo');
  return readdirSync(folder).map((name) => statSync(join(folder, name)));
};
const documento = (i: number) => Buffer.from(`<naoFiscal n="${i}"/>`);

describe('uploads in a bucket', () => {
  it('are imported from there; every document comes back byte for byte', async () => {
    const { token } = escritorio;
    for (const arquivo of remessa.arquivos) {
      const id = await upload(malote, { token, ...arquivo });
      assert.equal((await imported(malote, { token, id })).status, 'Uploaded');
    }
    const { codigoCrm } = escritorio;
    for (const [cpfCnpj, esperadas] of remessa.esperadas) {
      const feed = { codigoCrm, cpfCnpj, token };
      await checkFeed(malote, { feed, vistas: await lerFeed(malote, feed), esperadas });
    }
    assert.ok(s3.requests.some((line) => line.startsWith('PUT ')));
  });

  it('a sender that goes away in the middle leaves nothing in the bucket', async () => {
    const ticket = await ticketFor(documento(0));
    const since = s3.requests.length;
    const sent = request(ticket.url, { method: 'PUT', headers: { 'content-length': '10000000' } });
    sent.on('error', () => {});
    sent.write(Buffer.alloc(9_000_000));
    await until('some of it has come', () => spooled().some(({ size }) => size > 0));
    const closed = new Promise((resolve) => sent.once('close', resolve));
    sent.destroy();
    await closed;
    assert.equal(await statusOf(ticket.id), 'Aguardando Upload');
    assert.equal(stored(since), 0);
    await until('nor beside it', () => spooled().length === 0);
  });

  for (const falha of ['down', '500', 'slowdown', 'reset', 'corrupt'] as const) {
    it(`while it is away (${falha}) an upload is answered 503 and not acknowledged; the same address works afterwards`, async () => {
      const bytes = documento(1);
      const ticket = await ticketFor(bytes);
      s3.fail(falha, ({ method }) => method === 'PUT' || method === 'POST');
      const refused = await fetch(ticket.url, { method: 'PUT', body: bytes });
      assert.equal(refused.status, 503);
      assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
      assert.match(await refused.text(), /<Code>SlowDown<\/Code>/);
      assert.equal(await statusOf(ticket.id), 'Aguardando Upload');
      s3.heal();
      assert.equal((await fetch(ticket.url, { method: 'PUT', body: bytes })).status, 200);
    });
  }

  it('while it is away a file that was accepted waits, unjudged, and goes on by itself; reads are not touched', async () => {
    const { token } = escritorio;
    const [first] = remessa.arquivos;
    assert.ok(first);
    s3.fail('down', ({ method }) => method === 'GET');
    const id = await upload(malote, { token, ...first });
    const tries = () => s3.requests.filter((line) => line.startsWith('GET ') && line.includes(id)).length;
    await until('it was tried three times', () => tries() >= 3);
    assert.equal(await statusOf(id), 'Em Processamento');
    const [cliente] = remessa.clientes;
    const page = await fetchJson(
      `${malote.url}/api/v1/${escritorio.codigoCrm}/${cliente}/documentos/0/novos?Xml=true`,
      { token },
    );
    assert.equal(page.status, 200);
    assert.equal((await fetchJson(`${malote.url}/readyz`)).status, 200);
    s3.heal();
    assert.equal((await imported(malote, { token, id })).status, 'Uploaded');
    assert.match(await (await fetch(`${malote.url}/metrics`)).text(), /malote_importacao_falhas_total 0/);
  });
});
