import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { createToken } from '../../src/autorizacao/tokens.ts';
import { openContas } from '../support/acesso-contas.ts';
import { prepareCenario } from '../support/cenario-exportacao.ts';
import {
  createCliente,
  createEscritorio,
  fetchJson,
  type Malote,
  startMalote,
  withDeps,
} from '../support/malote.ts';
import { readOpenapi } from '../support/openapi.ts';
import { type Resposta, send } from '../support/pedido.ts';
import {
  BASES,
  EM_OUTRO_TESTE,
  type Mesa,
  MUDANCAS,
  outraGrafia,
  type Rascunho,
  toPedido,
} from '../support/tabela-de-erros.ts';

let mesa: Mesa;
let limited: Malote;
/** The server waits some seconds before it gives a slow sender up; the other tests run meanwhile. */
let slow: Promise<Resposta>;

before(async () => {
  const malote = await startMalote({ env: { MALOTE_LIMITE_MINUTO: '0' } });
  const cenario = await prepareCenario(malote, { crm: '123' });
  const other = await createEscritorio(malote.dataFolder, { crm: '456' });
  const cliente = '11144477735';
  await withDeps(malote.dataFolder, (deps) =>
    createCliente(deps, { contadorId: other.contadorId, cpfCnpj: cliente }),
  );
  limited = await startMalote({ env: { MALOTE_LIMITE_MINUTO: '1', MALOTE_MODO: 'api' } });
  const { token, contadorId } = await createEscritorio(limited.dataFolder, { crm: '789' });
  // Areas are counted apart.
  await fetchJson(`${limited.url}/storage/arquivo/x`, { token });
  await fetchJson(`${limited.url}/api/v1/000789/${cliente}/documentos/0/novos`, { token });
  const { token: contasEsgotado } = await openContas(limited, { contadorIds: [contadorId] });
  const nobody = `${limited.url}/api/contas/platform/contador/1/cliente`;
  await fetchJson(nobody, { token: contasEsgotado, json: {} });
  const outro = { codigoCrm: other.codigoCrm, cliente };
  const daOutraArea = await withDeps(malote.dataFolder, async (deps) => {
    const { contadorId } = cenario;
    const limitedTo = async (escopo: 'importacao' | 'exportacao') =>
      (await createToken(deps, { contadorId, adicional: true, escopo })).token;
    return { importacao: await limitedTo('importacao'), exportacao: await limitedTo('exportacao') };
  });
  const { token: contas } = await openContas(malote, { contadorIds: [cenario.contadorId] });
  const esgotado = { url: limited.url, token, contas: contasEsgotado };
  mesa = { malote, cenario, esgotado, contas, daOutraArea, outro };
  slow = ask('PUT /upload/{id}', { ...(await draftOf('PUT /upload/{id}')), withheldBytes: 100 });
});
after(async () => {
  await mesa.malote[Symbol.asyncDispose]();
  await limited[Symbol.asyncDispose]();
});

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: TSchema; 'x-codigos'?: string[] }> }>;
}

async function openapi(): Promise<Record<string, Record<string, Operation>>> {
  const { openapi: version, paths } = await readOpenapi(mesa.malote.url);
  assert.equal(version, '3.1.0');
  return paths;
}

/** Every route of the OpenAPI document, by `METHOD path`, with the codes that it says it answers, by status. */
async function documented(): Promise<Map<string, { status: number; codigo: string }[]>> {
  const routes = new Map<string, { status: number; codigo: string }[]>();
  for (const [path, methods] of Object.entries(await openapi())) {
    if (path.startsWith('/auth/')) continue; // OAuth's own errors: src/autorizacao/emissor/protocolo.test.ts
    for (const [method, { responses }] of Object.entries(methods)) {
      const errors = Object.entries(responses).flatMap(([status, { content }]) =>
        (content?.['application/problem+json']?.['x-codigos'] ?? []).map((codigo) => ({
          status: Number(status),
          codigo,
        })),
      );
      routes.set(`${method.toUpperCase()} ${path}`, errors);
    }
  }
  return routes;
}

async function draftOf(route: string): Promise<Rascunho> {
  const base = BASES[route];
  assert.ok(base, `${route} has no row in test/support/tabela-de-erros.ts`);
  return base(mesa);
}

const ask = (route: string, draft: Rascunho) => send(toPedido(route.split(' ')[1] ?? '', draft));

const PROBLEM_KEYS = [
  'type',
  'title',
  'status',
  'detail',
  'instance',
  'codigo',
  'mensagem',
  'erros',
  'requestId',
];
/** What is wrong with the credentials, as RFC 6750 §3.1 says it. */
const CHALLENGES: Record<string, string | undefined> = {
  token_ausente: '',
  token_invalido: ', error="invalid_token"',
  credencial_repetida: ', error="invalid_request"',
  crm_nao_autorizado: ', error="insufficient_scope"',
  escopo_insuficiente: ', error="insufficient_scope"',
};
/** Errors that take seconds to come. */
const SO_UMA_VEZ = new Set(['limite_excedido']);
/** Words that would show that a sentence of a library slipped through. */
const ENGLISH = /\b(?:the|must|should|not|is|invalid|required|error|body|property)\b/i;
/** What is to be done, or what the value must be. */
const O_QUE_FAZER =
  /\b(?:deve|obrigatório|métodos aceitos|são dois passos|confira|envie|use|informe|peça|repita|espere|divida|codifique|ligue|importe)\b/i;
/** Nobody can do anything about it any more, or need not. */
const NADA_A_FAZER = /^manifestacao_/;

function assertProblem(answer: Resposta, expected: { status: number; codigo: string }, where: string): void {
  const body = JSON.parse(answer.text);
  assert.deepEqual(
    [answer.status, body.codigo],
    [expected.status, expected.codigo],
    `${where}: ${answer.text}`,
  );
  assert.match(String(answer.headers['content-type']), /^application\/problem\+json/, where);
  assert.deepEqual(Object.keys(body), PROBLEM_KEYS, where);
  assert.equal(body.status, expected.status);
  assert.equal(body.mensagem, body.detail);
  if (!NADA_A_FAZER.test(body.codigo)) assert.match(body.mensagem.normalize(), O_QUE_FAZER, where);
  assert.ok(!body.instance.includes('?'), where);
  assert.equal(body.requestId, answer.headers['x-request-id']);
  for (const text of [
    body.mensagem,
    body.title,
    ...body.erros.map((erro: { mensagem: string }) => erro.mensagem),
  ]) {
    assert.doesNotMatch(text, ENGLISH, where);
    assert.ok(text.length > 5, where);
  }
  assert.match(body.mensagem, /[.)]$/, where);
  const fault = CHALLENGES[expected.codigo];
  const challenge = fault === undefined ? undefined : `Bearer realm="malote"${fault}`;
  assert.equal(answer.headers['www-authenticate'], challenge, where);
  if (expected.status === 429) assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/);
}

describe('every route of the OpenAPI document', () => {
  it('has a good request that is no error', async () => {
    const routes = await documented();
    assert.ok(routes.size >= 13);
    for (const route of routes.keys()) {
      const answer = await ask(route, await draftOf(route));
      assert.equal(answer.status, 200, `${route}: ${answer.text}`);
    }
    assert.deepEqual(Object.keys(BASES).sort(), [...routes.keys()].sort(), 'rows of routes that are gone');
  });

  it('answers what it documents: the media type, and JSON of the shape that is told', async () => {
    const paths = await openapi();
    const told = (route: string, { status, headers, text }: Resposta) => {
      const [method = '', path = ''] = route.split(' ');
      const { content } = paths[path]?.[method.toLowerCase()]?.responses[status] ?? {};
      const type = String(headers['content-type'] ?? '').split(';', 1)[0] ?? '';
      if (!content) return assert.equal(text, '', `${route} ${status} documents no body`);
      const schema = content[type]?.schema;
      assert.ok(schema, `${route} ${status} does not document ${type}`);
      if (!type.endsWith('json')) return;
      const [isValid, faults] = Compile(schema).Errors(JSON.parse(text));
      assert.ok(isValid, `${route} ${status}: ${JSON.stringify(faults)} ${text}`);
    };
    for (const route of (await documented()).keys()) {
      told(route, await ask(route, await draftOf(route)));
      const draft = await draftOf(route);
      const headers = draft.headers.filter(([name]) => !/^(?:accept|authorization)$/i.test(name));
      told(route, await ask(route, { ...draft, headers, query: new URLSearchParams() }));
    }
  });

  it('answers every error that it documents, with its status, code and a sentence in Portuguese', async () => {
    const elsewhere = new Map(Object.entries(EM_OUTRO_TESTE));
    const asked: Promise<void>[] = [];
    for (const [route, errors] of await documented()) {
      assert.ok(errors.length > 0, `${route} documents no error`);
      for (const { status, codigo } of errors) {
        const where = `${route} ${codigo}`;
        if (elsewhere.has(where) || elsewhere.has(codigo)) continue;
        const change = MUDANCAS[codigo];
        assert.ok(change, `${where} has no row in test/support/tabela-de-erros.ts`);
        const draft = await draftOf(route);
        await change(draft, mesa);
        const answered = ask(route, draft).then((answer) => assertProblem(answer, { status, codigo }, where));
        // Nor does the way in which an address is written change what is wrong with the request.
        if (!SO_UMA_VEZ.has(codigo)) {
          const other = await send(outraGrafia(route.split(' ')[1] ?? '', draft));
          assert.equal(JSON.parse(other.text).codigo, codigo, `${where}, em outra grafia`);
        }
        // What is over a limit is refused after some seconds.
        if (codigo === 'limite_excedido') asked.push(answered);
        else await answered;
      }
    }
    await Promise.all(asked);
    for (const [file, word] of elsewhere.values()) {
      assert.ok(
        readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').includes(word),
        `${file}: ${word}`,
      );
    }
  });

  it('documents every code that a row can make it answer', async () => {
    const asked: Promise<void>[] = [];
    for (const [route, errors] of await documented()) {
      const known = new Set(errors.map(({ codigo }) => codigo));
      for (const [name, change] of Object.entries(MUDANCAS)) {
        const draft = await draftOf(route);
        await change(draft, mesa);
        const answered = ask(route, draft).then(({ status, text }) => {
          if (status < 400) return;
          const { codigo } = JSON.parse(text);
          assert.ok(known.has(codigo), `${route} answers ${codigo}, which it does not document`);
        });
        if (name === 'limite_excedido') asked.push(answered);
        else await answered;
      }
    }
    await Promise.all(asked);
  });

  it('gives up an upload that does not go on', async () => {
    assertProblem(await slow, { status: 408, codigo: 'tempo_esgotado' }, 'PUT /upload/{id}');
  });

  it('answers 405 with Allow to a method that it does not have', async () => {
    const paths = new Map<string, string>();
    for (const route of (await documented()).keys()) paths.set(route.split(' ')[1] ?? '', route);
    for (const [path, route] of paths) {
      const draft = { ...(await draftOf(route)), method: 'DELETE' };
      delete draft.body;
      const answer = await send(toPedido(path, draft));
      assertProblem(answer, { status: 405, codigo: 'metodo_nao_permitido' }, path);
      const allow = String(answer.headers.allow).split(', ');
      assert.ok(allow.includes(route.split(' ')[0] ?? ''), `${path}: ${allow}`);
    }
  });
});

describe('the order of checks', () => {
  /** Below a client; the list of an office's clients names none. */
  const scoped = async () =>
    [...(await documented()).keys()].filter((route) => route.includes('{codigoCrm}/{cpfCnpj}'));
  const answerTo = async (route: string, changes: readonly string[], more?: (draft: Rascunho) => void) => {
    const draft = await draftOf(route);
    for (const change of changes) await MUDANCAS[change]?.(draft, mesa);
    more?.(draft);
    return JSON.parse((await ask(route, draft)).text);
  };

  it('is credentials, codigoCrm, its owner, parameters and body, client, document', async () => {
    const order = ['token_ausente', 'crm_invalido', 'cpf_cnpj_invalido', 'cliente_nao_encontrado'];
    for (const route of await scoped()) {
      for (let first = 0; first < order.length; first++) {
        // Later faults first: where two of them change one value, the earlier check must win.
        const body = await answerTo(route, order.slice(first).reverse());
        assert.equal(body.codigo, order[first], `${route}: ${order.slice(first)}`);
      }
      const foreign = await answerTo(route, [
        'cpf_cnpj_invalido',
        'nsu_invalido',
        'corpo_invalido',
        'crm_nao_autorizado',
      ]);
      assert.equal(foreign.codigo, 'crm_nao_autorizado', route);
    }
  });

  it('tells of a wrong page before it tells that the client is unknown', async () => {
    const body = await answerTo('GET /api/v1/{codigoCrm}/{cpfCnpj}/nfe', [
      'cliente_nao_encontrado',
      'tamanho_invalido',
    ]);
    assert.equal(body.codigo, 'tamanho_invalido');
    const period = await answerTo('GET /api/v1/{codigoCrm}/{cpfCnpj}/nfe', [
      'cliente_nao_encontrado',
      'periodo_invalido',
    ]);
    assert.equal(period.codigo, 'periodo_invalido');
  });

  it('shows nothing of another office: the same answer whether it, its client or its document exists', async () => {
    const bare = ({ requestId: _id, instance: _path, ...rest }: Record<string, unknown>) => rest;
    for (const route of await scoped()) {
      const answers = [];
      for (const codigoCrm of [mesa.outro.codigoCrm, '999999']) {
        for (const cpfCnpj of [mesa.outro.cliente, '52998224725', mesa.cenario.emitente]) {
          const body = await answerTo(route, [], (draft) => {
            Object.assign(draft.path, { codigoCrm, cpfCnpj });
          });
          answers.push(bare(body));
        }
      }
      for (const answer of answers) assert.deepEqual(answer, answers[0], route);
      assert.equal(answers[0]?.codigo, 'crm_nao_autorizado', route);
      const strangers = [];
      for (const cpfCnpj of [mesa.outro.cliente, '52998224725']) {
        strangers.push(bare(await answerTo(route, [], (draft) => Object.assign(draft.path, { cpfCnpj }))));
      }
      assert.deepEqual(strangers[0], strangers[1], route);
      assert.equal(strangers[0]?.codigo, 'cliente_nao_encontrado', route);
    }
  });

  it('takes no masked, foreign or further digits for a codigoCrm', async () => {
    const route = 'GET /api/v1/{codigoCrm}/{cpfCnpj}/nfe';
    for (const codigoCrm of ['0000123', '00012a', '٠٠٠١٢٣', '000-123', ' 00123', '000123\u0000', '00/123']) {
      const body = await answerTo(route, [], (draft) => Object.assign(draft.path, { codigoCrm }));
      assert.equal(body.codigo, 'crm_invalido', JSON.stringify(codigoCrm));
    }
  });
});

describe('unknown and hostile requests', () => {
  const get = (path: string) => send({ method: 'GET', url: `${mesa.malote.url}${path}`, headers: [] });

  it('an unknown path is 404 JSON, whatever is accepted', async () => {
    for (const path of [
      '/api',
      '/api/v1',
      '/api/v2/000123/x/nfe',
      '/console/api',
      '/console/api/nada',
      '/storage/nada',
      '/upload',
      '/docs.html',
    ]) {
      const url = `${mesa.malote.url}${path}`;
      const answer = await send({ method: 'GET', url, headers: [['Accept', 'text/html']] });
      assertProblem(answer, { status: 404, codigo: 'rota_nao_encontrada' }, path);
    }
  });

  it('a request of JSON that announces no body is told that it is empty', async () => {
    const { hostname, port, host } = new URL(mesa.malote.url);
    const headers = [
      `Host: ${host}`,
      `Authorization: Bearer ${mesa.cenario.token}`,
      'Content-Type: application/json',
      'Connection: close',
    ];
    const socket = connect(Number(port), hostname);
    socket.end(['POST /storage HTTP/1.1', ...headers, '', ''].join('\r\n'));
    const answer = await text(socket);
    assert.match(answer, /^HTTP\/1\.1 400 .*"codigo":"corpo_invalido"/s);
  });

  it('hostile values of a path are 400 or 404, never ours', async () => {
    const authorization: [string, string] = ['Authorization', `Bearer ${mesa.cenario.token}`];
    const base = `/api/v1/${mesa.cenario.codigoCrm}`;
    const values = [
      '%00',
      '%2F',
      '..%2f..',
      '%0d%0aX:1',
      '%25',
      "'%20or%201=1--",
      '%F0%9F%98%80',
      'a'.repeat(300),
    ];
    for (const value of values) {
      for (const path of [
        `${base}/${value}/nfe?DataInicial=2026-03-01`,
        `${base}/${mesa.cenario.emitente}/documentos/${value}`,
        `${base}/${mesa.cenario.emitente}/documentos/${value}/chave`,
        `/storage/arquivo/${value}`,
        `/api/v1/${value}/x/nfe`,
      ]) {
        const url = `${mesa.malote.url}${path}`;
        const { status, text } = await send({ method: 'GET', url, headers: [authorization] });
        assert.ok(status === 400 || status === 404, `${path}: ${status} ${text}`);
      }
    }
    const { status, text } = await get('/storage/%zz');
    assert.deepEqual([status, JSON.parse(text).codigo], [400, 'caminho_invalido']);
  });
});
