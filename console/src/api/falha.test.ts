import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFalha } from './falha.ts';

const answered = (body: string, headers: Record<string, string> = {}) =>
  readFalha(new Response(body, { status: 502, headers }));

describe('an error answer', () => {
  it('is told in the words of the server, with its fields and how long to wait', async () => {
    const erros = [{ campo: 'nome', codigo: 'obrigatorio', mensagem: 'Informe o nome.' }];
    const body = { codigo: 'dados_invalidos', mensagem: 'Confira os campos.', erros, requestId: 'r1' };
    const falha = await answered(JSON.stringify(body), { 'retry-after': '7' });
    assert.equal(falha.message, 'Confira os campos.');
    assert.deepEqual(
      [falha.status, falha.codigo, falha.erros, falha.requestId, falha.esperar],
      [502, 'dados_invalidos', erros, 'r1', 7],
    );
  });

  for (const body of [
    '<html>Bad gateway</html>',
    '',
    'null',
    '"não"',
    '[]',
    '{"codigo":5,"mensagem":{},"erros":{}}',
  ])
    it(`that is not of this service (${body || 'empty'}) is told by its status`, async () => {
      const falha = await answered(body, { 'x-request-id': 'r2' });
      assert.match(falha.message, /^O servidor respondeu 502 sem explicar o motivo/);
      assert.deepEqual([falha.codigo, falha.erros, falha.requestId], ['resposta_inesperada', [], 'r2']);
    });

  it('shows no field that is none', async () => {
    const good = { campo: 'a', codigo: 'b', mensagem: 'c' };
    const erros = [null, 'x', { campo: 'a', codigo: 'b', mensagem: {} }, good];
    assert.deepEqual((await answered(JSON.stringify({ codigo: 'x', erros }))).erros, [good]);
  });
});
