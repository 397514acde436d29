/** A server that has just started rehearses imports: nothing of it is ever seen, and a real file does not wait for it. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gerarCenario } from '../../src/gerador/cenario.ts';
import { zipDe } from '../../src/gerador/zip.ts';
import {
  createEscritorio,
  fetchJson,
  imported,
  makeDataFolder,
  startMalote,
  upload,
} from '../support/malote.ts';

const cenario = gerarCenario({
  semente: 'ensaio',
  clientes: 1,
  documentos: 40,
  inicio: '2026-03-01',
  meses: 1,
});
const documentos = [...cenario.documentos];
const [cliente = ''] = cenario.empresas.map(({ id }) => id);
const ENV = { MALOTE_ENSAIO: '1', MALOTE_LOG: 'debug' };
const WITHIN_MS = 60_000;
/** It begins 300 ms after the start, and takes ten seconds and more. */
const IN_THE_MIDDLE_MS = 700;
const REHEARSED = /imports were rehearsed/;
const rehearsed = ({ log }: { log: readonly string[] }) => log.some((line) => REHEARSED.test(line));

describe('a server that rehearses', () => {
  const dataFolder = makeDataFolder();
  after(() => rmSync(dataFolder, { recursive: true, force: true }));

  it('imports what comes meanwhile, and nothing else', async () => {
    const escritorio = await createEscritorio(dataFolder, { crm: '77', clientes: [cliente] });
    const malote = await startMalote({ dataFolder, env: ENV });
    try {
      const { token } = escritorio;
      await sleep(IN_THE_MIDDLE_MS);
      assert.ok(!rehearsed(malote), 'it was over before');
      const id = await upload(malote, { token, bytes: await zipDe(documentos), extension: '.zip' });
      assert.equal((await imported(malote, { token, id })).status, 'Uploaded');
      await malote.logged(REHEARSED, WITHIN_MS);
      const feed = `${malote.url}/api/v1/${escritorio.codigoCrm}/${cliente}/documentos/0/novos?Tamanho=500`;
      const { body: page } = await fetchJson(feed, { token });
      const chaves = new Set(page.documentos.map(({ chave }: { chave: string }) => chave));
      assert.ok(documentos.filter(({ tipo }) => tipo === 'NFe').every(({ chave }) => chaves.has(chave)));
      const { body: files } = await fetchJson(`${malote.url}/storage/arquivo/${id}/itens?Tamanho=100`, {
        token,
      });
      assert.equal(files.itens.length, documentos.length);
    } finally {
      await malote.stop();
    }
    // The server of the tests keeps nothing over a power cut, and is warned of.
    const told = malote.log.filter((line) => /"level":(?:40|50|60)/.test(line) && !line.includes('fsync'));
    assert.deepEqual(told, []);
  });

  it('stops at once although it rehearses', async () => {
    const malote = await startMalote({ dataFolder, env: ENV });
    await sleep(IN_THE_MIDDLE_MS);
    assert.ok(!rehearsed(malote), 'it was over before');
    const startedAt = performance.now();
    assert.equal(await malote.stop(), 0);
    assert.ok(performance.now() - startedAt < 5_000);
  });
});
