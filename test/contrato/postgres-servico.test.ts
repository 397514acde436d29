/**
 * R05 and R28 of docs/confiabilidade.md: the whole service on a PostgreSQL whose connections are cut and which is cut off itself, under
 * load: every answer is the right one or a 503 that says when to come again; nothing acknowledged is lost or doubled.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { collect } from '../../src/documentos/cofre-testing.ts';
import { verifyCofre } from '../../src/documentos/verify/verificar.ts';
import { generateCenario } from '../../src/gerador/cenario.ts';
import { zipDe } from '../../src/gerador/zip.ts';
import { until } from '../support/espera.ts';
import {
  createEscritorio,
  imported,
  type Malote,
  makeDataFolder,
  startMalote,
  withDeps,
} from '../support/malote.ts';
import { adoptBanco } from '../support/motor.ts';
import { createBanco } from '../support/postgres/banco.ts';
import { findBinarios } from '../support/postgres/binarios.ts';
import { iniciar, type Servidor } from '../support/postgres/servidor.ts';

const [binarios] = findBinarios();
const CORTES = 40;
const REINICIOS = 3;
/** Whoever is told to come again does so sooner than told, so that the test ends. */
const AGAIN_MS = 100;

describe('the service on a PostgreSQL that fails', {
  skip: binarios ? false : 'no programs of PostgreSQL',
}, () => {
  const dataFolder = makeDataFolder();
  const cenario = generateCenario({
    semente: 'quedas',
    clientes: 1,
    documentos: 60,
    inicio: '2026-03-01',
    meses: 1,
  });
  const documentos = [...cenario.documentos];
  const cpfCnpj = cenario.empresas[0]?.id ?? '';
  let servidor: Extract<Servidor, { mandar: unknown }>;
  let malote: Malote;
  let token = '';
  /** Every answer that was no 200, as it was. */
  const refusals: { status: number; retryAfter: string | null; text: string }[] = [];

  before(async () => {
    assert.ok(binarios);
    const started = await iniciar(binarios);
    assert.ok(started.url !== null, JSON.stringify(started));
    servidor = started;
    adoptBanco(dataFolder, await createBanco({ servidor: servidor.url }));
    ({ token } = await createEscritorio(dataFolder, { crm: '7', clientes: [cpfCnpj] }));
    malote = await startMalote({ dataFolder, env: { MALOTE_LIMITE_MINUTO: '0', MALOTE_CONEXOES: '4' } });
  });
  after(async () => {
    await malote?.stop();
    await servidor?.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  });

  /** Asks until the answer is no 503. */
  async function ask(url: string, init: RequestInit): Promise<Response> {
    for (;;) {
      const answer = await fetch(url, init);
      if (answer.ok) return answer;
      const text = await answer.text();
      refusals.push({ status: answer.status, retryAfter: answer.headers.get('retry-after'), text });
      assert.equal(answer.status, 503, text);
      await sleep(AGAIN_MS);
    }
  }

  async function send(bytes: Uint8Array, extension: '.xml' | '.zip' = '.xml'): Promise<string> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ size: bytes.length, extension });
    const ticket = await ask(`${malote.url}/storage`, { method: 'POST', headers, body });
    const { id, url } = (await ticket.json()) as { id: string; url: string };
    await ask(url, { method: 'PUT', body: new Uint8Array(bytes) });
    return id;
  }

  const feed = async (nsu: number) => {
    const headers = { authorization: `Bearer ${token}` };
    const path = `/api/v1/000007/${cpfCnpj}/documentos/${nsu}/novos?Tamanho=100`;
    return (await (await ask(malote.url + path, { headers })).json()) as {
      documentos: { nsu: number; chave: string }[];
      total: number;
    };
  };

  async function disturb(done: () => boolean): Promise<void> {
    for (let turn = 1; turn <= CORTES; turn++) {
      if (turn % Math.ceil(CORTES / REINICIOS) === 0) {
        await servidor.mandar('parar');
        await sleep(AGAIN_MS);
        await servidor.mandar('iniciar');
      }
      const client = new pg.Client({ connectionString: servidor.url });
      client.on('error', () => {});
      await client.connect();
      await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'malote'",
      );
      await client.end();
      await sleep(done() ? 0 : 30);
    }
  }

  it('loses nothing that was acknowledged, doubles nothing, and never answers 500', async () => {
    let sent = false;
    const disturbing = disturb(() => sent);
    const ids: string[] = [];
    const queue = [...documentos];
    const uploader = async () => {
      for (let next = queue.pop(); next; next = queue.pop()) ids.push(await send(next.bytes));
    };
    await Promise.all([1, 2, 3, 4].map(uploader));
    sent = true;
    await disturbing;
    for (const id of ids) {
      const record = await imported(malote, { token, id });
      assert.equal(record.status, 'Uploaded', record.log);
    }
    assert.equal(ids.length, documentos.length);
    for (const { retryAfter, text } of refusals) {
      assert.ok(Number(retryAfter) > 0, text);
      assert.match(text, /indisponivel|SlowDown/);
    }
    const { documentos: entradas, total } = await feed(0);
    assert.deepEqual(
      entradas.map(({ nsu }) => nsu),
      Array.from({ length: total }, (_, at) => at + 1),
    );
    // Each file is one document, event or inutilização of the client: one entry each, no more.
    assert.equal(total, documentos.length);
    const achados = await withDeps(dataFolder, async ({ db }) => collect(verifyCofre(db.read)));
    assert.deepEqual(achados, []);
    assert.equal(malote.process.exitCode, null, 'the process lives');
  });

  it('answers 503 within ten seconds when the database hangs, and goes on with what it imported', {
    skip: process.platform === 'linux' ? false : 'the server is stopped by what only Linux tells',
  }, async () => {
    // A busy machine is late. Who waits for a connection waits longer than a probe may take, and without a limit for ever.
    const [PROBE_MS, TOLD_MS] = [5_000, 40_000];
    const within = async (ms: number, url: string) => {
      const start = performance.now();
      const headers = { authorization: `Bearer ${token}` };
      const { status } = await fetch(malote.url + url, { headers });
      assert.ok(performance.now() - start < ms, `${url}: ${performance.now() - start} ms`);
      return status;
    };
    const novos = `/api/v1/000007/${cpfCnpj}/documentos/0/novos`;
    const outro = generateCenario({
      semente: 'congelado',
      clientes: 1,
      documentos: 300,
      inicio: '2026-03-01',
      meses: 1,
    });
    const id = await send(await zipDe([...outro.documentos]), '.zip');
    await servidor.mandar('congelar');
    try {
      const asked = Array.from({ length: 30 }, () => within(TOLD_MS, novos));
      assert.equal(await within(PROBE_MS, '/readyz'), 503);
      assert.deepEqual([...new Set(await Promise.all(asked))], [503]);
      assert.equal(await within(PROBE_MS, '/readyz'), 503);
      assert.equal(await within(TOLD_MS, novos), 503);
      assert.equal(await within(PROBE_MS, '/healthz'), 200);
    } finally {
      await servidor.mandar('descongelar');
    }
    await until('it is ready', async () => (await fetch(`${malote.url}/readyz`)).status === 200);
    assert.equal(await within(TOLD_MS, novos), 200);
    // Of no client of this office: all of them are held.
    const { log } = await imported(malote, { token, id });
    assert.match(log, /^\d{3} sem cliente cadastrado\n/);
    assert.equal(malote.process.exitCode, null, 'the process lives');
  });

  it('says that it is not ready while the database is away, and is ready soon after', async () => {
    await servidor.mandar('parar');
    const away = await fetch(`${malote.url}/readyz`);
    assert.equal(away.status, 503);
    assert.equal((await fetch(`${malote.url}/healthz`)).status, 200);
    await servidor.mandar('iniciar');
    await until('it is ready', async () => (await fetch(`${malote.url}/readyz`)).status === 200);
  });
});
