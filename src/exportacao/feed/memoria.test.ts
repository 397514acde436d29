import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pergunta } from '../prepared/vigencia.ts';
import { Memoria } from './memoria.ts';
import type { PaginaDoFeed } from './pagina-do-feed.ts';

const MB = 1024 * 1024;
const FEED = { ultimoNsu: 100, revisao: 1 };

/** An answer that is under way until its reader has taken it. */
interface Resposta {
  body: Buffer;
  taken(): void;
}

let memoria: Memoria;
let made = 0;
let hasRoom = true;
beforeEach(() => {
  made = 0;
  hasRoom = true;
  memoria = new Memoria({
    clock: { now: () => Date.UTC(2026, 0, 1) },
    log: { info: () => {}, warn: (fields: object) => assert.fail(JSON.stringify(fields)) },
    vigencias: {
      put: ({ resolve }: Pergunta) => setImmediate(() => resolve({ feed: FEED, tokenVive: true })),
    },
    enderecos: { current: () => ({ kid: 'k' }) },
    contar: () => null,
    inWork: { tryEnter: () => true },
    outgoing: { tryEnter: () => hasRoom, send: () => {} },
    metrics: { durationOf: () => () => {} },
    tokens: { noteUse: () => {}, forget: () => {} },
    stopping: () => false,
  } as unknown as ConstructorParameters<typeof Memoria>[0]);
  const request = { method: 'GET', raw: messageFor(0), routeOptions: { url: '/novos' }, ip: '::1', auth: {} };
  const reply = { statusCode: 200, getHeaders: () => ({}) } as unknown as FastifyReply;
  const remake = async (nsu: number) => paginaDe(nsu);
  const fastify = request as unknown as FastifyRequest;
  memoria.offer(fastify, { clienteId: 1, feed: FEED, pagina: paginaDe(0), reserva: () => 0, remake });
  memoria.keep(fastify, reply);
});

function messageFor(nsu: number): IncomingMessage {
  const url = `/api/v1/000001/1/documentos/${nsu}/novos?Xml=true`;
  return { method: 'GET', url, rawHeaders: [], socket: {} } as unknown as IncomingMessage;
}

/** A page that can be told from any other, with memory of its own. */
function paginaDe(nsu: number): PaginaDoFeed {
  made += 1;
  const body = Buffer.from(new ArrayBuffer(MB)).fill(nsu);
  return { body, codificacao: 'identity', link: null, kid: 'k', untilSeconds: 2 ** 40, note: () => {} };
}

/** Asks for a page; who asked takes it later. */
async function ask(nsu: number): Promise<Resposta> {
  const begun: Resposta[] = [];
  const response = {
    writeHead: () => {},
    end: (body: Buffer, taken: () => void) => begun.push({ body, taken }),
  } as unknown as ServerResponse;
  memoria.answer(messageFor(nsu), response, () => assert.fail('the ordinary way'));
  for (let turns = 0; begun.length === 0 && turns < 100; turns++) await turn();
  const [resposta] = begun;
  assert.ok(resposta);
  return resposta;
}

const isWhole = ({ body }: Resposta, nsu: number) => body.length === MB && body.every((byte) => byte === nsu);

test('a page that is asked for again is kept, and the same bytes are given', async () => {
  (await ask(7)).taken();
  const [second, third] = [await ask(7), await ask(7)];
  assert.equal(third.body.buffer, second.body.buffer);
  second.taken();
  assert.ok(isWhole(third, 7));
  third.taken();
  assert.ok(isWhole(await ask(7), 7));
  assert.equal(made, 3);
});

test('a page that gives way to others is whole until the last of its readers has taken it', async () => {
  (await ask(1)).taken();
  const slow = [await ask(1), await ask(1)];
  for (let nsu = 2; nsu < 60; nsu++) {
    (await ask(nsu)).taken();
    (await ask(nsu)).taken();
  }
  for (const one of slow) {
    assert.ok(isWhole(one, 1));
    one.taken();
  }
  assert.ok(isWhole(await ask(1), 1));
  assert.ok(memoria.bytes <= 24 * MB);
});

test('a page that there is no room for is left to the ordinary way, which waits', async () => {
  hasRoom = false;
  const before = made;
  await new Promise<void>((resolve) => {
    memoria.answer(messageFor(9), {} as ServerResponse, resolve);
  });
  assert.equal(made, before);
});
