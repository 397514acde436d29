/** Uploads are read while they come: from outside nothing of that is seen but that an import is done sooner. */
import assert from 'node:assert/strict';
import { type ClientRequest, request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { ADIANTAR_A_CADA_BYTES } from '../../src/importacao/limites.ts';
import { until } from '../support/espera.ts';
import {
  createEscritorio,
  EM_QUATRO,
  type Escritorio,
  fetchJson,
  imported,
  type Malote,
  startMalote,
} from '../support/malote.ts';
import { conferirFeed, lerFeed } from '../support/observador.ts';
import { gerarRemessa, type Remessa } from '../support/remessa.ts';

const apart = EM_QUATRO ? 'who receives and who imports are two processes' : false;

describe('an upload that is read while it comes', { skip: apart }, () => {
  let malote: Malote;
  let remessa: Remessa;
  let escritorio: Escritorio;
  let zip: Uint8Array;

  before(async () => {
    remessa = await gerarRemessa({ semente: 'adiantada', clientes: 1, documentos: 300, porArquivo: 10_000 });
    zip = remessa.arquivos[0]?.bytes ?? Buffer.of();
    assert.ok(zip.length > 1.5 * ADIANTAR_A_CADA_BYTES, 'some of it can be told of before its end');
    malote = await startMalote();
    escritorio = await createEscritorio(malote.dataFolder, { crm: '000511', clientes: remessa.clientes });
  });
  after(() => malote[Symbol.asyncDispose]());

  const ask = async (path: string) =>
    (await fetchJson(`${malote.url}/storage/arquivo/${path}`, { token: escritorio.token })).body;
  const ticket = async (): Promise<{ id: string; url: string }> => {
    const json = { size: zip.length, extension: '.zip' };
    return (await fetchJson(`${malote.url}/storage`, { token: escritorio.token, json })).body;
  };
  /** Seconds of unpacking. */
  const secondsUnpacked = async (): Promise<number> => {
    const text = await (await fetch(`${malote.url}/metrics`)).text();
    return Number(/^malote_importacao_segundos_total\{etapa="descompactar"\} (\S+)$/m.exec(text)?.[1]);
  };

  const LAST = 100;

  /** Sends all but the last bytes, and waits until some of it is read. */
  async function sendMost(
    url: string,
  ): Promise<{ sent: ClientRequest; status: Promise<number | undefined> }> {
    const before = await secondsUnpacked();
    const sent = request(url, { method: 'PUT', headers: { 'content-length': zip.length } });
    const status = new Promise<number | undefined>((resolve, reject) => {
      sent.on('response', (response) => resolve(response.resume().statusCode));
      sent.on('error', reject);
    });
    status.catch(() => {});
    sent.write(zip.subarray(0, -LAST));
    await until('some of it is read', async () => (await secondsUnpacked()) > before);
    return { sent, status };
  }

  it('is not there before its end; then all of it is, each document once', async () => {
    const { id, url } = await ticket();
    const { sent, status } = await sendMost(url);
    assert.deepEqual([(await ask(id)).status, (await ask(`${id}/itens`)).itens], ['Aguardando Upload', []]);
    sent.end(zip.subarray(-LAST));
    assert.equal(await status, 200);
    const { codigoCrm, token } = escritorio;
    assert.deepEqual((await imported(malote, { token, id })).status, 'Uploaded');
    for (const [cpfCnpj, esperadas] of remessa.esperadas) {
      const feed = { codigoCrm, cpfCnpj, token };
      await conferirFeed(malote, { feed, vistas: await lerFeed(malote, feed), esperadas });
    }
  });

  it('leaves nothing when its sender goes away', async () => {
    const { id, url } = await ticket();
    const { sent } = await sendMost(url);
    const closed = new Promise((resolve) => sent.once('close', resolve));
    sent.destroy();
    await closed;
    assert.deepEqual([(await ask(id)).status, (await ask(`${id}/itens`)).itens], ['Aguardando Upload', []]);
  });
});
