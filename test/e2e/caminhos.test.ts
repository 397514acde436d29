/**
 * What no program of ours writes: paths that climb, names that no file has, values that no parameter takes. None of it
 * is our fault to answer for: 404 or 400, never 500, on every mount and every route of the OpenAPI document.
 */
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { openContas } from '../support/acesso-contas.ts';
import { type CenarioDeExportacao, DOCUMENTOS, prepareCenario } from '../support/cenario-exportacao.ts';
import { logInToConsole, type Pedinte } from '../support/console.ts';
import { type Malote, startMalote } from '../support/malote.ts';
import { readOpenapi } from '../support/openapi.ts';

/** As they go over the wire: a client that tidies addresses up would send none of them. */
const PEDACOS = [
  '..',
  '.',
  './',
  '../',
  '....//',
  '../../../../etc/passwd',
  '%2e',
  '%2e%2e',
  '%2e%2e/x',
  '..%2f..%2f',
  '%2e%2e%2fx',
  '%252e%252e%252f',
  '..%5c',
  '%5c',
  '\\',
  '%00',
  '%00.js',
  'a%00b',
  'index.html%00',
  '%',
  '%zz',
  '%ff',
  '%c0%ae%c0%ae',
  '%ED%A0%80',
  '%u002e',
  '%0d%0aX:1',
  '%7f',
  '%2f',
  '//',
  '%20',
  '%F0%9F%98%80',
  'con',
  '::$DATA',
  '*',
  '%3f',
  '%23',
  '__proto__',
  'constructor',
  'a'.repeat(300),
  'a'.repeat(5_000),
];

/** Texts that a parameter or a field is given. */
const VALORES = [
  'a\0b',
  '-1',
  '9223372036854775808',
  '1e400',
  '..',
  '%00',
  "'",
  '\r\nX: 1',
  '9999-12-31',
  '+275760-09-13',
  '__proto__',
  '٣',
  'a'.repeat(5_000),
];

/** What a body, or a field of it, is given. */
const OUTROS = [
  null,
  -1,
  1e300,
  2 ** 63,
  {},
  [null],
  [1e300],
  'a\0b',
  '9223372036854775808',
  'a'.repeat(5_000),
];

const MONTAGENS = [
  '/',
  '/docs/',
  '/docs/static/',
  '/console/',
  '/console/assets/',
  '/console/api/',
  '/openapi.json/',
  '/healthz/',
  '/metrics/',
  '/auth/',
  '/auth/realms/',
  '/auth/realms/malote/',
  '/auth/realms/malote/protocol/openid-connect/',
];

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
}

interface Operacao {
  responses: Record<string, object>;
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

let malote: Malote;
let cenario: CenarioDeExportacao;
let admin: Pedinte;
let contas: string;
let rotas: { method: string; path: string; operacao: Operacao }[];
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

before(async () => {
  malote = await startMalote({ env: { MALOTE_LIMITE_MINUTO: '0' } });
  cenario = await prepareCenario(malote, { crm: '1' });
  admin = await logInToConsole(malote, { contadorId: cenario.contadorId });
  contas = (await openContas(malote, { contadorIds: [cenario.contadorId] })).token;
  rotas = [];
  for (const url of ['/openapi.json', '/console/openapi.json'])
    rotas.push(...rotasDe(await readOpenapi(malote.url, url)));
});
after(async () => {
  agent.destroy();
  await malote[Symbol.asyncDispose]();
});

function rotasDe({ paths }: { paths: Record<string, object> }): typeof rotas {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries<Operacao>({ ...operations }).map(([method, operacao]) => ({
      method: method.toUpperCase(),
      path,
      operacao,
    })),
  );
}

/** Sends a target exactly as it is written. @returns the status */
function ask(method: string, target: string, json?: unknown): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(malote.url);
  const body = json === undefined ? '' : JSON.stringify(json);
  const headers = {
    ...(target.startsWith('/console')
      ? { cookie: admin.cookie, 'x-csrf-token': admin.csrf }
      : { authorization: `Bearer ${target.includes('/contas/') ? contas : cenario.token}` }),
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path: target, headers, agent }, async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      resolve({ status: answer.statusCode ?? 0, text });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Ours are 500; a 503 would be a database that refuses a value. */
async function assertNotOurs(method: string, target: string, json?: unknown): Promise<number> {
  const { status, text } = await ask(method, target, json);
  const what = `${method} ${target.slice(0, 200)} ${JSON.stringify(json ?? null).slice(0, 200)}`;
  assert.ok(status > 0 && status < 500, `${what}: ${status} ${text}`);
  return status;
}

/** What a route answers to whatever it is asked stands in its document, so that programs made of it know the answer. */
async function assertTold(rota: (typeof rotas)[number], target: string, json?: unknown): Promise<void> {
  const status = await assertNotOurs(rota.method, target, json);
  const { method, path, operacao } = rota;
  assert.ok(String(status) in operacao.responses, `${method} ${path} does not document ${status}: ${target}`);
}

/** Values of a path with which its route has something to answer. */
const BONS: Record<string, () => string> = {
  codigoCrm: () => cenario.codigoCrm,
  CRM: () => cenario.codigoCrm,
  cpfCnpj: () => cenario.emitente,
  CPFCNPJ: () => cenario.emitente,
  chave: () => DOCUMENTOS.autorizada.chave,
};

const fill = (path: string, given: Record<string, string> = {}) =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => given[name] ?? BONS[name]?.() ?? '1');

/** Ends the session that asks. */
const isTheWayOut = (path: string) => path === '/console/api/sair' || path.includes('/eu/sessoes');

describe('paths that nobody means', () => {
  it('are 400 or 404 on every mount, whatever they are encoded with', async () => {
    for (const mount of MONTAGENS) {
      for (const pedaco of PEDACOS) {
        const status = await assertNotOurs('GET', mount + pedaco);
        const isPage = mount === '/console/' || mount === '/';
        const expected = isPage ? [200, 302, 400, 404] : [400, 404];
        // `//` is the mount itself, and a dot after a form of the issuer a path of its own.
        if (pedaco !== '//') assert.ok(expected.includes(status), `${mount}${pedaco}: ${status}`);
        await assertNotOurs('HEAD', mount + pedaco);
      }
    }
  });

  it('never lead to a file outside of what is served', async () => {
    for (const mount of ['/docs/static/', '/console/assets/', '/console/']) {
      for (const climb of ['../', '..%2f', '%2e%2e/', '%2e%2e%2f', '..%5c', '....//']) {
        for (const name of ['package.json', 'etc/passwd']) {
          const { text } = await ask('GET', mount + climb.repeat(6) + name);
          assert.doesNotMatch(text, /"dependencies"|root:/, mount + climb);
        }
      }
    }
  });

  it('are no fault of ours below any route, in any place of its path', async () => {
    for (const { method, path, operacao } of rotas) {
      const named = (operacao.parameters ?? []).filter((one) => one.in === 'path').map(({ name }) => name);
      for (const pedaco of PEDACOS) {
        if (isTheWayOut(path)) continue;
        for (const name of named) await assertNotOurs(method, fill(path, { [name]: pedaco }));
        await assertNotOurs(method, `${fill(path)}/${pedaco}`);
      }
    }
  });
});

describe('values that no parameter takes', () => {
  it('are no fault of ours in any query, and are answered as the document says', async () => {
    for (const rota of rotas) {
      const { path, operacao } = rota;
      if (isTheWayOut(path)) continue;
      const named = (operacao.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name);
      for (const valor of VALORES) {
        for (const name of named) {
          const query = new URLSearchParams({ DataInicial: '2026-03-01' });
          query.set(name, valor);
          await assertTold(rota, `${fill(path)}?${query}`);
        }
      }
      for (const query of ['%', '%zz', '%ff', '&&&=', '%00=1'])
        await assertTold(rota, `${fill(path)}?${query}`);
    }
  });

  it('are no fault of ours in any field of a body, and are answered as the document says', async () => {
    for (const rota of rotas) {
      const { path, operacao } = rota;
      const schema = operacao.requestBody?.content['application/json']?.schema;
      if (!schema || isTheWayOut(path)) continue;
      const good = exemplo(schema) as Record<string, unknown>;
      for (const valor of OUTROS) {
        await assertTold(rota, fill(path), valor);
        for (const name of Object.keys(schema.properties ?? {}))
          await assertTold(rota, fill(path), { ...good, [name]: valor });
      }
    }
  });
});

/** A value that a schema takes. */
function exemplo(schema: Schema): unknown {
  const [first] = schema.anyOf ?? [];
  if (first) return exemplo(first);
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  if (schema.type === 'boolean') return true;
  if (schema.type === 'array') return schema.items ? [exemplo(schema.items)] : [];
  if (schema.type !== 'object') return 'texto';
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [name, exemplo(property)]),
  );
}
