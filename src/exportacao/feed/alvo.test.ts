import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { Alvos } from './alvo.ts';

const BASE = '/api/v1/000001/11222333000181/documentos';
const TOKEN = ['Authorization', 'Bearer um'];

interface Pedido {
  url?: string;
  method?: string;
  rawHeaders?: string[];
  httpVersion?: string;
}

/** A program on a connection of its own. */
function conexao(remoteAddress = '127.0.0.1') {
  const socket = { remoteAddress };
  return ({
    url = `${BASE}/7/novos`,
    method = 'GET',
    rawHeaders = TOKEN,
    httpVersion = '1.1',
  }: Pedido = {}) => ({ method, url, rawHeaders, httpVersion, socket }) as unknown as IncomingMessage;
}

describe('what a request asks for', () => {
  test('is the same from any connection, with its headers in any order, and whatever follows a request around', () => {
    const alvos = new Alvos();
    const [one, other] = [conexao(), conexao()];
    const first = alvos.of(one({ rawHeaders: [...TOKEN, 'Accept', '*/*'] }));
    assert.deepEqual(alvos.of(other({ rawHeaders: ['accept', '*/*', ...TOKEN] })), first);
    const followed = ['X-Request-Id', 'a', ...TOKEN, 'traceparent', '00-1', 'accept', '*/*'];
    assert.deepEqual(alvos.of(other({ rawHeaders: followed })), first);
    assert.equal(alvos.paginaDe(other({ rawHeaders: followed })), first?.pagina);
  });

  test('differs in the page alone where only the NSU does', () => {
    const alvos = new Alvos();
    const asked = conexao();
    const [first, next] = [alvos.of(asked()), alvos.of(asked({ url: `${BASE}/107/novos` }))];
    assert.deepEqual([first?.nsu, next?.nsu, next?.molde], [7, 107, first?.molde]);
    assert.notEqual(first?.pagina, next?.pagina);
    for (const url of [`${BASE}/7/finalidade`, `${BASE}/7/novos?Xml=true`, `/outra${BASE}/7/novos`]) {
      assert.notEqual(alvos.of(asked({ url }))?.molde, first?.molde);
    }
  });

  test('is told apart by its token, also where a proxy sends those of several on one connection', () => {
    const alvos = new Alvos();
    const asked = conexao();
    const tokens = ['um', 'dois', 'um', 'tres', 'dois'];
    const keys = tokens.map((token) => alvos.of(asked({ rawHeaders: ['Authorization', `Bearer ${token}`] })));
    const paginas = keys.map((alvo) => alvo?.pagina);
    assert.deepEqual([paginas[2], paginas[4]], [paginas[0], paginas[1]]);
    assert.equal(new Set(paginas).size, 3);
    assert.equal(new Set(keys.map((alvo) => alvo?.molde)).size, 3);
    assert.notEqual(alvos.of(conexao('10.0.0.9')())?.pagina, alvos.of(asked())?.pagina);
  });

  test('is told apart by the version of HTTP: what a request may leave out depends on it', () => {
    const alvos = new Alvos();
    const asked = conexao();
    const keys = ['1.0', '1.1', '1.0'].map((httpVersion) => alvos.of(asked({ httpVersion }))?.pagina);
    assert.notEqual(keys[0], keys[1]);
    assert.equal(keys[0], keys[2]);
  });

  test('is told by no key where the address is longer than any of ours: it would be kept with each answer', () => {
    const alvos = new Alvos();
    for (const length of [400, 600]) {
      const url = `${BASE}/7/novos?x=`.padEnd(length, 'x');
      const request = conexao()({ url });
      assert.equal(alvos.of(request) === null, length > 500);
      assert.equal(alvos.paginaDe(request) === null, length > 500);
    }
  });

  test('is told by no key for another route, another method, a body, or a header that stands twice', () => {
    const alvos = new Alvos();
    const asked = conexao();
    for (const url of [
      `${BASE}/007/novos`,
      `${BASE}/-1/novos`,
      `${BASE}/7`,
      `${BASE}/7/novosx`,
      '/storage',
    ]) {
      assert.equal(alvos.of(asked({ url })), null, url);
    }
    for (const pedido of [
      { method: 'HEAD' },
      { method: 'POST' },
      { rawHeaders: [...TOKEN, 'Content-Length', '2'] },
      { rawHeaders: [...TOKEN, 'Transfer-Encoding', 'chunked'] },
      { rawHeaders: [...TOKEN, 'authorization', 'Bearer dois'] },
    ]) {
      assert.deepEqual([alvos.of(asked(pedido)), alvos.paginaDe(asked(pedido))], [null, null]);
    }
    assert.notEqual(alvos.of(asked()), null);
  });

  test('does not hold the token', () => {
    const asked = conexao()({ rawHeaders: ['Authorization', 'Bearer segredo'] });
    assert.ok(!JSON.stringify(new Alvos().of(asked)).includes('segredo'));
  });
});
