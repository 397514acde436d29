/** Uploads are read while they come: from outside nothing of that is seen but that an import is done sooner. */
import assert from 'node:assert/strict';
import { type ClientRequest, request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { ADIANTAR_A_CADA_BYTES } from '../../src/importacao/limites.ts';
import { until } from '../support/espera.ts';
import {
  createEscritorio,
  type Escritorio,
  fetchJson,
  imported,
  type Malote,
  startMalote,
} from '../support/malote.ts';
import { conferirFeed, lerFeed } from '../support/observador.ts';
import { gerarRemessa, type Remessa } from '../support/remessa.ts';
import { type S3DeTeste, startS3 } from '../support/s3.ts';

let remessa: Remessa;
let zip: Uint8Array;
before(async () => {
  remessa = await gerarRemessa({ semente: 'adiantada', clientes: 1, documentos: 300, porArquivo: 10_000 });
  zip = remessa.arquivos[0]?.bytes ?? Buffer.of();
  assert.ok(zip.length > 3 * ADIANTAR_A_CADA_BYTES, 'some of it can be told of before its end');
});

/** What `/metrics` says under a name with its labels. */
async function metric(malote: Malote, name: string): Promise<number> {
  const text = await (await fetch(`${malote.url}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length));
}
const UNPACKED = 'malote_importacao_segundos_total{etapa="descompactar"}';
const RESTARTS = 'malote_importacao_reinicios_total';

/** One office that sends the zip, once for each call. */
class Remetente {
  readonly #malote: Malote;
  readonly #token: string;

  constructor(malote: Malote, { token }: Escritorio) {
    this.#malote = malote;
    this.#token = token;
  }

  /** Begins an upload with so much of the zip. */
  async begin(part: number): Promise<Envio> {
    const [url, token] = [`${this.#malote.url}/storage`, this.#token];
    const json = { size: zip.length, extension: '.zip' };
    const { body } = await fetchJson(url, { token, json });
    return new Envio(body, part);
  }

  async ask(path: string) {
    const url = `${this.#malote.url}/storage/arquivo/${path}`;
    return (await fetchJson(url, { token: this.#token })).body;
  }

  /** @returns its final status */
  async imported({ id }: Envio): Promise<string> {
    return (await imported(this.#malote, { token: this.#token, id })).status;
  }
}

class Envio {
  readonly id: string;
  readonly answer: Promise<number | undefined>;
  readonly #sent: ClientRequest;
  #at = 0;

  constructor({ id, url }: { id: string; url: string }, part: number) {
    this.id = id;
    const sent = request(url, { method: 'PUT', headers: { 'content-length': zip.length } });
    this.answer = new Promise((resolve, reject) => {
      sent.on('response', (response) => resolve(response.resume().statusCode));
      sent.on('error', reject);
    });
    this.answer.catch(() => {});
    this.#sent = sent;
    this.send(part);
  }

  /** Up to so much of the zip. */
  send(part: number): void {
    const end = Math.floor(part * zip.length);
    this.#sent.write(zip.subarray(this.#at, end));
    this.#at = end;
  }

  end(): Promise<number | undefined> {
    this.#sent.end(zip.subarray(this.#at));
    return this.answer;
  }

  async breakOff(): Promise<void> {
    const closed = new Promise((resolve) => this.#sent.once('close', resolve));
    this.#sent.destroy();
    await closed;
  }
}

describe('an upload that is read while it comes', () => testReadAhead({ bucket: false }));
describe('an upload to a bucket that is read while it comes', () => testReadAhead({ bucket: true }));

function testReadAhead({ bucket }: { bucket: boolean }): void {
  let s3: S3DeTeste | undefined;
  let malote: Malote;
  let escritorio: Escritorio;
  let remetente: Remetente;
  before(async () => {
    if (bucket) s3 = await startS3();
    malote = await startMalote({ umProcesso: true, env: { ...s3?.env } });
    escritorio = await createEscritorio(malote.dataFolder, { crm: '000511', clientes: remessa.clientes });
    remetente = new Remetente(malote, escritorio);
  });
  after(async () => {
    await malote[Symbol.asyncDispose]();
    await s3?.[Symbol.asyncDispose]();
  });

  async function beginAndSeeItRead(): Promise<Envio> {
    const before = await metric(malote, UNPACKED);
    const envio = await remetente.begin(0.99);
    await until('some of it is read', async () => (await metric(malote, UNPACKED)) > before);
    const { itens } = await remetente.ask(`${envio.id}/itens`);
    assert.deepEqual([(await remetente.ask(envio.id)).status, itens], ['Aguardando Upload', []]);
    return envio;
  }

  it('is not there before its end; then all of it is, each document once', async () => {
    const envio = await beginAndSeeItRead();
    assert.equal(await envio.end(), 200);
    assert.equal(await remetente.imported(envio), 'Uploaded');
    const { codigoCrm, token } = escritorio;
    for (const [cpfCnpj, esperadas] of remessa.esperadas) {
      const feed = { codigoCrm, cpfCnpj, token };
      await conferirFeed(malote, { feed, vistas: await lerFeed(malote, feed), esperadas });
    }
  });

  it('leaves nothing when its sender goes away', async () => {
    const envio = await beginAndSeeItRead();
    await envio.breakOff();
    const { itens } = await remetente.ask(`${envio.id}/itens`);
    assert.deepEqual([(await remetente.ask(envio.id)).status, itens], ['Aguardando Upload', []]);
  });
}

describe('an upload over which the import thread dies while it comes', () => {
  it('is taken, and not read ahead once more; its job then has its three tries', async () => {
    await using malote = await startMalote({
      umProcesso: true,
      env: { MALOTE_PONTO_DE_FALHA: 'zip_no_meio:1:sair' },
    });
    const escritorio = await createEscritorio(malote.dataFolder, {
      crm: '000512',
      clientes: remessa.clientes,
    });
    const remetente = new Remetente(malote, escritorio);
    const envio = await remetente.begin(0.5);
    const restarts = () => metric(malote, RESTARTS);
    await until('the thread has died', async () => (await restarts()) > 0);
    await until('it works again', async () => (await fetch(`${malote.url}/readyz`)).ok);
    envio.send(0.9);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert.equal(await restarts(), 1);
    assert.equal(await envio.end(), 200);
    assert.equal(await remetente.imported(envio), 'Com Erro');
  });
});
