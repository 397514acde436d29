import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { semRecusas } from '../../bench/sem-recusas.ts';
import { addressesInNetworks } from '../../src/platform/http/reachable.ts';
import { logInToConsole } from '../support/console.ts';
import { createEscritorio, fetchJson, type Malote, makeDataFolder, startMalote } from '../support/malote.ts';
import { ambienteDoBanco, releaseBanco } from '../support/motor.ts';
import { send } from '../support/pedido.ts';

let malote: Malote;
before(async () => {
  malote = await startMalote({ env: { MALOTE_LIMITE_MINUTO: '3' } });
});
const folders: string[] = [];
const newFolder = () => {
  folders.push(makeDataFolder());
  return folders.at(-1) ?? '';
};
after(async () => {
  await malote[Symbol.asyncDispose]();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const get = (path: string) => send({ method: 'GET', url: `${malote.url}${path}`, headers: [] });

describe('operations', () => {
  it('healthz and readyz answer without credentials', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const { status, body } = await fetchJson(`${malote.url}${path}`);
      assert.deepEqual([status, body], [200, { status: 'ok' }], path);
    }
  });

  it('metrics are Prometheus text: requests by route, the queue, the event loop', async () => {
    const { status, headers, text } = await get('/metrics');
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^text\/plain/);
    assert.match(text, /malote_http_duracao_segundos_count\{method="GET",route="\/healthz",status="200"\} 1/);
    assert.match(text, /^malote_importacao_fila 0$/m);
    assert.match(text, /^nodejs_eventloop_lag_p99_seconds /m);
  });

  it('labels of metrics hold no path of a caller', async () => {
    await get('/segredo-no-caminho');
    assert.doesNotMatch((await get('/metrics')).text, /segredo/);
  });

  it('the documentation runs under a strict policy', async () => {
    const docs = await get('/docs/');
    assert.equal(docs.status === 200 || docs.status === 302, true);
    assert.match(String(docs.headers['content-security-policy']), /script-src 'self';/);
  });

  it('the description of the API is one document in every coding', async () => {
    const bodies = await Promise.all(
      ['identity', 'gzip', 'gzip, br', 'br;q=0, gzip;q=0.5'].map(async (accepted) => {
        const answer = await fetch(`${malote.url}/openapi.json`, {
          headers: { 'accept-encoding': accepted },
        });
        return { coding: answer.headers.get('content-encoding'), text: await answer.text() };
      }),
    );
    assert.deepEqual(
      bodies.map(({ coding }) => coding),
      [null, 'gzip', 'br', 'gzip'],
    );
    assert.equal(new Set(bodies.map(({ text }) => text)).size, 1);
    assert.equal(JSON.parse(bodies[0]?.text ?? '').openapi, '3.1.0');
  });

  it('a process in mode worker answers operations only', async () => {
    await using worker = await startMalote({ env: { MALOTE_MODO: 'worker' } });
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      assert.equal((await fetch(`${worker.url}${path}`)).status, 200, path);
    }
    for (const path of ['/', '/docs', '/openapi.json', '/storage']) {
      assert.equal((await fetch(`${worker.url}${path}`)).status, 404, path);
    }
  });
});

describe('rate limit', () => {
  it('tells what is left on every authenticated answer, and 429 when nothing is', async () => {
    const { token } = await createEscritorio(malote.dataFolder, { crm: '1' });
    const other = await createEscritorio(malote.dataFolder, { crm: '2' });
    const ask = (as: string) => fetchJson(`${malote.url}/storage/arquivo/x`, { token: as });
    for (const left of [2, 1, 0]) {
      const { status, headers } = await ask(token);
      assert.equal(status, 404);
      assert.equal(headers.get('ratelimit-policy'), '"token";q=3;w=60');
      assert.match(headers.get('ratelimit') ?? '', new RegExp(`^"token";r=${left};t=\\d+$`));
    }
    const before = performance.now();
    const refused = await ask(token);
    assert.deepEqual([refused.status, refused.body.codigo], [429, 'limite_excedido']);
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.ok(performance.now() - before > 4_900, 'after a while, so that who goes on loses little');
    const elsewhere = await fetchJson(`${malote.url}/api/v1/000001/11222333000181/documentos/0/novos`, {
      token,
    });
    assert.match(elsewhere.headers.get('ratelimit') ?? '', /;r=2;/, 'reading is counted apart from sending');
    assert.equal((await ask(other.token)).status, 404, 'another token has a count of its own');
  });

  it('there is none unless it is set, and no headers; what many ask at a time waits in turn', async () => {
    await using free = await startMalote({ env: { MALOTE_MODO: 'api' } });
    const { token } = await createEscritorio(free.dataFolder, { crm: '1' });
    const ask = () => fetchJson(`${free.url}/storage/arquivo/x`, { token });
    assert.equal((await ask()).headers.get('ratelimit'), null);
    const answers = await Promise.all(Array.from({ length: 300 }, ask));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [404]);
    // In full, 10,000 of one and 10,000 of fifty: `npm run sem-recusas`.
    const { um, cinquenta } = await semRecusas(free, 100);
    assert.deepEqual([um.status, cinquenta.status], [{ 200: 100 }, { 200: 100 }]);
  });
});

describe('starting and stopping', () => {
  it('ends with code 0 on SIGTERM and SIGINT, although clients keep connections open', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      await using server = await startMalote();
      const idle = connect(Number(new URL(server.url).port), '127.0.0.1');
      await once(idle, 'connect');
      await fetch(`${server.url}/healthz`);
      assert.equal(await server.stop(signal), 0);
      idle.destroy();
    }
  });

  it('ends as well when the signal comes twice, as npm passes Ctrl-C on', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      await using server = await startMalote();
      server.process.kill(signal);
      await delay(20);
      assert.equal(await server.stop(signal), 0);
    }
  });

  it('keeps tokens and clients over a restart', async () => {
    const dataFolder = newFolder();
    const { token } = await createEscritorio(dataFolder, { crm: '7', clientes: ['11222333000181'] });
    for (let start = 0; start < 2; start++) {
      const server = await startMalote({ dataFolder, env: { MALOTE_MODO: 'api' } });
      const { status } = await fetchJson(`${server.url}/api/v1/000007/11222333000181/documentos/0/novos`, {
        token,
      });
      assert.equal(status, 200);
      await server.stop();
    }
  });

  it('says in Portuguese that its port is taken, and ends with an error', async () => {
    const port = new URL(malote.url).port;
    const child = spawn(process.execPath, ['bin/malote.js', 'servir'], {
      env: { ...process.env, PORT: port, MALOTE_DATA: newFolder() },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const text = (await child.stderr.toArray()).join('');
    if (child.exitCode === null) await once(child, 'exit');
    assert.equal(child.exitCode, 1);
    assert.match(text, new RegExp(`A porta ${port} já está em uso`));
    assert.doesNotMatch(text, /\n\s+at /);
  });

  it('ends when the shell in which npm has started it does, as that does at a signal', {
    skip: process.platform === 'win32',
  }, async () => {
    const dataFolder = newFolder();
    const settings = { PORT: '0', MALOTE_DATA: dataFolder, npm_lifecycle_event: 'start' };
    const servir = `"${process.execPath}" bin/malote.js servir --json`;
    // Not its last command: some shells would become that one.
    const shell = spawn('sh', ['-c', `${servir}; true`], {
      env: { ...process.env, ...(await ambienteDoBanco(dataFolder)), ...settings },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    // Its output is the server's too, and closes with the last of them.
    const closed = once(shell.stdout, 'close');
    const [said] = (await once(shell.stdout.setEncoding('utf8'), 'data')) as [string];
    const { url } = JSON.parse(said);
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    shell.kill('SIGTERM');
    await closed;
    await assert.rejects(fetch(`${url}/healthz`));
    await releaseBanco(dataFolder);
  });

  it('says with --json in one object where it listens and where the first user is made', async () => {
    const dataFolder = newFolder();
    const child = spawn(process.execPath, ['bin/malote.js', 'servir', '--json'], {
      env: { ...process.env, ...(await ambienteDoBanco(dataFolder)), PORT: '0', MALOTE_DATA: dataFolder },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const said: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said.push(text);
      child.kill('SIGINT');
    });
    await once(child, 'close');
    const { url, outros, semHttps, pasta, primeiroUso, ...rest } = JSON.parse(said.join(''));
    assert.deepEqual([outros, semHttps], [[], false], 'nobody else can come');
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(pasta, dataFolder);
    assert.match(primeiroUso, new RegExp(`^${url}/console/primeiro-uso#mlp_`));
    assert.deepEqual(rest, {});
    await releaseBanco(dataFolder);
  });

  it('that listens for other machines shows an address that they can open, and says what nobody protects', async () => {
    const dataFolder = newFolder();
    const child = spawn(process.execPath, ['bin/malote.js', 'servir'], {
      env: {
        ...process.env,
        ...(await ambienteDoBanco(dataFolder)),
        HOST: '0.0.0.0',
        PORT: '0',
        MALOTE_DATA: dataFolder,
        MALOTE_LOG: 'silent',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('primeiro-uso#')) child.kill('SIGINT');
    });
    await once(child, 'close');
    assert.doesNotMatch(said, /0\.0\.0\.0/);
    const [first = '127.0.0.1'] = addressesInNetworks();
    assert.match(
      said,
      new RegExp(`^  http://${first.replaceAll('.', '\\.')}:\\d+/console/primeiro-uso#`, 'm'),
    );
    assert.match(said, /http:\/\/127\.0\.0\.1:\d+/);
    assert.match(said, /sem cifra.*docs\/rede\.md/);
    await releaseBanco(dataFolder);
  });
});

describe('a proxy that ends https and that nobody has named', () => {
  const PROXY = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'notas.exemplo.com.br' };

  /** A ticket's address and the warnings of the health page, as one sees them through the proxy. */
  async function through(server: Malote) {
    const { contadorId, token } = await createEscritorio(server.dataFolder, { crm: '5' });
    const admin = await logInToConsole(server, { contadorId });
    const json = { size: 1, extension: '.xml' };
    const urls = [];
    for (let at = 0; at < 3; at++)
      urls.push((await fetchJson(`${server.url}/storage`, { token, json, headers: PROXY })).body.url);
    const { avisos } = (await admin.ask('/saude')).body;
    const said = server.log.filter((line) => line.includes('MALOTE_PROXIES'));
    return {
      origins: new Set(urls.map((url) => new URL(url).origin)),
      aviso: avisos.find(({ codigo }: { codigo: string }) => codigo === 'proxy_nao_configurado')?.mensagem,
      said,
    };
  }

  it('is said once in the log and on the health page, with the setting that mends it', async () => {
    await using server = await startMalote();
    const { origins, aviso, said } = await through(server);
    assert.deepEqual([...origins], [server.url]);
    assert.equal(said.length, 1);
    assert.match(said[0] ?? '', /"endereco":"127\.0\.0\.1"/);
    assert.match(
      aviso,
      /127\.0\.0\.1 diz que atende por https.*MALOTE_PROXIES=127\.0\.0\.1.*MALOTE_URL_BASE/,
    );
  });

  it('is not said once either setting is there, and addresses are made with https', async () => {
    for (const env of [
      { MALOTE_PROXIES: '127.0.0.1' },
      { MALOTE_URL_BASE: 'https://notas.exemplo.com.br' },
    ]) {
      await using server = await startMalote({ env });
      const { origins, aviso, said } = await through(server);
      assert.deepEqual([...origins], ['https://notas.exemplo.com.br']);
      assert.deepEqual([aviso, said], [undefined, []]);
    }
  });

  it('is not said of requests that name no https', async () => {
    await using server = await startMalote();
    for (const proto of ['http', 'httpsx', ''])
      await fetchJson(`${server.url}/storage/arquivo/x`, { headers: { 'x-forwarded-proto': proto } });
    assert.ok(!server.log.some((line) => line.includes('MALOTE_PROXIES')));
  });
});
