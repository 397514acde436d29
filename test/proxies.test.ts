/** The proxies of `deploy/` as they stand there, run by the real programs where these are: TLS in front of one service. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { answerOnce } from './support/espera.ts';
import { createEscritorio, type Malote, startMalote } from './support/malote.ts';

const NOME = 'notas.exemplo.com.br';
const DEPLOY = join(import.meta.dirname, '..', 'deploy');
const isHere = (program: string, ...args: string[]) => spawnSync(program, args).error === undefined;
const semOpenssl = isHere('openssl', 'version') ? null : 'openssl is not here';

let malote: Malote;
let token: string;
let folder: string;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'malote-proxies-'));
  malote = await startMalote({ env: { MALOTE_PROXIES: '127.0.0.1' }, umProcesso: true });
  ({ token } = await createEscritorio(malote.dataFolder, { crm: '8' }));
});
after(async () => {
  await malote[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** One that nobody is given meanwhile: systems give out ports above these. */
async function freePort(): Promise<number> {
  const server = createServer().listen(randomInt(20_000, 30_000), '127.0.0.1');
  const taken = await once(server, 'listening').then(
    () => false,
    () => true,
  );
  if (taken) return freePort();
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

interface Resposta {
  status: number;
  text: string;
}

/** Asks the proxy by its name, whatever its certificate. */
function ask(
  port: number,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: Buffer | string } = {},
): Promise<Resposta> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        servername: NOME,
        rejectUnauthorized: false,
        headers: { host: `${NOME}:${port}`, ...headers },
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** What every proxy must do, asked of one that runs. */
async function judge(port: number): Promise<void> {
  await answerOnce('the proxy answers', {
    ask: () => ask(port, '/healthz').catch(() => ({ status: 0, text: '' })),
    is: ({ status }) => status === 200,
  });
  assert.equal((await ask(port, '/metrics')).status, 404, 'figures are for who runs it');
  const asked = await ask(port, '/storage', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      // What a client claims of itself reaches nobody.
      'x-forwarded-host': 'outro.exemplo.com.br',
      'x-forwarded-proto': 'http',
    },
    body: '{"size":2000000,"extension":".xml"}',
  });
  assert.equal(asked.status, 200, asked.text);
  const { url } = JSON.parse(asked.text);
  const { origin, pathname, search } = new URL(url);
  assert.equal(origin, `https://${NOME}:${port}`);
  const put = (body: Buffer) => ask(port, pathname + search, { method: 'PUT', body });
  assert.equal((await put(Buffer.alloc(2_000_000, '<a/>'))).status, 200, 'a body larger than usual limits');
  const secure = await ask(port, '/console/api/saude');
  assert.equal(secure.status, 401);
}

/** A file of `deploy/` with the addresses of this test. */
function adapted(file: string, changes: readonly (readonly [string, string])[]): string {
  let text = readFileSync(join(DEPLOY, file), 'utf8');
  for (const [from, to] of changes) {
    assert.ok(text.includes(from), `${file} has ${from}`);
    text = text.replaceAll(from, to);
  }
  const made = join(folder, file);
  writeFileSync(made, text);
  return made;
}

function makeCertificate(): { cert: string; key: string } {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const args = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '1',
  ];
  spawnSync('openssl', [
    ...args,
    '-subj',
    `/CN=${NOME}`,
    '-addext',
    `subjectAltName=DNS:${NOME}`,
    '-keyout',
    key,
    '-out',
    cert,
  ]);
  return { cert, key };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'close');
}

describe('one service behind TLS', { skip: semOpenssl ?? false }, () => {
  const upstream = () => new URL(malote.url).host;

  it('by deploy/nginx-um.conf', { skip: !isHere('nginx', '-v') && 'nginx is not here' }, async () => {
    const { cert, key } = makeCertificate();
    const [port, plain] = [await freePort(), await freePort()];
    const own = join(folder, 'nginx');
    mkdirSync(own);
    const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (one) => `${one}_temp_path ${own}/${one};`,
    );
    const file = adapted('nginx-um.conf', [
      ['server 127.0.0.1:8080;', `server ${upstream()};`],
      ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
      ['listen 80;', `listen 127.0.0.1:${plain};`],
      [`/etc/letsencrypt/live/${NOME}/fullchain.pem`, cert],
      [`/etc/letsencrypt/live/${NOME}/privkey.pem`, key],
      ['access_log /dev/stdout malote;', `access_log ${own}/access.log malote; ${temp.join(' ')}`],
      ['error_log /dev/stderr crit;', `error_log ${own}/error.log crit;`],
    ]);
    const child = spawn('nginx', [
      '-p',
      own,
      '-e',
      join(own, 'first.log'),
      '-c',
      file,
      '-g',
      `daemon off; pid ${own}/pid;`,
    ]);
    try {
      await judge(port);
      const redirected = await fetch(`http://127.0.0.1:${plain}/docs?a=1`, { redirect: 'manual' });
      assert.deepEqual(
        [redirected.status, redirected.headers.get('location')],
        [301, 'https://127.0.0.1/docs?a=1'],
      );
      assert.doesNotMatch(
        readFileSync(join(own, 'access.log'), 'utf8'),
        /Signature/,
        'no signature is written down',
      );
    } finally {
      await end(child);
    }
  });

  it('by deploy/Caddyfile', { skip: !isHere('caddy', 'version') && 'caddy is not here' }, async () => {
    const { cert, key } = makeCertificate();
    const port = await freePort();
    const file = adapted('Caddyfile', [
      [
        '{\n\t# Endereços',
        `{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system ${folder}/caddy\n\t# Endereços`,
      ],
      [`\n${NOME} {`, `\n${NOME}:${port} {\n\ttls ${cert} ${key}`],
      ['reverse_proxy 127.0.0.1:8080', `reverse_proxy ${upstream()}`],
    ]);
    const child = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
      env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    try {
      await judge(port);
      assert.doesNotMatch(said, /Signature/, 'no signature is written down');
    } finally {
      await end(child);
    }
  });
});

describe('the small compose file', () => {
  it('is one container with one volume, without rights that it does not need', () => {
    const text = readFileSync(join(DEPLOY, 'compose-pequeno.yaml'), 'utf8');
    const [, services = ''] = /\nservices:\n([\s\S]*?)\n\n/.exec(text) ?? [];
    assert.deepEqual(services.match(/^ {2}\S+:$/gm), ['  malote:']);
    assert.match(text, /^volumes: \{ dados: \{\} \}$/m);
    for (const part of [
      'read_only: true',
      'cap_drop: [ALL]',
      'no-new-privileges:true',
      'volumes: ["dados:/dados"]',
    ])
      assert.ok(services.includes(part), part);
  });
});
