import assert from 'node:assert/strict';
import { afterEach, it } from 'node:test';
import { FalhaDeApi } from '../../api/falha.ts';
import { subir } from './subir.ts';

/** As much of a browser's request as `subir` uses: what is sent is answered at once. */
function answerWith(status: number, responseText: string): void {
  class Pedido {
    status = status;
    responseText = responseText;
    upload = {};
    onload: (() => void) | null = null;
    open(): void {}
    setRequestHeader(): void {}
    send(): void {
      this.onload?.();
    }
  }
  Object.assign(globalThis, { XMLHttpRequest: Pedido, window: { location: { origin: 'https://aqui' } } });
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'XMLHttpRequest');
  Reflect.deleteProperty(globalThis, 'window');
});

const sent = () =>
  subir('https://publico/upload/1?assinatura=a', new File(['x'], 'a.xml'), {
    signal: new AbortController().signal,
    aoAvancar: () => {},
  }).catch((error: unknown) => error);

it('a refused upload is told in the words of the server', async () => {
  answerWith(409, JSON.stringify({ codigo: 'arquivo_ja_enviado', mensagem: 'O arquivo já foi enviado.' }));
  const falha = await sent();
  assert.ok(falha instanceof FalhaDeApi);
  assert.deepEqual([falha.codigo, falha.message], ['arquivo_ja_enviado', 'O arquivo já foi enviado.']);
});

for (const body of ['<html>', 'null', '{"mensagem":{"a":1}}'])
  it(`whatever else is answered to an upload (${body}) fails it by its status`, async () => {
    answerWith(502, body);
    const falha = await sent();
    assert.ok(falha instanceof FalhaDeApi);
    assert.deepEqual([falha.codigo, falha.message], ['envio_recusado', 'O servidor recusou o envio (502).']);
  });
