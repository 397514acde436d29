/**
 * Several processes on one installation (R01, R03 and R20 of docs/confiabilidade.md, in short): two that serve HTTP and two that import on one
 * PostgreSQL, and one of each on one SQLite folder.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createToken, revokeToken } from '../../src/autorizacao/tokens.ts';
import { verifyCofre } from '../../src/documentos/verify/verificar.ts';
import { Aleatorio } from '../../src/gerador/aleatorio.ts';
import { servedAtMost, until } from '../support/espera.ts';
import {
  createEscritorio,
  type Escritorio,
  fetchJson,
  imported,
  type Malote,
  makeDataFolder,
  startMalote,
  upload,
  withDeps,
} from '../support/malote.ts';
import { type ProxyDeTeste, startProxy } from '../support/montagem.ts';
import { MOTOR, releaseBanco } from '../support/motor.ts';
import { Acompanhante, checkFeed } from '../support/observador.ts';
import { type Arquivo, generateRemessa, type Remessa } from '../support/remessa.ts';

const SEM_LIMITE = { MALOTE_LIMITE_MINUTO: '0' };
/** A worker under which nothing comes through is killed all the same. */
const LIVES_AT_MOST_MS = 5_000;
/** Who is interrupted again and again lets the others go first: without an end of the kills the last one waits long. */
const KILLS_FOR_MS = 5_000;
/** However long a slow machine takes to start another one. */
const KILLS_AT_LEAST = 2;

/** What `/metrics` says of a gauge without labels. */
async function gauge(malote: Pick<Malote, 'url'>, name: string): Promise<number> {
  const text = await (await fetch(`${malote.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

const noPostgres = MOTOR === 'postgres' ? false : 'belongs to the run on PostgreSQL';
const noSqlite = MOTOR === 'sqlite' ? false : 'belongs to the run on SQLite';

describe('two API and two worker processes on one PostgreSQL', { skip: noPostgres }, () => {
  const dataFolder = makeDataFolder();
  const env = { ...SEM_LIMITE };
  let remessa: Remessa;
  let escritorio: Escritorio;
  let apis: Malote[];
  let workers: Malote[];
  let proxy: ProxyDeTeste;
  const start = (MALOTE_MODO: 'api' | 'worker') => startMalote({ dataFolder, env: { ...env, MALOTE_MODO } });

  before(async () => {
    remessa = await generateRemessa({ semente: 'processos', clientes: 3, documentos: 200, porArquivo: 10 });
    escritorio = await createEscritorio(dataFolder, { crm: '000321', clientes: remessa.clientes });
    // All at once, as a reboot does it: keys and migrations are made by one of them.
    const [a, b, c, d] = await Promise.all([start('api'), start('api'), start('worker'), start('worker')]);
    apis = [a, b];
    workers = [c, d];
    proxy = await startProxy(apis.map(({ url }) => url));
  });
  after(async () => {
    await proxy?.close();
    await Promise.all([...(apis ?? []), ...(workers ?? [])].map((one) => one.stop('SIGKILL')));
    await releaseBanco(dataFolder);
    rmSync(dataFolder, { recursive: true, force: true });
  });

  it('lose, double and miss nothing while workers are killed at random', async () => {
    const { token, codigoCrm } = escritorio;
    const sorte = new Aleatorio('processos');
    const acompanhantes = remessa.clientes.map(
      (cpfCnpj) => new Acompanhante(proxy, { codigoCrm, token, cpfCnpj }),
    );
    const pendentes: Arquivo[] = [...remessa.arquivos];
    const enviar = async () => {
      for (let arquivo = pendentes.shift(); arquivo; arquivo = pendentes.shift()) {
        const record = await imported(proxy, { token, id: await upload(proxy, { token, ...arquivo }) });
        assert.equal(record.status, 'Uploaded', record.log);
        concluidos += 1;
      }
    };
    let concluidos = 0;
    let quedas = 0;
    let sending = true;
    const killsUntil = performance.now() + KILLS_FOR_MS;
    const matar = async () => {
      while (sending && (quedas < KILLS_AT_LEAST || performance.now() < killsUntil)) {
        const before = concluidos;
        const livesUntil = performance.now() + LIVES_AT_MOST_MS;
        await delay(sorte.integer(100, 600));
        // A slow machine that kills as fast as a quick one would never get anything done.
        while (sending && concluidos === before && performance.now() < livesUntil) await delay(20);
        const at = quedas++ % 2;
        await workers[at]?.kill();
        workers[at] = await start('worker');
      }
    };
    const killing = matar();
    try {
      await Promise.all(Array.from({ length: 6 }, enviar)).finally(() => {
        sending = false;
      });
      await killing;
      assert.ok(quedas >= KILLS_AT_LEAST, `${quedas} kills`);
      for (const { feed, vistas } of acompanhantes) {
        const esperadas = remessa.esperadas.get(feed.cpfCnpj) ?? new Map();
        await until('the poller has seen all', () => vistas.length >= esperadas.size);
        await checkFeed(proxy, { feed, vistas, esperadas });
      }
      await withDeps(dataFolder, async ({ db }) => {
        for await (const achado of verifyCofre(db.read)) assert.fail(JSON.stringify(achado));
      });
    } finally {
      sending = false;
      await Promise.allSettled([killing]);
      for (const acompanhante of acompanhantes) await acompanhante.stop();
    }
  });

  it('answer the same, whichever is asked', async () => {
    const { token, codigoCrm } = escritorio;
    const [cliente = ''] = remessa.clientes;
    const base = `/api/v1/${codigoCrm}/${cliente}`;
    for (const [path, status] of [
      [`${base}/documentos/0/novos?Xml=true&Tamanho=20`, 200],
      [`${base}/nfe?DataInicial=2026-03-01&DataFinal=2026-03-31`, 200],
      [`${base}/documentos/1`, 200],
      [`${base}/documentos/999999`, 404],
    ] as const) {
      const [one, two] = await Promise.all(apis.map(({ url }) => fetchJson(url + path, { token })));
      assert.deepEqual([one?.status, two?.status], [status, status], path);
      assert.deepEqual(semEndereco(one?.body), semEndereco(two?.body), path);
    }
    const id = await upload(apis[0] ?? proxy, { token, ...(remessa.arquivos[2] as Arquivo) });
    for (const api of apis) {
      const { body } = await fetchJson(`${api.url}/storage/arquivo/${id}`, { token });
      assert.notEqual(body.status, 'Expirado');
    }
  });

  it('sign addresses for each other: uploads and downloads work at the other one', async () => {
    const { token, codigoCrm } = escritorio;
    const { bytes, extension } = remessa.arquivos[2] as Arquivo;
    const [one, two] = apis as [Malote, Malote];
    const ticket = await fetchJson(`${one.url}/storage`, { token, json: { size: bytes.length, extension } });
    const there = ticket.body.url.replace(one.url, two.url);
    assert.equal((await fetch(there, { method: 'PUT', body: new Uint8Array(bytes) })).status, 200);
    const path = `/api/v1/${codigoCrm}/${remessa.clientes[0]}/documentos/1?Xml=true`;
    const { url_download: url, xml } = (await fetchJson(one.url + path, { token })).body;
    const download = await fetch(url.replace(one.url, two.url));
    assert.deepEqual([download.status, await download.text()], [200, xml]);
  });

  it('stop serving a revoked token within five seconds, everywhere', async () => {
    const { contadorId, codigoCrm } = escritorio;
    const { id, token } = await withDeps(dataFolder, (deps) =>
      createToken(deps, { contadorId, nome: 'a revogar', adicional: true }),
    );
    const path = `/api/v1/${codigoCrm}/${remessa.clientes[0]}/documentos/0/novos?Tamanho=1`;
    const ask = () =>
      Promise.all(apis.map(async ({ url }) => (await fetchJson(url + path, { token })).status));
    assert.deepEqual(await ask(), [200, 200]);
    await withDeps(dataFolder, (deps) => revokeToken(deps, { contadorId, id }));
    await servedAtMost(5_000, async () => (await ask()).includes(200));
  });

  it('count failed tries of a client together, and say 429 on both', async () => {
    const url = '/auth/realms/service/protocol/openid-connect/token';
    const ask = async (at: number) =>
      (
        await fetch((apis[at]?.url ?? '') + url, {
          method: 'POST',
          body: new URLSearchParams({
            grant_type: 'client_credentials',
            client_id: 'adivinhado',
            client_secret: 'errado',
          }),
        })
      ).status;
    const statuses: number[] = [];
    for (let n = 0; n < 24; n++) statuses.push(await ask(n % 2));
    const tried = statuses.filter((status) => status === 401).length;
    assert.ok(tried >= 10 && tried <= 12, `${tried} tries of 24 were let through`);
    assert.deepEqual([await ask(0), await ask(1)], [429, 429]);
  });

  it('one worker that stops hands its files over at once', async () => {
    const { token } = escritorio;
    const [stopping] = workers;
    const ids = await Promise.all(
      remessa.arquivos.slice(0, 12).map((arquivo) => upload(proxy, { token, ...arquivo })),
    );
    assert.equal(await stopping?.stop(), 0);
    for (const id of ids)
      assert.match((await imported(proxy, { token, id })).status, /^(Uploaded|Com Erro)$/);
    workers[0] = await start('worker');
  });

  it('restart in turn without one failed request for a client that never repeats one', async () => {
    const { token, codigoCrm } = escritorio;
    proxy.use([]);
    await Promise.all(apis.map((api) => api.stop()));
    const rolling = { ...env, MALOTE_MODO: 'api', MALOTE_ESPERA_AO_PARAR: '2' };
    apis = await Promise.all([0, 1].map(() => startMalote({ dataFolder, env: rolling })));
    const urls = () => apis.map(({ url }) => url);
    proxy.use(urls());
    const path = `/api/v1/${codigoCrm}/${remessa.clientes[0]}/documentos/0/novos?Tamanho=5`;
    const arquivo = remessa.arquivos[2] as Arquivo;
    let asked = 0;
    let going = true;
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const client = async (n: number) => {
      while (going) {
        if (n === 0) await upload(proxy, { token, ...arquivo });
        else assert.equal(await statusOf(proxy.url + path, { token, agent }), 200);
        asked += 1;
      }
    };
    const clients = Promise.all([0, 1, 2, 3].map(client));
    clients.catch(() => {});
    try {
      for (const at of [0, 1]) {
        assert.equal(await apis[at]?.stop(), 0);
        apis[at] = await startMalote({ dataFolder, env: rolling });
        proxy.use(urls());
        await delay(300);
      }
    } finally {
      going = false;
      await clients;
      agent.destroy();
    }
    assert.ok(asked > 50, `${asked} requests`);
  });
});

/** One GET on a kept connection, which is never tried again. */
function statusOf(url: string, options: { token: string; agent: Agent }): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${options.token}` };
    request(url, { agent: options.agent, headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    })
      .once('error', reject)
      .end();
  });
}

/** Without what is signed for a moment and names the process that was asked. */
function semEndereco(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body, (key, value) =>
      ['url_download', 'url_finalidade', 'requestId'].includes(key) ? null : value,
    ),
  );
}

describe('an API and a worker process on one SQLite folder', { skip: noSqlite }, () => {
  const dataFolder = makeDataFolder();
  after(() => rmSync(dataFolder, { recursive: true, force: true }));

  it('import what the other has taken, say how much waits, and put uploads off until it is less', async () => {
    const remessa = await generateRemessa({ semente: 'dupla', clientes: 1, documentos: 20, porArquivo: 10 });
    const [first, second] = remessa.arquivos as [Arquivo, Arquivo];
    const { token } = await createEscritorio(dataFolder, { crm: '000654', clientes: remessa.clientes });
    const env = { ...SEM_LIMITE, MALOTE_FILA_MAXIMA: '1' };
    await using api = await startMalote({ dataFolder, env: { ...env, MALOTE_MODO: 'api' } });
    const id = await upload(api, { token, ...first });
    assert.equal(await gauge(api, 'malote_importacao_fila'), 1);
    const ticket = () =>
      fetchJson(`${api.url}/storage`, { token, json: { size: 1, extension: second.extension } });
    await until('uploads are put off', async () => (await ticket()).status === 503);
    assert.ok(Number((await ticket()).headers.get('retry-after')) > 0);
    assert.equal((await fetchJson(`${api.url}/storage/arquivo/${id}`, { token })).status, 200, 'reads go on');

    let worker = await startMalote({ dataFolder, env: { ...env, MALOTE_MODO: 'worker' } });
    try {
      assert.equal((await imported(api, { token, id })).status, 'Uploaded');
      await until('uploads are taken again', async () => (await ticket()).status === 200);
      await worker.kill();
      const other = await upload(api, { token, ...second });
      worker = await startMalote({ dataFolder, env: { ...env, MALOTE_MODO: 'worker' } });
      assert.equal((await imported(api, { token, id: other })).status, 'Uploaded');
      await until('the queue is empty', async () => (await gauge(worker, 'malote_importacao_fila')) === 0);
    } finally {
      await worker.stop();
    }
  });
});

describe('a process with another master key', () => {
  it('does not start beside the others, and says why', async () => {
    const dataFolder = makeDataFolder();
    try {
      await using first = await startMalote({ dataFolder, env: { MALOTE_MODO: 'api' } });
      assert.ok(first.url);
      const MALOTE_CHAVE_MESTRA = Buffer.alloc(32, 9).toString('base64');
      await assert.rejects(
        startMalote({ dataFolder, env: { MALOTE_MODO: 'api', MALOTE_CHAVE_MESTRA } }),
        /A chave mestra deste processo não abre o que está guardado no banco/,
      );
    } finally {
      rmSync(dataFolder, { recursive: true, force: true });
    }
  });
});
